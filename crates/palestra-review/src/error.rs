//! Errors of reading runs and events.

use palestra_core::InputError;
use palestra_store::StoreError;
use palestra_tournament::TournamentError;

/// Why a run or an event could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ReviewError {
    /// A plan or a name is invalid.
    #[error(transparent)]
    Bad(#[from] InputError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Another operation failed.
    #[error(transparent)]
    Failed(TournamentError),
}

impl ReviewError {
    /// Whether the input was invalid, as opposed to a failure of the machine or a file.
    #[must_use]
    pub fn is_bad_input(&self) -> bool {
        match self {
            Self::Bad(_) => true,
            Self::Store(error) => error.is_bad_input(),
            Self::Failed(_) => false,
        }
    }
}
