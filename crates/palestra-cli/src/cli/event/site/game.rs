//! The page of one game.

use super::EventSite;
use super::board::board_frames;
use super::page::page as shell;
use crate::cli::event::evidence::{GameEvidence, ProgramLog};
use crate::cli::event::moves::{GameMoves, line_of};
use crate::cli::event::result;
use crate::cli::event::text::time;
use palestra_review::chart::escaped;
use palestra_review::html::{paragraph, verbatim};
use palestra_store::{EventGame, Winner};
use std::fmt::Write;

/// Most lines of dialogue and of standard error that are shown, the last ones.
const DIALOGUE_LINES: usize = 60;
const STDERR_LINES: usize = 40;

/// The page.
pub(super) fn page(site: &EventSite<'_>, game: &EventGame) -> String {
    let title = format!("Game {}: {} – {}", game.id, game.first, game.second);
    let evidence = GameEvidence::of(game);
    let line = line_of(&game.game);
    let parts = [
        ("board", "Board", board(game, &line, &evidence)),
        ("failure", "Failure", failure(site, game)),
        ("said", "Engine logs", program_logs(game, &evidence)),
    ];
    shell(site, "../", &title, &intro(site, game), &parts, true)
}

fn intro(site: &EventSite<'_>, game: &EventGame) -> String {
    let played = &game.game;
    let winner = match played.winner {
        Some(Winner::First) => format!("{} wins", site.named("../", &game.first)),
        Some(Winner::Second) => format!("{} wins", site.named("../", &game.second)),
        None => "Draw".to_owned(),
    };
    let margin = if played.margin > 0 { format!(" by {}", played.margin) } else { String::new() };
    let facts = format!(
        "{}, round {}, seed {}; {} plies; time used {} and {}.",
        played.game,
        game.round + 1,
        played.seed,
        played.plies,
        time(game.milliseconds[0]),
        time(game.milliseconds[1])
    );
    let replay = format!(
        "palestra show {} {}",
        played.game,
        [played.opening.as_str(), &played.moves].join(" ").trim()
    );
    let is_out = |name: &str| {
        let player = site.names.number(name);
        player.is_some_and(|player| site.event.results.is_quarantined(player))
    };
    let mut text = format!(
        "<p class=\"players\"><span class=\"side first-side\">first</span> {} <strong>{}</strong> <span class=\"side second-side\">second</span> {}</p>\n",
        site.named("../", &game.first),
        result(played.winner),
        site.named("../", &game.second)
    );
    let _ = writeln!(text, "<p>{winner}{margin}: {}. {}</p>", escaped(&played.reason), escaped(&facts));
    if is_out(&game.first) || is_out(&game.second) {
        text.push_str(&paragraph("This game does not count, because one of the players is disqualified."));
    }
    let _ = writeln!(
        text,
        "<details>\n<summary>Show the last position in a terminal</summary>\n{}</details>",
        verbatim(&replay)
    );
    text
}

/// The board, and the moves as links that the script turns into steps.
fn board(game: &EventGame, line: &GameMoves, evidence: &GameEvidence) -> String {
    let title = format!("{} after {} plies", game.game.game, line.tokens.len());
    let mut text = String::from("<div class=\"game\">\n");
    match board_frames(&game.game, line, &title) {
        Some(frames) => {
            let last = frames.n_frames - 1;
            let _ = writeln!(
                text,
                "<div class=\"film\" id=\"film\" data-frames=\"{}\">\n{}<p class=\"steps\" hidden><button type=\"button\" data-step=\"first\" aria-label=\"first position\">start</button> <button type=\"button\" data-step=\"back\" aria-label=\"previous position\">◀</button> <output>{last} of {last}</output> <button type=\"button\" data-step=\"on\" aria-label=\"next position\">▶</button> <button type=\"button\" data-step=\"last\" aria-label=\"last position\">end</button></p>\n</div>",
                frames.frames, frames.svg
            );
        }
        None => text.push_str(&paragraph("This version of the program cannot draw this game.")),
    }
    text.push_str("<ol class=\"moves\">\n");
    for (i, token) in line.tokens.iter().enumerate() {
        let note = i
            .checked_sub(line.n_opening)
            .map_or_else(|| "opening".to_owned(), |turn| annotation(evidence, turn));
        let note = if note.is_empty() { String::new() } else { format!(" <small>{note}</small>") };
        let _ = writeln!(
            text,
            "<li><a href=\"#ply-{0}\" id=\"ply-{0}\">{1}</a>{note}</li>",
            i + 1,
            escaped(token)
        );
    }
    text.push_str("</ol>\n</div>\n");
    text
}

/// Value and time of a move.
fn annotation(evidence: &GameEvidence, turn: usize) -> String {
    let value = evidence.values.get(turn).copied().flatten().map(|value| format!("{value:+.2}"));
    let micros = evidence.micros.get(turn).copied().flatten();
    let micros =
        micros.map(|micros| if micros < 1000 { format!("{micros} µs") } else { time(micros / 1000) });
    value.into_iter().chain(micros).collect::<Vec<_>>().join(", ")
}

fn failure(site: &EventSite<'_>, game: &EventGame) -> String {
    let Some(side) = game.forfeit else { return String::new() };
    let culprit = if side == Winner::First { &game.first } else { &game.second };
    let kind = game.fault.as_deref().unwrap_or(&game.game.reason);
    let mut text =
        format!("<p>{} forfeits: <strong>{}</strong></p>\n", site.named("../", culprit), escaped(kind));
    if let Some(detail) = &game.detail {
        text.push_str(&verbatim(detail));
    }
    text.push_str(&paragraph("To replay the game and see whether the engine fails in the same way:"));
    text.push_str(&verbatim(&format!("palestra engine replay {}", game.id)));
    text
}

/// The last lines of remarks, standard error and dialogue of both engines.
fn program_logs(game: &EventGame, evidence: &GameEvidence) -> String {
    let mut text = String::new();
    for (name, log) in [&game.first, &game.second].into_iter().zip(&evidence.program_logs) {
        let ProgramLog { stderr, dialogue, remarks } = log;
        let stderr: Vec<String> = stderr.lines().map(str::to_owned).collect();
        let all = [
            ("remarks", remarks, STDERR_LINES),
            ("standard error", &stderr, STDERR_LINES),
            ("dialogue", dialogue, DIALOGUE_LINES),
        ];
        for (what, lines, max_lines) in all {
            let (n_left_out, tail) = ProgramLog::tail(lines, max_lines);
            if tail.is_empty() {
                continue;
            }
            let left_out = if n_left_out > 0 {
                format!(" (without the first {n_left_out} lines)")
            } else {
                String::new()
            };
            let _ = write!(
                text,
                "<details>\n<summary>{}: {what}{left_out}</summary>\n{}</details>\n",
                escaped(name),
                verbatim(&tail.join("\n"))
            );
        }
    }
    text
}
