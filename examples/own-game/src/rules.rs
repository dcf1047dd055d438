//! The rules: one step ahead, straight to an empty square or diagonally to any square without an own pawn.

use palestra::core::{Ending, Game, Side};
use std::fmt;

/// The game on a board of `side` by `side` squares.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Breakthrough {
    pub(crate) side: u8,
}

/// Both sides' pawns, as bits of squares row by row from the first side's own row, and the side to move.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Board {
    pub(crate) pawns: [u64; 2],
    pub(crate) to_move: Side,
}

/// A step from one square to another. Written as both squares: `b2c3`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PawnMove {
    pub(crate) from: u8,
    pub(crate) to: u8,
    /// Squares in a row, for the names of squares.
    side: u8,
}

/// The name of a square: column letter and row number.
pub(crate) fn square_name(square: u8, side: u8) -> String {
    format!("{}{}", char::from(b'a' + square % side), square / side + 1)
}

impl fmt::Display for PawnMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", square_name(self.from, self.side), square_name(self.to, self.side))
    }
}

impl Breakthrough {
    /// The game on a board of `side` by `side` squares, 4 to 8.
    pub(crate) fn new(side: u8) -> Breakthrough {
        Breakthrough { side }
    }

    /// The squares of a row, from the first side's own row.
    fn row(&self, row: u8) -> u64 {
        ((1 << self.side) - 1) << (row * self.side)
    }

    /// The targets of a pawn on a square: columns left, straight and right where the board has them.
    pub(crate) fn targets(&self, square: u8, side: Side) -> impl Iterator<Item = (u8, bool)> + use<> {
        let n = self.side;
        let (row, column) = (square / n, square % n);
        let next_row = match side {
            Side::First => Some(row + 1).filter(|row| *row < n),
            Side::Second => row.checked_sub(1),
        };
        let columns = [column.checked_sub(1), Some(column), Some(column + 1).filter(|column| *column < n)];
        let is_straight = move |to: u8| to % n == column;
        columns
            .into_iter()
            .flatten()
            .filter_map(move |column| next_row.map(|row| row * n + column))
            .map(move |to| (to, is_straight(to)))
    }
}

impl Game for Breakthrough {
    type Position = Board;
    type Move = PawnMove;

    fn start(&self) -> Board {
        let rows = |rows: [u8; 2]| self.row(rows[0]) | self.row(rows[1]);
        let n = self.side;
        Board { pawns: [rows([0, 1]), rows([n - 2, n - 1])], to_move: Side::First }
    }

    fn to_move(&self, at: &Board) -> Side {
        at.to_move
    }

    /// By square, row by row from the first side's own row, and by column of the target.
    fn moves(&self, at: &Board, out: &mut Vec<PawnMove>) {
        if self.ending(at).is_some() {
            return;
        }
        let [own, other] = [at.to_move, at.to_move.other()].map(|side| at.pawns[side.index()]);
        let mut left = own;
        while left != 0 {
            let from = left.trailing_zeros() as u8;
            left &= left - 1;
            for (to, is_straight) in self.targets(from, at.to_move) {
                let taken = if is_straight { own | other } else { own };
                if taken >> to & 1 == 0 {
                    out.push(PawnMove { from, to, side: self.side });
                }
            }
        }
    }

    fn play(&self, at: &mut Board, mv: PawnMove) {
        let (own, other) = (at.to_move.index(), at.to_move.other().index());
        at.pawns[own] ^= 1 << mv.from | 1 << mv.to;
        at.pawns[other] &= !(1 << mv.to);
        at.to_move = at.to_move.other();
    }

    fn ending(&self, at: &Board) -> Option<Ending> {
        let last_rows = [self.row(self.side - 1), self.row(0)];
        let reached = |side: Side| at.pawns[side.index()] & last_rows[side.index()] != 0;
        let has_lost = |side: Side| at.pawns[side.index()] == 0;
        let winner = Side::BOTH.into_iter().find(|side| reached(*side) || has_lost(side.other()))?;
        let reason = if reached(winner) { "last row" } else { "no pawns" };
        Some(Ending { winner: Some(winner), margin: 0, reason })
    }
}
