//! Boards to draw: one grid of cells, rendered as text or as SVG.

mod svg;
#[cfg(test)]
mod tests;
mod text;

use crate::{Game, Side};

/// The visible form of a game's positions.
pub trait View: Game {
    /// The board as a grid of cells; `last` is the move that led to `at` and is marked.
    fn grid(&self, at: &Self::Position, last: Option<Self::Move>) -> BoardGrid;

    /// Points of the first and the second side so far; `None` for games that count none during play.
    fn score(&self, _at: &Self::Position) -> Option<[u32; 2]> {
        None
    }

    /// Indices in [`BoardGrid::cells`] of the cells that a person may click to choose the last of `stages`, which are
    /// the first few [`stages`](crate::Notation::stages) of a legal move of `at`. Empty for a choice without a cell. No
    /// cell may stand for two choices of the same stage.
    fn spots(&self, _at: &Self::Position, _stages: &[String]) -> Vec<usize> {
        Vec::new()
    }

    /// The steps of an animation of `mv`, a legal move of `at`: at least one grid and at most [`MAX_FRAMES`]. The last
    /// one is the grid of the position after the move, with the move marked.
    fn frames(&self, at: &Self::Position, mv: Self::Move) -> Vec<BoardGrid> {
        let mut after = at.clone();
        self.play(&mut after, mv);
        vec![self.grid(&after, Some(mv))]
    }
}

/// Maximum number of steps in an animation of a move.
pub const MAX_FRAMES: usize = 60;

/// A rectangular board, rows from the top.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BoardGrid {
    /// Material of the board, for the SVG.
    pub board: BoardKind,
    /// Number of cells in a row.
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

/// Material of a board, for the SVG.
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
    /// The piece or count on the cell.
    pub content: CellContent,
    /// The side that owns the content or the cell.
    pub owner: Option<Side>,
    /// Whether to mark it as part of the last move.
    pub marked: bool,
    /// The kind of the cell itself.
    pub terrain: Terrain,
}

/// The piece or count on a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum CellContent {
    /// No piece.
    #[default]
    Empty,
    /// A round stone.
    Stone,
    /// A square brick that fills the cell.
    Brick,
    /// Number of seeds in a pit.
    Seeds(u16),
    /// Number of seeds in a store.
    Store(u16),
    /// A keeper, drawn differently from the other pieces.
    Keeper,
    /// The ball, which has no owner.
    Ball,
    /// A piece that the game describes itself.
    Piece(&'static PieceGlyph),
}

/// How a piece of a game looks, for games whose pieces are not among those of [`CellContent`].
///
/// ```
/// use palestra_core::{BoardCell, BoardGrid, BoardKind, CellContent, PieceGlyph, Side};
///
/// static KNIGHT: PieceGlyph = PieceGlyph { name: "knight", letters: ['N', 'n'], svg: None };
/// let knight = BoardCell {
///     content: CellContent::Piece(&KNIGHT),
///     owner: Some(Side::Second),
///     ..BoardCell::default()
/// };
/// let cells = vec![knight, BoardCell::default()];
/// let grid = BoardGrid { board: BoardKind::Squares, n_columns: 2, cells, ..BoardGrid::default() };
/// assert_eq!(grid.to_text(false), " n  .\n");
/// assert!(grid.to_svg("a knight").contains("class=\"piece knight\""));
/// ```
#[derive(PartialEq, Eq, Debug)]
pub struct PieceGlyph {
    /// Its name in English, one word: the class of its SVG group and, translated, the word that screen readers say.
    pub name: &'static str,
    /// Its letters on a terminal, of the first and the second side.
    pub letters: [char; 2],
    /// SVG elements in a square from (0, 0) to (48, 48), drawn on a disc of the owner's color; `None` draws the letter.
    pub svg: Option<&'static str>,
}

impl PieceGlyph {
    /// Its letter for an owner; a piece without owner has that of the first side.
    #[must_use]
    pub fn letter(&self, owner: Option<Side>) -> char {
        self.letters[owner.map_or(0, Side::index)]
    }
}

/// The kind of a cell, independent of its content.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Terrain {
    /// An ordinary cell.
    #[default]
    Plain,
    /// Not part of the board.
    Outside,
    /// A goal.
    Goal,
    /// Inside an area with special rules.
    Area,
    /// A single square with a special rule.
    Special,
}

/// The style sheet for [`BoardGrid::to_bare_svg_with`]. Its rules apply inside such boards only.
pub fn board_style() -> &'static str {
    svg::BARE_STYLE
}

/// The SVG that [`BoardGrid::to_svg`] draws for one cell, with the cell's top left corner at (0, 0).
pub fn cell_svg(board: BoardKind, cell: &BoardCell) -> String {
    svg::cell(board, cell)
}

impl BoardGrid {
    /// The board as lines of text. With `color`, the pieces of each side have its ANSI color.
    pub fn to_text(&self, color: bool) -> String {
        text::draw(self, color)
    }

    /// The board as an SVG document; screen readers read `title`.
    pub fn to_svg(&self, title: &str) -> String {
        svg::draw(self, title)
    }

    /// The same document with cells drawn by the caller, who gets the index of each cell and its top left corner; for a
    /// page whose content security policy allows no inline styles: without style element and size, and
    /// with the class `palestra-board`, to which the rules of [`board_style`] apply. Its role is `group` and not `img`,
    /// so that the cells that the caller draws can be controls.
    pub fn to_bare_svg_with(
        &self,
        title: &str,
        draw_cell: &mut dyn FnMut(&mut String, usize, [usize; 2]),
    ) -> String {
        svg::draw_with(self, svg::SvgWrapper::Bare, title, draw_cell)
    }

    /// The name of a cell from its labels: `f4`, or the column's label alone where rows have none. Labels above the
    /// board name the cells of its upper half. On a board without labels the name is row and column, `2/3`; it is empty
    /// for a cell without a label on a board with labels, such as a store.
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
