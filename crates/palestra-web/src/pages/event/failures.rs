//! Games that somebody forfeited, with what the program said last.

use super::address;
use crate::http_error::HttpError;
use palestra_review::event::evidence::{GameEvidence, ProgramLog};
use palestra_store::{EventFilter, RunId, Store, Winner};

/// Lines of standard error that are shown.
const TAIL: usize = 20;

/// The longest line that is shown of them.
const LONGEST: usize = 400;

/// A game that somebody forfeited.
pub(super) struct ForfeitedGame {
    pub(super) id: i64,
    pub(super) link: String,
    pub(super) player: String,
    pub(super) rival: String,
    pub(super) kind: String,
    pub(super) detail: String,
    /// The end of what it wrote to standard error.
    pub(super) stderr: String,
    pub(super) n_left_out: usize,
    pub(super) remarks: Vec<String>,
}

/// The newest failures, of one player or of all, and whether there are more.
pub(super) fn failures(
    store: &Store,
    run: RunId,
    player: Option<&str>,
    most: usize,
) -> Result<(Vec<ForfeitedGame>, bool), HttpError> {
    let filter = EventFilter { player, failed: true, ..EventFilter::default() };
    let games = store.event_games_of(run, &filter, None, most + 1)?;
    let has_more = games.len() > most;
    let mut failed = Vec::new();
    for game in games.into_iter().take(most) {
        let Some(side) = game.forfeit else { continue };
        let (_, game) = store.event_game(game.id)?;
        let evidence = GameEvidence::of(&game);
        let voice = evidence.program_log(side);
        let lines: Vec<String> = voice.stderr.lines().map(cut).collect();
        let (n_left_out, tail) = ProgramLog::tail(&lines, TAIL);
        let [culprit, rival] = match side {
            Winner::First => [game.first, game.second],
            Winner::Second => [game.second, game.first],
        };
        // The failures of rivals are no failures of its own.
        if player.is_some_and(|player| player != culprit) {
            continue;
        }
        failed.push(ForfeitedGame {
            id: game.id,
            link: address::game(game.id),
            player: culprit,
            rival,
            kind: game.fault.unwrap_or(game.game.reason),
            detail: cut(&game.detail.unwrap_or_default()),
            stderr: tail.join("\n"),
            n_left_out,
            remarks: voice.remarks.iter().take(TAIL).map(|remark| cut(remark)).collect(),
        });
    }
    Ok((failed, has_more))
}

/// The beginning of a long text.
fn cut(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}
