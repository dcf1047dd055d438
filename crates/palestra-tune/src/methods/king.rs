//! King of the hill over a grid: as in the Connect-4 study, or with a sequential test that protects against luck.

use super::MethodInfo;
use super::common::{fitness_of, rate, shuffle};
use super::values::{GridValues, grid_values, n_points};
use crate::keys::keys;
use crate::{
    CandidateSet, HallOfFameEntry, Optimizer, OptimizerReply, OptimizerRequest, OptimizerSetup,
    Recommendation, RequestSizes,
};
use palestra_arena::stats::{Sprt, SprtDecision, SprtModel};
use palestra_core::InputError;
use palestra_settings::Document;
use serde::Deserialize;

/// King of the hill, for the list of methods.
pub(super) const INFO: MethodInfo = MethodInfo {
    name: "king",
    about: "lets every point of a grid challenge the best so far, the king, in turn",
    settings: KingSettings::LIST,
    open,
    sizes,
};

keys! {
    pub(super) struct KingSettings {
        /// values of each weight, [[1, 2], [0, 5]], or one list for all weights
        values: Option<GridValues> = None => "none";
        /// instead of values: number of equally spaced values from the low to the high bound
        steps: Option<usize> = None => "none", in 2..=10_000;
        /// study: the winner of one match is king; sequential: matches until a test decides
        test: KingTest = KingTest::Study => "study";
        /// order in which points challenge: grid (the last weight fastest) or random
        order: ChallengeOrder = ChallengeOrder::Grid => "grid";
        /// sequential: Elo by which a challenger has to be better
        elo: f64 = 20.0 => "20", in 0.1..=1000.0;
        /// sequential: the Elo model: logistic, normalized or bayesian
        model: SprtModel = SprtModel::Logistic => "logistic";
        /// sequential: probability of each kind of wrong decision
        risk: f64 = 0.05, in 1e-6..=0.4;
        /// sequential: pairs of games after which an undecided king stays
        most: u64 = 1000, in 1..=1_000_000_000;
    }
}

#[derive(Clone, Copy, PartialEq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum KingTest {
    Study,
    Sequential,
}

#[derive(Clone, Copy, PartialEq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum ChallengeOrder {
    Grid,
    Random,
}

/// Largest number of challengers.
const MAX_POINTS: u64 = 1 << 24;

/// Number of kings that are recommended: the last ones.
const N_RECOMMENDATIONS: usize = 5;

fn open(setup: &OptimizerSetup, document: &Document) -> Result<Box<dyn Optimizer>, InputError> {
    let settings: KingSettings = document.read()?;
    let given = (settings.values.as_ref(), settings.steps);
    let values = grid_values(&setup.space, given, document, MAX_POINTS)?;
    let test = match settings.test {
        KingTest::Study => None,
        KingTest::Sequential => {
            let KingSettings { elo, model, risk, most, .. } = settings;
            Some((Sprt::new(model, 0.0, elo, risk, risk)?, most))
        }
    };

    let n_points = n_points(&values);
    let mut challengers: Vec<u32> = (0..n_points as u32).collect();
    if settings.order == ChallengeOrder::Random {
        shuffle(&mut challengers, &mut setup.seed.child(0).rng());
    }
    let grid = CandidateSet::Grid { values, from: 0, to: n_points };
    let first = setup.start.clone().unwrap_or_else(|| grid.weights(challengers[0] as usize));
    let king = HallOfFameEntry { generation: 0, weights: first, fitness: 0.0 };
    let mut method =
        KingSearch { grid, challengers, next: 0, test, pairs: [0; 5], kings: vec![king], n_matches: 0 };
    method.skip_king();
    Ok(Box::new(method))
}

fn sizes(setup: &OptimizerSetup, document: &Document) -> Result<RequestSizes, InputError> {
    let settings: KingSettings = document.read()?;
    let given = (settings.values.as_ref(), settings.steps);
    let n_points = n_points(&grid_values(&setup.space, given, document, MAX_POINTS)?);
    let pairs = RequestSizes::constant(2);
    Ok(match settings.test {
        KingTest::Study => RequestSizes {
            first: pairs.cycle.into_iter().map(|request| (request, n_points)).collect(),
            cycle: Vec::new(),
            depends_on_replies: false,
        },
        KingTest::Sequential => RequestSizes { depends_on_replies: true, ..pairs },
    })
}

struct KingSearch {
    grid: CandidateSet,
    /// The indices of the points, in the order in which they challenge.
    challengers: Vec<u32>,
    next: usize,
    /// The sequential test and its largest number of pairs; `None` where one match decides.
    test: Option<(Sprt, u64)>,
    /// Number of pairs of the present challenger against the king, by result of the challenger: both lost, …, both won.
    pairs: [u64; 5],
    /// All kings, the present one last; `generation` is the number of the match that they won.
    kings: Vec<HallOfFameEntry>,
    n_matches: u64,
}

impl KingSearch {
    fn king(&self) -> &HallOfFameEntry {
        self.kings.last().expect("there is always a king")
    }

    fn challenger(&self) -> Option<Vec<f64>> {
        self.challengers.get(self.next).map(|number| self.grid.weights(*number as usize))
    }

    /// Skips challengers equal to the king: a sequential test of the king against itself would run to its limit. The
    /// study played such a match, so that `study` does not skip it.
    fn skip_king(&mut self) {
        while self.test.is_some() && self.challenger().is_some_and(|weights| weights == self.king().weights) {
            self.next += 1;
        }
    }

    /// Whether the challenger has won; `None` while the test is undecided.
    fn challenger_won(&mut self, reply: &OptimizerReply) -> Option<bool> {
        let fitness = fitness_of(reply, 2);
        let Some((test, max_pairs)) = &self.test else { return Some(fitness[1] > fitness[0]) };
        let OptimizerReply::Rated(rating) = reply else { return None };
        let mut pairs = rating.head_to_head.expect("a sequential test needs the objective league");
        pairs.reverse();
        self.pairs.iter_mut().zip(pairs).for_each(|(sum, count)| *sum += count);
        match test.decide(test.llr_pairs(self.pairs)) {
            Some(decision) => Some(decision == SprtDecision::AcceptElo1),
            None => (self.pairs.iter().sum::<u64>() >= *max_pairs).then_some(false),
        }
    }
}

impl Optimizer for KingSearch {
    fn ask(&mut self) -> Option<OptimizerRequest> {
        let challenger = self.challenger()?;
        Some(rate(&[self.king().weights.clone(), challenger]))
    }

    fn tell(&mut self, reply: &OptimizerReply) {
        let weights = self.challenger().expect("a reply belongs to a request");
        self.n_matches += 1;
        let Some(won) = self.challenger_won(reply) else { return };
        if won {
            let fitness = fitness_of(reply, 2)[1];
            self.kings.push(HallOfFameEntry { generation: self.n_matches - 1, weights, fitness });
        }
        self.pairs = [0; 5];
        self.next += 1;
        self.skip_king();
    }

    fn recommendations(&self) -> Vec<Recommendation> {
        let n_kings = self.kings.len();
        let recommendation = |(i, king): (usize, &HallOfFameEntry)| Recommendation {
            label: format!("king {} of {n_kings}", i + 1),
            weights: king.weights.clone(),
        };
        self.kings.iter().enumerate().rev().take(N_RECOMMENDATIONS).map(recommendation).collect()
    }

    fn metrics(&self) -> Vec<(&'static str, f64)> {
        vec![
            ("challengers", self.next as f64),
            ("kings", self.kings.len() as f64),
            ("pairs", self.pairs.iter().sum::<u64>() as f64),
        ]
    }

    fn n_generations(&self) -> Option<u64> {
        self.test.is_none().then_some(self.challengers.len() as u64)
    }

    fn hall_of_fame(&self) -> &[HallOfFameEntry] {
        &self.kings
    }

    fn needs_head_to_head(&self) -> bool {
        self.test.is_some()
    }
}

#[cfg(test)]
#[path = "king_tests.rs"]
mod tests;
