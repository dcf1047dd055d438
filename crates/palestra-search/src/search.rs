//! What every search offers.
//!
//! A new search is a file with a type that implements `Search` for every game and evaluator, an entry in `SEARCHES`
//! with its parameters and an arm in `SearchSpec::open`; player strings, help, JSON and explanations follow from the
//! list. Values are for the side that chooses, and `to_move` says who maximizes: a side may move twice in a row.
//! Buffers belong to the search and are reused, so a node allocates nothing. The tests compare every search with
//! `Minimax`.

use crate::count::LevelCount;
use palestra_core::{Evaluator, Game, TieRule};

/// A way to choose a move.
pub trait Search<G: Game, E: Evaluator<G>>: Send {
    /// Chooses a move at `at`, which has not ended, for the side to move. `memo` is the evaluator's there.
    fn find(
        &mut self,
        game: &G,
        evaluator: &E,
        at: &G::Position,
        memo: &E::Accumulator,
    ) -> SearchResult<G::Move>;

    /// What the last [`Search::find`] thought of each legal move, in the game's order.
    fn scored_moves(&self) -> Vec<ScoredMove<G::Move>>;

    /// How deep the last [`Search::find`] looked, and the line of play it expects; none from searches that look
    /// just as deep as they are told.
    fn report(&self) -> Option<&SearchReport<G::Move>> {
        None
    }

    /// Counts the tree of every [`Search::find`] from now on, if there is one.
    fn count_levels(&mut self) {}

    /// The tree of the last [`Search::find`], level by level from the root; empty where nobody counts.
    fn levels(&self) -> &[LevelCount] {
        &[]
    }
}

/// The outcome of a search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SearchResult<M> {
    /// The move to play.
    pub mv: M,
    /// What it is worth to the side that plays it.
    pub value: f64,
    /// Positions looked at below the root moves.
    pub nodes: u64,
    /// Root moves looked at.
    pub root_moves: u64,
}

/// What a search that decides for itself has to say about its last move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchReport<M> {
    /// Plies it looked ahead, all of them to the end.
    pub depth: u32,
    /// The moves it expects, its own first.
    pub pv: Vec<M>,
    /// Positions looked at, or playouts, in a second; none where searches have no clock ([`crate::set_clock`]).
    pub nodes_per_second: Option<u64>,
}

impl<M> SearchReport<M> {
    /// Has nothing to say yet.
    pub(crate) fn new() -> SearchReport<M> {
        SearchReport { depth: 0, pv: Vec::new(), nodes_per_second: None }
    }
}

/// A legal move and what the search thinks it is worth to the side that plays it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ScoredMove<M> {
    /// The move.
    pub mv: M,
    /// Its value.
    pub value: f64,
}

/// The best of the rated moves; there is at least one.
pub(crate) fn best<M: Copy>(rated: &[ScoredMove<M>], ties: TieRule) -> ScoredMove<M> {
    let better = |best: ScoredMove<M>, other: &ScoredMove<M>| {
        if ties.prefers(other.value, best.value) { *other } else { best }
    };
    rated[1..].iter().fold(rated[0], better)
}

/// Where the best of the values stands; there is at least one.
#[inline]
pub(crate) fn best_index(values: &[f64], ties: TieRule) -> usize {
    let mut best = (0, values[0]);
    // Decided once, outside: the loop runs for every move of every greedy game.
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
