//! Built-in players served to other programs: the engine's side of a protocol, where [`protocols`](crate::protocols)
//! is the runner's side.

mod judged;
mod limits;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_judged;
mod ugi;
mod word_reader;

pub use judged::serve_judge;
pub use ugi::serve_ugi;

use palestra_arena::Catalog;
use palestra_core::{InputError, Seed};
use std::io;
use thiserror::Error;

/// A built-in player that is served to another program.
pub struct ServedPlayer<'a> {
    /// The games that can be opened.
    pub games: &'a Catalog,
    /// The player, as text: `greedy/lines/1,2,3`.
    pub player: &'a str,
    /// Seed of the player's random choices.
    pub seed: Seed,
}

/// Why serving a player ended early.
#[derive(Debug, Error)]
pub enum ServeError {
    /// The game, the player or a message of the other program is invalid.
    #[error("{0}")]
    Bad(InputError),
    /// Reading or writing failed.
    #[error("{0}")]
    Io(io::Error),
}

impl From<InputError> for ServeError {
    fn from(bad: InputError) -> ServeError {
        ServeError::Bad(bad)
    }
}

impl From<io::Error> for ServeError {
    fn from(error: io::Error) -> ServeError {
        ServeError::Io(error)
    }
}
