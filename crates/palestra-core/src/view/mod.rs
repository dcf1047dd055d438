//! A position as something to look at: one grid, drawn as text or as SVG.

mod svg;
#[cfg(test)]
mod tests;
mod text;

use crate::{Game, Side};

/// How a game's positions look.
pub trait View: Game {
    /// The board as a grid of cells; `last` is the move that led here, to be marked.
    fn grid(&self, at: &Self::Position, last: Option<Self::Move>) -> BoardGrid;

    /// The points of the first and the second side so far, in games that count them during play.
    fn score(&self, _at: &Self::Position) -> Option<[u32; 2]> {
        None
    }

    /// The cells of the grid that the last of these stages points at, as numbers in [`BoardGrid::cells`]: where a person
    /// may click to choose it. `stages` are the first few [`stages`](crate::Notation::stages) of a legal move of `at`.
    /// None for a choice that has no place on the board. No cell stands for two choices of the same stage.
    fn spots(&self, _at: &Self::Position, _stages: &[String]) -> Vec<usize> {
        Vec::new()
    }

    /// How the board looks step by step while `mv`, a legal move, is played at `at`. At least one grid and at most
    /// [`MAX_FRAMES`]; the last one is that of the position after the move, the move marked.
    fn frames(&self, at: &Self::Position, mv: Self::Move) -> Vec<BoardGrid> {
        let mut after = at.clone();
        self.play(&mut after, mv);
        vec![self.grid(&after, Some(mv))]
    }
}

/// The most steps in which a move is shown.
pub const MAX_FRAMES: usize = 60;

/// A rectangular board, rows from the top.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BoardGrid {
    /// What the board is made of.
    pub board: BoardKind,
    /// Cells in a row.
    pub n_columns: usize,
    /// All cells, row by row from the top.
    pub cells: Vec<BoardCell>,
    /// A label above each column; empty for none.
    pub top_labels: Vec<String>,
    /// A label below each column; empty for none.
    pub column_labels: Vec<String>,
    /// A label left of each row; empty for none.
    pub row_labels: Vec<String>,
}

/// What a board is made of, for the picture.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum BoardKind {
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

/// One cell of a [`BoardGrid`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BoardCell {
    /// What stands there.
    pub content: CellContent,
    /// Whose it is.
    pub owner: Option<Side>,
    /// Whether to point it out, as the last move.
    pub marked: bool,
    /// What the cell itself is.
    pub terrain: Terrain,
}

/// What stands on a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum CellContent {
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
pub enum Terrain {
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

/// The style sheet that goes with [`BoardGrid::to_bare_svg_with`]. Its rules reach only what is inside such a board.
pub fn board_style() -> &'static str {
    svg::BARE_STYLE
}

/// What [`BoardGrid::to_svg`] draws for one cell, its corner at 0, 0.
pub fn cell_svg(board: BoardKind, cell: &BoardCell) -> String {
    svg::cell(board, cell)
}

impl BoardGrid {
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
        svg::draw_with(self, svg::SvgWrapper::Whole, title, draw_cell)
    }

    /// The same for a page that allows no styles in its text: without a style and a size of its own, and with the
    /// class `palestra-board`, for which [`board_style`] has the rules. It is a group and not an image, so that
    /// whatever the caller draws can be something to choose.
    pub fn to_bare_svg_with(
        &self,
        title: &str,
        draw_cell: &mut dyn FnMut(&mut String, usize, [usize; 2]),
    ) -> String {
        svg::draw_with(self, svg::SvgWrapper::Bare, title, draw_cell)
    }

    /// What the labels call a cell: `f4`; the column's alone where rows have no labels. A label above counts for the
    /// upper half of the board. Row and column, `2/3`, on a board without labels; empty on one with labels that
    /// leave out this cell, such as a store.
    pub fn name_of(&self, cell: usize) -> String {
        let n_columns = self.n_columns.max(1);
        let (row, column) = (cell / n_columns, cell % n_columns);
        let n_rows = self.cells.len() / n_columns;
        let is_upper = !self.top_labels.is_empty() && (2 * row < n_rows || self.column_labels.is_empty());
        let columns = if is_upper { &self.top_labels } else { &self.column_labels };
        if columns.is_empty() && self.row_labels.is_empty() {
            return format!("{}/{}", row + 1, column + 1);
        }
        let label = |labels: &[String], i: usize| labels.get(i).map_or("", |label| label.trim()).to_owned();
        label(columns, column) + &label(&self.row_labels, row)
    }

    fn rows(&self) -> impl Iterator<Item = &[BoardCell]> {
        self.cells.chunks(self.n_columns.max(1))
    }
}
