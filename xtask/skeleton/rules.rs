//! The rules: take one to three, take the last one.

use palestra_core::{Ending, Game, Side};
use std::fmt;

/// Most counters that a turn takes.
pub(super) const MAX_TAKEN: u8 = 3;

/// The game with a heap of `n_counters` counters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SkeletonGame {
    pub(super) n_counters: u8,
}

/// A move: the number of counters taken. Written as that number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SkeletonMove(pub(super) u8);

impl fmt::Display for SkeletonMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A position: the counters left and the side to move.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct SkeletonPosition {
    pub(super) left: u8,
    pub(super) to_move: Side,
}

impl Game for SkeletonGame {
    type Position = SkeletonPosition;
    type Move = SkeletonMove;

    fn start(&self) -> SkeletonPosition {
        SkeletonPosition { left: self.n_counters, to_move: Side::First }
    }

    fn to_move(&self, at: &SkeletonPosition) -> Side {
        at.to_move
    }

    /// From the fewest counters to the most.
    fn moves(&self, at: &SkeletonPosition, out: &mut Vec<SkeletonMove>) {
        out.extend((1..=at.left.min(MAX_TAKEN)).map(SkeletonMove));
    }

    fn play(&self, at: &mut SkeletonPosition, SkeletonMove(taken): SkeletonMove) {
        at.left -= taken;
        at.to_move = at.to_move.other();
    }

    fn ending(&self, at: &SkeletonPosition) -> Option<Ending> {
        // The turn has passed already: the side not to move took the last counter.
        let winner = Some(at.to_move.other());
        (at.left == 0).then_some(Ending { winner, margin: 0, reason: "heap empty" })
    }
}
