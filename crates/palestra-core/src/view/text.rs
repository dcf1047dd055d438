//! The grid in a terminal.

use super::{Cell, Form, Grid, Ground};
use crate::Side;
use std::fmt::Write;

const FIRST_COLOR: &str = "\x1b[1;33m";
const SECOND_COLOR: &str = "\x1b[1;31m";
const PLAIN: &str = "\x1b[0m";

pub(super) fn draw(grid: &Grid, color: bool) -> String {
    // One blank or bracket on each side of the widest label or number.
    let labels = grid.top_labels.iter().chain(&grid.column_labels).map(|label| label.chars().count());
    let inner = labels.chain(grid.cells.iter().map(|cell| glyph(cell).len())).max().unwrap_or(1);
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

/// A line of labels, if there are any.
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

/// One character, or a number.
fn glyph(cell: &Cell) -> String {
    let letter = |first, second| match cell.owner {
        Some(Side::First) => first,
        Some(Side::Second) => second,
        None => "#",
    };
    match (cell.form, cell.ground) {
        (Form::Seeds(n) | Form::Store(n), _) => n.to_string(),
        (Form::Stone | Form::Brick, _) => letter("X", "O").to_owned(),
        (Form::Keeper, _) => letter("K", "G").to_owned(),
        (Form::Ball, _) => "*".to_owned(),
        (Form::Empty, Ground::Plain | Ground::Area) => ".".to_owned(),
        (Form::Empty, Ground::Outside) => " ".to_owned(),
        (Form::Empty, Ground::Goal) => "=".to_owned(),
        (Form::Empty, Ground::Special) => "+".to_owned(),
    }
}

fn push_cell(line: &mut String, cell: &Cell, inner: usize, color: bool) {
    let glyph = glyph(cell);
    let (open, close) = match (cell.form, cell.marked) {
        (_, true) => ('(', ')'),
        (Form::Store(_), false) => ('[', ']'),
        _ => (' ', ' '),
    };
    let blanks = " ".repeat(inner - glyph.len());
    // A store's bracket stands at the cell's edge, a mark right before what it points out.
    let (before, between) =
        if matches!(cell.form, Form::Store(_)) { ("", blanks.as_str()) } else { (blanks.as_str(), "") };
    line.push_str(before);
    line.push(open);
    line.push_str(between);
    match cell.owner.filter(|_| color) {
        Some(owner) => {
            let paint = if owner == Side::First { FIRST_COLOR } else { SECOND_COLOR };
            let _ = write!(line, "{paint}{glyph}{PLAIN}");
        }
        None => line.push_str(&glyph),
    }
    line.push(close);
}
