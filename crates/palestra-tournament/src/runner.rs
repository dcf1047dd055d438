//! What an event needs from outside: somewhere to play, and somewhere to keep games.

use crate::key::GameKey;
use crate::pairing::ScheduledGame;
use crate::record::{GameRecord, Transcript};
use std::error::Error;

/// What stops an event: a full disk, say, or a machine on which no game can be played. Never a player's fault.
pub type TournamentError = Box<dyn Error + Send + Sync>;

/// A game that has come to an end.
#[derive(Clone, PartialEq, Debug)]
pub struct FinishedGame {
    /// How it went.
    pub record: GameRecord,
    /// What was played.
    pub transcript: Transcript,
}

/// Plays games, as many at a time as it likes.
pub trait GameRunner {
    /// Plays the games of a list. It starts them in order, asks [`ResultSink::wants`] right before each one and leaves out those
    /// that are not wanted any more; it reports each finished game once, as soon as it ends, from any thread. A game that
    /// fails without a fault of its players is void: it is played again here and not reported.
    fn play(&self, games: &[ScheduledGame], desk: &dyn ResultSink) -> Result<(), TournamentError>;
}

/// Where a venue reports to.
pub trait ResultSink: Sync {
    /// Whether the game at this place of the list shall still be played.
    fn wants(&self, game: usize) -> bool;

    /// The game at this place of the list is over. An error means that it could not be kept, and that the venue shall come
    /// to an end and hand the error back.
    fn done(&self, game: usize, finished: FinishedGame) -> Result<(), TournamentError>;
}

/// Keeps games by their keys, each for good as soon as it is handed over.
pub trait GameStore: Sync {
    /// The records of these games, `None` where a game has not been kept.
    fn find(&self, keys: &[GameKey]) -> Result<Vec<Option<GameRecord>>, TournamentError>;

    /// Keeps a game. Of the same key there is one game at most.
    fn keep(&self, order: &ScheduledGame, finished: &FinishedGame) -> Result<(), TournamentError>;
}
