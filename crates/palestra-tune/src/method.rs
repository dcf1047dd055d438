//! The interface of optimizers: an optimizer proposes candidates and receives their fitness.
//!
//! An optimizer is a function of its seed and of the replies it receives. A resumed run gives it the stored replies
//! again instead of storing its state.

use crate::{GridSummary, Space};
use palestra_arena::SelfPlayGame;
use serde::Serialize;
use std::sync::Arc;

/// Finds weights. It never plays a game itself. All its randomness comes from the seed it was opened with, so that the
/// same replies always lead to the same requests: a run is resumed by giving it the stored replies again.
pub trait Optimizer: Send {
    /// The next request; `None` when it is finished. Repeated calls without [`tell`](Optimizer::tell) return the same
    /// request.
    fn ask(&mut self) -> Option<OptimizerRequest>;

    /// Takes the reply to the last request.
    fn tell(&mut self, reply: &OptimizerReply);

    /// The weights it recommends now, most trusted first. At least one after the first reply; new games decide between
    /// them.
    fn recommendations(&self) -> Vec<Recommendation>;

    /// Diagnostics of its state: `[("sigma", 0.1), …]`.
    fn metrics(&self) -> Vec<(&'static str, f64)> {
        Vec::new()
    }

    /// The reason why it stopped early, if it failed: a method may be an external program.
    fn failure(&self) -> Option<String> {
        None
    }

    /// Number of generations it will take, where that is known.
    fn n_generations(&self) -> Option<u64> {
        None
    }

    /// Summary of the grid so far, for a grid search.
    fn grid_summary(&self) -> Option<&GridSummary> {
        None
    }

    /// Champions of earlier generations, where it keeps them.
    fn hall_of_fame(&self) -> &[HallOfFameEntry] {
        &[]
    }

    /// Whether it always requests two candidates and needs the results of their pairs of games
    /// ([`CandidateFitness::head_to_head`]).
    fn needs_head_to_head(&self) -> bool {
        false
    }
}

/// What an optimizer requests.
#[derive(Clone, PartialEq, Debug)]
pub enum OptimizerRequest {
    /// The fitness of each candidate.
    Rate {
        /// The candidates.
        candidates: CandidateSet,
        /// Factor on the number of games that the plan gives each candidate.
        effort: u32,
    },
    /// Games of these weights against themselves.
    SelfPlay {
        /// The weights of both sides.
        weights: Vec<f64>,
        /// Number of games.
        n_games: u32,
    },
}

/// Candidates that are rated together; each is a set of weights.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub enum CandidateSet {
    /// A list.
    Listed(Vec<Vec<f64>>),
    /// Part of a grid, which is the product of the values of each weight: the points from index `from` to before `to`,
    /// where the last weight changes fastest.
    Grid {
        /// The values of each weight.
        values: Arc<Vec<Vec<f64>>>,
        /// Index of the first point.
        from: u64,
        /// Index after the last point.
        to: u64,
    },
}

impl CandidateSet {
    /// Number of candidates.
    pub fn len(&self) -> usize {
        match self {
            CandidateSet::Listed(all) => all.len(),
            CandidateSet::Grid { from, to, .. } => (to - from) as usize,
        }
    }

    /// Whether there are no candidates.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The weights of candidate `i`.
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

/// The reply to a request.
#[derive(Clone, PartialEq, Debug)]
pub enum OptimizerReply {
    /// The fitness of the candidates.
    Rated(CandidateFitness),
    /// The games of self-play.
    Played(Vec<SelfPlayGame>),
}

/// The fitness of candidates.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct CandidateFitness {
    /// Fitness of each candidate, in order; larger is better. The unit depends on the objective.
    pub fitness: Vec<f64>,
    /// Games played to measure it.
    pub n_games: u64,
    /// Where exactly two candidates played each other: number of pairs of games by the result of the first candidate:
    /// both lost, …, both won.
    pub head_to_head: Option<[u64; 5]>,
}

/// Weights that an optimizer recommends.
#[derive(Clone, PartialEq, Debug)]
pub struct Recommendation {
    /// Where they come from: `mean`, `best of the last generation`.
    pub label: String,
    /// The weights.
    pub weights: Vec<f64>,
}

/// A champion of an earlier generation.
#[derive(Clone, PartialEq, Debug)]
pub struct HallOfFameEntry {
    /// The generation in which it was champion, counted from 0.
    pub generation: u64,
    /// The weights.
    pub weights: Vec<f64>,
    /// Its fitness in that generation.
    pub fitness: f64,
}

/// What an optimizer is opened with, in addition to its own settings.
#[derive(Clone, PartialEq, Debug)]
pub struct OptimizerSetup {
    /// The weights it may choose.
    pub space: Space,
    /// Start weights, where the plan gives them.
    pub start: Option<Vec<f64>>,
    /// Seed of all its randomness.
    pub seed: palestra_core::Seed,
    /// Games of the whole budget, where the budget counts games.
    pub n_games: Option<u64>,
    /// Games that one candidate plays in one generation with effort 1; at least 1.
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
