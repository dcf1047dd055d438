//! Incremental line features: the rays of every empty cell in eight directions, updated stone by stone.
//!
//! A *ray* is what lies next to a cell in one direction: an empty cell, the wall, or a run of one color with its length
//! and whether its far end is open. Placing a stone changes at most one ray in each direction: that of the empty cell
//! at the far end of the run it touches. The rays of a cell determine which lines a stone there makes, blocks or joins,
//! so the cost of a child's features depends on the change, not on the size of the board.

use super::changes::{CellRay, HasTables, LineCountDelta, RayPair, SizeClass, StoneEffects};
use super::tally::LineCounts;
use palestra_core::Side;

/// Rays of all cells, the cells where each side would win, and its open lines. The board has fewer than `N` rows, so
/// that every column has a cell above its top, where no side wins.
#[derive(Clone, Debug)]
pub(super) struct LineAccumulator<const N: usize, const K: usize> {
    /// For each empty cell, the two rays of each direction.
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

/// The effect of a stone dropped into a column.
pub(super) struct DropEffect<const K: usize> {
    /// Directions in which it wins, one bit each.
    pub(super) wins: u8,
    /// Directions in which the opponent would have won on that cell.
    pub(super) opponent_wins: u8,
    /// Directions in which the opponent wins on the cell above.
    pub(super) opponent_wins_above: u8,
    /// The open lines of both sides afterwards.
    pub(super) open: LineCountDelta<K>,
}

impl<const N: usize, const K: usize> LineAccumulator<N, K>
where
    SizeClass<N, K>: HasTables<K>,
{
    /// Index steps to the neighbor to the right, above, and along the two diagonals.
    const STEPS: [isize; 4] = [N as isize, 1, N as isize + 1, N as isize - 1];

    /// The accumulator of an empty board.
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
                    let ray = |sign: isize| {
                        let inside = column.checked_add_signed(sign * across).is_some_and(|c| c < n_columns)
                            && row.checked_add_signed(sign * up).is_some_and(|r| r < n_rows);
                        if inside { CellRay::EMPTY } else { CellRay::WALL }
                    };
                    *pair = RayPair::new([ray(-1), ray(1)]);
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

    /// The effect of a stone of `side` dropped into `column`, which is not full.
    #[inline(always)]
    pub(super) fn drop_effect(&self, column: usize, side: Side) -> DropEffect<K> {
        // The cell and the one above it are in the table; the remainders avoid bounds checks.
        let cell = self.next_cell(column) % (N * N);
        let above = (cell + 1) % (N * N);
        let opponent_wins = self.wins[side.other().index()].as_flattened();
        let mut open = LineCountDelta { own: *self.open(side), opponent: *self.open(side.other()) };
        open.add(&self.sums[side.index()][column]);
        DropEffect {
            wins: self.wins[side.index()].as_flattened()[cell],
            opponent_wins: opponent_wins[cell],
            opponent_wins_above: opponent_wins[above],
            open,
        }
    }

    /// Drops a stone into a column.
    #[inline]
    pub(super) fn drop(&mut self, changes: &[StoneEffects<N, K>; 2], column: usize, side: Side) {
        let cell = self.next_cell(column);
        self.heights[column] += 1;
        let sum = self.sums[side.index()][column];
        self.open[side.index()].add(&sum.own);
        self.open[side.other().index()].add(&sum.opponent);
        let here = self.pairs.as_flattened()[cell];
        // Read before its parts are written: a load after smaller stores to the same bytes stalls.
        let mut above = self.pairs.as_flattened()[(cell + 1) % (N * N)];
        for (direction, pair) in here.into_iter().enumerate() {
            let line_update = changes[side.index()].line_update(pair);
            if line_update.length >= self.run && line_update.joined < self.run {
                self.won[side.index()] += 1;
            }
            for (way, update) in line_update.ends.into_iter().enumerate() {
                if update.distance == 0 {
                    continue;
                }
                let steps = Self::STEPS[direction] * isize::from(update.distance as i8);
                // The cell is on the board; the remainder avoids bounds checks.
                let far = cell.wrapping_add_signed(if way == 0 { -steps } else { steps }) % (N * N);
                let pair = &mut self.pairs.as_flattened_mut()[far][direction];
                let before = *pair;
                *pair = pair.changed(1 - way, update);
                let after = *pair;
                if update.is_own() {
                    let beyond = after.ray(way).length_of(side);
                    let wins = u8::from(line_update.length + 1 + beyond >= self.run) << direction;
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
