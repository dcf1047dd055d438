//! The moves of a stored game.

use crate::games;
use palestra_arena::Session;
use palestra_review::event::moves;
use palestra_store::StoredGame;

pub(super) use moves::GameMoves;

/// The moves of a game. Where this version does not know the game, or cannot play its moves, the text is split at
/// spaces.
pub(super) fn line_of(game: &StoredGame) -> GameMoves {
    moves::moves_of(game, games())
}

/// A session at the start of a game; `None` for a game that this version does not know.
pub(super) fn start_of(game: &StoredGame) -> Option<Box<dyn Session>> {
    games().open(&game.game).ok()?.session(game.setup.as_deref(), "").ok()
}
