//! Interfaces that the driver needs from outside: a runner for games and a store for records.

use crate::key::GameKey;
use crate::pairing::ScheduledGame;
use palestra_arena::GameRecord;
use std::error::Error;
use std::sync::Arc;

/// An error that stops an event, such as a full disk. A player's failure is never such an error: it is a forfeit.
pub type TournamentError = Box<dyn Error + Send + Sync>;

/// Plays games; the implementation chooses how many run at a time.
pub trait GameRunner {
    /// Plays the games of a list. The runner starts them in order, calls [`ResultSink::wants`] right before each one
    /// and skips it if the answer is false. It reports each finished game once, as soon as it ends, from any thread. A
    /// game that fails without a fault of its players is void: the runner plays it again and does not report it.
    fn play(&self, games: &[ScheduledGame], sink: &dyn ResultSink) -> Result<(), TournamentError>;
}

/// Takes the results of a [`GameRunner`].
pub trait ResultSink: Sync {
    /// Whether the game at this index of the list is still to be played.
    fn wants(&self, game: usize) -> bool;

    /// The game at this index of the list is over. On an error, the game could not be kept: the runner stops and
    /// returns that error.
    fn done(&self, game: usize, record: GameRecord) -> Result<(), TournamentError>;
}

/// Keeps games by their keys. A kept game survives an interruption of the event.
pub trait GameStore: Sync {
    /// The records of these games in order; `None` for a game that is not in the store. They need no evidence.
    fn find(&self, keys: &[GameKey]) -> Result<Vec<Option<Arc<GameRecord>>>, TournamentError>;

    /// Keeps a game, and returns its record without the evidence. The driver keeps at most one game for a key.
    fn keep(&self, scheduled: &ScheduledGame, record: GameRecord)
    -> Result<Arc<GameRecord>, TournamentError>;
}
