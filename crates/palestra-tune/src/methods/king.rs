//! King of the hill over a grid: as in the Connect-4 study, and with a test that does not crown by luck.

use super::MethodInfo;
use super::common::{fitness_of, rate, shuffle};
use super::values::{STEPS, VALUES, grid_values, n_points};
use crate::{
    CandidateSet, HallOfFameEntry, Optimizer, OptimizerReply, OptimizerRequest, OptimizerSetup,
    Recommendation, Settings,
};
use palestra_arena::stats::{Sprt, SprtDecision, SprtModel};
use palestra_core::InputError;

/// King of the hill, for the list of methods.
pub(super) const INFO: MethodInfo = MethodInfo {
    name: "king",
    about: "lets every point of a grid challenge the best so far, the king, in turn",
    settings: &[
        VALUES,
        STEPS,
        ("test", "study: the better of one duel is king; sequential: duels until a test decides", "study"),
        ("order", "in which order points challenge: grid (the last weight fastest) or random", "grid"),
        ("elo", "sequential: by how much a challenger has to be better", "20"),
        ("model", "sequential: what Elo means there: logistic, normalized or bayesian", "logistic"),
        ("risk", "sequential: the risk of either wrong decision", "0.05"),
        ("most", "sequential: pairs of games after which the king stays, undecided", "1000"),
    ],
    open,
};

/// The most challengers there may be.
const MOST_POINTS: u64 = 1 << 24;

/// How many kings are recommended, the last ones.
const N_FINALISTS: usize = 5;

fn open(setup: &OptimizerSetup, settings: &mut Settings) -> Result<Box<dyn Optimizer>, InputError> {
    let values = grid_values(&setup.space, settings, MOST_POINTS)?;
    let sequential = settings.choice("test", "study", &["study", "sequential"])? == "sequential";
    let order = settings.choice("order", "grid", &["grid", "random"])?;
    let elo = settings.number("elo", 20.0, 0.1..=1000.0)?;
    let model = settings.choice("model", "logistic", &SprtModel::NAMES)?.parse()?;
    let risk = settings.number("risk", 0.05, 1e-6..=0.4)?;
    let most = settings.integer("most", 1000, 1..=1_000_000_000)?;
    let test = if sequential { Some((Sprt::new(model, 0.0, elo, risk, risk)?, most)) } else { None };

    let n_points = n_points(&values);
    let mut challengers: Vec<u32> = (0..n_points as u32).collect();
    if order == "random" {
        shuffle(&mut challengers, &mut setup.seed.child(0).rng());
    }
    let grid = CandidateSet::Grid { values, from: 0, to: n_points };
    let first = setup.start.clone().unwrap_or_else(|| grid.weights(challengers[0] as usize));
    let king = HallOfFameEntry { generation: 0, weights: first, fitness: 0.0 };
    let mut method =
        KingSearch { grid, challengers, next: 0, test, pairs: [0; 5], kings: vec![king], n_duels: 0 };
    method.skip_the_king();
    Ok(Box::new(method))
}

struct KingSearch {
    grid: CandidateSet,
    /// The numbers of the points, in the order in which they challenge.
    challengers: Vec<u32>,
    next: usize,
    /// The test and its patience, where one duel is not enough.
    test: Option<(Sprt, u64)>,
    /// Pairs of the present challenger against the king, by points of the challenger.
    pairs: [u64; 5],
    /// All kings, the present one last; `generation` is the duel that made them so.
    kings: Vec<HallOfFameEntry>,
    n_duels: u64,
}

impl KingSearch {
    fn king(&self) -> &HallOfFameEntry {
        self.kings.last().expect("there is always a king")
    }

    fn challenger(&self) -> Option<Vec<f64>> {
        self.challengers.get(self.next).map(|number| self.grid.weights(*number as usize))
    }

    /// Against itself a test would never end; the study's single duel does no harm and was played.
    fn skip_the_king(&mut self) {
        while self.test.is_some() && self.challenger().is_some_and(|weights| weights == self.king().weights) {
            self.next += 1;
        }
    }

    /// Whether the duel is over, and if so whether the challenger has won.
    fn verdict(&mut self, answer: &OptimizerReply) -> Option<bool> {
        let fitness = fitness_of(answer, 2);
        let Some((test, most)) = &self.test else { return Some(fitness[1] > fitness[0]) };
        let OptimizerReply::Rated(rating) = answer else { return None };
        let mut pairs = rating.duel.expect("a sequential test needs an objective in which the two meet");
        pairs.reverse();
        self.pairs.iter_mut().zip(pairs).for_each(|(sum, count)| *sum += count);
        match test.decide(test.llr_pairs(self.pairs)) {
            Some(decision) => Some(decision == SprtDecision::AcceptElo1),
            None => (self.pairs.iter().sum::<u64>() >= *most).then_some(false),
        }
    }
}

impl Optimizer for KingSearch {
    fn ask(&mut self) -> Option<OptimizerRequest> {
        let challenger = self.challenger()?;
        Some(rate(&[self.king().weights.clone(), challenger]))
    }

    fn tell(&mut self, answer: &OptimizerReply) {
        let weights = self.challenger().expect("an answer belongs to a question");
        self.n_duels += 1;
        let Some(won) = self.verdict(answer) else { return };
        if won {
            let fitness = fitness_of(answer, 2)[1];
            self.kings.push(HallOfFameEntry { generation: self.n_duels - 1, weights, fitness });
        }
        self.pairs = [0; 5];
        self.next += 1;
        self.skip_the_king();
    }

    fn recommendations(&self) -> Vec<Recommendation> {
        let n_kings = self.kings.len();
        let finalist = |(i, king): (usize, &HallOfFameEntry)| Recommendation {
            label: format!("king {} of {n_kings}", i + 1),
            weights: king.weights.clone(),
        };
        self.kings.iter().enumerate().rev().take(N_FINALISTS).map(finalist).collect()
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

    fn needs_duels(&self) -> bool {
        self.test.is_some()
    }
}

#[cfg(test)]
#[path = "king_tests.rs"]
mod tests;
