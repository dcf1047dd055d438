//! Forfeited games, with the last lines that the program wrote to standard error.

use super::address;
use super::sentences;
use crate::http_error::HttpError;
use crate::viewer::Language;
use palestra_arena::EngineLog;
use palestra_review::event::Audience;
use palestra_review::event::evidence::{StderrSummary, tail};
use palestra_store::{EventFilter, EventGame, RunId, Store};
use std::collections::BTreeSet;

/// Limit on the lines of standard error and on the remarks that are shown.
const MAX_LINES: usize = 20;

/// Limit on the characters of a shown line.
const MAX_LINE_CHARS: usize = 400;

/// A forfeited game.
pub(super) struct ForfeitedGame {
    /// Its number in the store, or by its content where it is published.
    pub(super) id: i64,
    pub(super) link: String,
    /// The player that forfeited.
    pub(super) player: String,
    pub(super) opponent: String,
    pub(super) kind: String,
    pub(super) detail: String,
    /// The last lines of its standard error.
    pub(super) stderr: String,
    /// Its kind and length, where the text is not published.
    pub(super) stderr_summary: Option<String>,
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
    // The summaries are for everybody; staff see the text.
    let own = games.iter().take(limit).filter(is_own);
    Ok((details(store, own, Audience::Staff, Language::English)?, games.len() > limit))
}

/// Whether a player forfeited a game.
pub(super) fn is_culprit(game: &EventGame, player: &str) -> bool {
    game.game.record.culprit().is_some_and(|culprit| game.place.name(culprit) == player)
}

/// The details of forfeited games, with their evidence from the store. Those for everybody have no text of a program.
pub(super) fn details<'a>(
    store: &Store,
    games: impl Iterator<Item = &'a EventGame>,
    audience: Audience,
    language: Language,
) -> Result<Vec<ForfeitedGame>, HttpError> {
    let mut known = BTreeSet::new();
    let mut failed = Vec::new();
    let silent = EngineLog::default();
    // Pairings of equal players share games.
    for game in games.filter(|game| known.insert(game.id)) {
        let Some(forfeit) = &game.game.record.forfeit else { continue };
        let evidence = store.event_game(game.id)?.1.game.record.evidence.unwrap_or_default();
        let log = evidence.log(forfeit.culprit);
        let is_public = audience == Audience::Public;
        let summary = StderrSummary::of(log).filter(|_| is_public);
        let (log, detail) = if is_public { (&silent, "") } else { (log, forfeit.detail.as_str()) };
        let lines: Vec<String> = log.stderr.lines().map(cut).collect();
        let (n_left_out, tail) = tail(&lines, MAX_LINES);
        failed.push(ForfeitedGame {
            id: if is_public { game.number() } else { game.id },
            link: address::game(game.id),
            player: game.place.name(forfeit.culprit).to_owned(),
            opponent: game.place.name(forfeit.culprit.other()).to_owned(),
            kind: forfeit.kind.clone(),
            detail: cut(detail),
            stderr: tail.join("\n"),
            stderr_summary: summary.map(|summary| sentences::stderr(summary, language)),
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
