//! The moves of a game, one by one.

use crate::games;
use palestra_arena::Session;
use palestra_review::event::moves;
use palestra_store::StoredGame;

pub(super) use moves::GameMoves;

/// The moves of a game. A game that this version does not know, or whose moves it cannot follow, is cut at blanks.
pub(super) fn line_of(game: &StoredGame) -> GameMoves {
    moves::moves_of(game, games())
}

/// The position a game began with, to be played through; `None` for a game that this version does not know.
pub(super) fn start_of(game: &StoredGame) -> Option<Box<dyn Session>> {
    games().open(&game.game).ok()?.session(game.setup.as_deref(), "").ok()
}
