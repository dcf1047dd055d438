//! Why something could not be looked at.

use palestra_core::InputError;
use palestra_store::StoreError;
use palestra_tournament::TournamentError;

/// Why a run or an event could not be looked at.
#[derive(Debug, thiserror::Error)]
pub enum ReviewError {
    /// A text can not be understood: a plan, a name.
    #[error(transparent)]
    Bad(#[from] InputError),
    /// The store refused.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Something else went wrong.
    #[error(transparent)]
    Failed(TournamentError),
}

impl ReviewError {
    /// Whether the question was wrong, and not the machine or a file.
    #[must_use]
    pub fn is_bad_input(&self) -> bool {
        match self {
            Self::Bad(_) => true,
            Self::Store(error) => error.is_bad_input(),
            Self::Failed(_) => false,
        }
    }
}
