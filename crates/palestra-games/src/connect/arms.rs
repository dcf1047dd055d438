//! What every empty cell sees along the eight directions, kept up to date stone by stone.
//!
//! An *arm* is what lies next to a cell in one direction: nothing, the wall, or a run of one color with its
//! length and whether its far end is open. Placing a stone changes at most one arm in each direction: that
//! of the empty cell at the far end of the run it touches. The lines a stone would make, stop or join can be
//! read off the arms of its cell alone, so the features of a child cost the change and not the board.

use super::changes::{Arm, Changes, Delta, HasTables, Pair, Scale};
use super::tally::Tally;
use palestra_core::Side;

/// Arms of all cells, where each side would win, and its open lines. The board is smaller than `N` rows, so
/// that every column has a cell above its top; nobody wins there.
#[derive(Clone, Debug)]
pub(super) struct Arms<const N: usize, const K: usize> {
    /// For each empty cell, the two arms of each direction.
    pairs: [[[Pair<N>; 4]; N]; N],
    /// For each side and empty cell, the directions in which its stone there would win, one bit each.
    wins: [[[u8; N]; N]; 2],
    heights: [u8; N],
    run: u8,
    /// Open lines of each side.
    open: [Tally<K>; 2],
    /// Lines of each side long enough to win.
    won: [u16; 2],
}

/// What dropping a stone into a column means.
pub(super) struct Outlook<const K: usize> {
    /// Directions in which it wins, one bit each.
    pub(super) wins: u8,
    /// Directions in which the rival would have won on that cell.
    pub(super) rival_wins: u8,
    /// Directions in which the rival wins on the cell above.
    pub(super) rival_wins_above: u8,
    /// The open lines of both sides afterwards.
    pub(super) open: Delta<K>,
}

impl<const N: usize, const K: usize> Arms<N, K>
where
    Scale<N, K>: HasTables<K>,
{
    /// Cells from one to the next across, up, and along the two diagonals.
    const STEPS: [isize; 4] = [N as isize, 1, N as isize + 1, N as isize - 1];

    /// The arms of an empty board.
    pub(super) fn blank(n_columns: usize, n_rows: usize, run: usize) -> Arms<N, K> {
        assert!(n_columns <= N && n_rows < N, "a cell above each column");
        let mut pairs = [[[Pair::new([Arm::WALL; 2]); 4]; N]; N];
        let mut wins = [[[0; N]; N]; 2];
        for column in 0..n_columns {
            for row in 0..n_rows {
                for (pair, (across, up)) in pairs[column][row].iter_mut().zip(super::scan::DIRECTIONS) {
                    let arm = |sign: isize| {
                        let inside = column.checked_add_signed(sign * across).is_some_and(|c| c < n_columns)
                            && row.checked_add_signed(sign * up).is_some_and(|r| r < n_rows);
                        if inside { Arm::EMPTY } else { Arm::WALL }
                    };
                    *pair = Pair::new([arm(-1), arm(1)]);
                }
                if run == 1 {
                    // One stone is a line: every cell wins in every direction.
                    wins.iter_mut().for_each(|wins| wins[column][row] = 0b1111);
                }
            }
        }
        Arms { pairs, wins, heights: [0; N], run: run as u8, open: [Tally::NONE; 2], won: [0; 2] }
    }

    /// Open lines of a side.
    #[inline]
    pub(super) fn open(&self, side: Side) -> &Tally<K> {
        &self.open[side.index()]
    }

    /// Lines of a side long enough to win.
    #[inline]
    pub(super) fn won(&self, side: Side) -> i32 {
        i32::from(self.won[side.index()])
    }

    /// The next free cell of a column, or the one above its top.
    #[inline]
    fn next_cell(&self, column: usize) -> usize {
        column * N + usize::from(self.heights[column])
    }

    /// The directions in which `side` would win by dropping into `column`, one bit each; none if it is full.
    #[inline]
    pub(super) fn wins_in(&self, column: usize, side: Side) -> u8 {
        self.wins[side.index()].as_flattened()[self.next_cell(column)]
    }

    /// What a stone of `side` dropped into `column`, which is not full, means.
    #[inline(always)]
    pub(super) fn outlook(&self, changes: Changes<N, K>, column: usize, side: Side) -> Outlook<K> {
        // The cell and the one above it are in the table; the remainders spare bounds checks.
        let cell = self.next_cell(column) % (N * N);
        let above = (cell + 1) % (N * N);
        let rival_wins = self.wins[side.other().index()].as_flattened();
        let mut open = Delta { own: *self.open(side), rival: *self.open(side.other()) };
        for pair in self.pairs.as_flattened()[cell] {
            changes.add_delta(pair, &mut open);
        }
        Outlook {
            wins: self.wins[side.index()].as_flattened()[cell],
            rival_wins: rival_wins[cell],
            rival_wins_above: rival_wins[above],
            open,
        }
    }

    /// Puts a stone on top of a column.
    #[inline]
    pub(super) fn drop(&mut self, changes: Changes<N, K>, column: usize, side: Side) {
        let cell = self.next_cell(column);
        self.heights[column] += 1;
        let pairs = self.pairs.as_flattened_mut();
        let wins = self.wins[side.index()].as_flattened_mut();
        let here = pairs[cell];
        let mut open = Delta { own: self.open[side.index()], rival: self.open[side.other().index()] };
        for direction in 0..4 {
            changes.add_delta(here[direction], &mut open);
            let echo = changes.echo(here[direction]);
            if echo.length >= self.run && echo.joined < self.run {
                self.won[side.index()] += 1;
            }
            for (way, news) in echo.news.into_iter().enumerate() {
                if news.distance == 0 {
                    continue;
                }
                let steps = Self::STEPS[direction] * isize::from(news.distance as i8);
                // On the board as well; the remainder spares bounds checks.
                let far = cell.wrapping_add_signed(if way == 0 { -steps } else { steps }) % (N * N);
                let pair = &mut pairs[far][direction];
                *pair = pair.changed(1 - way, news);
                if news.is_own() {
                    let beyond = pair.arm(way).length_of(side);
                    wins[far] |= u8::from(echo.length + 1 + beyond >= self.run) << direction;
                }
            }
        }
        self.open[side.index()] = open.own;
        self.open[side.other().index()] = open.rival;
    }
}
