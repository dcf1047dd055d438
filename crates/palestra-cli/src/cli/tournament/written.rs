//! Printing and exporting an event.

use super::private;
use crate::cli::args_event::ExportArgs;
use crate::cli::event::{
    self, TerminalStyle, crosstable, final_table, game_line, game_text, gradebook, summary,
};
use crate::cli::output::{Output, note};
use crate::cli::output_file::{check_output, write_file};
use crate::games;
use anyhow::Result;
use palestra_review::event::{EventReport, EventReview, LearningPlatform, platform_file, without_identifier};
use palestra_store::Store;
use palestra_web::Config;
use palestra_web::export::{FolderKind, event_site};

/// Most players of a crosstable; a larger one does not fit on a terminal.
const MAX_CROSSTABLE: usize = 24;

/// Prints the result.
pub(super) fn print(review: &EventReview, output: &mut Output) -> Result<()> {
    let Some(event) = review.report() else { return output.line("no games yet") };
    if output.json {
        return output.json(&summary(&event));
    }
    let style = TerminalStyle { color: output.color, ..TerminalStyle::default() };
    output.line(final_table(&event, style).trim_end())?;
    let standings = event.standings();
    if (3..=MAX_CROSSTABLE).contains(&standings.rows.len()) {
        output.line("")?;
        output.line(crosstable(standings, style).trim_end())?;
    }
    Ok(())
}

/// A table of the likelihood of superiority of each player over each other.
pub(super) fn superiority(review: &EventReview, style: TerminalStyle) -> String {
    review.report().map_or_else(String::new, |event| event::superiority(event.standings(), style))
}

/// Refuses files that must not be replaced, before the event is played.
pub(super) fn check(exports: &ExportArgs) -> Result<()> {
    if let Some(folder) = &exports.private {
        FolderKind::PRIVATE.check(folder)?;
    }
    let files = [&exports.csv, &exports.moodle, &exports.canvas, &exports.pgn, &exports.jsonl];
    files.into_iter().flatten().try_for_each(|path| Ok(check_output(path)?))
}

/// Writes the files for learning platforms.
fn grades(event: &EventReport<'_>, exports: &ExportArgs) -> Result<()> {
    let assignment = exports.assignment.as_deref().unwrap_or(&event.run.name);
    let platforms =
        [(LearningPlatform::Moodle, &exports.moodle), (LearningPlatform::Canvas, &exports.canvas)];
    let mut is_written = false;
    for (platform, path) in platforms {
        if let Some(path) = path {
            write_file(path, &platform_file(event, platform, assignment)?)?;
            is_written = true;
        }
    }
    let missing = without_identifier(event);
    if is_written && !missing.is_empty() {
        note(format_args!(
            "without an identifier, so that the gradebook will not find them: {}",
            missing.join(", ")
        ));
    }
    Ok(())
}

/// Writes the requested files.
pub(super) fn export(review: &EventReview, exports: &ExportArgs, store: &Store) -> Result<()> {
    let Some(event) = review.report() else { return Ok(()) };
    if let Some(path) = &exports.csv {
        write_file(path, &gradebook(&event))?;
    }
    grades(&event, exports)?;
    if let Some(folder) = &exports.private {
        private::write(review, &event, store, folder)?;
    }
    if exports.pgn.is_none() && exports.jsonl.is_none() && exports.site.is_none() {
        return Ok(());
    }
    let all = review.games(store)?;
    if let Some(path) = &exports.pgn {
        let texts: Vec<String> =
            review.with_evidence(&all, store, |game| game_text(&review.run.name, game))?;
        write_file(path, texts.concat().as_bytes())?;
    }
    if let Some(path) = &exports.jsonl {
        let lines: Vec<String> =
            review.with_evidence(&all, store, |game| format!("{}\n", game_line(&review.run.name, game)))?;
        write_file(path, lines.concat().as_bytes())?;
    }
    if let Some(folder) = &exports.site {
        let config = Config::new(games(), store.path().to_owned());
        let written = event_site(config, store, review, folder, exports.language)?;
        note(format_args!(
            "{}: {} files, {:.1} MB; open {}",
            folder.display(),
            written.n_files,
            written.n_bytes as f64 / 1e6,
            folder.join("index.html").display()
        ));
    }
    Ok(())
}
