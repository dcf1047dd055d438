//! A game as one drawing that can be stepped through, in little space.
//!
//! Every distinct cell of the game is drawn once, as a symbol, and the drawing of the last position uses the symbols.
//! The changes of each move are stored as pairs of numbers, so that a short script can show any position by assigning
//! symbols to cells. Without the script the last position is visible.

use crate::cli::event::moves::{GameMoves, start_of};
use palestra_core::{BoardCell, BoardGrid, cell_svg};
use palestra_store::StoredGame;
use std::fmt::Write;

/// The drawing of a game's last position, and the changes of each move.
pub(super) struct BoardFrames {
    /// The last position, with all symbols that any position needs.
    pub(super) svg: String,
    /// For each position, the cells that differ from the previous one: `cell:symbol` separated by spaces, positions
    /// separated by commas. The first position lists all cells.
    pub(super) frames: String,
    /// Number of positions.
    pub(super) n_frames: usize,
}

/// Replays a game. `None` if this version does not know the game or cannot play all its moves.
pub(super) fn board_frames(game: &StoredGame, line: &GameMoves, title: &str) -> Option<BoardFrames> {
    let mut session = start_of(game)?;
    let mut appearances: Vec<BoardCell> = Vec::new();
    let mut grid = session.grid();
    let mut symbols = symbols_of(&grid, &mut appearances);
    let mut frames = vec![changes(&[], &symbols)];
    for token in &line.tokens {
        session.play(token).ok()?;
        grid = session.grid();
        let next = symbols_of(&grid, &mut appearances);
        frames.push(changes(&symbols, &next));
        symbols = next;
    }
    Some(BoardFrames {
        svg: draw(&grid, title, &appearances, &symbols),
        n_frames: frames.len(),
        frames: frames.join(","),
    })
}

/// The symbol number of every cell; a new appearance gets the next number.
fn symbols_of(grid: &BoardGrid, appearances: &mut Vec<BoardCell>) -> Vec<usize> {
    let symbol = |cell: &BoardCell| {
        appearances.iter().position(|appearance| appearance == cell).unwrap_or_else(|| {
            appearances.push(*cell);
            appearances.len() - 1
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

fn draw(grid: &BoardGrid, title: &str, appearances: &[BoardCell], symbols: &[usize]) -> String {
    let svg = grid.to_svg_with(title, &mut |svg, i, [x, y]| {
        let _ = writeln!(svg, "<use href=\"#c{}\" x=\"{x}\" y=\"{y}\"/>", symbols[i]);
    });
    let mut defs = String::from("<defs>");
    for (number, appearance) in appearances.iter().enumerate() {
        let drawn = cell_svg(grid.board, appearance);
        let _ = write!(defs, "<g id=\"c{number}\">{}</g>", drawn.replace('\n', ""));
    }
    defs.push_str("</defs>\n");
    // After the style, which is the last element before the board.
    match svg.split_once("</style>\n") {
        Some((head, rest)) => format!("{head}</style>\n{defs}{rest}"),
        None => svg,
    }
}
