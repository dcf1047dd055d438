//! The grid as a picture.

use super::{Form, Grid};
use crate::Side;
use std::fmt::Write;

/// Side of a cell, in SVG units.
const CELL: usize = 48;
/// Room for labels below and left of the board.
const LABEL: usize = 28;
const PAD: usize = 8;

const STYLE: &str = "\
.board{fill:#2b5797}.hole{fill:#f4f1ea}.first{fill:#f2c230}.second{fill:#c8352e}\
.mark{fill:none;stroke:#fff;stroke-width:4}text{font:16px system-ui,sans-serif;fill:#555;text-anchor:middle}";

pub(super) fn draw(grid: &Grid, title: &str) -> String {
    let n_rows = grid.cells.len() / grid.n_columns.max(1);
    let left = if grid.row_labels.is_empty() { PAD } else { PAD + LABEL };
    let below = if grid.column_labels.is_empty() { PAD } else { PAD + LABEL };
    let (width, height) = (grid.n_columns * CELL, n_rows * CELL);
    let (full_width, full_height) = (left + width + PAD, PAD + height + below);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {full_width} {full_height}\" \
         width=\"{full_width}\" height=\"{full_height}\" role=\"img\">\n\
         <title>{}</title>\n<style>{STYLE}</style>\n\
         <rect class=\"board\" x=\"{left}\" y=\"{PAD}\" width=\"{width}\" height=\"{height}\" rx=\"8\"/>\n",
        escape(title)
    );
    for (row, cells) in grid.rows().enumerate() {
        for (column, cell) in cells.iter().enumerate() {
            let (x, y) = (left + column * CELL + CELL / 2, PAD + row * CELL + CELL / 2);
            let class = match (cell.form, cell.owner) {
                (Form::Stone, Some(Side::First)) => "first",
                (Form::Stone, Some(Side::Second)) => "second",
                _ => "hole",
            };
            let _ = writeln!(svg, "<circle class=\"{class}\" cx=\"{x}\" cy=\"{y}\" r=\"19\"/>");
            if cell.marked {
                let _ = writeln!(svg, "<circle class=\"mark\" cx=\"{x}\" cy=\"{y}\" r=\"13\"/>");
            }
        }
    }
    for (column, label) in grid.column_labels.iter().enumerate() {
        let (x, y) = (left + column * CELL + CELL / 2, PAD + height + 20);
        let _ = writeln!(svg, "<text x=\"{x}\" y=\"{y}\">{}</text>", escape(label));
    }
    for (row, label) in grid.row_labels.iter().enumerate() {
        let (x, y) = (PAD + LABEL / 2, PAD + row * CELL + CELL / 2 + 6);
        let _ = writeln!(svg, "<text x=\"{x}\" y=\"{y}\">{}</text>", escape(label));
    }
    svg.push_str("</svg>\n");
    svg
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
