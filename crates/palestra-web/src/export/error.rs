//! Errors of exports.

use crate::http_error::HttpError;
use palestra_core::InputError;
use palestra_store::StoreError;
use std::io;
use std::path::Path;

/// Why an export failed.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The target cannot be used.
    #[error(transparent)]
    Target(#[from] InputError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A file or folder cannot be read or written.
    #[error("{act} {path}")]
    File {
        /// What failed: `cannot write`.
        act: &'static str,
        /// Path of the file or folder.
        path: String,
        /// The error of the operating system.
        #[source]
        cause: io::Error,
    },
    /// A page cannot be made from the data of the store.
    #[error("cannot make the page: {0}")]
    Page(String),
}

impl ExportError {
    pub(super) fn file(act: &'static str, path: &Path) -> impl Fn(io::Error) -> ExportError {
        let path = path.display().to_string();
        move |cause| ExportError::File { act, path: path.clone(), cause }
    }

    /// Whether the input was invalid, as opposed to a failure of the machine or a file.
    #[must_use]
    pub fn is_bad_input(&self) -> bool {
        match self {
            ExportError::Target(_) => true,
            ExportError::Store(error) => error.is_bad_input(),
            ExportError::File { .. } | ExportError::Page(_) => false,
        }
    }
}

impl From<HttpError> for ExportError {
    fn from(error: HttpError) -> ExportError {
        let status = error.status.canonical_reason().unwrap_or("internal error");
        ExportError::Page(error.detail.unwrap_or_else(|| status.to_lowercase()))
    }
}
