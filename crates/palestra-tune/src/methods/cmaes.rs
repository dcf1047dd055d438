//! CMA-ES: a normal distribution over weights that learns where, how far and in which directions to look.
//!
//! Three things make it fit for games. Where only the direction of the weights matters, its mean stays on the unit
//! sphere. Its steps are bounded, because learning rates alone did not keep it from running away under noise. And its
//! learning rates follow the noise (LRA-CMA-ES), on populations of at least four candidates for each weight.

use super::MethodInfo;
use super::cma::CmaState;
use super::frame::{CoordinateFrame, normals};
use crate::{
    CandidateSet, Optimizer, OptimizerReply, OptimizerRequest, OptimizerSetup, Recommendation, Settings,
};
use palestra_core::{InputError, Seed};

/// The method as people choose it.
pub(super) const INFO: MethodInfo = MethodInfo {
    name: "cmaes",
    about: "moves a normal distribution over the weights, with learning rates that follow the noise",
    settings: &[
        ("sigma", "first step size; 1 is half the range of a weight", "0.3"),
        ("lambda", "candidates in a generation", "4 for each weight, at least 4 + 3 ln n"),
        ("sphere", "whether only the direction of the weights is searched", "where only it matters"),
        ("sigma_cap", "longest standard deviation allowed", "0.5 on the sphere, else 1"),
        ("lr_adapt", "whether learning rates follow the noise", "true"),
        ("active", "whether the worse half of a generation counts too", "false"),
    ],
    open,
};

/// Smallest standard deviation along the longest axis: below it, rounding would decide.
const LEAST_STEP: f64 = 1e-10;

struct Cmaes {
    frame: CoordinateFrame,
    state: CmaState,
    lambda: usize,
    sigma_cap: f64,
    seed: Seed,
    n_generations: Option<u64>,
    /// The points of the question that waits for its answer.
    pending: Option<Vec<Vec<f64>>>,
    /// The best weights of the last generation.
    best: Option<Vec<f64>>,
}

fn open(setup: &OptimizerSetup, settings: &mut Settings) -> Result<Box<dyn Optimizer>, InputError> {
    let n = setup.space.n();
    let frame = CoordinateFrame::open(&setup.space, settings)?;
    let sigma_cap = settings.number("sigma_cap", if frame.sphere { 0.5 } else { 1.0 }, 1e-6..=10.0)?;
    let sigma = settings.number("sigma", sigma_cap.min(0.3), 1e-6..=sigma_cap)?;
    let usual = (4.0 + 3.0 * (n.max(1) as f64).ln()).floor() as u64;
    let lambda = settings.integer("lambda", usual.max(4 * n as u64), 4..=1_000_000)?;
    let adapt = settings.flag("lr_adapt", true)?;
    let active = settings.flag("active", false)?;
    let start = frame.start(setup, setup.seed.child(0));
    let games = lambda * setup.games_each.max(1);
    Ok(Box::new(Cmaes {
        frame,
        state: CmaState::new(start, sigma, lambda as usize, active, adapt),
        lambda: lambda as usize,
        sigma_cap,
        seed: setup.seed.child(1),
        n_generations: setup.n_games.map(|n_games| (n_games / games).max(1)),
        pending: None,
        best: None,
    }))
}

impl Cmaes {
    /// The points of this generation. What is played is learned from: a point outside the bounds is moved inside.
    fn points(&self) -> Vec<Vec<f64>> {
        let dice = self.seed.child(self.state.generation);
        let point = |i| {
            let mut point = self.state.point(&normals(dice.child(i as u64), self.frame.n()));
            self.frame.repair(&mut point);
            point
        };
        (0..self.lambda).map(point).collect()
    }
}

impl Optimizer for Cmaes {
    fn ask(&mut self) -> Option<OptimizerRequest> {
        let points = self.pending.take().unwrap_or_else(|| self.points());
        let candidates = CandidateSet::Listed(points.iter().map(|point| self.frame.weights(point)).collect());
        self.pending = Some(points);
        Some(OptimizerRequest::Rate { candidates, effort: 1 })
    }

    fn tell(&mut self, answer: &OptimizerReply) {
        let OptimizerReply::Rated(rating) = answer else {
            panic!("the question was how good candidates are")
        };
        let points = self.pending.take().unwrap_or_else(|| self.points());
        let rating = &rating.fitness;
        // The first of equals, as in the update.
        let best = (0..points.len()).reduce(|best, i| if rating[i] > rating[best] { i } else { best });
        self.best = best.map(|best| self.frame.weights(&points[best]));
        self.state.update(&points, rating);
        self.frame.project_to_sphere(&mut self.state.mean);
        self.state.bound(LEAST_STEP, self.sigma_cap);
    }

    fn recommendations(&self) -> Vec<Recommendation> {
        let mean = Recommendation { label: "mean".to_owned(), weights: self.frame.weights(&self.state.mean) };
        let best = self.best.iter().cloned();
        let best =
            best.map(|weights| Recommendation { label: "best of the last generation".to_owned(), weights });
        std::iter::once(mean).chain(best).collect()
    }

    fn metrics(&self) -> Vec<(&'static str, f64)> {
        let mut vitals = vec![("sigma", self.state.sigma), ("condition", self.state.condition())];
        if let Some(rates) = &self.state.rates {
            vitals.push(("rate of the mean", rates.mean.eta));
            vitals.push(("rate of the covariance", rates.covariance.eta));
        }
        vitals
    }

    fn n_generations(&self) -> Option<u64> {
        self.n_generations
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::methods::synthetic::{Landscape, check_settings, opened, plain_space, rate};
    use crate::{CandidateFitness, Space, angle};

    /// Asks and tells, with the cosine to `goal` as fitness.
    fn seek(method: &mut dyn Optimizer, goal: &[f64], n_generations: usize) {
        for _ in 0..n_generations {
            let Some(OptimizerRequest::Rate { candidates, .. }) = method.ask() else { panic!("no question") };
            assert_eq!(
                method.ask(),
                Some(OptimizerRequest::Rate { candidates: candidates.clone(), effort: 1 })
            );
            let fitness = |i| -angle(&candidates.weights(i), goal);
            let fitness = (0..candidates.len()).map(fitness).collect();
            method.tell(&OptimizerReply::Rated(CandidateFitness { fitness, ..CandidateFitness::default() }));
        }
    }

    #[test]
    fn directions_are_found_on_the_sphere() {
        let space = Space { scale_free: true, ..plain_space(5) };
        let mut method = opened(&INFO, &space, "", 7);
        let goal = [0.5, -2.0, 1.0, 0.0, 0.25];
        seek(&mut *method, &goal, 60);
        let finalists = method.recommendations();
        assert_eq!(finalists[0].label, "mean");
        assert!(angle(&finalists[0].weights, &goal) < 1.0, "{}", angle(&finalists[0].weights, &goal));
        let length: f64 = finalists[1].weights.iter().map(|x| x * x).sum();
        assert!((length - 1.0).abs() < 1e-12);
    }

    #[test]
    fn bounds_hold() {
        let space = Space { low: vec![0.0; 3], scale_free: true, ..plain_space(3) };
        let mut method = opened(&INFO, &space, "", 7);
        seek(&mut *method, &[1.0, -1.0, 0.0], 40);
        let weights = &method.recommendations()[0].weights;
        assert!(weights[1] >= 0.0 && weights[0] > 0.99, "{weights:?}");
    }

    /// Stored runs are told again what they were told: these numbers must not change.
    #[test]
    fn numbers_never_change() {
        let mut method = opened(&INFO, &plain_space(3), "", 42);
        seek(&mut *method, &[1.0, 2.0, -1.0], 5);
        let numbers: Vec<f64> = method.recommendations()[0]
            .weights
            .iter()
            .copied()
            .chain(method.metrics().iter().map(|v| v.1))
            .collect();
        let expected = [
            0.449164112699669,
            0.8312888762882104,
            -0.4287962103675903,
            0.5186490337309941,
            2.5407468923651138,
            0.6898685361184262,
            0.8620078969570807,
        ];
        assert_eq!(numbers.len(), expected.len());
        for (number, expected) in numbers.iter().zip(expected) {
            assert!((number - expected).abs() <= 1e-12 * expected.abs(), "{numbers:?}");
        }
    }

    #[test]
    fn mistakes_have_a_place() {
        let check = |text, expected| check_settings(&INFO, text, expected);
        check("sigma = 3", "sigma in plan.toml, line 1, column 9: \"3\" is not a number from 0.000001 to 1");
        check(
            "lambda = 2",
            "lambda in plan.toml, line 1, column 10: \"2\" is not a whole number from 4 to 1000000",
        );
        check("sigma_cup = 1", "did you mean \"sigma_cap\"?");
        check("lr_adapt = 1", "true or false");
    }

    /// 300 Elo below the best at the start. Over 9 seeds, 4 were missing at the median.
    #[test]
    fn noisy_games_lead_near_the_best() {
        let mut missing: Vec<f64> = (0..9)
            .map(|seed| {
                let landscape = Landscape::new(6, Seed(seed));
                let mut method = opened(&INFO, &plain_space(6), "", seed);
                rate(&mut *method, &landscape, 10_000, Seed(seed).child(1));
                -landscape.elo(&method.recommendations()[0].weights)
            })
            .collect();
        missing.sort_by(f64::total_cmp);
        assert!(missing[4] < 15.0, "{missing:?}");
    }
}
