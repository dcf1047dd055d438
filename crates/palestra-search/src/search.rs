//! The interface of all searches.
//!
//! A new search is a file with a type that implements `Search` for every game and evaluator, a type of its parameters
//! that implements `SearchParameters`, and a line in the list of `spec.rs`; player strings, help, JSON, explanations
//! and the limits of the page follow from them. Values are for the side that chooses, and `to_move` says which side maximizes: a side may move twice in a row.
//! Buffers belong to the search and are reused, so a node allocates nothing. The tests compare every search with
//! `Minimax`.

use crate::count::LevelCount;
use palestra_core::{Evaluator, Game, TieRule};

/// An algorithm that chooses a move.
pub trait Search<G: Game, E: Evaluator<G>>: Send {
    /// Chooses a move for the side to move at `at`, which has not ended. `accumulator` is the evaluator's for `at`.
    fn find(
        &mut self,
        game: &G,
        evaluator: &E,
        at: &G::Position,
        accumulator: &E::Accumulator,
    ) -> SearchResult<G::Move>;

    /// Moves with their values in the last [`Search::find`], in the game's order. A search that prunes at the root
    /// leaves out moves of which it knows only that they are no better.
    fn scored_moves(&self) -> Vec<ScoredMove<G::Move>>;

    /// From now on, gives every root move its exact value, in searches that support it. The choice stays the same and
    /// may take more positions.
    fn score_every_move(&mut self) {}

    /// Depth and principal variation of the last [`Search::find`]; `None` for searches of a fixed depth that keep no
    /// principal variation.
    fn report(&self) -> Option<&SearchReport<G::Move>> {
        None
    }

    /// From now on, counts the nodes of every [`Search::find`] by level, in searches that support it.
    fn count_levels(&mut self) {}

    /// Counts of the last [`Search::find`] by level from the root; empty unless [`Search::count_levels`] was called.
    fn levels(&self) -> &[LevelCount] {
        &[]
    }
}

/// The outcome of a search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SearchResult<M> {
    /// The move to play.
    pub mv: M,
    /// Its value for the side that plays it.
    pub value: f64,
    /// Number of positions searched below the root moves; playouts in [`crate::Mcts`].
    pub nodes: u64,
    /// Number of root moves searched.
    pub root_moves: u64,
}

/// Depth, principal variation and speed of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchReport<M> {
    /// Depth in plies of the last iteration that finished.
    pub depth: u32,
    /// The principal variation, which begins with the chosen move.
    pub pv: Vec<M>,
    /// Positions or playouts per second; `None` where searches have no clock ([`crate::set_clock`]).
    pub nodes_per_second: Option<u64>,
}

impl<M> SearchReport<M> {
    /// An empty report.
    pub(crate) fn new() -> SearchReport<M> {
        SearchReport { depth: 0, pv: Vec::new(), nodes_per_second: None }
    }
}

/// A legal move with its value for the side that plays it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ScoredMove<M> {
    /// The move.
    pub mv: M,
    /// Its value.
    pub value: f64,
}

/// The best of the scored moves; there must be at least one.
pub(crate) fn best<M: Copy>(scored: &[ScoredMove<M>], ties: TieRule) -> ScoredMove<M> {
    let better = |best: ScoredMove<M>, other: &ScoredMove<M>| {
        if ties.prefers(other.value, best.value) { *other } else { best }
    };
    scored[1..].iter().fold(scored[0], better)
}

/// Index of the best value; there must be at least one.
#[inline]
pub(crate) fn best_index(values: &[f64], ties: TieRule) -> usize {
    let mut best = (0, values[0]);
    // The rule is matched outside the loop, because the loop runs for every move of every greedy game.
    match ties {
        TieRule::First => {
            for (i, &value) in values.iter().enumerate().skip(1) {
                best = if value > best.1 { (i, value) } else { best };
            }
        }
        TieRule::Last => {
            for (i, &value) in values.iter().enumerate().skip(1) {
                best = if value >= best.1 { (i, value) } else { best };
            }
        }
    }
    best.0
}
