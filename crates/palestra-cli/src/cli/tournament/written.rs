//! Where an event is printed and written.

use crate::cli::args_event::ExportArgs;
use crate::cli::event::{
    self, TerminalStyle, crosstable, final_table, game_line, game_text, gradebook, summary, write_site,
};
use crate::cli::output::{Output, note, write_file};
use anyhow::Result;
use palestra_review::event::EventReview;
use palestra_store::Store;

/// Crosstables of more players than this do not fit a terminal.
const MOST_CROSSED: usize = 24;

/// Prints the result.
pub(super) fn print(review: &EventReview, output: &mut Output) -> Result<()> {
    let Some(event) = review.report() else { return output.line("nothing was played yet") };
    if output.json {
        return output.json(&summary(&event));
    }
    let look = TerminalStyle { color: output.color, ..TerminalStyle::default() };
    output.line(final_table(&event, look).trim_end())?;
    let standings = event.standings();
    if (3..=MOST_CROSSED).contains(&standings.rows.len()) {
        output.line("")?;
        output.line(crosstable(standings, look).trim_end())?;
    }
    Ok(())
}

/// How likely each player is better than each other.
pub(super) fn superiority(review: &EventReview, look: TerminalStyle) -> String {
    review.report().map_or_else(String::new, |event| event::superiority(event.standings(), look))
}

/// Writes whatever else was asked for.
pub(super) fn export(review: &EventReview, exports: &ExportArgs, store: &Store) -> Result<()> {
    let Some(event) = review.report() else { return Ok(()) };
    if let Some(path) = &exports.csv {
        write_file(path, &gradebook(&event))?;
    }
    if exports.pgn.is_none() && exports.jsonl.is_none() && exports.site.is_none() {
        return Ok(());
    }
    let games = review.games(store)?;
    if let Some(path) = &exports.pgn {
        let texts: Vec<String> =
            review.with_evidence(&games, store, |game| game_text(&review.run.name, game))?;
        write_file(path, texts.concat().as_bytes())?;
    }
    if let Some(path) = &exports.jsonl {
        let lines: Vec<String> =
            review.with_evidence(&games, store, |game| format!("{}\n", game_line(&review.run.name, game)))?;
        write_file(path, lines.concat().as_bytes())?;
    }
    if let Some(folder) = &exports.site {
        let games = review.with_evidence(&games, store, Clone::clone)?;
        let written = write_site(&event, &games, folder)?;
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
