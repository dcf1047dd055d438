//! `palestra show`.

use super::args::ShowArgs;
use super::output::{Align, Output, table};
use super::output_file::write_file;
use anyhow::Result;
use palestra_arena::{EndingText, PositionSummary, Session};

/// More legal moves than this are counted, not listed.
const LISTED: usize = 100;

pub(super) fn run(args: &ShowArgs, output: &mut Output) -> Result<()> {
    let (_, session) = args.position.open()?;
    let shown = session.show();
    if let Some(path) = &args.svg {
        let title = format!("{} {}", shown.game, shown.setup);
        write_file(path, session.grid().to_svg(&title).as_bytes())?;
    }
    if output.json {
        return output.json(&shown);
    }
    position(session.as_ref(), &shown, output)?;
    for rows in &shown.features {
        output.line("")?;
        let mut cells =
            vec![vec![rows.set.to_owned(), "first".to_owned(), "second".to_owned(), "meaning".to_owned()]];
        for (i, name) in rows.names.iter().enumerate() {
            let values = [rows.first[i], rows.second[i]].map(|value| value.to_string());
            let [first, second] = values;
            cells.push(vec![format!("  {name}"), first, second, rows.meanings[i].to_owned()]);
        }
        output.line(table(&cells, &[Align::Left, Align::Right, Align::Right, Align::Left]).trim_end())?;
    }
    Ok(())
}

/// Prints the board, side to move, legal moves and setup.
pub(super) fn position(session: &dyn Session, shown: &PositionSummary, output: &mut Output) -> Result<()> {
    output.line(session.grid().to_text(output.color))?;
    if let Some(score) = shown.score {
        output.line(format_args!("score: first {}, second {}", score.first, score.second))?;
    }
    output.line(state(shown))?;
    output.line(format_args!("setup: {}", shown.setup))
}

/// The side to move and its legal moves, or the ending.
pub(super) fn state(shown: &PositionSummary) -> String {
    match (&shown.ended, &shown.to_move) {
        (Some(ended), _) => ending(ended),
        (None, Some(side)) => format!("{} ({}) to move: {}", side, glyph(side), legal(shown)),
        (None, None) => String::new(),
    }
}

/// The legal moves; only their number where there are many.
fn legal(shown: &PositionSummary) -> String {
    match shown.legal.len() {
        n if n > LISTED => format!("{n} legal moves (--json lists them)"),
        _ => shown.legal.join(" "),
    }
}

/// The ending of a game as text.
pub(super) fn ending(ended: &EndingText) -> String {
    match (&ended.winner, ended.margin) {
        (Some(side), 0) => format!("{side} ({}) wins: {}", glyph(side), ended.end),
        (Some(side), margin) => format!("{side} ({}) wins by {margin}: {}", glyph(side), ended.end),
        (None, _) => format!("draw: {}", ended.end),
    }
}

fn glyph(side: &str) -> char {
    if side == "first" { 'X' } else { 'O' }
}
