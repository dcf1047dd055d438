//! Rates every point of a grid, as in the Connect-C study.

use super::MethodInfo;
use super::common::fitness_of;
use super::values::{STEPS, VALUES, grid_values, n_points};
use crate::{
    CandidateSet, GridSummary, Optimizer, OptimizerReply, OptimizerRequest, OptimizerSetup, Recommendation,
    Settings,
};
use palestra_core::InputError;

/// The grid, for the list of methods.
pub(super) const INFO: MethodInfo = MethodInfo {
    name: "grid",
    about: "rates every point of a grid and keeps all of the best",
    settings: &[
        VALUES,
        STEPS,
        ("slab", "largest number of points that are rated together", "600000"),
        ("finalists", "largest number of points at the maximum that are recommended", "10"),
    ],
    open,
};

/// Largest number of points of a grid.
const MAX_POINTS: u64 = 1 << 40;

fn open(setup: &OptimizerSetup, settings: &mut Settings) -> Result<Box<dyn Optimizer>, InputError> {
    let values = grid_values(&setup.space, settings, MAX_POINTS)?;
    let max_points = settings.integer("slab", 600_000, 1..=100_000_000)?;
    let n_recommendations = settings.integer("finalists", 10, 1..=1000)? as usize;
    let slab = slab(&values, max_points);
    Ok(Box::new(GridSearch {
        n_points: n_points(&values),
        slab,
        n_recommendations,
        summary: GridSummary::new(values),
    }))
}

/// Number of points of one request, at most `max_points`: the product of all values of the last weights and, where all
/// values of the next weight do not fit, of a part of them.
fn slab(values: &[Vec<f64>], max_points: u64) -> u64 {
    let mut slab = 1;
    for values in values.iter().rev().map(|values| values.len() as u64) {
        if slab * values > max_points {
            // The values of this weight are divided into parts of nearly equal size.
            let n_pieces = values.div_ceil((max_points / slab).max(1));
            return slab * values.div_ceil(n_pieces);
        }
        slab *= values;
    }
    slab
}

struct GridSearch {
    n_points: u64,
    slab: u64,
    n_recommendations: usize,
    summary: GridSummary,
}

impl GridSearch {
    fn next(&self) -> Option<CandidateSet> {
        let from = self.summary.n_points;
        let to = self.n_points.min(from + self.slab);
        (from < to).then(|| CandidateSet::Grid { values: self.summary.values.clone(), from, to })
    }

    fn point(&self, number: u64) -> Vec<f64> {
        let one = CandidateSet::Grid { values: self.summary.values.clone(), from: number, to: number + 1 };
        one.weights(0)
    }
}

impl Optimizer for GridSearch {
    fn ask(&mut self) -> Option<OptimizerRequest> {
        Some(OptimizerRequest::Rate { candidates: self.next()?, effort: 1 })
    }

    fn tell(&mut self, reply: &OptimizerReply) {
        let candidates = self.next().expect("a reply belongs to a request");
        self.summary.add(fitness_of(reply, candidates.len()));
    }

    fn recommendations(&self) -> Vec<Recommendation> {
        let recommendation = |(i, &number): (usize, &u64)| Recommendation {
            label: format!("point {number}, {} of {} at the maximum", i + 1, self.summary.n_at_maximum),
            weights: self.point(number),
        };
        self.summary.at_maximum.iter().enumerate().take(self.n_recommendations).map(recommendation).collect()
    }

    fn metrics(&self) -> Vec<(&'static str, f64)> {
        vec![
            ("points", self.summary.n_points as f64),
            ("maximum", self.summary.maximum),
            ("at the maximum", self.summary.n_at_maximum as f64),
            ("mean", self.summary.mean()),
        ]
    }

    fn n_generations(&self) -> Option<u64> {
        Some(self.n_points.div_ceil(self.slab))
    }

    fn grid_summary(&self) -> Option<&GridSummary> {
        Some(&self.summary)
    }
}

#[cfg(test)]
#[path = "grid_tests.rs"]
mod tests;
