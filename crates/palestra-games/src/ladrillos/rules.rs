//! The rules: a brick covers two free neighboring cells; an island scores the square of its cells.

use super::images::{self, ZobristNumbers};
use crate::bitboard::Bitboard;
use palestra_core::{Ending, Game, Seed, Side, Symmetry};
use std::fmt;
use std::hash::{Hash, Hasher};

/// A board of `n` × `n` cells in bitboards of `W` machine words, with arrays for `C` places (cells and padding) and `L`
/// island labels.
///
/// [`super::LadrillosFamily`] chooses the sizes, so that positions of small boards are small.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ladrillos<const W: usize, const C: usize, const L: usize> {
    /// Number of rows and columns.
    pub(super) n: usize,
    /// All cells.
    board: Bitboard<W>,
    images: ZobristNumbers,
}

/// A brick: its upper or left cell, and its direction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Brick {
    pub(super) row: u8,
    pub(super) column: u8,
    /// Whether it extends downward from its first cell, rather than to the right.
    pub(super) upright: bool,
}

impl Brick {
    /// The stages of a move: cell, then direction.
    pub(super) fn parts(self) -> [String; 2] {
        let cell = format!("{}{}", column_name(usize::from(self.column)), self.row + 1);
        [cell, if self.upright { "v" } else { "h" }.to_owned()]
    }

    /// The places of its two cells on a board with `stride` places from one row to the next.
    #[inline]
    pub(super) fn places(self, stride: usize) -> [usize; 2] {
        let place = usize::from(self.row) * stride + usize::from(self.column);
        [place, place + if self.upright { stride } else { 1 }]
    }
}

impl fmt::Display for Brick {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.parts().concat().fmt(f)
    }
}

/// `a` to `z`, then `aa`, `ab` and so on.
pub(super) fn column_name(column: usize) -> String {
    let letter = char::from(b'a' + (column % 26) as u8);
    if column < 26 { letter.to_string() } else { format!("{}{letter}", column_name(column / 26 - 1)) }
}

/// Bricks and side to move; islands and points follow from the bricks and are updated incrementally.
#[derive(Clone, Debug)]
pub struct Position<const W: usize, const C: usize, const L: usize> {
    pub(super) bricks: [Bitboard<W>; 2],
    pub(super) to_move: Side,
    /// Points of each side: the sum of squared island sizes (rules, section 1).
    pub(super) points: [u32; 2],
    /// Label of the island at each place, 0 for none; with one row of zeros before the board and one after it.
    /// Labels of the first side are odd, those of the second even.
    pub(super) labels: [u8; C],
    /// Number of cells of each island; 0 for unused labels.
    pub(super) sizes: [u16; L],
    /// Label of each side's next new island. A brick that starts an island touches no other brick of its side, and of
    /// each 2 × 2 block of cells at most two belong to such bricks, so labels never run out.
    pub(super) next: [u8; 2],
}

/// Compares cells and side to move only: labels depend on the order of play.
impl<const W: usize, const C: usize, const L: usize> PartialEq for Position<W, C, L> {
    fn eq(&self, other: &Self) -> bool {
        self.bricks == other.bricks && self.to_move == other.to_move
    }
}

impl<const W: usize, const C: usize, const L: usize> Eq for Position<W, C, L> {}

impl<const W: usize, const C: usize, const L: usize> Hash for Position<W, C, L> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.bricks.hash(state);
        self.to_move.hash(state);
    }
}

/// Whether a label belongs to a side.
#[inline]
pub(super) fn is_of(label: u8, side: usize) -> bool {
    label != 0 && usize::from(label & 1) != side
}

impl<const W: usize, const C: usize, const L: usize> Position<W, C, L> {
    pub(super) fn empty(to_move: Side) -> Self {
        Position {
            bricks: [Bitboard::EMPTY; 2],
            to_move,
            points: [0; 2],
            labels: [0; C],
            sizes: [0; L],
            next: [1, 2],
        }
    }

    #[inline]
    pub(super) fn occupied(&self) -> Bitboard<W> {
        self.bricks[0].union(&self.bricks[1])
    }

    /// Puts a brick of `side` on two free neighboring places, joining the islands it touches.
    #[inline]
    pub(super) fn put(&mut self, side: usize, places: [usize; 2], stride: usize) {
        let around = neighbors(places, stride).map(|i| self.labels[i]);
        let mut label = 0;
        let mut size = 2;
        let mut points = 0;
        for touched in around {
            if touched == label || !is_of(touched, side) || self.sizes[usize::from(touched)] == 0 {
                continue;
            }
            let cells = std::mem::take(&mut self.sizes[usize::from(touched)]);
            size += cells;
            points += u32::from(cells).pow(2);
            if label == 0 {
                label = touched;
            } else {
                self.labels.iter_mut().for_each(|of| *of = if *of == touched { label } else { *of });
            }
        }
        if label == 0 {
            label = self.next[side];
            self.next[side] += 2;
        }
        self.sizes[usize::from(label)] = size;
        self.points[side] += u32::from(size).pow(2) - points;
        for place in places {
            self.labels[place + stride] = label;
            self.bricks[side].set(place);
        }
    }

    /// Own points minus the opponent's.
    #[inline]
    pub(super) fn margin(&self, view: Side) -> i32 {
        self.points[view.index()] as i32 - self.points[view.other().index()] as i32
    }
}

/// The places around a brick, as indexes into [`Position::labels`].
#[inline(always)]
pub(super) fn neighbors([a, b]: [usize; 2], stride: usize) -> [usize; 6] {
    let (i, j) = (a + stride, b + stride);
    if b == a + 1 {
        [i - stride, j - stride, i - 1, j + 1, i + stride, j + stride]
    } else {
        [i - stride, i - 1, i + 1, j - 1, j + 1, j + stride]
    }
}

impl<const W: usize, const C: usize, const L: usize> Ladrillos<W, C, L> {
    pub(super) fn new(n: usize) -> Self {
        assert!(n * (n + 1) <= 64 * W && (n + 2) * (n + 1) <= C, "room for {n} rows");
        assert!(2 * n.div_ceil(2).pow(2) + 2 <= L, "labels for {n} rows");
        let mut board = Bitboard::EMPTY;
        for row in 0..n {
            (0..n).for_each(|column| board.set(row * (n + 1) + column));
        }
        Ladrillos { n, board, images: ZobristNumbers::new(n) }
    }

    /// Places from one row to the next: its cells and one of padding.
    #[inline]
    pub(super) fn stride(&self) -> usize {
        self.n + 1
    }

    #[inline]
    pub(super) fn place(&self, row: usize, column: usize) -> usize {
        row * self.stride() + column
    }

    #[inline]
    pub(super) fn free(&self, at: &Position<W, C, L>) -> Bitboard<W> {
        self.board.without(&at.occupied())
    }

    /// The first cells of all bricks to the right, and of all bricks down.
    #[inline]
    fn first_cells(&self, at: &Position<W, C, L>) -> [Bitboard<W>; 2] {
        let free = self.free(at);
        [free.both(&free.step_down(1)), free.both(&free.step_down(self.stride()))]
    }

    /// The cells next to a set of cells.
    #[inline]
    pub(super) fn around(&self, cells: &Bitboard<W>) -> Bitboard<W> {
        let beside = cells.step_up(1).union(&cells.step_down(1));
        let across = cells.step_up(self.stride()).union(&cells.step_down(self.stride()));
        beside.union(&across).both(&self.board)
    }
}

impl<const W: usize, const C: usize, const L: usize> Game for Ladrillos<W, C, L> {
    type Position = Position<W, C, L>;
    type Move = Brick;

    fn start(&self) -> Position<W, C, L> {
        Position::empty(Side::First)
    }

    #[inline]
    fn to_move(&self, at: &Position<W, C, L>) -> Side {
        at.to_move
    }

    fn branching_factor(&self) -> usize {
        self.n
    }

    fn history_index(&self, brick: Brick) -> usize {
        2 * (usize::from(brick.row) * self.n + usize::from(brick.column)) + usize::from(brick.upright)
    }

    /// Canonical order (rules, section 2): rows from the top, columns from the left, and on a cell the brick to the
    /// right before the brick down.
    #[inline]
    fn moves(&self, at: &Position<W, C, L>, out: &mut Vec<Brick>) {
        let [flat, upright] = self.first_cells(at);
        for row in 0..self.n {
            let start = self.place(row, 0);
            let [flat, upright] = [flat, upright].map(|cells| cells.field(start, self.n) as u32);
            let mut open = flat | upright;
            while open != 0 {
                let column = open.trailing_zeros();
                open &= open - 1;
                let brick = |upright| Brick { row: row as u8, column: column as u8, upright };
                if flat >> column & 1 != 0 {
                    out.push(brick(false));
                }
                if upright >> column & 1 != 0 {
                    out.push(brick(true));
                }
            }
        }
    }

    #[inline]
    fn play(&self, at: &mut Position<W, C, L>, mv: Brick) {
        at.put(at.to_move.index(), mv.places(self.stride()), self.stride());
        at.to_move = at.to_move.other();
    }

    /// The game ends when no two free cells are neighbors; the side with more points wins (rules, section 1).
    #[inline]
    fn ending(&self, at: &Position<W, C, L>) -> Option<Ending> {
        let [flat, upright] = self.first_cells(at);
        if !flat.union(&upright).is_empty() {
            return None;
        }
        let margin = at.margin(Side::First);
        let winner = match margin {
            0 => None,
            1.. => Some(Side::First),
            _ => Some(Side::Second),
        };
        let reason = if self.free(at).is_empty() { "board full" } else { "no room" };
        Some(Ending { winner, margin: margin.unsigned_abs(), reason })
    }

    #[inline]
    fn key(&self, at: &Position<W, C, L>) -> u64 {
        let words = at.bricks[0].words().iter().chain(at.bricks[1].words());
        words.fold(Seed(at.to_move.index() as u64), |key, &word| key.child(word)).0
    }

    fn n_symmetries(&self) -> u8 {
        images::COUNT as u8 - 1
    }

    fn symmetric_key(&self, at: &Position<W, C, L>) -> (u64, Symmetry) {
        let cells = at
            .bricks
            .iter()
            .enumerate()
            .flat_map(|(side, bricks)| bricks.ones().map(move |place| (side, place)));
        self.images.key(cells, at.to_move)
    }

    fn mirror_move(&self, brick: Brick, symmetry: Symmetry) -> Brick {
        images::mirror_brick(self.n, brick, symmetry)
    }
}
