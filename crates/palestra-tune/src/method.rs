//! What every method of finding weights offers: it is asked for candidates and told how good they are.
//!
//! An optimizer is a function of its seed and of what it is told. A resumed run tells it everything again instead of
//! storing its state.

use crate::{GridSummary, Space};
use palestra_arena::SelfPlayGame;
use serde::Serialize;
use std::sync::Arc;

/// A way to find weights. It never plays a game itself; all its dice come from the seed it was opened with, so that
/// the same answers always lead to the same questions. Whoever resumes a run tells it everything again.
pub trait Optimizer: Send {
    /// What it wants to know next; `None` when it is finished. Asking again without telling gives the same question.
    fn ask(&mut self) -> Option<OptimizerRequest>;

    /// The answer to the last question.
    fn tell(&mut self, answer: &OptimizerReply);

    /// The weights it stands for now, most trusted first. At least one after the first answer; fresh games decide
    /// between them.
    fn recommendations(&self) -> Vec<Recommendation>;

    /// What a person may want to see of its state: `[("sigma", 0.1), …]`.
    fn metrics(&self) -> Vec<(&'static str, f64)> {
        Vec::new()
    }

    /// Why it asks for nothing more, if that is not because it is finished: a method may be a program that failed.
    fn failure(&self) -> Option<String> {
        None
    }

    /// How many generations it will take, where it knows.
    fn n_generations(&self) -> Option<u64> {
        None
    }

    /// What the grid looked like so far, where it walks over one.
    fn grid_summary(&self) -> Option<&GridSummary> {
        None
    }

    /// The best of earlier generations, where it keeps them.
    fn hall_of_fame(&self) -> &[HallOfFameEntry] {
        &[]
    }

    /// Whether it always asks about two candidates and wants to know how their pairs of games ended.
    fn needs_duels(&self) -> bool {
        false
    }
}

/// What a method wants to know.
#[derive(Clone, PartialEq, Debug)]
pub enum OptimizerRequest {
    /// How good each of these is.
    Rate {
        /// The candidates.
        candidates: CandidateSet,
        /// How many times as many games as the plan says each of them should play.
        effort: u32,
    },
    /// What happens in games of these weights against themselves.
    SelfPlay {
        /// The weights of both sides.
        weights: Vec<f64>,
        /// How many games.
        n_games: u32,
    },
}

/// Sets of weights to be rated together.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub enum CandidateSet {
    /// One after the other.
    Listed(Vec<Vec<f64>>),
    /// Part of a grid: the product of these values, the last weight fastest, from one number to before another.
    Grid {
        /// The values of each weight.
        values: Arc<Vec<Vec<f64>>>,
        /// The number of the first.
        from: u64,
        /// The number after the last.
        to: u64,
    },
}

impl CandidateSet {
    /// How many there are.
    pub fn len(&self) -> usize {
        match self {
            CandidateSet::Listed(all) => all.len(),
            CandidateSet::Grid { from, to, .. } => (to - from) as usize,
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The weights of one of them.
    pub fn weights(&self, i: usize) -> Vec<f64> {
        match self {
            CandidateSet::Listed(all) => all[i].clone(),
            CandidateSet::Grid { values, from, .. } => {
                let mut rest = from + i as u64;
                let mut weights = vec![0.0; values.len()];
                for (weight, values) in weights.iter_mut().zip(values.iter()).rev() {
                    *weight = values[(rest % values.len() as u64) as usize];
                    rest /= values.len() as u64;
                }
                weights
            }
        }
    }
}

/// The answer to a question.
#[derive(Clone, PartialEq, Debug)]
pub enum OptimizerReply {
    /// How good the candidates are.
    Rated(CandidateFitness),
    /// What happened in each game of self-play.
    Played(Vec<SelfPlayGame>),
}

/// How good candidates are.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct CandidateFitness {
    /// Larger is better; one for each candidate, in order. What it counts is the objective's business.
    pub fitness: Vec<f64>,
    /// Games that were played for it.
    pub n_games: u64,
    /// Where exactly two candidates met each other: pairs of games by points of the first: both lost, …, both won.
    pub duel: Option<[u64; 5]>,
}

/// Weights that a method would recommend.
#[derive(Clone, PartialEq, Debug)]
pub struct Recommendation {
    /// What it is: `mean`, `best of the last generation`.
    pub label: String,
    /// The weights.
    pub weights: Vec<f64>,
}

/// Weights that did well once and are remembered for it.
#[derive(Clone, PartialEq, Debug)]
pub struct HallOfFameEntry {
    /// The generation in which they did, counted from 0.
    pub generation: u64,
    /// The weights.
    pub weights: Vec<f64>,
    /// How good they were then.
    pub fitness: f64,
}

/// What a method is opened with, beside its own settings.
#[derive(Clone, PartialEq, Debug)]
pub struct OptimizerSetup {
    /// The weights it may choose.
    pub space: Space,
    /// Where to start, where the plan says so.
    pub start: Option<Vec<f64>>,
    /// All its dice.
    pub seed: palestra_core::Seed,
    /// Games that the budget allows in all, where it counts games.
    pub n_games: Option<u64>,
    /// Games that one candidate plays in one generation with effort 1, where that is fixed; at least 1.
    pub games_each: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grids_count_with_the_last_weight_fastest() {
        let values = Arc::new(vec![vec![1.0, 2.0], vec![0.0], vec![-1.0, 0.0, 1.0]]);
        let grid = CandidateSet::Grid { values, from: 1, to: 5 };
        let all: Vec<Vec<f64>> = (0..grid.len()).map(|i| grid.weights(i)).collect();
        assert_eq!(all, [[1.0, 0.0, 0.0], [1.0, 0.0, 1.0], [2.0, 0.0, -1.0], [2.0, 0.0, 0.0]]);
    }
}
