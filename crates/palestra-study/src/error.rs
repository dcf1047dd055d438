//! Why a study could not be read, run or compared.

use palestra_core::InputError;
use std::io;
use std::path::Path;

/// Why a study could not be read, run or compared.
#[derive(Debug, thiserror::Error)]
pub enum StudyError {
    /// A text can not be understood: a study's file, a path into what a run printed.
    #[error(transparent)]
    Bad(#[from] InputError),
    /// A file or folder refused.
    #[error("{act} {path}: {cause}")]
    File {
        /// What was tried: `cannot write`.
        act: &'static str,
        /// With which file.
        path: String,
        /// Why not.
        cause: io::Error,
    },
}

impl StudyError {
    pub(crate) fn file(act: &'static str, path: &Path, cause: io::Error) -> StudyError {
        StudyError::File { act, path: path.display().to_string(), cause }
    }

    /// Whether the study or the question was wrong, and not the machine or a file.
    #[must_use]
    pub fn is_bad_input(&self) -> bool {
        matches!(self, StudyError::Bad(_))
    }
}
