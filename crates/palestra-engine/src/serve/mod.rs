//! Players of ours as programs for other people's tools: what answers, where [`protocols`](crate::protocols) asks.

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

/// A player of ours that waits to be talked to.
pub struct ServedPlayer<'a> {
    /// The games there are.
    pub games: &'a Catalog,
    /// The player string.
    pub player: &'a str,
    /// Where its dice come from.
    pub seed: Seed,
}

/// Why a player stopped answering.
#[derive(Debug, Error)]
pub enum ServeError {
    /// Somebody said what cannot be understood.
    #[error("{0}")]
    Bad(InputError),
    /// A pipe broke.
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
