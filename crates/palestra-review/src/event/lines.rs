//! A game as one line of JSON.

use super::evidence::StderrSummary;
use super::moves::moves_of;
use super::pgn::result;
use super::published::{Audience, published_game};
use palestra_arena::{Catalog, Forfeit};
use palestra_core::Side;
use palestra_store::EventGame;
use serde_json::{Value, json};

/// Number of lines of standard error in the object of a forfeit.
const MAX_STDERR_LINES: usize = 20;

/// A game as a JSON object; `docs/events.md` lists its keys. Keys that `palestra play` has too have the same meaning.
#[must_use]
pub fn game_json(event: &str, game: &EventGame, catalog: &'static Catalog, audience: Audience) -> Value {
    let stderr = game
        .game
        .record
        .culprit()
        .and_then(|culprit| StderrSummary::of(game.game.record.evidence.as_ref()?.log(culprit)));
    let published;
    let game = match audience {
        Audience::Staff => game,
        Audience::Public => {
            published = published_game(game);
            &published
        }
    };
    let played = &game.game;
    let moves = moves_of(played, catalog);
    let (record, place) = (&played.record, &game.place);
    let forfeit = record.forfeit.as_ref().map(|Forfeit { culprit, kind, detail }| {
        let lines = record.evidence.as_ref().map_or("", |evidence| &evidence.log(*culprit).stderr);
        let lines: Vec<&str> = lines.lines().collect();
        let (_, tail) = super::evidence::tail(&lines, MAX_STDERR_LINES);
        json!({
            "side": culprit.to_string(),
            "player": if *culprit == Side::First { &place.first } else { &place.second },
            "kind": kind,
            "detail": detail,
            "stderr": tail.join("\n"),
            "time": record.evidence.as_ref().and_then(|evidence| evidence.verdict),
            "stderr_bytes": stderr.map_or(0, |stderr| stderr.n_bytes),
            "stderr_kind": stderr.map(|stderr| stderr.kind.name()),
        })
    });
    let mut object = json!({
        "event": event,
        "id": game.number(),
        "round": place.round + 1,
        "game": played.game,
        "first": place.first,
        "second": place.second,
        "first_player": played.first,
        "second_player": played.second,
        "setup": played.setup,
        "opening": moves.opening(),
        "moves": moves.played(),
        "winner": record.winner.map(|side| side.to_string()),
        "result": result(record.winner),
        "end": record.reason,
        "margin": record.margin,
        "points": record.margin_points,
        "plies": record.plies,
        "seed": played.seed,
        "milliseconds": record.milliseconds,
        "late_moves": record.late.map(|late| late.moves),
        "late_milliseconds": record.late.map(|late| late.micros / 1000),
        "forfeit": forfeit,
    });
    if let Some(evidence) = &record.evidence {
        if evidence.micros.iter().any(Option::is_some) {
            object["micros"] = json!(evidence.micros);
        }
        if evidence.values.iter().any(Option::is_some) {
            object["values"] = json!(evidence.values);
        }
    }
    object
}
