//! The grid in a terminal.

use super::{Cell, Form, Grid};
use crate::Side;
use std::fmt::Write;

const FIRST_COLOR: &str = "\x1b[1;33m";
const SECOND_COLOR: &str = "\x1b[1;31m";
const PLAIN: &str = "\x1b[0m";

pub(super) fn draw(grid: &Grid, color: bool) -> String {
    // One blank or bracket on each side of the widest label.
    let inner = grid.column_labels.iter().map(|label| label.chars().count()).max().unwrap_or(1).max(1);
    let margin = grid.row_labels.iter().map(|label| label.chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    for (i, row) in grid.rows().enumerate() {
        let label = grid.row_labels.get(i).map_or("", String::as_str);
        let mut line = format!("{label:>margin$}");
        for cell in row {
            push_cell(&mut line, cell, inner, color);
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    if !grid.column_labels.is_empty() {
        let mut line = " ".repeat(margin);
        for label in &grid.column_labels {
            let _ = write!(line, " {label:>inner$} ");
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

fn push_cell(line: &mut String, cell: &Cell, inner: usize, color: bool) {
    let glyph = match (cell.form, cell.owner) {
        (Form::Empty, _) => '.',
        (Form::Stone, Some(Side::First)) => 'X',
        (Form::Stone, Some(Side::Second)) => 'O',
        (Form::Stone, None) => '#',
    };
    let (open, close) = if cell.marked { ('(', ')') } else { (' ', ' ') };
    line.push_str(&" ".repeat(inner - 1));
    line.push(open);
    match cell.owner.filter(|_| color) {
        Some(owner) => {
            let paint = if owner == Side::First { FIRST_COLOR } else { SECOND_COLOR };
            let _ = write!(line, "{paint}{glyph}{PLAIN}");
        }
        None => line.push(glyph),
    }
    line.push(close);
}
