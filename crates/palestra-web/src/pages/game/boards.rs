//! All boards of a game in little space: every way a cell can look once, and what changes from ply to ply.

use super::labels;
use super::replay::Replay;
use super::subject::ShownGame;
use crate::http_error::HttpError;
use crate::viewer::Language;
use palestra_arena::Catalog;
use palestra_core::cell_svg;
use std::collections::BTreeMap;

#[derive(serde::Serialize)]
struct ReplayBoards<'a> {
    /// The ways a cell can look.
    looks: Vec<String>,
    /// How each cell looks at the start.
    start: Vec<usize>,
    /// For each move: cell, look, cell, look, and so on, of those that change.
    changes: Vec<Vec<usize>>,
    /// What is to be said of each position.
    said: Vec<String>,
    /// Whose turn it is in each position.
    turns: Vec<&'static str>,
    moves: &'a [String],
    /// Whether the last position is one where nobody can move.
    over: bool,
    /// What finds the position again in other pages.
    game: String,
    setup: Option<&'a str>,
}

pub(super) fn json(catalog: &Catalog, subject: &ShownGame, language: Language) -> Result<String, HttpError> {
    let replay = Replay::new(catalog, subject)?;
    let mut known: BTreeMap<String, usize> = BTreeMap::new();
    let mut looks = Vec::new();
    let mut frames: Vec<Vec<usize>> = Vec::new();
    for moment in &replay.positions {
        let look = |cell| {
            let drawn = cell_svg(moment.grid.board, cell);
            *known.entry(drawn).or_insert_with_key(|drawn| {
                looks.push(drawn.clone());
                looks.len() - 1
            })
        };
        frames.push(moment.grid.cells.iter().map(look).collect());
    }
    let changed = |pair: &[Vec<usize>]| {
        let cells = pair[0].iter().zip(&pair[1]).enumerate();
        cells.filter(|(_, (before, after))| before != after).flat_map(|(i, (_, after))| [i, *after]).collect()
    };
    let boards = ReplayBoards {
        looks,
        changes: frames.windows(2).map(changed).collect(),
        start: frames.swap_remove(0),
        said: (0..replay.positions.len()).map(|ply| labels::position(language, &replay, ply)).collect(),
        turns: replay.positions.iter().map(|moment| labels::side_code(moment.to_move)).collect(),
        moves: &replay.moves,
        over: replay.positions.last().is_some_and(|last| last.ending.is_some()),
        game: replay.game.name(),
        setup: subject.setup.as_deref(),
    };
    serde_json::to_string(&boards).map_err(|_| HttpError::internal_error())
}
