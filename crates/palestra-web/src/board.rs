//! Boards as SVG without inline styles, which the content security policy forbids: every cell has a class.

use palestra_core::{BoardGrid, cell_svg};
use std::fmt::Write;

/// A board that cannot be played on; screen readers read out `title`.
pub(crate) fn picture(grid: &BoardGrid, title: &str) -> String {
    draw(grid, title, |_| String::new())
}

/// A board whose cells have further attributes, by cell index: ` data-cell="3" role="button"`.
pub(crate) fn draw(grid: &BoardGrid, title: &str, attributes: impl Fn(usize) -> String) -> String {
    grid.to_bare_svg_with(title, &mut |svg, i, [x, y]| {
        let drawn = cell_svg(grid.board, &grid.cells[i]);
        let _ =
            writeln!(svg, "<g transform=\"translate({x} {y})\" class=\"cell\"{}>{drawn}</g>", attributes(i));
    })
}

/// A board to play on: every cell has its index, a label for screen readers and an area to click. `lib/board.js` makes
/// buttons of the cells that can be chosen.
pub(crate) fn playable(grid: &BoardGrid, title: &str, label: impl Fn(usize) -> String) -> String {
    grid.to_bare_svg_with(title, &mut |svg, i, [x, y]| {
        let drawn = cell_svg(grid.board, &grid.cells[i]);
        let label = label(i).replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;");
        // A cell without a label is not part of the board and is hidden from screen readers.
        let named = match label.as_str() {
            "" => "aria-hidden=\"true\"".to_owned(),
            label => format!("role=\"img\" aria-label=\"{label}\""),
        };
        let _ = writeln!(
            svg,
            "<g transform=\"translate({x} {y})\" class=\"cell\" data-cell=\"{i}\" {named}>\
             <g class=\"look\">{drawn}</g><circle class=\"dot\" cx=\"24\" cy=\"24\" r=\"7\"/>\
             <rect class=\"touch\" x=\"2\" y=\"2\" width=\"44\" height=\"44\" rx=\"8\"/></g>"
        );
    })
}
