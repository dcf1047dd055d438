//! Taking tokens from a heap, where a side may move again.

use crate::{Ending, Game, Side};
use std::fmt;

/// A heap of tokens: a turn takes one, two or three of them. Taking exactly two gives another turn.
/// The side that takes the last token wins; the margin is the number of tokens taken with it.
#[derive(Clone, Debug)]
pub struct Counter {
    /// Number of tokens at the start.
    pub tokens: u8,
}

/// The number of tokens to take, 1 to 3.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Take(pub u8);

impl fmt::Display for Take {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// Tokens left, side to move, and the last turn: its side and the tokens that it took.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Heap {
    left: u8,
    to_move: Side,
    taken: (Side, u8),
}

impl Game for Counter {
    type Position = Heap;
    type Move = Take;

    fn start(&self) -> Heap {
        Heap { left: self.tokens, to_move: Side::First, taken: (Side::Second, 0) }
    }

    fn to_move(&self, at: &Heap) -> Side {
        at.to_move
    }

    fn moves(&self, at: &Heap, out: &mut Vec<Take>) {
        out.extend((1..=at.left.min(3)).map(Take));
    }

    fn play(&self, at: &mut Heap, Take(taken): Take) {
        at.left -= taken;
        at.taken = (at.to_move, taken);
        if taken != 2 {
            at.to_move = at.to_move.other();
        }
    }

    fn ending(&self, at: &Heap) -> Option<Ending> {
        let (winner, taken) = at.taken;
        (at.left == 0).then_some(Ending {
            winner: Some(winner),
            margin: u32::from(taken),
            reason: "heap empty",
        })
    }
}
