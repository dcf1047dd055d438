//! Methods tried out on fitness that is a formula.

use super::{METHODS, MethodInfo};
use crate::{
    CandidateFitness, CandidateSet, Optimizer, OptimizerReply, OptimizerRequest, OptimizerSetup, Settings,
    Space,
};
use palestra_core::{InputError, Seed};

/// A space of `n` weights from `-radius` to `radius`.
pub(super) fn space(n: usize, radius: f64) -> Space {
    let names = (1..=n).map(|i| format!("w{i}")).collect();
    Space { names, low: vec![-radius; n], high: vec![radius; n], scale_free: false }
}

/// What a method is opened with, for a space and a seed.
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
    let mut settings = Settings::parse(text, "plan.toml").unwrap();
    let method = (info.open)(setup, &mut settings)?;
    settings.finish()?;
    check_list(info, setup, text);
    Ok(method)
}

/// What a method understands is what its list says: it takes these keys and no others, and looks at their values.
fn check_list(info: &MethodInfo, setup: &OptimizerSetup, text: &str) {
    let mut settings = Settings::parse(&format!("{text}\nnobody_has_this_key = 1"), "plan.toml").unwrap();
    (info.open)(setup, &mut settings).expect("the same settings as before");
    let listed: Vec<&str> = info.settings.iter().map(|(key, _, _)| *key).collect();
    let expected = settings.finish().unwrap_err().expected;
    assert_eq!(expected, format!("a key of plan.toml ({})", listed.join(", ")), "{}", info.name);
    for key in listed {
        let mut one = Settings::parse(&format!("{key} = 1979-05-27"), "plan.toml").unwrap();
        assert!((info.open)(setup, &mut one).is_err(), "{} reads {key}", info.name);
    }
}

/// Opens a method whose settings are right.
pub(super) fn open(name: &str, setup: &OptimizerSetup, text: &str) -> Box<dyn Optimizer> {
    try_open(name, setup, text).unwrap_or_else(|bad| panic!("{bad}"))
}

/// What is wrong with these settings.
pub(super) fn complaint(name: &str, setup: &OptimizerSetup, text: &str) -> String {
    try_open(name, setup, text).err().expect("settings that cannot be used").to_string()
}

/// The candidates of a question.
pub(super) fn asked(question: &OptimizerRequest) -> Vec<Vec<f64>> {
    let OptimizerRequest::Rate { candidates, .. } = question else { panic!("a question for a rating") };
    (0..candidates.len()).map(|i| candidates.weights(i)).collect()
}

/// Answers up to `n` questions with `fitness`, which sees the candidate and the number of the question. Says how many
/// questions there were.
pub(super) fn run(method: &mut dyn Optimizer, n: u64, mut fitness: impl FnMut(&[f64], u64) -> f64) -> u64 {
    for i in 0..n {
        let Some(question) = method.ask() else { return i };
        assert_eq!(method.ask().as_ref(), Some(&question), "asked twice, the same question");
        let fitness = asked(&question).iter().map(|weights| fitness(weights, i)).collect();
        method.tell(&OptimizerReply::Rated(CandidateFitness { fitness, ..CandidateFitness::default() }));
        assert!(!method.recommendations().is_empty(), "somebody to recommend after an answer");
    }
    n
}

/// A hill whose top, 0, is at `top`.
pub(super) fn hill(weights: &[f64], top: &[f64]) -> f64 {
    -weights.iter().zip(top).map(|(weight, top)| (weight - top) * (weight - top)).sum::<f64>()
}

/// Noise of about 1, a function of the weights and the number of the question.
pub(super) fn noise(weights: &[f64], question: u64) -> f64 {
    let seed = weights.iter().fold(Seed(question), |seed, weight| seed.child(weight.to_bits()));
    super::common::normal(&mut seed.rng())
}

/// Everything a method asks in `n` questions about a hill: for comparing two runs.
pub(super) fn questions(method: &mut dyn Optimizer, n: u64) -> Vec<Vec<Vec<f64>>> {
    let mut all = Vec::new();
    for i in 0..n {
        let Some(question) = method.ask() else { break };
        let candidates = asked(&question);
        let fitness = candidates.iter().map(|weights| hill(weights, &vec![0.5; weights.len()]));
        let fitness =
            fitness.zip(&candidates).map(|(fitness, weights)| fitness + noise(weights, i)).collect();
        method.tell(&OptimizerReply::Rated(CandidateFitness { fitness, ..CandidateFitness::default() }));
        all.push(candidates);
    }
    all
}

/// A seed decides everything a method asks, and another seed something else.
pub(super) fn check_repeatable(name: &str, setup: &OptimizerSetup, text: &str) {
    let of = |seed: u64| {
        let setup = OptimizerSetup { seed: Seed(seed), ..setup.clone() };
        questions(open(name, &setup, text).as_mut(), 12)
    };
    assert_eq!(of(1), of(1));
    assert_ne!(of(1), of(2));
}

/// Rounded to six digits, for golden numbers that people can read.
pub(super) fn rounded(weights: &[f64]) -> Vec<f64> {
    weights.iter().map(|weight| (weight * 1e6).round() / 1e6).collect()
}

/// Candidates of a grid are asked for as a grid.
pub(super) fn is_grid(question: &OptimizerRequest) -> bool {
    matches!(question, OptimizerRequest::Rate { candidates: CandidateSet::Grid { .. }, .. })
}
