//! A game as text in the style of PGN: tags in brackets, then the moves.

use super::moves::moves_of;
use super::text::points;
use palestra_arena::{Catalog, Forfeit, GameEvidence};
use palestra_core::Side;
use palestra_store::EventGame;
use std::fmt::Write;

/// Maximum width of a line of moves, in characters.
const WIDTH: usize = 80;

/// A game with its tags, its moves and a blank line at the end. The moves include those of the opening, and every
/// second move has a number, whichever side made it.
#[must_use]
pub fn game_text(event: &str, game: &EventGame, catalog: &'static Catalog) -> String {
    let moves = moves_of(&game.game, catalog);
    let record = &game.game.record;
    let result = result(record.winner);
    let mut text = String::new();
    for (name, value) in tags(event, game, &moves.opening().join(" "), moves.n_opening) {
        let _ = writeln!(text, "[{name} \"{}\"]", quoted(&value));
    }
    text.push('\n');
    let mut words: Vec<String> = Vec::new();
    for (ply, token) in moves.tokens.iter().enumerate() {
        if ply % 2 == 0 {
            words.push(format!("{}.", ply / 2 + 1));
        }
        words.push(token.clone());
        if let Some(comment) =
            ply.checked_sub(moves.n_opening).and_then(|turn| comment(record.evidence.as_deref()?, turn))
        {
            words.extend(comment.split(' ').map(str::to_owned));
        }
    }
    if let Some(forfeit) = &record.forfeit {
        words.extend(forfeit_comment(game, forfeit).split(' ').map(str::to_owned));
    }
    words.push(result.to_owned());
    push_wrapped(&mut text, &words);
    text.push('\n');
    text
}

/// The result as in PGN, the first side's points first.
#[must_use]
pub fn result(winner: Option<Side>) -> &'static str {
    match winner {
        Some(Side::First) => "1-0",
        Some(Side::Second) => "0-1",
        None => "1/2-1/2",
    }
}

fn tags(event: &str, game: &EventGame, opening: &str, n_opening: usize) -> Vec<(&'static str, String)> {
    let played = &game.game;
    let record = &played.record;
    let mut tags = vec![
        ("Event", event.to_owned()),
        ("Game", played.game.clone()),
        ("Round", (game.place.round + 1).to_string()),
        ("First", game.place.first.clone()),
        ("Second", game.place.second.clone()),
        ("Result", result(record.winner).to_owned()),
        ("End", record.reason.clone()),
        ("Margin", record.margin.to_string()),
        ("Points", points(record.margin_points)),
        ("Opening", opening.to_owned()),
        ("OpeningPlies", n_opening.to_string()),
        ("PlyCount", record.plies.to_string()),
        ("Seed", played.seed.to_string()),
        ("Id", game.number().to_string()),
        ("FirstPlayer", played.first.clone()),
        ("SecondPlayer", played.second.clone()),
    ];
    tags.extend(played.setup.iter().map(|setup| ("Setup", setup.clone())));
    if let Some(Forfeit { culprit, kind, .. }) = &record.forfeit {
        tags.push(("Forfeit", format!("{culprit}: {kind}")));
    }
    tags
}

/// A tag value: quotation marks and backslashes are escaped, and line breaks become blanks.
fn quoted(value: &str) -> String {
    let one_line = value.replace(|c: char| c.is_control() || c == '\u{2028}', " ");
    one_line.replace('\\', "\\\\").replace('"', "\\\"")
}

/// The engine's value of a move and its time: `{+0.31 0.012s}`.
fn comment(evidence: &GameEvidence, turn: usize) -> Option<String> {
    let value = evidence.values.get(turn).copied().flatten().filter(|value| value.is_finite());
    let micros = evidence.micros.get(turn).copied().flatten();
    let value = value.map(|value| format!("{value:+.2}"));
    let time = micros.map(|micros| format!("{:.3}s", micros as f64 / 1e6));
    let parts: Vec<String> = value.into_iter().chain(time).collect();
    (!parts.is_empty()).then(|| format!("{{{}}}", parts.join(" ")))
}

/// The comment at the end of a forfeited game.
fn forfeit_comment(game: &EventGame, forfeit: &Forfeit) -> String {
    let Forfeit { culprit, kind, detail } = forfeit;
    let who = if *culprit == Side::First { &game.place.first } else { &game.place.second };
    let details = if detail.is_empty() { String::new() } else { format!(", {detail}") };
    let comment = format!("{who} forfeits: {kind}{details}");
    // A comment ends at the first closing brace, and must not break a line.
    let safe = |c: char| match c {
        '{' => '(',
        '}' => ')',
        c if c.is_control() => ' ',
        c => c,
    };
    let comment: String = comment.chars().map(safe).collect();
    format!("{{{}}}", comment.split_whitespace().collect::<Vec<_>>().join(" "))
}

fn push_wrapped(text: &mut String, words: &[String]) {
    let mut width = 0;
    for word in words {
        let length = word.chars().count();
        if width > 0 && width + 1 + length > WIDTH {
            text.push('\n');
            width = 0;
        }
        if width > 0 {
            text.push(' ');
            width += 1;
        }
        text.push_str(word);
        width += length;
    }
    text.push('\n');
}
