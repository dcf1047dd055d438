//! Rates every point of a grid, as in the Connect-C study.

use super::MethodInfo;
use super::common::fitness_of;
use super::values::{GridValues, grid_values, n_points};
use crate::keys::keys;
use crate::{
    CandidateSet, GridSummary, Optimizer, OptimizerReply, OptimizerRequest, OptimizerSetup, Recommendation,
    RequestSize, RequestSizes,
};
use palestra_core::InputError;
use palestra_settings::Document;

/// The grid, for the list of methods.
pub(super) const INFO: MethodInfo = MethodInfo {
    name: "grid",
    about: "rates every point of a grid and keeps all of the best",
    settings: GridSettings::LIST,
    open,
    sizes,
};

keys! {
    pub(super) struct GridSettings {
        /// values of each weight, [[1, 2], [0, 5]], or one list for all weights
        values: Option<GridValues> = None => "none";
        /// instead of values: number of equally spaced values from the low to the high bound
        steps: Option<usize> = None => "none", in 2..=10_000;
        /// largest number of points that are rated together
        slab: u64 = 600000, in 1..=100_000_000;
        /// largest number of points at the maximum that are recommended
        recommendations as "finalists": usize = 10, in 1..=1000;
    }
}

/// Largest number of points of a grid.
const MAX_POINTS: u64 = 1 << 40;

fn open(setup: &OptimizerSetup, document: &Document) -> Result<Box<dyn Optimizer>, InputError> {
    let settings: GridSettings = document.read()?;
    let given = (settings.values.as_ref(), settings.steps);
    let values = grid_values(&setup.space, given, document, MAX_POINTS)?;
    let slab = slab(&values, settings.slab);
    Ok(Box::new(GridSearch {
        n_points: n_points(&values),
        slab,
        n_recommendations: settings.recommendations,
        summary: GridSummary::new(values),
    }))
}

fn sizes(setup: &OptimizerSetup, document: &Document) -> Result<RequestSizes, InputError> {
    let settings: GridSettings = document.read()?;
    let given = (settings.values.as_ref(), settings.steps);
    let values = grid_values(&setup.space, given, document, MAX_POINTS)?;
    let (n_points, slab) = (n_points(&values), slab(&values, settings.slab));
    let whole = (RequestSize::Grid { n: slab }, n_points / slab);
    let rest = (RequestSize::Grid { n: n_points % slab }, 1);
    let first = [whole, rest].into_iter().filter(|(request, _)| *request != RequestSize::Grid { n: 0 });
    Ok(RequestSizes { first: first.collect(), cycle: Vec::new(), depends_on_replies: false })
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
