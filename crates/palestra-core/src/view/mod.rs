//! A position as something to look at: one grid, drawn as text or as SVG.

mod svg;
mod text;

use crate::{Game, Side};

/// How a game's positions look.
pub trait View: Game {
    /// The board as a grid of cells; `last` is the move that led here, to be marked.
    fn grid(&self, at: &Self::Position, last: Option<Self::Move>) -> Grid;
}

/// A rectangular board, rows from the top.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Grid {
    /// Cells in a row.
    pub n_columns: usize,
    /// All cells, row by row from the top.
    pub cells: Vec<Cell>,
    /// A label below each column; empty for none.
    pub column_labels: Vec<String>,
    /// A label left of each row; empty for none.
    pub row_labels: Vec<String>,
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
}

/// What stands on a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Form {
    /// Nothing.
    #[default]
    Empty,
    /// A round stone.
    Stone,
}

impl Grid {
    /// The board as lines of text. With `color`, stones wear ANSI colors.
    pub fn to_text(&self, color: bool) -> String {
        text::draw(self, color)
    }

    /// The board as an SVG document; `title` is read out by screen readers.
    pub fn to_svg(&self, title: &str) -> String {
        svg::draw(self, title)
    }

    fn rows(&self) -> impl Iterator<Item = &[Cell]> {
        self.cells.chunks(self.n_columns.max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid() -> Grid {
        let stone = |owner, marked| Cell { form: Form::Stone, owner: Some(owner), marked };
        Grid {
            n_columns: 2,
            cells: vec![
                Cell::default(),
                stone(Side::Second, true),
                stone(Side::First, false),
                stone(Side::First, false),
            ],
            column_labels: vec!["9".into(), "10".into()],
            row_labels: Vec::new(),
        }
    }

    #[test]
    fn text_shows_stones_marks_and_labels() {
        assert_eq!(grid().to_text(false), "  .  (O)\n  X   X\n  9  10\n");
        assert!(grid().to_text(true).contains("\x1b["));
    }

    #[test]
    fn svg_shows_the_same_cells() {
        let svg = grid().to_svg("a < b");
        assert_eq!(svg.matches("class=\"first\"").count(), 2);
        assert_eq!(svg.matches("class=\"second\"").count(), 1);
        assert!(svg.contains("<title>a &lt; b</title>"));
        assert!(svg.contains(">10</text>"));
    }
}
