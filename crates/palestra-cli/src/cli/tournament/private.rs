//! A text for each player of an event, for the student alone.

use crate::cli::event::{PlayerPageDetail, TerminalStyle, player_page, stderr_tail};
use crate::cli::output::note;
use anyhow::Result;
use palestra_core::Side;
use palestra_review::event::text::plain;
use palestra_review::event::{EventReport, EventReview};
use palestra_store::{EventGame, Store, StoreError};
use palestra_web::export::{FolderKind, FolderWriter, PlayerFiles};
use std::path::Path;

/// Lines of standard error of a program's last game.
const MAX_STDERR_LINES: usize = 60;
/// Longest line, in characters.
const WIDTH: usize = 400;

/// Writes the folder. One that has other files is an error and stays as it is.
pub(super) fn write(
    review: &EventReview,
    event: &EventReport<'_>,
    store: &Store,
    folder: &Path,
) -> Result<()> {
    let left_out = &event.noted.left_out;
    let names = event.entrants.iter().map(|entrant| entrant.name.as_str());
    let files = PlayerFiles::new(names.chain(left_out.iter().map(|left_out| left_out.player.as_str())));
    let mut writer = FolderWriter::begin(FolderKind::PRIVATE, folder)?;
    let games = review.games(store)?;
    for (player, program) in review.field.programs.iter().enumerate() {
        // The organizers have the built-in players, and know them.
        if program.is_some() {
            let text = player_text(event, &games, player, store)?;
            writer.file(&format!("{}.txt", files.file(player)), text.as_bytes())?;
        }
    }
    for (i, left_out) in left_out.iter().enumerate() {
        let (name, reason) = (plain(&left_out.player), left_out.reason.lines().map(plain));
        let reason: Vec<String> = reason.collect();
        let text = format!(
            "{}{name}\n  left out of the event: {}\n",
            heading(event, &left_out.player),
            reason.join("\n  ")
        );
        writer.file(&format!("{}.txt", files.file(event.entrants.len() + i)), text.as_bytes())?;
    }
    let written = writer.finish()?;
    // The marker is one of them.
    note(format_args!("{}: {} texts, each for one student alone", folder.display(), written.n_files - 1));
    Ok(())
}

fn heading(event: &EventReport<'_>, player: &str) -> String {
    format!("{}: for {} alone\n{}\n\n", plain(&event.run.name), plain(player), event.what)
}

fn player_text(
    event: &EventReport<'_>,
    games: &[EventGame],
    player: usize,
    store: &Store,
) -> Result<String, StoreError> {
    let name = event.name(player);
    let mut own = Vec::new();
    let mut last_stderr: Option<(i64, String)> = None;
    for game in games.iter().filter(|game| game.place.first == name || game.place.second == name) {
        let side = if game.place.first == name { Side::First } else { Side::Second };
        let mut game = with_evidence(store, game.clone())?;
        if let Some(evidence) = &mut game.game.record.evidence {
            // What the opponent wrote is not for this student.
            *evidence.log_mut(side.other()) = palestra_arena::EngineLog::default();
            let stderr = &evidence.log(side).stderr;
            if !stderr.is_empty() {
                last_stderr = Some((game.id, stderr.clone()));
            }
        }
        // Only failures are shown with their evidence, which can be long.
        if game.game.record.culprit() != Some(side) {
            game.game.record.evidence = None;
        }
        own.push(game);
    }
    let style = TerminalStyle { color: false, ..TerminalStyle::default() };
    let page = player_page(event, &own, player, PlayerPageDetail::STUDENT, style);
    let mut text = heading(event, name) + page.trim_end() + "\n";
    if let Some((id, stderr)) = last_stderr {
        text.push_str(&format!("\nStandard error, its end in game {id}\n"));
        text.push_str(&stderr_tail(&stderr, MAX_STDERR_LINES, WIDTH));
    }
    Ok(text)
}

/// A game with what is kept of its programs.
fn with_evidence(store: &Store, mut game: EventGame) -> Result<EventGame, StoreError> {
    game.game.record.evidence = store.event_game(game.id)?.1.game.record.evidence;
    Ok(game)
}
