//! Forfeited games, with the last lines that the program wrote to standard error.

use super::address;
use crate::http_error::HttpError;
use palestra_review::event::evidence::tail;
use palestra_store::{EventFilter, EventGame, RunId, Store};
use std::collections::BTreeSet;

/// Limit on the lines of standard error and on the remarks that are shown.
const MAX_LINES: usize = 20;

/// Limit on the characters of a shown line.
const MAX_LINE_CHARS: usize = 400;

/// A forfeited game.
pub(super) struct ForfeitedGame {
    pub(super) id: i64,
    pub(super) link: String,
    /// The player that forfeited.
    pub(super) player: String,
    pub(super) opponent: String,
    pub(super) kind: String,
    pub(super) detail: String,
    /// The last lines of its standard error.
    pub(super) stderr: String,
    /// Number of earlier lines.
    pub(super) n_left_out: usize,
    pub(super) remarks: Vec<String>,
}

/// The newest forfeits of one player or of all, and whether there are more.
pub(super) fn failures(
    store: &Store,
    run: RunId,
    player: Option<&str>,
    limit: usize,
) -> Result<(Vec<ForfeitedGame>, bool), HttpError> {
    let filter = EventFilter { player, failed: true, ..EventFilter::default() };
    let games = store.event_games_of(run, &filter, None, limit + 1)?;
    // The filter finds the forfeits of the player's opponents as well.
    let is_own = |game: &&EventGame| player.is_none_or(|player| is_culprit(game, player));
    Ok((details(store, games.iter().take(limit).filter(is_own))?, games.len() > limit))
}

/// Whether a player forfeited a game.
pub(super) fn is_culprit(game: &EventGame, player: &str) -> bool {
    game.game.record.culprit().is_some_and(|culprit| game.place.name(culprit) == player)
}

/// The details of forfeited games, with their evidence from the store.
pub(super) fn details<'a>(
    store: &Store,
    games: impl Iterator<Item = &'a EventGame>,
) -> Result<Vec<ForfeitedGame>, HttpError> {
    let mut known = BTreeSet::new();
    let mut failed = Vec::new();
    // Pairings of equal players share games.
    for game in games.filter(|game| known.insert(game.id)) {
        let Some(forfeit) = &game.game.record.forfeit else { continue };
        let evidence = store.event_game(game.id)?.1.game.record.evidence.unwrap_or_default();
        let log = evidence.log(forfeit.culprit);
        let lines: Vec<String> = log.stderr.lines().map(cut).collect();
        let (n_left_out, tail) = tail(&lines, MAX_LINES);
        failed.push(ForfeitedGame {
            id: game.id,
            link: address::game(game.id),
            player: game.place.name(forfeit.culprit).to_owned(),
            opponent: game.place.name(forfeit.culprit.other()).to_owned(),
            kind: forfeit.kind.clone(),
            detail: cut(&forfeit.detail),
            stderr: tail.join("\n"),
            n_left_out,
            remarks: log.remarks.iter().take(MAX_LINES).map(|remark| cut(remark)).collect(),
        });
    }
    Ok(failed)
}

/// Cuts a long line.
fn cut(text: &str) -> String {
    match text.char_indices().nth(MAX_LINE_CHARS) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}
