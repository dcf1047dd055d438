//! A game as one picture that can be stepped through, in little space.
//!
//! Every look that a cell has in the game is drawn once, as a symbol; the picture of the last position uses them. What
//! each move changes stands beside it as pairs of numbers, so a script of a few lines shows any position: it only says
//! which cell uses which symbol. Without the script the last position is there.

use crate::cli::event::moves::{GameMoves, start_of};
use palestra_core::{BoardCell, BoardGrid, cell_svg};
use palestra_store::StoredGame;
use std::fmt::Write;

/// The picture of a game's last position, and what leads there.
pub(super) struct BoardFrames {
    /// The last position, with all symbols that any position needs.
    pub(super) svg: String,
    /// For each position from the first on, the cells that differ from the one before: `cell:symbol` with blanks between,
    /// positions apart by commas. The first one lists all cells.
    pub(super) frames: String,
    /// How many positions there are.
    pub(super) n_frames: usize,
}

/// Plays a game through. `None` for a game that this version does not know or cannot follow to its last move.
pub(super) fn board_frames(game: &StoredGame, line: &GameMoves, title: &str) -> Option<BoardFrames> {
    let mut session = start_of(game)?;
    let mut looks: Vec<BoardCell> = Vec::new();
    let mut grid = session.grid();
    let mut symbols = symbols_of(&grid, &mut looks);
    let mut frames = vec![changes(&[], &symbols)];
    for token in &line.tokens {
        session.play(token).ok()?;
        grid = session.grid();
        let next = symbols_of(&grid, &mut looks);
        frames.push(changes(&symbols, &next));
        symbols = next;
    }
    Some(BoardFrames {
        svg: draw(&grid, title, &looks, &symbols),
        n_frames: frames.len(),
        frames: frames.join(","),
    })
}

/// The symbol of every cell; looks that are new get the next number.
fn symbols_of(grid: &BoardGrid, looks: &mut Vec<BoardCell>) -> Vec<usize> {
    let symbol = |cell: &BoardCell| {
        looks.iter().position(|look| look == cell).unwrap_or_else(|| {
            looks.push(*cell);
            looks.len() - 1
        })
    };
    grid.cells.iter().map(symbol).collect()
}

fn changes(before: &[usize], after: &[usize]) -> String {
    let mut text = String::new();
    for (i, symbol) in after.iter().enumerate().filter(|(i, symbol)| before.get(*i) != Some(symbol)) {
        let _ = write!(text, "{}{i}:{symbol}", if text.is_empty() { "" } else { " " });
    }
    text
}

fn draw(grid: &BoardGrid, title: &str, looks: &[BoardCell], symbols: &[usize]) -> String {
    let svg = grid.to_svg_with(title, &mut |svg, i, [x, y]| {
        let _ = writeln!(svg, "<use href=\"#c{}\" x=\"{x}\" y=\"{y}\"/>", symbols[i]);
    });
    let mut defs = String::from("<defs>");
    for (number, look) in looks.iter().enumerate() {
        let drawn = cell_svg(grid.board, look);
        let _ = write!(defs, "<g id=\"c{number}\">{}</g>", drawn.replace('\n', ""));
    }
    defs.push_str("</defs>\n");
    // After the style, which is the last thing that stands before the board.
    match svg.split_once("</style>\n") {
        Some((head, rest)) => format!("{head}</style>\n{defs}{rest}"),
        None => svg,
    }
}
