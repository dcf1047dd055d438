//! The rules of Connect-C.

use crate::bitboard::Bitboard;
use palestra_core::{Ending, Game, Rng, Seed, Side, Symmetry};
use rand::RngExt;
use std::fmt;

/// A game on a board of any size with any run, in bitboards of `W` machine words. Features keep tables of `N` × `N`
/// cells and count lines in `K` words.
///
/// [`super::ConnectFamily`] chooses the sizes, so that 7 × 6 fits one word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Connect<const W: usize, const N: usize, const K: usize> {
    pub(super) n_columns: usize,
    pub(super) n_rows: usize,
    /// Stones in a line that win. May be longer than the board: then every game is a draw.
    pub(super) run: usize,
    /// Number of stones of each player.
    pub(super) pieces: u32,
    /// The lowest cell of every column, where the board fits one word; part of the position code.
    bottom: u64,
}

/// A column to drop a stone into, counted from 0; its text counts from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Column(pub(super) u8);

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (self.0 + 1).fmt(f)
    }
}

/// Stones, side to move and winner.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Position<const W: usize> {
    pub(super) stones: [Bitboard<W>; 2],
    /// The full columns, one bit each. Redundant with the stones; it makes move generation fast.
    pub(super) full: u32,
    /// Moves until the game is drawn, unless a side wins first.
    pub(super) left: u16,
    pub(super) to_move: Side,
    pub(super) winner: Option<Side>,
}

impl<const W: usize> Position<W> {
    #[inline]
    pub(super) fn occupied(&self) -> Bitboard<W> {
        self.stones[0].union(&self.stones[1])
    }
}

impl<const W: usize, const N: usize, const K: usize> Connect<W, N, K> {
    pub(super) fn new([n_columns, n_rows]: [usize; 2], run: usize, pieces: u32) -> Self {
        let lowest = |column: usize| 1u64.checked_shl((column * (n_rows + 1)) as u32).unwrap_or(0);
        let bottom = (0..n_columns).fold(0, |bottom, column| bottom | lowest(column));
        Connect { n_columns, n_rows, run, pieces, bottom }
    }

    /// Bits from one column to the next: its rows and the empty row above.
    #[inline]
    pub(super) fn stride(&self) -> usize {
        self.n_rows + 1
    }

    #[inline]
    pub(super) fn bit(&self, column: usize, row: usize) -> usize {
        column * self.stride() + row
    }

    pub(super) fn n_cells(&self) -> usize {
        self.n_columns * self.n_rows
    }

    /// Whether a winning line fits the board.
    #[inline]
    pub(super) fn can_win(&self) -> bool {
        self.run <= self.n_columns.max(self.n_rows)
    }

    /// Bits from a cell to its neighbor to the right, above, and along the two diagonals.
    #[inline]
    pub(super) fn steps(&self) -> [usize; 4] {
        let stride = self.stride();
        [stride, 1, stride + 1, stride - 1]
    }

    /// Number of stones in a column.
    #[inline]
    pub(super) fn height(&self, occupied: &Bitboard<W>, column: usize) -> usize {
        if W == 1 {
            // The row above the board is empty, so the stones of a column are the set bits below the first zero.
            return occupied.words()[0].wrapping_shr(self.bit(column, 0) as u32).trailing_ones() as usize;
        }
        occupied.field(self.bit(column, 0), self.n_rows).count_ones() as usize
    }

    /// The full columns, one bit each.
    pub(super) fn full_columns(&self, stones: &[Bitboard<W>; 2]) -> u32 {
        let top = |column: usize| self.bit(column, self.n_rows - 1);
        let is_full = |column: &usize| stones.iter().any(|stones| stones.get(top(*column)));
        (0..self.n_columns).filter(is_full).fold(0, |full, column| full | 1 << column)
    }

    /// The cell on which a stone dropped now lands.
    #[inline(always)]
    pub(super) fn landing(&self, at: &Position<W>, Column(column): Column) -> usize {
        let column = usize::from(column);
        self.bit(column, self.height(&at.occupied(), column))
    }

    /// Whether the stone on cell `i`, just placed, completes a run of its color.
    #[inline(always)]
    pub(super) fn completes_run(&self, stones: &Bitboard<W>, i: usize) -> bool {
        if !self.can_win() {
            return false;
        }
        if W == 1 {
            // One word: the whole board at once, without a branch. With a constant length the compiler unrolls the
            // rounds of `runs`.
            return if self.run == 4 { self.has_run(stones, 4) } else { self.has_run(stones, self.run) };
        }
        self.has_run_through(stones, i)
    }

    /// The same along the four lines through the cell.
    fn has_run_through(&self, stones: &Bitboard<W>, i: usize) -> bool {
        self.steps().into_iter().any(|step| {
            let mut length = 1;
            let mut j = i + step;
            while stones.has(j) {
                length += 1;
                j += step;
            }
            j = i;
            while j >= step && stones.has(j - step) {
                length += 1;
                j -= step;
            }
            length >= self.run
        })
    }

    #[inline(always)]
    fn has_run(&self, stones: &Bitboard<W>, run: usize) -> bool {
        let [across, up, rising, falling] = self.steps().map(|step| stones.runs(step, run));
        !across.union(&up).union(&rising.union(&falling)).is_empty()
    }

    /// A unique code of the position, for boards of one word: the stones of the side to move plus the occupied cells
    /// plus the bottom row, which carries into the lowest empty cell of each column and so marks its height (John
    /// Tromp's encoding).
    #[inline]
    fn code(&self, own: &Bitboard<W>, occupied: &Bitboard<W>) -> u64 {
        own.words()[0].wrapping_add(occupied.words()[0]).wrapping_add(self.bottom)
    }

    /// Moves until the side to move has no stone or no cell left.
    pub(super) fn moves_left(&self, stones: &[Bitboard<W>; 2], to_move: Side) -> u16 {
        let placed = stones.map(|bits| bits.count());
        let free = self.n_cells() as u32 - placed[0] - placed[1];
        let own = self.pieces.saturating_sub(placed[to_move.index()]);
        let other = self.pieces.saturating_sub(placed[to_move.other().index()]);
        let by_pieces = if own <= other { 2 * own } else { 2 * other + 1 };
        by_pieces.min(free) as u16
    }
}

/// Hashes a position code.
#[inline]
fn hash_code(code: u64, to_move: Side) -> u64 {
    Seed(code).child(to_move.index() as u64).0
}

/// Hashes the words of a board.
#[inline]
fn hash_words<const W: usize>(own: &Bitboard<W>, occupied: &Bitboard<W>, to_move: Side) -> u64 {
    let words = own.words().iter().chain(occupied.words());
    words.fold(Seed(to_move.index() as u64), |key, &word| key.child(word)).0
}

impl<const W: usize, const N: usize, const K: usize> Game for Connect<W, N, K> {
    type Position = Position<W>;
    type Move = Column;

    fn start(&self) -> Position<W> {
        let stones = [Bitboard::EMPTY; 2];
        let left = self.moves_left(&stones, Side::First);
        Position { stones, full: 0, left, to_move: Side::First, winner: None }
    }

    #[inline]
    fn to_move(&self, at: &Position<W>) -> Side {
        at.to_move
    }

    /// From the left column to the right.
    #[inline]
    fn moves(&self, at: &Position<W>, out: &mut Vec<Column>) {
        if at.winner.is_some() || at.left == 0 {
            return;
        }
        let mut open = !at.full & (u32::MAX >> (32 - self.n_columns));
        while open != 0 {
            out.push(Column(open.trailing_zeros() as u8));
            open &= open - 1;
        }
    }

    // `always`: in a loop over the leaves of a search, what depends on the game alone is then computed once.
    #[inline(always)]
    fn play(&self, at: &mut Position<W>, mv: Column) {
        let column = usize::from(mv.0);
        let row = self.height(&at.occupied(), column);
        let i = self.bit(column, row);
        at.full |= u32::from(row + 1 == self.n_rows) << column;
        let stones = &mut at.stones[at.to_move.index()];
        stones.set(i);
        at.winner = self.completes_run(stones, i).then_some(at.to_move);
        at.left -= 1;
        at.to_move = at.to_move.other();
    }

    #[inline]
    fn ending(&self, at: &Position<W>) -> Option<Ending> {
        match at.winner {
            Some(_) => Some(Ending { winner: at.winner, margin: 0, reason: "line" }),
            None if at.left > 0 => None,
            None => {
                let full = at.occupied().count() as usize == self.n_cells();
                let reason = if full { "full board" } else { "no stones left" };
                Some(Ending { winner: None, margin: 0, reason })
            }
        }
    }

    #[inline]
    fn key(&self, at: &Position<W>) -> u64 {
        let (own, occupied) = (&at.stones[at.to_move.index()], at.occupied());
        if W == 1 {
            hash_code(self.code(own, &occupied), at.to_move)
        } else {
            hash_words(own, &occupied, at.to_move)
        }
    }

    /// The mirror image, left and right swapped.
    fn n_symmetries(&self) -> u8 {
        1
    }

    #[inline]
    fn symmetric_key(&self, at: &Position<W>) -> (u64, Symmetry) {
        let (own, occupied) = (&at.stones[at.to_move.index()], at.occupied());
        let [key, mirrored] = if W == 1 {
            // The code of a column stays within its bits, so the code can be mirrored like a board.
            let code = Bitboard::<1>::from_word(self.code(own, &occupied));
            let mirrored = code.mirrored(self.n_columns, self.stride());
            [code, mirrored].map(|code| code.words()[0])
        } else {
            let [mirrored, all] = [own, &occupied].map(|bits| bits.mirrored(self.n_columns, self.stride()));
            [hash_words(own, &occupied, at.to_move), hash_words(&mirrored, &all, at.to_move)]
        };
        let symmetry = Symmetry(u8::from(mirrored < key));
        (if W == 1 { hash_code(key.min(mirrored), at.to_move) } else { key.min(mirrored) }, symmetry)
    }

    #[inline]
    fn mirror_move(&self, Column(column): Column, Symmetry(symmetry): Symmetry) -> Column {
        if symmetry == 0 { Column(column) } else { Column(self.n_columns as u8 - 1 - column) }
    }

    #[inline]
    fn history_index(&self, Column(column): Column) -> usize {
        usize::from(column)
    }

    /// The middle first: more lines pass there.
    fn order_hint(&self, _at: &Position<W>, Column(column): Column) -> i32 {
        -(2 * i32::from(column) + 1 - self.n_columns as i32).abs()
    }

    /// Draws columns until one is not full: all open ones are equally likely, and no move list is needed.
    #[inline]
    fn random_move(&self, at: &Position<W>, rng: &mut Rng, _scratch: &mut Vec<Column>) -> Option<Column> {
        if at.winner.is_some() || at.left == 0 {
            return None;
        }
        loop {
            let column = rng.random_range(0..self.n_columns as u32);
            if at.full >> column & 1 == 0 {
                return Some(Column(column as u8));
            }
        }
    }
}
