//! Stored games as records for the standings.

use palestra_core::Side;
use palestra_store::{EventGame, Winner};
use palestra_tournament::{Forfeit, GameRecord};

/// The side of a stored winner.
#[must_use]
pub fn side_of(winner: Winner) -> Side {
    match winner {
        Winner::First => Side::First,
        Winner::Second => Side::Second,
    }
}

/// The record of a stored game.
#[must_use]
pub fn record_of(stored: &EventGame) -> GameRecord {
    let game = &stored.game;
    let forfeit = stored.forfeit.map(|culprit| Forfeit {
        culprit: side_of(culprit),
        kind: stored.fault.clone().unwrap_or_default(),
        detail: stored.detail.clone().unwrap_or_default(),
    });
    GameRecord {
        winner: game.winner.map(side_of),
        margin_points: stored.points,
        forfeit,
        reason: game.reason.clone(),
        plies: game.plies - game.plies.min(game.opening.split_whitespace().count() as u32),
        fingerprint: fingerprint(&game.game, &game.opening, &game.moves),
        milliseconds: stored.milliseconds,
    }
}

/// A hash of board, opening and moves, by which duplicate games are found.
#[must_use]
pub fn fingerprint(board: &str, opening: &str, moves: &str) -> u64 {
    let hash = palestra_store::hash(format!("{board}\n{opening}\n{moves}").as_bytes());
    u64::from_le_bytes(hash.as_bytes()[..8].try_into().expect("eight bytes"))
}
