//! Forfeited games, with the last lines that the program wrote to standard error.

use super::address;
use crate::http_error::HttpError;
use palestra_review::event::evidence::{GameEvidence, ProgramLog};
use palestra_store::{EventFilter, RunId, Store, Winner};

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
    let has_more = games.len() > limit;
    let mut failed = Vec::new();
    for game in games.into_iter().take(limit) {
        let Some(side) = game.forfeit else { continue };
        let (_, game) = store.event_game(game.id)?;
        let evidence = GameEvidence::of(&game);
        let log = evidence.program_log(side);
        let lines: Vec<String> = log.stderr.lines().map(cut).collect();
        let (n_left_out, tail) = ProgramLog::tail(&lines, MAX_LINES);
        let [culprit, opponent] = match side {
            Winner::First => [game.first, game.second],
            Winner::Second => [game.second, game.first],
        };
        // The filter finds the forfeits of its opponents as well.
        if player.is_some_and(|player| player != culprit) {
            continue;
        }
        failed.push(ForfeitedGame {
            id: game.id,
            link: address::game(game.id),
            player: culprit,
            opponent,
            kind: game.fault.unwrap_or(game.game.reason),
            detail: cut(&game.detail.unwrap_or_default()),
            stderr: tail.join("\n"),
            n_left_out,
            remarks: log.remarks.iter().take(MAX_LINES).map(|remark| cut(remark)).collect(),
        });
    }
    Ok((failed, has_more))
}

/// Cuts a long line.
fn cut(text: &str) -> String {
    match text.char_indices().nth(MAX_LINE_CHARS) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}
