//! Test helpers: an Elo landscape whose best point is known, and simulated games on it.
//!
//! Elo falls quadratically from the best point, thirty times as fast in the steepest direction as in the flattest, down
//! to 900 below; the middle of the space is 300 below. Results are logistic; between equal players a fifth are draws.

use super::MethodInfo;
use super::frame::normals;
use crate::{
    CandidateFitness, CandidateSet, Optimizer, OptimizerReply, OptimizerRequest, OptimizerSetup, Space,
};
use palestra_core::{Rng, Seed};
use palestra_settings::Document;
use rand::RngExt as _;

/// An Elo landscape.
pub(crate) struct Landscape {
    /// The axes, each with its curvature.
    axes: Vec<(Vec<f64>, f64)>,
    best: Vec<f64>,
}

impl Landscape {
    pub(crate) fn new(n: usize, seed: Seed) -> Landscape {
        let mut axes: Vec<(Vec<f64>, f64)> = Vec::new();
        for i in 0..n {
            let mut axis = normals(seed.child(i as u64), n);
            for (earlier, _) in &axes {
                let along: f64 = axis.iter().zip(earlier).map(|(a, b)| a * b).sum();
                axis.iter_mut().zip(earlier).for_each(|(a, b)| *a -= along * b);
            }
            axes.push((crate::normalized(&axis), 30f64.powf(i as f64 / (n as f64 - 1.0))));
        }
        let mut rng = seed.child(n as u64).rng();
        let best = (0..n).map(|_| rng.random_range(-0.5..0.5)).collect();
        let mut landscape = Landscape { axes, best };
        let factor = -300.0 / landscape.quadratic(&vec![0.0; n]);
        landscape.axes.iter_mut().for_each(|(_, steepness)| *steepness *= factor);
        landscape
    }

    fn quadratic(&self, weights: &[f64]) -> f64 {
        let apart: Vec<f64> = weights.iter().zip(&self.best).map(|(a, b)| a - b).collect();
        let along = |axis: &[f64]| axis.iter().zip(&apart).map(|(a, b)| a * b).sum::<f64>();
        -self.axes.iter().map(|(axis, steepness)| steepness * along(axis).powi(2)).sum::<f64>()
    }

    /// Elo relative to the best point: from -900 to 0.
    pub(crate) fn elo(&self, weights: &[f64]) -> f64 {
        self.quadratic(weights).max(-900.0)
    }
}

/// Wins less losses of one game at this difference in Elo.
fn game(elo: f64, rng: &mut Rng) -> f64 {
    let score = 1.0 / (1.0 + 10f64.powf(-elo / 400.0));
    let draw = 0.4 * score.min(1.0 - score);
    let u: f64 = rng.random();
    match u {
        _ if u < draw => 0.0,
        _ if u < score + draw / 2.0 => 1.0,
        _ => -1.0,
    }
}

/// Replies to the requests of a method with simulated games, until the budget is spent. Two candidates play two games
/// against each other; of more candidates, each plays two games against their average strength.
pub(crate) fn rate(method: &mut dyn Optimizer, landscape: &Landscape, budget: u64, seed: Seed) {
    let (mut n_games, mut batch) = (0, 0);
    while let Some(OptimizerRequest::Rate { candidates: CandidateSet::Listed(all), .. }) = method.ask() {
        let mut rng = seed.child(batch).rng();
        batch += 1;
        let elo: Vec<f64> = all.iter().map(|weights| landscape.elo(weights)).collect();
        let rating = if let [first, second] = elo[..] {
            let points = game(first - second, &mut rng) + game(first - second, &mut rng);
            let mut counts = [0; 5];
            counts[(points + 2.0) as usize] = 1;
            CandidateFitness { fitness: vec![points, -points], n_games: 2, head_to_head: Some(counts) }
        } else {
            let mean = elo.iter().sum::<f64>() / elo.len() as f64;
            let points = |elo: &f64| game(elo - mean, &mut rng) + game(elo - mean, &mut rng);
            let fitness: Vec<f64> = elo.iter().map(points).collect();
            CandidateFitness { n_games: 2 * fitness.len() as u64, fitness, head_to_head: None }
        };
        n_games += rating.n_games;
        if n_games > budget {
            return;
        }
        method.tell(&OptimizerReply::Rated(rating));
    }
}

/// `n` weights from -1 to 1.
pub(crate) fn plain_space(n: usize) -> Space {
    let names = (0..n).map(|i| format!("w{i}")).collect();
    Space { names, low: vec![-1.0; n], high: vec![1.0; n], scale_free: false }
}

/// A setup with two games for each candidate and no budget.
pub(crate) fn setup(space: &Space, seed: u64) -> OptimizerSetup {
    OptimizerSetup { space: space.clone(), start: None, seed: Seed(seed), n_games: None, games_each: 2 }
}

/// The method with these settings.
pub(crate) fn opened(info: &MethodInfo, space: &Space, text: &str, seed: u64) -> Box<dyn Optimizer> {
    opened_with(info, &setup(space, seed), text)
}

/// The method with these settings and this setup.
pub(crate) fn opened_with(info: &MethodInfo, setup: &OptimizerSetup, text: &str) -> Box<dyn Optimizer> {
    (info.open)(setup, &Document::parse(text, "plan.toml").unwrap()).unwrap()
}

/// Checks that these settings are an error with this text in the message.
pub(crate) fn check_settings(info: &MethodInfo, text: &str, expected: &str) {
    let opened = (info.open)(&setup(&plain_space(3), 1), &Document::parse(text, "plan.toml").unwrap());
    let message = opened.err().expect("settings with an error").to_string();
    assert!(message.contains(expected), "{message}");
}

mod tests {
    use super::*;
    use crate::methods::{cmaes, regression, spsa};

    /// A single weight, a weight with equal bounds, fitness that is NaN: weights stay finite.
    #[test]
    fn small_spaces_and_invalid_fitness() {
        for info in [&cmaes::INFO, &spsa::INFO, &regression::INFO] {
            let nothing = (info.open)(&setup(&plain_space(0), 1), &Document::default());
            assert!(nothing.is_err_and(|bad| bad.to_string().contains("at least one weight")));
            for scale_free in [false, true] {
                let mut space = plain_space(1);
                space.scale_free = scale_free;
                opened(info, &space, "", 1).ask().unwrap();
                let mut space = plain_space(3);
                (space.low[1], space.high[1], space.scale_free) = (0.0, 0.0, scale_free);
                let mut method = opened(info, &space, "", 1);
                rate(&mut *method, &Landscape::new(3, Seed(1)), 300, Seed(1));
                let weights = &method.recommendations()[0].weights;
                assert!(weights[1] == 0.0 && weights.iter().all(|weight| weight.is_finite()), "{weights:?}");
                let Some(OptimizerRequest::Rate { candidates, .. }) = method.ask() else { continue };
                let fitness = vec![f64::NAN; candidates.len()];
                method.tell(&OptimizerReply::Rated(CandidateFitness { fitness, ..Default::default() }));
                let weights = &method.recommendations()[0].weights;
                assert!(weights.iter().all(|weight| weight.is_finite()), "{weights:?}");
            }
        }
    }
}
