//! How an evaluation does its sums, scores ended games and breaks ties: whatever its study did.

use crate::{Game, MAX_VALUE, Side};

/// The value of a won game where a study defines none: above every evaluation (see [`crate::MAX_VALUE`]).
pub const WIN: f64 = 1e300;

/// Which of equally good moves is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TieRule {
    /// The first in the game's move order.
    First,
    /// The last in the game's move order.
    Last,
}

/// What an ended game is worth. A lost game is worth the negative of a won one, a draw 0.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum TerminalValue {
    /// This much when won, whoever looks.
    Always(f64),
    /// This much when won, to a search that looks further than one ply. A greedy player sees only what the
    /// features make of it.
    SearchOnly(f64),
    /// What the evaluation says of the finished board, like any other.
    AsEvaluated,
}

/// Whose eyes an evaluation looks with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Viewpoint {
    /// Those of the side that asks.
    Requested,
    /// Those of the side to move; the value is turned around where the other side asks.
    SideToMove,
}

/// The arithmetic of a weighted sum.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SumPrecision {
    /// 64-bit, in the order of the features.
    Double,
    /// The same, cut toward zero to a whole number.
    Whole,
    /// 32-bit, every product and every sum rounded, in this order of the features.
    Single(&'static [usize]),
}

/// How an evaluation does its sums, scores ended games and breaks ties.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Convention {
    /// What ended games are worth.
    pub endings: TerminalValue,
    /// Which of equally good moves is played.
    pub ties: TieRule,
    /// How the weighted sum is made.
    pub sum: SumPrecision,
    /// Whose eyes it looks with.
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
    /// Whether `value`, met later, takes the place of `best`.
    #[inline]
    pub fn prefers(self, value: f64, best: f64) -> bool {
        match self {
            TieRule::First => value > best,
            TieRule::Last => value >= best,
        }
    }
}

impl TerminalValue {
    /// The largest value there is; the negative of the smallest.
    pub fn bound(self) -> f64 {
        match self {
            TerminalValue::Always(win) | TerminalValue::SearchOnly(win) => win,
            TerminalValue::AsEvaluated => f64::INFINITY,
        }
    }
}

impl Viewpoint {
    /// Whose eyes look at `at` when `view` asks.
    #[inline(always)]
    pub fn perspective<G: Game>(self, game: &G, at: &G::Position, view: Side) -> Side {
        match self {
            Viewpoint::Requested => view,
            Viewpoint::SideToMove => game.to_move(at),
        }
    }
}

impl SumPrecision {
    /// The largest sum that is safe in this arithmetic.
    pub fn max_value(self) -> f64 {
        match self {
            SumPrecision::Double | SumPrecision::Whole => MAX_VALUE,
            SumPrecision::Single(_) => 1e37,
        }
    }
}
