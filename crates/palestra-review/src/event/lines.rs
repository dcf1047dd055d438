//! A game as one line of JSON.

use super::evidence::GameEvidence;
use super::moves::moves_of;
use super::pgn::result;
use palestra_arena::Catalog;
use palestra_store::{EventGame, Winner};
use serde_json::{Value, json};

/// Number of lines of standard error in the object of a forfeit.
const MAX_STDERR_LINES: usize = 20;

/// A game as a JSON object; `docs/events.md` lists its keys. Keys that `palestra play` has too have the same meaning.
#[must_use]
pub fn game_json(event: &str, game: &EventGame, catalog: &'static Catalog) -> Value {
    let played = &game.game;
    let moves = moves_of(played, catalog);
    let evidence = GameEvidence::of(game);
    let forfeit = game.forfeit.map(|side| {
        let stderr: Vec<String> = evidence.program_log(side).stderr.lines().map(str::to_owned).collect();
        let (_, tail) = super::evidence::ProgramLog::tail(&stderr, MAX_STDERR_LINES);
        json!({
            "side": side.name(),
            "player": if side == Winner::First { &game.first } else { &game.second },
            "kind": game.fault,
            "detail": game.detail,
            "stderr": tail.join("\n"),
        })
    });
    let mut object = json!({
        "event": event,
        // A game that is not stored yet has no number.
        "id": Some(game.id).filter(|id| *id > 0),
        "round": game.round + 1,
        "game": played.game,
        "first": game.first,
        "second": game.second,
        "first_player": played.first,
        "second_player": played.second,
        "setup": played.setup,
        "opening": moves.opening(),
        "moves": moves.played(),
        "winner": played.winner.map(Winner::name),
        "result": result(played.winner),
        "end": played.reason,
        "margin": played.margin,
        "points": game.points,
        "plies": played.plies,
        "seed": played.seed,
        "milliseconds": game.milliseconds,
        "forfeit": forfeit,
    });
    if evidence.micros.iter().any(Option::is_some) {
        object["micros"] = json!(evidence.micros);
    }
    if evidence.values.iter().any(Option::is_some) {
        object["values"] = json!(evidence.values);
    }
    object
}
