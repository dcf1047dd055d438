//! The grid as SVG.

use super::{BoardCell, BoardGrid, BoardKind, CellContent, Terrain};
use crate::Side;
use std::fmt::Write;

/// Side of a cell, in SVG units.
const CELL: usize = 48;
/// Width or height of a row of labels next to the board.
const LABEL: usize = 28;
const PAD: usize = 8;

/// Style rules of the rack, each selector prefixed with `$scope`.
macro_rules! style {
    ($scope:literal) => {
        concat!(
            $scope,
            ".board{fill:#2b5797}",
            $scope,
            ".hole{fill:#f4f1ea}",
            $scope,
            ".first{fill:#f2c230}",
            $scope,
            ".second{fill:#c8352e}",
            $scope,
            ".mark{fill:none;stroke:#fff;stroke-width:4}",
            $scope,
            "text{font:16px system-ui,sans-serif;fill:#555;text-anchor:middle}"
        )
    };
}

/// Further style rules for boards other than the rack.
macro_rules! more_style {
    ($scope:literal) => {
        concat!(
            $scope,
            ".sheet{fill:#f4f1ea}",
            $scope,
            ".wood{fill:#8a5a2b}",
            $scope,
            ".field{fill:#2f7d3b}",
            $scope,
            ".line{fill:none;stroke:#0003}",
            $scope,
            ".goal{fill:#e8e8e8}",
            $scope,
            ".area{fill:#3b8f48}",
            $scope,
            ".special{fill:#8cc26a}",
            $scope,
            ".ball{fill:#fff;stroke:#222;stroke-width:3}",
            $scope,
            ".count{font-weight:bold;fill:#222}",
            $scope,
            ".keeper{fill:none;stroke:#222;stroke-width:3}",
            $scope,
            ".last{fill:none;stroke:#222;stroke-width:3}"
        )
    };
}

const STYLE: &str = style!("");
const MORE_STYLE: &str = more_style!("");
/// All rules, scoped to boards, for pages with other SVG content.
pub(super) const BARE_STYLE: &str =
    concat!(style!(".palestra-board "), more_style!(".palestra-board "), "\n");

/// What surrounds the board.
#[derive(Clone, Copy)]
pub(super) enum SvgWrapper {
    /// A standalone document.
    Whole,
    /// A part of a page, which sets style and size.
    Bare,
}

pub(super) fn draw(grid: &BoardGrid, title: &str) -> String {
    draw_with(grid, SvgWrapper::Whole, title, &mut |svg, i, [x, y]| {
        draw_cell(svg, grid.board, &grid.cells[i], x, y);
    })
}

/// One cell, with its top left corner at (0, 0).
pub(super) fn cell(board: BoardKind, cell: &BoardCell) -> String {
    let mut svg = String::new();
    draw_cell(&mut svg, board, cell, 0, 0);
    svg
}

/// The board with cells drawn by `draw_cell`, which gets the index and the top left corner of each.
pub(super) fn draw_with(
    grid: &BoardGrid,
    wrapper: SvgWrapper,
    title: &str,
    draw_cell: &mut dyn FnMut(&mut String, usize, [usize; 2]),
) -> String {
    let n_rows = grid.cells.len() / grid.n_columns.max(1);
    let left = if grid.row_labels.is_empty() { PAD } else { PAD + LABEL };
    let top = if grid.top_labels.is_empty() { PAD } else { PAD + LABEL };
    let below = if grid.column_labels.is_empty() { PAD } else { PAD + LABEL };
    let (width, height) = (grid.n_columns * CELL, n_rows * CELL);
    let (full_width, full_height) = (left + width + PAD, top + height + below);
    let (board, more) = match grid.board {
        BoardKind::Rack => ("board", ""),
        BoardKind::Squares => ("sheet", MORE_STYLE),
        BoardKind::Pits => ("wood", MORE_STYLE),
        BoardKind::Field => ("field", MORE_STYLE),
    };
    let title = escape(title);
    let mut svg =
        format!("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {full_width} {full_height}\" ");
    let _ = match wrapper {
        SvgWrapper::Whole => writeln!(
            svg,
            "width=\"{full_width}\" height=\"{full_height}\" role=\"img\">\n\
             <title>{title}</title>\n<style>{STYLE}{more}</style>"
        ),
        SvgWrapper::Bare => {
            writeln!(svg, "class=\"palestra-board\" role=\"group\">\n<title>{title}</title>")
        }
    };
    let _ = writeln!(
        svg,
        "<rect class=\"{board}\" x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" rx=\"8\"/>"
    );
    for i in 0..grid.cells.len() {
        let (row, column) = (i / grid.n_columns.max(1), i % grid.n_columns.max(1));
        draw_cell(&mut svg, i, [left + column * CELL, top + row * CELL]);
    }
    for (labels, y) in [(&grid.top_labels, top.saturating_sub(12)), (&grid.column_labels, top + height + 20)]
    {
        for (column, label) in labels.iter().enumerate().filter(|(_, label)| !label.is_empty()) {
            let x = left + column * CELL + CELL / 2;
            let _ = writeln!(svg, "<text x=\"{x}\" y=\"{y}\">{}</text>", escape(label));
        }
    }
    for (row, label) in grid.row_labels.iter().enumerate() {
        let (x, y) = (PAD + LABEL / 2, top + row * CELL + CELL / 2 + 6);
        let _ = writeln!(svg, "<text x=\"{x}\" y=\"{y}\">{}</text>", escape(label));
    }
    svg.push_str("</svg>\n");
    svg
}

/// The cell and its content; `x` and `y` are its top left corner.
fn draw_cell(svg: &mut String, board: BoardKind, cell: &BoardCell, x: usize, y: usize) {
    draw_terrain(svg, board, cell, x, y);
    draw_content(svg, cell, x + CELL / 2, y + CELL / 2);
}

/// The cell itself; `x` and `y` are its top left corner.
fn draw_terrain(svg: &mut String, board: BoardKind, cell: &BoardCell, x: usize, y: usize) {
    let class = match (board, cell.terrain) {
        (BoardKind::Rack, _) if cell.content == CellContent::Empty => {
            let (x, y) = (x + CELL / 2, y + CELL / 2);
            let _ = writeln!(svg, "<circle class=\"hole\" cx=\"{x}\" cy=\"{y}\" r=\"19\"/>");
            return;
        }
        (BoardKind::Rack | BoardKind::Pits, _) => return,
        (_, Terrain::Plain) => "line",
        (_, Terrain::Outside) => "sheet",
        (_, Terrain::Goal) => "goal",
        (_, Terrain::Area) => "area",
        (_, Terrain::Special) => "special",
    };
    let _ = writeln!(svg, "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{CELL}\"/>");
}

/// The content of the cell; `x` and `y` are its center.
fn draw_content(svg: &mut String, cell: &BoardCell, x: usize, y: usize) {
    let owner = match cell.owner {
        Some(Side::First) => "first",
        Some(Side::Second) => "second",
        None => "hole",
    };
    let circle =
        |class: &str, r: usize| format!("<circle class=\"{class}\" cx=\"{x}\" cy=\"{y}\" r=\"{r}\"/>\n");
    let (corner_x, corner_y) = (x - CELL / 2, y - CELL / 2);
    let mark = match cell.content {
        CellContent::Empty => circle("last", 6),
        CellContent::Stone => {
            svg.push_str(&circle(owner, 19));
            circle("mark", 13)
        }
        CellContent::Keeper => {
            svg.push_str(&circle(owner, 19));
            svg.push_str(&circle("keeper", 10));
            circle("mark", 15)
        }
        CellContent::Ball => {
            svg.push_str(&circle("ball", 11));
            circle("last", 16)
        }
        CellContent::Piece(piece) => {
            svg.push_str(&circle(owner, 19));
            let _ = write!(svg, "<g class=\"piece {}\" ", escape(piece.name));
            let _ = match piece.svg {
                Some(drawing) => {
                    writeln!(svg, "transform=\"translate({corner_x} {corner_y})\">{drawing}</g>")
                }
                None => {
                    let letter = escape(&piece.letter(cell.owner).to_string());
                    writeln!(svg, "><text class=\"count\" x=\"{x}\" y=\"{}\">{letter}</text></g>", y + 6)
                }
            };
            circle("mark", 17)
        }
        CellContent::Brick => {
            let (x, y, side) = (corner_x + 1, corner_y + 1, CELL - 2);
            let _ = writeln!(
                svg,
                "<rect class=\"{owner}\" x=\"{x}\" y=\"{y}\" width=\"{side}\" height=\"{side}\" rx=\"4\"/>"
            );
            circle("mark", 10)
        }
        CellContent::Seeds(count) | CellContent::Store(count) => {
            let (class, r) =
                if matches!(cell.content, CellContent::Store(_)) { (owner, 22) } else { ("hole", 19) };
            svg.push_str(&circle(class, r));
            let _ = writeln!(svg, "<text class=\"count\" x=\"{x}\" y=\"{}\">{count}</text>", y + 6);
            circle("last", 19)
        }
    };
    if cell.marked {
        svg.push_str(&mark);
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
