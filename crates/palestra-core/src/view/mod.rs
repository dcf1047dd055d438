//! A position as something to look at: one grid, drawn as text or as SVG.

mod svg;
#[cfg(test)]
mod tests;
mod text;

use crate::{Game, Side};

/// How a game's positions look.
pub trait View: Game {
    /// The board as a grid of cells; `last` is the move that led here, to be marked.
    fn grid(&self, at: &Self::Position, last: Option<Self::Move>) -> Grid;

    /// The points of the first and the second side so far, in games that count them during play.
    fn score(&self, _at: &Self::Position) -> Option<[u32; 2]> {
        None
    }
}

/// A rectangular board, rows from the top.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Grid {
    /// What the board is made of.
    pub board: Board,
    /// Cells in a row.
    pub n_columns: usize,
    /// All cells, row by row from the top.
    pub cells: Vec<Cell>,
    /// A label above each column; empty for none.
    pub top_labels: Vec<String>,
    /// A label below each column; empty for none.
    pub column_labels: Vec<String>,
    /// A label left of each row; empty for none.
    pub row_labels: Vec<String>,
}

/// What a board is made of, for the picture.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Board {
    /// An upright rack with round holes.
    #[default]
    Rack,
    /// A sheet of squares.
    Squares,
    /// Wood with pits.
    Pits,
    /// A playing field of squares.
    Field,
}

/// One cell of a [`Grid`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cell {
    /// What stands there.
    pub form: Form,
    /// Whose it is.
    pub owner: Option<Side>,
    /// Whether to point it out, as the last move.
    pub marked: bool,
    /// What the cell itself is.
    pub ground: Ground,
}

/// What stands on a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Form {
    /// Nothing.
    #[default]
    Empty,
    /// A round stone.
    Stone,
    /// A square brick that fills the cell.
    Brick,
    /// So many seeds in a pit.
    Seeds(u16),
    /// So many seeds in a store.
    Store(u16),
    /// A keeper, told apart from the other pieces.
    Keeper,
    /// The ball, which is nobody's.
    Ball,
}

/// What a cell is, whatever stands there.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Ground {
    /// Like any other.
    #[default]
    Plain,
    /// Not part of the board.
    Outside,
    /// A goal.
    Goal,
    /// Inside an area with rules of its own.
    Area,
    /// A square with a rule of its own.
    Special,
}

/// What [`Grid::to_svg`] draws for one cell, its corner at 0, 0.
pub fn cell_svg(board: Board, cell: &Cell) -> String {
    svg::cell(board, cell)
}

impl Grid {
    /// The board as lines of text. With `color`, what belongs to a side wears its ANSI color.
    pub fn to_text(&self, color: bool) -> String {
        text::draw(self, color)
    }

    /// The board as an SVG document; `title` is read out by screen readers.
    pub fn to_svg(&self, title: &str) -> String {
        svg::draw(self, title)
    }

    /// The same document with cells that the caller draws: it is told the number of each cell and its corner. With
    /// [`cell_svg`] kept once for all cells that look alike, a page can show a whole game in little space.
    pub fn to_svg_with(
        &self,
        title: &str,
        draw_cell: &mut dyn FnMut(&mut String, usize, [usize; 2]),
    ) -> String {
        svg::draw_with(self, title, draw_cell)
    }

    fn rows(&self) -> impl Iterator<Item = &[Cell]> {
        self.cells.chunks(self.n_columns.max(1))
    }
}
