//! Lines computed from the board, cell by cell: the slow reference that tests compare the incremental features with.

use super::rules::{Connect, Position};
use palestra_core::Side;

/// Column and row steps to the neighbor to the right, above, and along the two diagonals.
pub(super) const DIRECTIONS: [(isize, isize); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// Content of a cell, or outside the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum CellState {
    Empty,
    Stone(Side),
    Outside,
}

/// A maximal run of one color in one direction.
#[derive(Clone, Copy, Debug)]
pub(super) struct StoneRun {
    pub(super) side: Side,
    pub(super) length: usize,
    pub(super) direction: (isize, isize),
    /// The cells directly before and after it, on the board or not.
    pub(super) ends: [(isize, isize); 2],
}

impl<const W: usize, const N: usize, const K: usize> Connect<W, N, K> {
    pub(super) fn cell_state(&self, at: &Position<W>, (column, row): (isize, isize)) -> CellState {
        let inside =
            (0..self.n_columns as isize).contains(&column) && (0..self.n_rows as isize).contains(&row);
        if !inside {
            return CellState::Outside;
        }
        self.owner(&at.stones, column as usize, row as usize).map_or(CellState::Empty, CellState::Stone)
    }

    /// Calls `see` for all runs on the board; a single stone is a run in each of the four directions.
    pub(super) fn scan_runs(&self, at: &Position<W>, mut see: impl FnMut(StoneRun)) {
        for column in 0..self.n_columns as isize {
            for row in 0..self.n_rows as isize {
                let CellState::Stone(side) = self.cell_state(at, (column, row)) else { continue };
                for direction in DIRECTIONS {
                    let before = (column - direction.0, row - direction.1);
                    if self.cell_state(at, before) == CellState::Stone(side) {
                        continue; // not the start of the run
                    }
                    let length = self.count_from(at, (column, row), direction, side);
                    let ahead = length as isize;
                    let after = (column + ahead * direction.0, row + ahead * direction.1);
                    see(StoneRun { side, length, direction, ends: [before, after] });
                }
            }
        }
    }

    /// Number of consecutive stones of `side` from `cell` on.
    pub(super) fn count_from(
        &self,
        at: &Position<W>,
        cell: (isize, isize),
        direction: (isize, isize),
        side: Side,
    ) -> usize {
        let cells = (0..).map(|k| (cell.0 + k * direction.0, cell.1 + k * direction.1));
        cells.take_while(|&cell| self.cell_state(at, cell) == CellState::Stone(side)).count()
    }

    /// Length of the line that a stone of `side` on the empty `cell` would be part of.
    pub(super) fn length_through(
        &self,
        at: &Position<W>,
        cell: (isize, isize),
        direction: (isize, isize),
        side: Side,
    ) -> usize {
        let back = (-direction.0, -direction.1);
        let ahead = (cell.0 + direction.0, cell.1 + direction.1);
        let behind = (cell.0 + back.0, cell.1 + back.1);
        1 + self.count_from(at, ahead, direction, side) + self.count_from(at, behind, back, side)
    }

    /// The directions in which a stone of `side` dropped into `column` would make a line long enough to win,
    /// one bit each.
    pub(super) fn wins_in(&self, at: &Position<W>, column: usize, side: Side) -> u8 {
        let row = self.height(&at.occupied(), column);
        if row == self.n_rows {
            return 0;
        }
        let cell = (column as isize, row as isize);
        let wins = |direction| self.length_through(at, cell, direction, side) >= self.run;
        (0..4).filter(|&d| wins(DIRECTIONS[d])).fold(0, |bits, d| bits | 1 << d)
    }
}
