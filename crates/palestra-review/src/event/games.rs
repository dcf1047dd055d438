//! A game of the store as standings need it.

use palestra_core::Side;
use palestra_store::{EventGame, Winner};
use palestra_tournament::{Forfeit, GameRecord};

/// The side that the store means.
#[must_use]
pub fn side_of(winner: Winner) -> Side {
    match winner {
        Winner::First => Side::First,
        Winner::Second => Side::Second,
    }
}

/// What standings need of a game in the store.
#[must_use]
pub fn record_of(kept: &EventGame) -> GameRecord {
    let game = &kept.game;
    let forfeit = kept.forfeit.map(|culprit| Forfeit {
        culprit: side_of(culprit),
        kind: kept.fault.clone().unwrap_or_default(),
        detail: kept.detail.clone().unwrap_or_default(),
    });
    GameRecord {
        winner: game.winner.map(side_of),
        margin_points: kept.points,
        forfeit,
        reason: game.reason.clone(),
        plies: game.plies - game.plies.min(game.opening.split_whitespace().count() as u32),
        fingerprint: fingerprint(&game.game, &game.opening, &game.moves),
        milliseconds: kept.milliseconds,
    }
}

/// Equal for equal boards, openings and moves.
#[must_use]
pub fn fingerprint(board: &str, opening: &str, moves: &str) -> u64 {
    let hash = palestra_store::hash(format!("{board}\n{opening}\n{moves}").as_bytes());
    u64::from_le_bytes(hash.as_bytes()[..8].try_into().expect("eight bytes"))
}
