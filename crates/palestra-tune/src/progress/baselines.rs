//! What a champion must beat before it is called better: the start of the plan, or else equal weights, and the winner of
//! a random search with as many games.
//!
//! A user has these without training. The first leader of a training is as good as its luck: a random direction is
//! better than another one in half of all cases, whatever the training did. Nor is a start enough: small random changes
//! of weights that are 0 often make a better player.

use super::{ChampionTester, PairedScore};
use crate::driver::seeds;
use crate::start_points::OpeningSplit;
use crate::{ExecutionContext, ExecutionError, Schedule, ScheduledMatch, StartPoint};
use palestra_arena::stats::{Sprt, SprtDecision, SprtModel};
use palestra_core::Seed;
use serde::{Deserialize, Serialize};

/// Names of the baselines. They are stored with runs and are the keys of their translations: do not change them.
const START: &str = "the start";
const EQUAL_WEIGHTS: &str = "equal weights";
pub(super) const RANDOM_SEARCH: &str = "the winner of a random search with as many games";

/// The champion against one baseline.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct BaselineComparison {
    /// `the start`, `equal weights` or `the winner of a random search with as many games`.
    pub baseline: String,
    /// The weights of the baseline.
    pub weights: Vec<f64>,
    /// Pairs of games against it, on openings never used in training.
    pub games: PairedScore,
    /// Whether the champion is better, by a sequential test of 0 against 20 normalized Elo at 5 %; `None` where the test
    /// did not decide.
    pub better: Option<bool>,
}

/// A player to compare with.
pub(super) struct Baseline {
    pub(super) name: &'static str,
    pub(super) weights: Vec<f64>,
}

/// How many games of a sequential test are played.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Games {
    /// All, for a narrow interval.
    All,
    /// Until the test decides.
    UntilDecided,
}

/// Pairs of games between two decisions of a sequential test.
const ROUND: usize = 50;

/// Whether the champion is better than every baseline. Each test has the whole risk of 5 %: to be called better, a champion
/// that is not better than one of them would have to pass the test against that one.
pub(super) fn decision_of(comparisons: &[BaselineComparison]) -> Option<bool> {
    let mut decisions = comparisons.iter().map(|comparison| comparison.better);
    if decisions.clone().any(|better| better == Some(false)) {
        return Some(false);
    }
    decisions.all(|better| better == Some(true)).then_some(true)
}

impl ChampionTester<'_> {
    /// The baselines of the plan; `random_winner` is the winner of a random search with as many games.
    pub(super) fn baselines(
        &mut self,
        random_winner: Option<Vec<f64>>,
        context: &ExecutionContext<'_>,
    ) -> Result<Vec<Baseline>, ExecutionError> {
        let first = match &self.plan.start {
            Some(start) => Baseline { name: START, weights: start.clone() },
            None => Baseline { name: EQUAL_WEIGHTS, weights: self.equal_weights(context)? },
        };
        let random = random_winner.map(|weights| Baseline { name: RANDOM_SEARCH, weights });
        Ok(std::iter::once(first).chain(random).collect())
    }

    /// A weight of 1 or −1 for every feature, within the bounds: the sign with which the feature alone wins more games
    /// of training than with the other, and 1 where both win as many.
    fn equal_weights(&mut self, context: &ExecutionContext<'_>) -> Result<Vec<f64>, ExecutionError> {
        let space = &self.plan.space;
        let n = space.n();
        let mut weights = vec![1.0; n];
        if self.plan.tunable_player.sum.is_some() {
            let free: Vec<usize> = (0..n).filter(|&i| space.low[i] < 0.0 && space.high[i] > 0.0).collect();
            let pairs = (self.plan.test.pairs / 20).clamp(10, 100);
            let seed = Seed(self.plan.seed).child(seeds::SIGNS);
            let plies = self.plan.test.opening_plies;
            let start_points = self.sampler.draw(OpeningSplit::Training, pairs, plies, seed)?;
            let signed = |i: usize, sign: f64| {
                let mut weights = vec![0.0; n];
                weights[i] = sign;
                weights
            };
            let to = start_points.len() as u32;
            let both = |k: u32| ScheduledMatch { a: 2 * k, b: 2 * k + 1, from: 0, to };
            let matches = (0..free.len() as u32).map(both).collect();
            let candidates = free.iter().flat_map(|&i| [signed(i, 1.0), signed(i, -1.0)]).collect();
            let batch = self.batch(candidates, Schedule::Matches(matches), start_points);
            let result = self.run(&batch, context)?;
            for (&i, result) in free.iter().zip(&result.match_results) {
                weights[i] = if result.losses > result.wins { -1.0 } else { 1.0 };
            }
        }
        self.plan.space.clamp(&mut weights);
        Ok(weights)
    }

    /// Plays the champion against a baseline. The decision is the first one of a sequential test, made every [`ROUND`]
    /// pairs.
    pub(super) fn compare_with(
        &mut self,
        champion: &[f64],
        baseline: &Baseline,
        start_points: &[StartPoint],
        games: Games,
        context: &ExecutionContext<'_>,
    ) -> Result<BaselineComparison, ExecutionError> {
        let test = Sprt::new(SprtModel::Normalized, 0.0, 20.0, 0.05, 0.05)?;
        let mut paired = PairedScore::default();
        let mut decision = None;
        for round in start_points.chunks(ROUND) {
            let both = vec![champion.to_vec(), baseline.weights.clone()];
            let batch = self.batch(both, Schedule::League, round.to_vec());
            self.run(&batch, context)?.match_results.iter().for_each(|result| paired.add(result));
            decision = decision.or_else(|| test.decide(test.llr_pairs(paired.pairs)));
            if games == Games::UntilDecided && decision.is_some() {
                break;
            }
        }
        Ok(BaselineComparison {
            baseline: baseline.name.to_owned(),
            weights: baseline.weights.clone(),
            games: paired,
            better: decision.map(|decision| decision == SprtDecision::AcceptElo1),
        })
    }

    /// The comparisons that decide whether the champion is called better, up to the first that it does not pass.
    pub(super) fn compare_until_decided(
        &mut self,
        champion: &[f64],
        baselines: &[Baseline],
        start_points: &[StartPoint],
        context: &ExecutionContext<'_>,
    ) -> Result<Vec<BaselineComparison>, ExecutionError> {
        let mut comparisons = Vec::new();
        for baseline in baselines {
            let comparison =
                self.compare_with(champion, baseline, start_points, Games::UntilDecided, context)?;
            let passed = comparison.better == Some(true);
            comparisons.push(comparison);
            if !passed {
                break;
            }
        }
        Ok(comparisons)
    }
}
