//! Test helpers: methods on fitness that is a formula.

use super::METHODS;
use crate::{
    CandidateFitness, CandidateSet, Optimizer, OptimizerReply, OptimizerRequest, OptimizerSetup, Space,
};
use palestra_core::{InputError, Seed};
use palestra_settings::Document;

/// A space of `n` weights from `-radius` to `radius`.
pub(super) fn space(n: usize, radius: f64) -> Space {
    let names = (1..=n).map(|i| format!("w{i}")).collect();
    Space { names, low: vec![-radius; n], high: vec![radius; n], scale_free: false }
}

/// A setup for a space and a seed.
pub(super) fn setup(space: Space, seed: u64) -> OptimizerSetup {
    OptimizerSetup { space, start: None, seed: Seed(seed), n_games: None, games_each: 1 }
}

/// Opens a method with settings as a plan has them.
pub(super) fn try_open(
    name: &str,
    setup: &OptimizerSetup,
    text: &str,
) -> Result<Box<dyn Optimizer>, InputError> {
    let info = METHODS.iter().find(|info| info.name == name).expect("a registered method");
    (info.open)(setup, &Document::parse(text, "plan.toml").unwrap())
}

/// Opens a method with valid settings.
pub(super) fn open(name: &str, setup: &OptimizerSetup, text: &str) -> Box<dyn Optimizer> {
    try_open(name, setup, text).unwrap_or_else(|bad| panic!("{bad}"))
}

/// The error message for invalid settings.
pub(super) fn error_message(name: &str, setup: &OptimizerSetup, text: &str) -> String {
    try_open(name, setup, text).err().expect("settings that cannot be used").to_string()
}

/// The candidates of a request.
pub(super) fn candidates_of(request: &OptimizerRequest) -> Vec<Vec<f64>> {
    let OptimizerRequest::Rate { candidates, .. } = request else { panic!("a request for fitness") };
    (0..candidates.len()).map(|i| candidates.weights(i)).collect()
}

/// Replies to up to `n` requests with `fitness`, a function of the candidate and the number of the request. Returns the
/// number of requests.
pub(super) fn run(method: &mut dyn Optimizer, n: u64, mut fitness: impl FnMut(&[f64], u64) -> f64) -> u64 {
    for i in 0..n {
        let Some(request) = method.ask() else { return i };
        assert_eq!(method.ask().as_ref(), Some(&request), "repeated calls of ask give the same request");
        let fitness = candidates_of(&request).iter().map(|weights| fitness(weights, i)).collect();
        method.tell(&OptimizerReply::Rated(CandidateFitness { fitness, ..CandidateFitness::default() }));
        assert!(!method.recommendations().is_empty(), "at least one recommendation after a reply");
    }
    n
}

/// A quadratic hill with its maximum 0 at `top`.
pub(super) fn hill(weights: &[f64], top: &[f64]) -> f64 {
    -weights.iter().zip(top).map(|(weight, top)| (weight - top) * (weight - top)).sum::<f64>()
}

/// Standard normal noise, a function of the weights and the number of the request.
pub(super) fn noise(weights: &[f64], request: u64) -> f64 {
    let seed = weights.iter().fold(Seed(request), |seed, weight| seed.child(weight.to_bits()));
    super::common::normal(&mut seed.rng())
}

/// The candidates of the first `n` requests on a noisy hill: for comparing two runs.
pub(super) fn requests(method: &mut dyn Optimizer, n: u64) -> Vec<Vec<Vec<f64>>> {
    let mut all = Vec::new();
    for i in 0..n {
        let Some(request) = method.ask() else { break };
        let candidates = candidates_of(&request);
        let fitness = candidates.iter().map(|weights| hill(weights, &vec![0.5; weights.len()]));
        let fitness =
            fitness.zip(&candidates).map(|(fitness, weights)| fitness + noise(weights, i)).collect();
        method.tell(&OptimizerReply::Rated(CandidateFitness { fitness, ..CandidateFitness::default() }));
        all.push(candidates);
    }
    all
}

/// Checks that the requests of a method depend on the seed, and only on it.
pub(super) fn check_repeatable(name: &str, setup: &OptimizerSetup, text: &str) {
    let of = |seed: u64| {
        let setup = OptimizerSetup { seed: Seed(seed), ..setup.clone() };
        requests(open(name, &setup, text).as_mut(), 12)
    };
    assert_eq!(of(1), of(1));
    assert_ne!(of(1), of(2));
}

/// Rounded to six digits, for readable expected numbers.
pub(super) fn rounded(weights: &[f64]) -> Vec<f64> {
    weights.iter().map(|weight| (weight * 1e6).round() / 1e6).collect()
}

/// Whether the candidates of a request are part of a grid.
pub(super) fn is_grid(request: &OptimizerRequest) -> bool {
    matches!(request, OptimizerRequest::Rate { candidates: CandidateSet::Grid { .. }, .. })
}
