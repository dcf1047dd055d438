//! The field: squares, directions, marked squares and areas (N1 to N3).

use palestra_core::Side;
use std::fmt;

/// Number of rows, goals included.
pub(super) const ROWS: usize = 15;
/// Number of columns of the field.
pub(super) const COLUMNS: usize = 11;
/// Number of squares of the rectangle that contains field and goals.
pub(super) const SQUARES: usize = ROWS * COLUMNS;
/// Length of the longest kick, in squares.
pub(super) const REACH: usize = 4;

/// A square of field or goals, numbered row by row from the first team's goal; or `Square::NONE`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Square(pub(super) u8);

impl Square {
    /// No square.
    pub(super) const NONE: Square = Square(u8::MAX);

    pub(super) const fn new(row: usize, column: usize) -> Square {
        Square((row * COLUMNS + column) as u8)
    }

    #[inline(always)]
    pub(super) const fn index(self) -> usize {
        self.0 as usize
    }

    #[inline(always)]
    pub(super) const fn row(self) -> usize {
        self.0 as usize / COLUMNS
    }

    #[inline(always)]
    pub(super) const fn column(self) -> usize {
        self.0 as usize % COLUMNS
    }

    #[inline(always)]
    pub(super) fn is_some(self) -> bool {
        self != Square::NONE
    }

    /// The row counted from a team's own goal (N1).
    #[inline(always)]
    pub(super) fn own_row(self, side: Side) -> usize {
        match side {
            Side::First => self.row(),
            Side::Second => ROWS - 1 - self.row(),
        }
    }

    /// Distance in steps of a chess king.
    #[inline(always)]
    pub(super) fn distance(self, other: Square) -> i32 {
        let rows = (self.row() as i32 - other.row() as i32).abs();
        rows.max(self.column_distance(other))
    }

    #[inline(always)]
    pub(super) fn column_distance(self, other: Square) -> i32 {
        (self.column() as i32 - other.column() as i32).abs()
    }

    /// Whether it is one of the 143 squares for pieces (N1).
    #[inline(always)]
    pub(super) fn is_field(self) -> bool {
        (COLUMNS as u8..(SQUARES - COLUMNS) as u8).contains(&self.0)
    }

    /// The side whose goal it is part of (N1).
    pub(super) const fn goal_of(self) -> Option<Side> {
        match (self.row(), self.column()) {
            (0, 3..=7) => Some(Side::First),
            (14, 3..=7) => Some(Side::Second),
            _ => None,
        }
    }

    /// Whether it is one of a team's two corners (N2).
    #[inline(always)]
    pub(super) fn is_corner_of(self, side: Side) -> bool {
        self.own_row(side) == 1 && matches!(self.column(), 0 | 10)
    }

    /// Whether it is marked, on the back row that a team attacks (N2).
    #[inline(always)]
    pub(super) fn is_special_for(self, side: Side) -> bool {
        self.own_row(side) == ROWS - 2 && matches!(self.column(), 0 | 3..=7 | 10)
    }

    /// Whether it is inside a team's big area (N3).
    #[inline(always)]
    pub(super) fn is_in_big_area_of(self, side: Side) -> bool {
        matches!(self.own_row(side), 1..=4) && matches!(self.column(), 1..=9)
    }

    /// Whether it is inside a team's small area (N3).
    #[inline(always)]
    pub(super) fn is_in_small_area_of(self, side: Side) -> bool {
        matches!(self.own_row(side), 1..=2) && matches!(self.column(), 2..=8)
    }
}

/// Column letter and row number: `f7`.
impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.column() as u8), self.row())
    }
}

/// Parses a square of the field or of a goal at the start of a text; returns the rest as well.
pub(super) fn read_square(text: &str) -> Option<(Square, &str)> {
    let letter = text.bytes().next()?;
    let rest = text.get(1..)?;
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let number = &rest[..digits];
    // No leading zero, so that each square has one text.
    if !(b'a'..=b'k').contains(&letter) || !(1..=2).contains(&digits) || number.starts_with('0') && digits > 1
    {
        return None;
    }
    let row: usize = number.parse().ok()?;
    let square = Square::new(row, usize::from(letter - b'a'));
    (row < ROWS && (square.is_field() || square.goal_of().is_some())).then_some((square, &rest[digits..]))
}

/// The eight directions, each as a step in rows and columns; the opposite of `d` is `7 - d`.
const DIRECTIONS: [(i32, i32); 8] = [(1, -1), (1, 0), (1, 1), (0, -1), (0, 1), (-1, -1), (-1, 0), (-1, 1)];

/// The directions in the order of a team's moves: forward first, left to right.
pub(super) const ORDER: [[usize; 8]; 2] = [[0, 1, 2, 3, 4, 5, 6, 7], [5, 6, 7, 3, 4, 0, 1, 2]];

/// The squares in each direction from each square, nearest first, up to the edge of the board.
pub(super) static RAYS: [[[Square; REACH]; 8]; SQUARES] = lines();

/// The squares around each square.
#[inline(always)]
pub(super) fn neighbors(square: Square) -> impl Iterator<Item = Square> {
    let (squares, n) = &NEIGHBORS[square.index()];
    squares[..*n].iter().copied()
}

static NEIGHBORS: [([Square; 8], usize); SQUARES] = around();

const fn around() -> [([Square; 8], usize); SQUARES] {
    let lines = lines();
    let mut around = [([Square::NONE; 8], 0); SQUARES];
    let mut square = 0;
    while square < SQUARES {
        let mut direction = 0;
        while direction < 8 {
            let near = lines[square][direction][0];
            if near.0 != Square::NONE.0 {
                around[square].0[around[square].1] = near;
                around[square].1 += 1;
            }
            direction += 1;
        }
        square += 1;
    }
    around
}

const fn lines() -> [[[Square; REACH]; 8]; SQUARES] {
    let mut lines = [[[Square::NONE; REACH]; 8]; SQUARES];
    let mut square = 0;
    while square < SQUARES {
        let mut direction = 0;
        while direction < 8 {
            let (up, across) = DIRECTIONS[direction];
            let mut step = 1;
            while step <= REACH {
                let row = (square / COLUMNS) as i32 + up * step as i32;
                let column = (square % COLUMNS) as i32 + across * step as i32;
                if row < 0 || row >= ROWS as i32 || column < 0 || column >= COLUMNS as i32 {
                    break;
                }
                let there = Square::new(row as usize, column as usize);
                let is_edge_row = row == 0 || row == ROWS as i32 - 1;
                if is_edge_row && there.goal_of().is_none() {
                    break;
                }
                lines[square][direction][step - 1] = there;
                step += 1;
            }
            direction += 1;
        }
        square += 1;
    }
    lines
}

/// A set of squares.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct SquareSet([u64; 3]);

impl SquareSet {
    #[inline(always)]
    pub(super) fn has(&self, square: Square) -> bool {
        self.0[square.index() / 64] >> (square.index() % 64) & 1 == 1
    }

    #[inline(always)]
    pub(super) fn add(&mut self, square: Square) {
        self.0[square.index() / 64] |= 1 << (square.index() % 64);
    }

    #[inline(always)]
    pub(super) fn remove(&mut self, square: Square) {
        self.0[square.index() / 64] &= !(1 << (square.index() % 64));
    }
}
