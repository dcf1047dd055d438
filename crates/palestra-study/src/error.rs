//! Errors of studies.

use palestra_core::InputError;
use std::io;
use std::path::Path;

/// An error when a study is read, run or compared.
#[derive(Debug, thiserror::Error)]
pub enum StudyError {
    /// Invalid input: a file of the study, or a path into the output of a command.
    #[error(transparent)]
    Bad(#[from] InputError),
    /// A file or folder cannot be read or written.
    #[error("{act} {path}: {cause}")]
    File {
        /// What failed: `cannot write`.
        act: &'static str,
        /// Path of the file or folder.
        path: String,
        /// The error of the operating system.
        cause: io::Error,
    },
}

impl StudyError {
    pub(crate) fn file(act: &'static str, path: &Path, cause: io::Error) -> StudyError {
        StudyError::File { act, path: path.display().to_string(), cause }
    }

    /// Whether the study or the input of the caller is wrong, and not the machine or a file.
    #[must_use]
    pub fn is_bad_input(&self) -> bool {
        matches!(self, StudyError::Bad(_))
    }
}
