//! What every empty cell sees along the eight directions, kept up to date stone by stone.
//!
//! An *arm* is what lies next to a cell in one direction: nothing, the wall, or a run of one color with its
//! length and whether its far end is open. Placing a stone changes at most one arm in each direction: that
//! of the empty cell at the far end of the run it touches. The lines a stone would make, stop or join can be
//! read off the arms of its cell alone, so the features of a child cost the change and not the board.

use palestra_core::Side;

/// Columns and rows one step along each direction. Opposite directions are neighbors: `k ^ 1`.
const STEPS: [(isize, isize); 8] = [(-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (1, 1), (-1, 1), (1, -1)];

/// An arm in a byte: length in the low five bits, then whether the far end is open, then what it is.
const LENGTH: u8 = 0x1f;
const OPEN: u8 = 0x20;
const EMPTY: u8 = 0x00;
const WALL: u8 = 0xc0;

#[inline]
fn run_of(side: Side, length: u8, open: bool) -> u8 {
    (side as u8 + 1) << 6 | (u8::from(open) * OPEN) | length
}

/// An arm as one side sees it, in bytes that add up: own length, own runs, open ends, rival runs that a
/// stone here would close, and the length of such a run.
#[derive(Clone, Copy, Default)]
struct Sight {
    own: u8,
    open: u8,
    closed_rival: u8,
    /// 1 if there is an own run.
    joins: u8,
}

/// [`Sight`] of every byte, for each side.
static SIGHTS: [[Sight; 256]; 2] = [sights(0), sights(1)];

const fn sights(side: u8) -> [Sight; 256] {
    let mut table = [Sight { own: 0, open: 0, closed_rival: 0, joins: 0 }; 256];
    let mut byte = 0;
    while byte < 256 {
        let arm = byte as u8;
        let (kind, length, open) = (arm >> 6, arm & LENGTH, (arm & OPEN != 0) as u8);
        if kind == 0 {
            table[byte].open = 1;
        } else if kind == side + 1 {
            table[byte] = Sight { own: length, open, closed_rival: 0, joins: 1 };
        } else if kind == 2 - side && open == 0 {
            table[byte].closed_rival = length;
        }
        byte += 1;
    }
    table
}

/// What a stone of one side dropped into a column would change.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Gain {
    /// Directions in which it wins.
    pub(super) wins: u8,
    /// Directions in which a rival stone on the same cell would win.
    pub(super) rival_wins: u8,
    /// Directions in which a rival stone on the cell above would win afterwards.
    pub(super) rival_wins_above: u8,
    /// Longest open line that it makes or lengthens.
    pub(super) longest: u8,
    /// Longest own line that is no longer open.
    lost_own: u8,
    /// Longest rival line that is no longer open.
    lost_rival: u8,
    /// Change in the number of own open lines.
    pub(super) own_lines: i8,
    /// Change in the number of rival open lines.
    pub(super) rival_lines: i8,
}

/// Arms of all cells, open lines by length, and what every column would gain either side.
#[derive(Clone, Debug)]
pub(super) struct Arms<const N: usize> {
    /// `[column][row][direction]`; kept for empty cells.
    cells: [[[u8; 8]; N]; N],
    heights: [u8; N],
    n_columns: u8,
    n_rows: u8,
    run: u8,
    /// Open lines of each side by length; entry 0 is a place to count what does not exist.
    open_lines: [[u16; 33]; 2],
    n_open: [u16; 2],
    longest: [u8; 2],
    /// Lines of each side long enough to win.
    won: [u16; 2],
    /// Gains of the side to move are always up to date; the other side's stale columns are marked.
    gains: [[Gain; N]; 2],
    stale: [u32; 2],
}

impl<const N: usize> Arms<N> {
    /// The arms of an empty board.
    pub(super) fn blank(n_columns: usize, n_rows: usize, run: usize) -> Arms<N> {
        let mut cells = [[[WALL; 8]; N]; N];
        for column in 0..n_columns {
            for row in 0..n_rows {
                for (arm, (d_column, d_row)) in cells[column][row].iter_mut().zip(STEPS) {
                    let inside = column.checked_add_signed(d_column).is_some_and(|c| c < n_columns)
                        && row.checked_add_signed(d_row).is_some_and(|r| r < n_rows);
                    *arm = if inside { EMPTY } else { WALL };
                }
            }
        }
        let mut arms = Arms {
            cells,
            heights: [0; N],
            n_columns: n_columns as u8,
            n_rows: n_rows as u8,
            run: run as u8,
            open_lines: [[0; 33]; 2],
            n_open: [0; 2],
            longest: [0; 2],
            won: [0; 2],
            gains: [[Gain::default(); N]; 2],
            stale: [0; 2],
        };
        arms.refresh_all();
        arms
    }

    /// Puts a stone on top of a column and brings the gains of the rival, whose turn it is now, up to date.
    #[inline]
    pub(super) fn drop(&mut self, column: usize, side: Side) {
        self.place(column, side);
        self.refresh(side.other());
    }

    /// Brings everything up to date, whoever moves next.
    pub(super) fn refresh_all(&mut self) {
        self.stale = [((1u64 << self.n_columns) - 1) as u32; 2];
        Side::BOTH.into_iter().for_each(|side| self.refresh(side));
    }

    /// Open lines of a side.
    #[inline]
    pub(super) fn n_open(&self, side: Side) -> i32 {
        i32::from(self.n_open[side.index()])
    }

    /// Lines of a side long enough to win.
    #[inline]
    pub(super) fn won(&self, side: Side) -> i32 {
        i32::from(self.won[side.index()])
    }

    /// In how many directions `side` would win by dropping into `column`, in a position where `to_move` moves.
    #[inline]
    pub(super) fn wins_in(&self, column: usize, side: Side, to_move: Side) -> u8 {
        let gain = self.gains(to_move)[column];
        if side == to_move { gain.wins } else { gain.rival_wins }
    }

    /// Longest open line of a side, 0 if none.
    #[inline]
    pub(super) fn longest(&self, side: Side) -> u8 {
        self.longest[side.index()]
    }

    /// What each column would gain the side to move.
    #[inline]
    pub(super) fn gains(&self, side: Side) -> &[Gain; N] {
        debug_assert_eq!(self.stale[side.index()], 0, "only the side to move has its gains ready");
        &self.gains[side.index()]
    }

    #[inline]
    pub(super) fn is_open_column(&self, column: usize) -> bool {
        self.heights[column] < self.n_rows
    }

    /// Puts a stone on top of a column, without touching gains.
    #[inline]
    pub(super) fn place(&mut self, column: usize, side: Side) {
        let row = usize::from(self.heights[column]);
        let here = self.cells[column][row];
        self.heights[column] += 1;
        let mut touched = 1u32 << column;
        let rival = side.other();
        for (k, pair) in here.chunks_exact(2).enumerate() {
            let sights = [pair[0], pair[1]].map(|arm| SIGHTS[side.index()][usize::from(arm)]);
            let length = sights[0].own + 1 + sights[1].own;
            let is_open = sights[0].open | sights[1].open != 0;
            self.count_won(side, sights[0].own, sights[1].own);
            let own = &mut self.open_lines[side.index()];
            // The runs it joins had this cell for an open end, so they were open.
            for sight in sights {
                own[usize::from(sight.own)] = own[usize::from(sight.own)].wrapping_sub(1);
            }
            own[if is_open { usize::from(length) } else { 0 }] =
                own[if is_open { usize::from(length) } else { 0 }].wrapping_add(1);
            let change = u16::from(is_open).wrapping_sub(u16::from(sights[0].joins + sights[1].joins));
            self.n_open[side.index()] = self.n_open[side.index()].wrapping_add(change);
            if is_open {
                self.longest[side.index()] = self.longest[side.index()].max(length);
            }
            for (way, &arm) in pair.iter().enumerate() {
                let direction = 2 * k + way;
                let sight = sights[way];
                if sight.closed_rival != 0 {
                    self.open_lines[rival.index()][usize::from(sight.closed_rival)] -= 1;
                    self.n_open[rival.index()] -= 1;
                    continue;
                }
                let is_rival = arm >> 6 == rival as u8 + 1;
                if sight.open == 0 && !is_rival {
                    continue; // a wall, or an own run with a closed end: nobody there sees a change
                }
                // The first empty cell behind the run next to us, or right next to us.
                let distance = 1 + isize::from((arm & LENGTH) as i8);
                let (d_column, d_row) = STEPS[direction];
                let far_column = (column as isize + distance * d_column) as usize;
                let far_row = (row as isize + distance * d_row) as usize;
                let facing = &mut self.cells[far_column][far_row][direction ^ 1];
                *facing =
                    if is_rival { *facing & !OPEN } else { run_of(side, length, sights[1 - way].open != 0) };
                // Only a column's next cell and the one above it count for gains.
                if far_row <= usize::from(self.heights[far_column]) + 1 {
                    touched |= 1 << far_column;
                }
            }
        }
        for side in [0, 1] {
            while self.longest[side] > 0 && self.open_lines[side][usize::from(self.longest[side])] == 0 {
                self.longest[side] -= 1;
            }
            self.stale[side] |= touched;
        }
    }

    /// A stone between runs of these lengths makes one line of them.
    #[inline]
    fn count_won(&mut self, side: Side, before: u8, after: u8) {
        let wins = |length: u8| u16::from(length >= self.run);
        let change = wins(before + 1 + after).wrapping_sub(wins(before)).wrapping_sub(wins(after));
        self.won[side.index()] = self.won[side.index()].wrapping_add(change);
    }

    #[inline]
    fn refresh(&mut self, side: Side) {
        let mut stale = self.stale[side.index()];
        self.stale[side.index()] = 0;
        while stale != 0 {
            let column = stale.trailing_zeros() as usize;
            stale &= stale - 1;
            self.gains[side.index()][column] = self.gain(column, side);
        }
    }

    #[inline]
    fn gain(&self, column: usize, side: Side) -> Gain {
        let row = usize::from(self.heights[column]);
        if row >= usize::from(self.n_rows) {
            return Gain::default();
        }
        let mut gain = Gain::default();
        let own_sights = &SIGHTS[side.index()];
        let rival_sights = &SIGHTS[side.other().index()];
        for pair in self.cells[column][row].chunks_exact(2) {
            let [a, b] = [pair[0], pair[1]].map(|arm| own_sights[usize::from(arm)]);
            let length = a.own + 1 + b.own;
            let is_open = a.open | b.open;
            gain.wins += u8::from(length >= self.run);
            gain.longest = gain.longest.max(length * is_open);
            gain.lost_own = gain.lost_own.max(a.own.max(b.own) * (1 - is_open));
            gain.own_lines += is_open as i8 - (a.joins + b.joins) as i8;
            gain.lost_rival = gain.lost_rival.max(a.closed_rival.max(b.closed_rival));
            gain.rival_lines -= i8::from(a.closed_rival != 0) + i8::from(b.closed_rival != 0);
            let rival_length =
                rival_sights[usize::from(pair[0])].own + 1 + rival_sights[usize::from(pair[1])].own;
            gain.rival_wins += u8::from(rival_length >= self.run);
        }
        if row + 1 < usize::from(self.n_rows) {
            for (k, pair) in self.cells[column][row + 1].chunks_exact(2).enumerate() {
                // Below the cell above lies our stone, and above it nothing: upward it is alone.
                let beside = rival_sights[usize::from(pair[0])].own + rival_sights[usize::from(pair[1])].own;
                let length = if k == 1 { 1 } else { 1 + beside };
                gain.rival_wins_above += u8::from(length >= self.run);
            }
        }
        gain
    }

    /// Longest own and longest rival open line after `side` drops into `column`, from that column's gain.
    #[inline]
    pub(super) fn longest_after(&self, column: usize, side: Side, gain: Gain) -> (u8, u8) {
        let (own, rival) = (self.longest(side), self.longest(side.other()));
        let own_after = if gain.longest >= own || gain.lost_own < own {
            own.max(gain.longest)
        } else {
            gain.longest.max(self.longest_left(column, side, side))
        };
        let rival_after =
            if gain.lost_rival < rival { rival } else { self.longest_left(column, side, side.other()) };
        (own_after, rival_after)
    }

    /// Longest open line of `owner` that remains when `side` drops into `column`, new ones not counted.
    #[cold]
    fn longest_left(&self, column: usize, side: Side, owner: Side) -> u8 {
        let mut left = self.open_lines[owner.index()];
        for pair in self.cells[column][usize::from(self.heights[column])].chunks_exact(2) {
            for sight in [pair[0], pair[1]].map(|arm| SIGHTS[side.index()][usize::from(arm)]) {
                let gone = if owner == side { sight.own } else { sight.closed_rival };
                left[usize::from(gone)] = left[usize::from(gone)].wrapping_sub(1);
            }
        }
        let longest = usize::from(self.longest(owner));
        (1..=longest).rev().find(|&length| left[length] > 0).unwrap_or(0) as u8
    }
}
