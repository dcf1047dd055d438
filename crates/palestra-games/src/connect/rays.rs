//! What every empty cell sees along the eight directions, kept up to date stone by stone.
//!
//! An *arm* is what lies next to a cell in one direction: nothing, the wall, or a run of one color with its
//! length and whether its far end is open. Placing a stone changes at most one arm in each direction: that
//! of the empty cell at the far end of the run it touches. The lines a stone would make, stop or join can be
//! read off the arms of its cell alone, so the features of a child cost the change and not the board.

use super::changes::{CellRay, HasTables, LineCountDelta, RayPair, SizeClass, StoneEffects};
use super::tally::LineCounts;
use palestra_core::Side;

/// Arms of all cells, where each side would win, and its open lines. The board is smaller than `N` rows, so
/// that every column has a cell above its top; nobody wins there.
#[derive(Clone, Debug)]
pub(super) struct LineAccumulator<const N: usize, const K: usize> {
    /// For each empty cell, the two arms of each direction.
    pairs: [[[RayPair<N>; 4]; N]; N],
    /// For each side and empty cell, the directions in which its stone there would win, one bit each.
    wins: [[[u8; N]; N]; 2],
    heights: [u8; N],
    run: u8,
    /// Open lines of each side.
    open: [LineCounts<K>; 2],
    /// Lines of each side long enough to win.
    won: [u16; 2],
    /// For each side and column, how a stone dropped there would change the open lines.
    sums: [[LineCountDelta<K>; N]; 2],
}

/// What dropping a stone into a column means.
pub(super) struct DropEffect<const K: usize> {
    /// Directions in which it wins, one bit each.
    pub(super) wins: u8,
    /// Directions in which the rival would have won on that cell.
    pub(super) rival_wins: u8,
    /// Directions in which the rival wins on the cell above.
    pub(super) rival_wins_above: u8,
    /// The open lines of both sides afterwards.
    pub(super) open: LineCountDelta<K>,
}

impl<const N: usize, const K: usize> LineAccumulator<N, K>
where
    SizeClass<N, K>: HasTables<K>,
{
    /// Cells from one to the next across, up, and along the two diagonals.
    const STEPS: [isize; 4] = [N as isize, 1, N as isize + 1, N as isize - 1];

    /// The arms of an empty board.
    pub(super) fn blank(
        changes: &[StoneEffects<N, K>; 2],
        size: [usize; 2],
        run: usize,
    ) -> LineAccumulator<N, K> {
        let [n_columns, n_rows] = size;
        assert!(n_columns <= N && n_rows < N, "a cell above each column");
        let mut pairs = [[[RayPair::new([CellRay::WALL; 2]); 4]; N]; N];
        let mut wins = [[[0; N]; N]; 2];
        for column in 0..n_columns {
            for row in 0..n_rows {
                for (pair, (across, up)) in pairs[column][row].iter_mut().zip(super::scan::DIRECTIONS) {
                    let arm = |sign: isize| {
                        let inside = column.checked_add_signed(sign * across).is_some_and(|c| c < n_columns)
                            && row.checked_add_signed(sign * up).is_some_and(|r| r < n_rows);
                        if inside { CellRay::EMPTY } else { CellRay::WALL }
                    };
                    *pair = RayPair::new([arm(-1), arm(1)]);
                }
                if run == 1 {
                    // One stone is a line: every cell wins in every direction.
                    wins.iter_mut().for_each(|wins| wins[column][row] = 0b1111);
                }
            }
        }
        let sums = changes.map(|changes| std::array::from_fn(|column| changes.sum(pairs[column][0])));
        LineAccumulator {
            pairs,
            wins,
            heights: [0; N],
            run: run as u8,
            open: [LineCounts::NONE; 2],
            won: [0; 2],
            sums,
        }
    }

    /// Open lines of a side.
    #[inline]
    pub(super) fn open(&self, side: Side) -> &LineCounts<K> {
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
    pub(super) fn drop_effect(&self, column: usize, side: Side) -> DropEffect<K> {
        // The cell and the one above it are in the table; the remainders spare bounds checks.
        let cell = self.next_cell(column) % (N * N);
        let above = (cell + 1) % (N * N);
        let rival_wins = self.wins[side.other().index()].as_flattened();
        let mut open = LineCountDelta { own: *self.open(side), rival: *self.open(side.other()) };
        open.add(&self.sums[side.index()][column]);
        DropEffect {
            wins: self.wins[side.index()].as_flattened()[cell],
            rival_wins: rival_wins[cell],
            rival_wins_above: rival_wins[above],
            open,
        }
    }

    /// Puts a stone on top of a column.
    #[inline]
    pub(super) fn drop(&mut self, changes: &[StoneEffects<N, K>; 2], column: usize, side: Side) {
        let cell = self.next_cell(column);
        self.heights[column] += 1;
        let sum = self.sums[side.index()][column];
        self.open[side.index()].add(&sum.own);
        self.open[side.other().index()].add(&sum.rival);
        let here = self.pairs.as_flattened()[cell];
        // Read before its parts are written: a load that waits for smaller stores waits long.
        let mut above = self.pairs.as_flattened()[(cell + 1) % (N * N)];
        for (direction, pair) in here.into_iter().enumerate() {
            let echo = changes[side.index()].line_update(pair);
            if echo.length >= self.run && echo.joined < self.run {
                self.won[side.index()] += 1;
            }
            for (way, news) in echo.ends.into_iter().enumerate() {
                if news.distance == 0 {
                    continue;
                }
                let steps = Self::STEPS[direction] * isize::from(news.distance as i8);
                // On the board as well; the remainder spares bounds checks.
                let far = cell.wrapping_add_signed(if way == 0 { -steps } else { steps }) % (N * N);
                let pair = &mut self.pairs.as_flattened_mut()[far][direction];
                let before = *pair;
                *pair = pair.changed(1 - way, news);
                let after = *pair;
                if news.is_own() {
                    let beyond = after.ray(way).length_of(side);
                    let wins = u8::from(echo.length + 1 + beyond >= self.run) << direction;
                    self.wins[side.index()].as_flattened_mut()[far] |= wins;
                }
                let far_column = far / N;
                if far == cell + 1 {
                    above[direction] = after;
                } else if self.next_cell(far_column) == far {
                    for (changes, sums) in changes.iter().zip(&mut self.sums) {
                        changes.correct(&mut sums[far_column], before, after);
                    }
                }
            }
        }
        for (changes, sums) in changes.iter().zip(&mut self.sums) {
            sums[column] = changes.sum(above);
        }
    }
}
