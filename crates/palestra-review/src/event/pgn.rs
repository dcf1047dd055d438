//! A game as text: tags in brackets, then the moves, as chess players write them.

use super::evidence::GameEvidence;
use super::moves::moves_of;
use super::text::points;
use palestra_arena::Catalog;
use palestra_store::{EventGame, Winner};
use std::fmt::Write;

/// The widest line of moves.
const WIDTH: usize = 80;

/// A game with its tags, its moves and a blank line at the end. Moves are all moves from the first position on, those of
/// the opening included, and numbered by twos, whoever made them.
#[must_use]
pub fn game_text(event: &str, game: &EventGame, catalog: &'static Catalog) -> String {
    let line = moves_of(&game.game, catalog);
    let result = result(game.game.winner);
    let mut text = String::new();
    for (name, value) in tags(event, game, &line.opening().join(" "), line.n_opening) {
        let _ = writeln!(text, "[{name} \"{}\"]", quoted(&value));
    }
    text.push('\n');
    let evidence = GameEvidence::of(game);
    let mut words: Vec<String> = Vec::new();
    for (ply, token) in line.tokens.iter().enumerate() {
        if ply % 2 == 0 {
            words.push(format!("{}.", ply / 2 + 1));
        }
        words.push(token.clone());
        if let Some(said) = ply.checked_sub(line.n_opening).and_then(|turn| comment(&evidence, turn)) {
            words.extend(said.split(' ').map(str::to_owned));
        }
    }
    if game.forfeit.is_some() {
        words.extend(off_the_board(game).split(' ').map(str::to_owned));
    }
    words.push(result.to_owned());
    push_wrapped(&mut text, &words);
    text.push('\n');
    text
}

/// The result as people write it, the first side's points first.
#[must_use]
pub fn result(winner: Option<Winner>) -> &'static str {
    match winner {
        Some(Winner::First) => "1-0",
        Some(Winner::Second) => "0-1",
        None => "1/2-1/2",
    }
}

fn tags(event: &str, game: &EventGame, opening: &str, n_opening: usize) -> Vec<(&'static str, String)> {
    let played = &game.game;
    let mut tags = vec![
        ("Event", event.to_owned()),
        ("Game", played.game.clone()),
        ("Round", (game.round + 1).to_string()),
        ("First", game.first.clone()),
        ("Second", game.second.clone()),
        ("Result", result(played.winner).to_owned()),
        ("End", played.reason.clone()),
        ("Margin", played.margin.to_string()),
        ("Points", points(game.points)),
        ("Opening", opening.to_owned()),
        ("OpeningPlies", n_opening.to_string()),
        ("PlyCount", played.plies.to_string()),
        ("Seed", played.seed.to_string()),
        ("Id", game.id.to_string()),
        ("FirstPlayer", played.first.clone()),
        ("SecondPlayer", played.second.clone()),
    ];
    tags.extend(played.setup.iter().map(|setup| ("Setup", setup.clone())));
    if let Some(side) = game.forfeit {
        let kind = game.fault.as_deref().unwrap_or(&played.reason);
        tags.push(("Forfeit", format!("{}: {kind}", side.name())));
    }
    tags
}

/// A value inside quotes: a quote and a backslash are marked by a backslash, whatever ends a line is a blank.
fn quoted(value: &str) -> String {
    let one_line = value.replace(|letter: char| letter.is_control() || letter == '\u{2028}', " ");
    one_line.replace('\\', "\\\\").replace('"', "\\\"")
}

/// What the one who moved thought of it, and how long it took: `{+0.31 0.012s}`.
fn comment(evidence: &GameEvidence, turn: usize) -> Option<String> {
    let value = evidence.values.get(turn).copied().flatten().filter(|value| value.is_finite());
    let micros = evidence.micros.get(turn).copied().flatten();
    let value = value.map(|value| format!("{value:+.2}"));
    let time = micros.map(|micros| format!("{:.3}s", micros as f64 / 1e6));
    let said: Vec<String> = value.into_iter().chain(time).collect();
    (!said.is_empty()).then(|| format!("{{{}}}", said.join(" ")))
}

/// How a game ended that did not end on the board.
fn off_the_board(game: &EventGame) -> String {
    let who = match game.forfeit {
        Some(Winner::Second) => &game.second,
        _ => &game.first,
    };
    let kind = game.fault.as_deref().unwrap_or(&game.game.reason);
    let mut said = format!("{who} forfeits: {kind}");
    if let Some(detail) = &game.detail {
        let _ = write!(said, ", {detail}");
    }
    // A comment ends at the first brace, and has no line of its own.
    let safe = |letter: char| match letter {
        '{' => '(',
        '}' => ')',
        letter if letter.is_control() => ' ',
        letter => letter,
    };
    let said: String = said.chars().map(safe).collect();
    format!("{{{}}}", said.split_whitespace().collect::<Vec<_>>().join(" "))
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
