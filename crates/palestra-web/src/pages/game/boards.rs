//! All boards of a game as compact JSON in its page: every drawing of a cell once, and the changes from ply to ply.

use super::labels;
use super::replay::Replay;
use super::subject::ShownGame;
use crate::http_error::HttpError;
use crate::viewer::Language;
use palestra_core::cell_svg;
use std::collections::BTreeMap;

#[derive(serde::Serialize)]
struct ReplayBoards<'a> {
    /// Drawings of cells, as SVG.
    looks: Vec<String>,
    /// Index of the drawing of each cell at the start.
    start: Vec<usize>,
    /// For each move: cell, drawing, cell, drawing, and so on, of the cells that change.
    changes: Vec<Vec<usize>>,
    /// A sentence about each position.
    said: Vec<String>,
    /// Side to move in each position.
    turns: Vec<&'static str>,
    moves: &'a [String],
    /// Whether the game is over in the last position.
    over: bool,
    /// Game and setup, for the URL of the play page.
    game: String,
    setup: Option<&'a str>,
}

/// The boards as the text of a `script` element, which the template does not escape.
pub(super) fn json(replay: &Replay, subject: &ShownGame, language: Language) -> Result<String, HttpError> {
    let mut known: BTreeMap<String, usize> = BTreeMap::new();
    let mut looks = Vec::new();
    let mut frames: Vec<Vec<usize>> = Vec::new();
    for position in &replay.positions {
        let look = |cell| {
            let drawn = cell_svg(position.grid.board, cell);
            *known.entry(drawn).or_insert_with_key(|drawn| {
                looks.push(drawn.clone());
                looks.len() - 1
            })
        };
        frames.push(position.grid.cells.iter().map(look).collect());
    }
    let changed = |pair: &[Vec<usize>]| {
        let cells = pair[0].iter().zip(&pair[1]).enumerate();
        cells.filter(|(_, (before, after))| before != after).flat_map(|(i, (_, after))| [i, *after]).collect()
    };
    let boards = ReplayBoards {
        looks,
        changes: frames.windows(2).map(changed).collect(),
        start: frames.swap_remove(0),
        said: (0..replay.positions.len()).map(|ply| labels::position(language, replay, ply)).collect(),
        turns: replay.positions.iter().map(|position| labels::side_code(position.to_move)).collect(),
        moves: &replay.moves,
        over: replay.positions.last().is_some_and(|last| last.ending.is_some()),
        game: replay.game.name(),
        setup: subject.setup.as_deref(),
    };
    let json = serde_json::to_string(&boards).map_err(|_| HttpError::internal_error())?;
    // A text in it cannot end the element.
    Ok(json.replace('<', "\\u003c"))
}
