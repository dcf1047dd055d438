//! The grid as text for a terminal.

use super::{BoardCell, BoardGrid, CellContent, Terrain};
use crate::Side;
use std::fmt::Write;

const FIRST_COLOR: &str = "\x1b[1;33m";
const SECOND_COLOR: &str = "\x1b[1;31m";
const PLAIN: &str = "\x1b[0m";

pub(super) fn draw(grid: &BoardGrid, color: bool) -> String {
    // One blank or bracket on each side of the widest label or number.
    let labels = grid.top_labels.iter().chain(&grid.column_labels).map(|label| label.chars().count());
    let inner = labels.chain(grid.cells.iter().map(|cell| glyph(cell).chars().count())).max().unwrap_or(1);
    let margin = grid.row_labels.iter().map(|label| label.chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    push_labels(&mut text, &grid.top_labels, margin, inner);
    for (i, row) in grid.rows().enumerate() {
        let label = grid.row_labels.get(i).map_or("", String::as_str);
        let mut line = format!("{label:>margin$}");
        for cell in row {
            push_cell(&mut line, cell, inner, color);
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    push_labels(&mut text, &grid.column_labels, margin, inner);
    text
}

/// Appends a line of labels, unless there are none.
fn push_labels(text: &mut String, labels: &[String], margin: usize, inner: usize) {
    if labels.is_empty() {
        return;
    }
    let mut line = " ".repeat(margin);
    for label in labels {
        let _ = write!(line, " {label:>inner$} ");
    }
    text.push_str(line.trim_end());
    text.push('\n');
}

/// The character or number of a cell.
fn glyph(cell: &BoardCell) -> String {
    let letter = |first, second| match cell.owner {
        Some(Side::First) => first,
        Some(Side::Second) => second,
        None => "#",
    };
    match (cell.content, cell.terrain) {
        (CellContent::Seeds(n) | CellContent::Store(n), _) => n.to_string(),
        (CellContent::Stone | CellContent::Brick, _) => letter("X", "O").to_owned(),
        (CellContent::Keeper, _) => letter("K", "G").to_owned(),
        (CellContent::Ball, _) => "*".to_owned(),
        (CellContent::Piece(piece), _) => piece.letter(cell.owner).to_string(),
        (CellContent::Empty, Terrain::Plain | Terrain::Area) => ".".to_owned(),
        (CellContent::Empty, Terrain::Outside) => " ".to_owned(),
        (CellContent::Empty, Terrain::Goal) => "=".to_owned(),
        (CellContent::Empty, Terrain::Special) => "+".to_owned(),
    }
}

fn push_cell(line: &mut String, cell: &BoardCell, inner: usize, color: bool) {
    let glyph = glyph(cell);
    let (open, close) = match (cell.content, cell.marked) {
        (_, true) => ('(', ')'),
        (CellContent::Store(_), false) => ('[', ']'),
        _ => (' ', ' '),
    };
    let blanks = " ".repeat(inner - glyph.chars().count());
    // A store has its bracket at the cell's edge, a marked cell right before the glyph.
    let (before, between) = if matches!(cell.content, CellContent::Store(_)) {
        ("", blanks.as_str())
    } else {
        (blanks.as_str(), "")
    };
    line.push_str(before);
    line.push(open);
    line.push_str(between);
    match cell.owner.filter(|_| color) {
        Some(owner) => {
            let ansi = if owner == Side::First { FIRST_COLOR } else { SECOND_COLOR };
            let _ = write!(line, "{ansi}{glyph}{PLAIN}");
        }
        None => line.push_str(&glyph),
    }
    line.push(close);
}
