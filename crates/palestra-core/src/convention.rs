//! How an evaluation sums, values ended games and breaks ties, as in the study that it comes from.

use crate::{Game, MAX_VALUE, Side};

/// The value of a won game where a study defines none: above every evaluation (see [`crate::MAX_VALUE`]).
pub const WIN: f64 = 1e300;

/// Which of several equally good moves is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TieRule {
    /// The first in the game's move order.
    First,
    /// The last in the game's move order.
    Last,
}

/// The value of an ended game. A lost game has the negative value of a won one, a draw has 0.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum TerminalValue {
    /// Value of a won game, for every search.
    Always(f64),
    /// Value of a won game, for searches that look further than one ply. A greedy player uses the evaluation of the
    /// final position.
    SearchOnly(f64),
    /// The evaluation of the final position, as for any other position.
    AsEvaluated,
}

/// The side from whose perspective features are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Viewpoint {
    /// The side that the value is for.
    Requested,
    /// The side to move; the value is negated where it is for the other side.
    SideToMove,
}

/// The arithmetic of a weighted sum.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SumPrecision {
    /// 64-bit, in the order of the features.
    Double,
    /// 64-bit, the sum truncated toward zero to a whole number.
    Whole,
    /// 32-bit, every product and every sum rounded, in this order of the features.
    Single(&'static [usize]),
}

/// How an evaluation sums, values ended games and breaks ties.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Convention {
    /// The value of ended games.
    pub endings: TerminalValue,
    /// Which of several equally good moves is played.
    pub ties: TieRule,
    /// The arithmetic of the weighted sum.
    pub sum: SumPrecision,
    /// The perspective from which features are read.
    pub viewpoint: Viewpoint,
}

impl Default for Convention {
    fn default() -> Convention {
        Convention {
            endings: TerminalValue::Always(WIN),
            ties: TieRule::First,
            sum: SumPrecision::Double,
            viewpoint: Viewpoint::Requested,
        }
    }
}

impl TieRule {
    /// Whether `value`, of a later move, replaces `best`.
    #[inline]
    pub fn prefers(self, value: f64, best: f64) -> bool {
        match self {
            TieRule::First => value > best,
            TieRule::Last => value >= best,
        }
    }

    /// Whether move `index` is played rather than the equally good move `other`.
    #[inline]
    pub fn wins_tie(self, index: usize, other: usize) -> bool {
        match self {
            TieRule::First => index < other,
            TieRule::Last => index > other,
        }
    }
}

impl TerminalValue {
    /// The largest value of a position; the smallest is its negative.
    pub fn bound(self) -> f64 {
        match self {
            TerminalValue::Always(win) | TerminalValue::SearchOnly(win) => win,
            TerminalValue::AsEvaluated => f64::INFINITY,
        }
    }
}

impl Viewpoint {
    /// The side from whose perspective the features of `at` are read for a value for `view`.
    #[inline(always)]
    pub fn perspective<G: Game>(self, game: &G, at: &G::Position, view: Side) -> Side {
        match self {
            Viewpoint::Requested => view,
            Viewpoint::SideToMove => game.to_move(at),
        }
    }
}

impl SumPrecision {
    /// The largest weighted sum that cannot overflow in this arithmetic.
    pub fn max_value(self) -> f64 {
        match self {
            SumPrecision::Double | SumPrecision::Whole => MAX_VALUE,
            SumPrecision::Single(_) => 1e37,
        }
    }
}
