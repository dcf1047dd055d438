//! CMA-ES: a normal distribution over weights that learns its mean, its step size and its covariance.
//!
//! Three changes adapt it to games. Where only the direction of the weights matters, its mean stays on the unit sphere.
//! Its steps are bounded, because learning rates alone did not keep it from diverging under noise. Its learning rates
//! follow the noise (LRA-CMA-ES), with populations of at least four candidates for each weight.

use super::MethodInfo;
use super::cma::CmaState;
use super::frame::{CoordinateFrame, normals};
use crate::keys::keys;
use crate::{
    CandidateSet, Optimizer, OptimizerReply, OptimizerRequest, OptimizerSetup, Recommendation, RequestSizes,
};
use palestra_core::{InputError, Seed};
use palestra_settings::Document;

/// CMA-ES, for the list of methods.
pub(super) const INFO: MethodInfo = MethodInfo {
    name: "cmaes",
    about: "moves a normal distribution over the weights, with learning rates that follow the noise",
    settings: CmaesSettings::LIST,
    open,
    sizes,
};

/// Smallest standard deviation along the longest axis: below it, rounding errors dominate.
const MIN_STEP: f64 = 1e-10;

struct Cmaes {
    frame: CoordinateFrame,
    state: CmaState,
    lambda: usize,
    sigma_cap: f64,
    seed: Seed,
    n_generations: Option<u64>,
    /// The points of the open request.
    pending: Option<Vec<Vec<f64>>>,
    /// The best weights of the last generation.
    best: Option<Vec<f64>>,
}

keys! {
    pub(super) struct CmaesSettings {
        /// first step size; 1 is half the range of a weight
        sigma: f64 = 0.3, in 1e-6..=10.0;
        /// candidates in a generation
        lambda: Option<usize> = None => "4 for each weight, at least 4 + 3 ln n", in 4..=1_000_000;
        /// whether only the direction of the weights is searched
        sphere: Option<bool> = None => "where only it matters";
        /// largest standard deviation
        sigma_cap: Option<f64> = None => "0.5 on the sphere, else 1", in 1e-6..=10.0;
        /// whether learning rates follow the noise
        lr_adapt: bool = true;
        /// whether the worse half of a generation is used with negative weights
        active: bool = false;
    }
}

fn open(setup: &OptimizerSetup, document: &Document) -> Result<Box<dyn Optimizer>, InputError> {
    let settings: CmaesSettings = document.read()?;
    let n = setup.space.n();
    let frame = CoordinateFrame::open(&setup.space, settings.sphere)?;
    let sigma_cap = settings.sigma_cap.unwrap_or(if frame.sphere { 0.5 } else { 1.0 });
    if settings.sigma > sigma_cap && document.has("sigma") {
        return Err(document.invalid("sigma", format!("a number from 0.000001 to {sigma_cap}")));
    }
    let sigma = settings.sigma.min(sigma_cap);
    let lambda = settings.lambda_of(n);
    let start = frame.start(setup, setup.seed.child(0));
    let games = lambda as u64 * setup.games_each.max(1);
    Ok(Box::new(Cmaes {
        frame,
        state: CmaState::new(start, sigma, lambda, settings.active, settings.lr_adapt),
        lambda,
        sigma_cap,
        seed: setup.seed.child(1),
        n_generations: setup.n_games.map(|n_games| (n_games / games).max(1)),
        pending: None,
        best: None,
    }))
}

impl CmaesSettings {
    /// Candidates in a generation for `n` weights.
    fn lambda_of(&self, n: usize) -> usize {
        let default = (4.0 + 3.0 * (n.max(1) as f64).ln()).floor() as usize;
        self.lambda.unwrap_or(default.max(4 * n))
    }
}

fn sizes(setup: &OptimizerSetup, document: &Document) -> Result<RequestSizes, InputError> {
    let settings: CmaesSettings = document.read()?;
    Ok(RequestSizes::constant(settings.lambda_of(setup.space.n())))
}

impl Cmaes {
    /// The points of this generation. A point outside the bounds is moved inside, and learned from as it is played.
    fn points(&self) -> Vec<Vec<f64>> {
        let seed = self.seed.child(self.state.generation);
        let point = |i| {
            let mut point = self.state.point(&normals(seed.child(i as u64), self.frame.n()));
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

    fn tell(&mut self, reply: &OptimizerReply) {
        let OptimizerReply::Rated(rating) = reply else { panic!("the request was for fitness") };
        let points = self.pending.take().unwrap_or_else(|| self.points());
        let rating = &rating.fitness;
        // The first of equals, as in `CmaState::update`.
        let best = (0..points.len()).reduce(|best, i| if rating[i] > rating[best] { i } else { best });
        self.best = best.map(|best| self.frame.weights(&points[best]));
        self.state.update(&points, rating);
        self.frame.project_to_sphere(&mut self.state.mean);
        self.state.bound(MIN_STEP, self.sigma_cap);
    }

    fn recommendations(&self) -> Vec<Recommendation> {
        let mean = Recommendation { label: "mean".to_owned(), weights: self.frame.weights(&self.state.mean) };
        let best = self.best.iter().cloned();
        let best =
            best.map(|weights| Recommendation { label: "best of the last generation".to_owned(), weights });
        std::iter::once(mean).chain(best).collect()
    }

    fn metrics(&self) -> Vec<(&'static str, f64)> {
        let mut metrics = vec![("sigma", self.state.sigma), ("condition", self.state.condition())];
        if let Some(rates) = &self.state.rates {
            metrics.push(("rate of the mean", rates.mean.eta));
            metrics.push(("rate of the covariance", rates.covariance.eta));
        }
        metrics
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

    /// Runs a method with the negative angle to `goal` as fitness.
    fn seek(method: &mut dyn Optimizer, goal: &[f64], n_generations: usize) {
        for _ in 0..n_generations {
            let Some(OptimizerRequest::Rate { candidates, .. }) = method.ask() else { panic!("no request") };
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
        let recommendations = method.recommendations();
        assert_eq!(recommendations[0].label, "mean");
        let degrees = angle(&recommendations[0].weights, &goal);
        assert!(degrees < 1.0, "{degrees}");
        let length: f64 = recommendations[1].weights.iter().map(|x| x * x).sum();
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

    /// A resumed run repeats the requests of the stored one: these numbers must not change.
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
    fn errors_name_the_location() {
        let check = |text, expected| check_settings(&INFO, text, expected);
        check(
            "sigma = 3",
            "invalid value \"3\" for sigma in plan.toml (line 1, column 9): expected a number from 0.000001 to 1",
        );
        check(
            "lambda = 2",
            "invalid value \"2\" for lambda in plan.toml (line 1, column 10): expected a whole number from 4 to 1000000",
        );
        check("sigma_cup = 1", "did you mean \"sigma_cap\"?");
        check("lr_adapt = 1", "true or false");
    }

    /// The start is 300 Elo below the optimum; the median over 9 seeds ended 4 Elo below it.
    #[test]
    fn noisy_games_lead_near_the_optimum() {
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
