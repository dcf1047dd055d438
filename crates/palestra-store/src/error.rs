//! Errors of the store, with messages that say what to do.

use rusqlite::{ErrorCode, ffi};
use std::fmt;
use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The result type of the store.
pub type Result<T> = std::result::Result<T, StoreError>;

/// An error of the store; every message names the file.
///
/// A cause is part of the message and not the `source`, so that no report says it twice.
///
/// It can be cloned because a [`RunLedger`](crate::RunLedger) repeats its error until a flush succeeds.
#[derive(Clone, Debug, thiserror::Error)]
pub enum StoreError {
    /// The file does not exist.
    #[error("there is no store {}", path.display())]
    Missing {
        /// The store.
        path: PathBuf,
    },
    /// The file is not a store.
    #[error("{} is not a store of Palestra: {foreign}", path.display())]
    NotAStore {
        /// The file.
        path: PathBuf,
        /// What the file is instead.
        foreign: ForeignFile,
    },
    /// A newer version of the program made or changed the store.
    #[error(
        "the store {} was made by a newer version of Palestra: its schema is {found}, this program knows up to {known}",
        path.display()
    )]
    Newer {
        /// The store.
        path: PathBuf,
        /// The schema version of the store.
        found: i32,
        /// The newest schema version that this program knows.
        known: i32,
    },
    /// The store has an older schema, and a read-only connection cannot migrate it.
    #[error(
        "the store {} has the older schema {found}: a command that writes to it brings it to schema {known}",
        path.display()
    )]
    Older {
        /// The store.
        path: PathBuf,
        /// The schema version of the store.
        found: i32,
        /// The schema version that this program needs.
        known: i32,
    },
    /// The file, its folder or its file system cannot be written to.
    #[error("the store {} cannot be written to: the file, its folder or its disk is read-only", path.display())]
    ReadOnly {
        /// The store.
        path: PathBuf,
    },
    /// The store has an older schema and cannot be migrated, because it cannot be written to.
    #[error(
        "the store {} has the older schema {found} and has to be brought to schema {known}, but the file, its folder or \
         its disk is read-only: copy it to where it can be written to",
        path.display()
    )]
    OlderReadOnly {
        /// The store.
        path: PathBuf,
        /// The schema version of the store.
        found: i32,
        /// The schema version that this program needs.
        known: i32,
    },
    /// The file or its folder cannot be read.
    #[error("the store {} cannot be read: permission denied", path.display())]
    Unreadable {
        /// The store.
        path: PathBuf,
    },
    /// The file was deleted or replaced while it was open.
    #[error(
        "the store {} was deleted or replaced while it was being written to: what was done since then is not kept",
        path.display()
    )]
    Replaced {
        /// The store.
        path: PathBuf,
    },
    /// The disk is full.
    #[error("the disk is full: cannot write to the store {}; everything committed before is safe", path.display())]
    Full {
        /// The store.
        path: PathBuf,
    },
    /// The file is damaged.
    #[error(
        "the store {0} is corrupted; nothing was changed: copy it, then try `sqlite3 {0} .recover`",
        path.display()
    )]
    Corrupted {
        /// The store.
        path: PathBuf,
    },
    /// Another process held the store for too long.
    #[error("the store {} is busy: another process has been writing to it for too long", path.display())]
    Busy {
        /// The store.
        path: PathBuf,
    },
    /// The operating system reported an error.
    #[error("the store {}: {cause}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        cause: Arc<io::Error>,
    },
    /// SQLite reported another error, such as a failing disk.
    #[error("the store {}: {cause}", path.display())]
    Sql {
        /// The store.
        path: PathBuf,
        /// The error of SQLite.
        cause: Arc<rusqlite::Error>,
    },
    /// The destination of an export cannot be written to.
    #[error("the export of the store {} could not be written: {cause}", path.display())]
    Export {
        /// The store.
        path: PathBuf,
        /// The error of the writer.
        cause: Arc<io::Error>,
    },
    /// The name of a copy is not text.
    #[error("{} cannot be the name of a copy: it is not UTF-8", target.display())]
    BadBackup {
        /// The name.
        target: PathBuf,
    },
    /// There is no run with this name or number.
    #[error("the store {} has no run {name:?}{}", path.display(), DidYouMean(nearest))]
    NoRun {
        /// The store.
        path: PathBuf,
        /// The name or number that was looked up.
        name: String,
        /// The nearest existing name.
        nearest: Option<String>,
    },
    /// There is no champion with this name.
    #[error("the store {} has no champion {name:?}{}", path.display(), DidYouMean(nearest))]
    NoChampion {
        /// The store.
        path: PathBuf,
        /// The name or number that was looked up.
        name: String,
        /// The nearest existing name.
        nearest: Option<String>,
    },
    /// There is no game with this number.
    #[error("the store {} has no game {id}", path.display())]
    NoGame {
        /// The store.
        path: PathBuf,
        /// The number that was looked up.
        id: i64,
    },
    /// There is no game of an event with this number.
    #[error("the store {} has no game {id} of an event", path.display())]
    NoEventGame {
        /// The store.
        path: PathBuf,
        /// The number that was looked up.
        id: i64,
    },
    /// The name is taken by another run or champion.
    #[error("the store {} already has a {what} named {name:?}", path.display())]
    NameTaken {
        /// The store.
        path: PathBuf,
        /// `run` or `champion`.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// The text is not a valid name.
    #[error(
        "invalid name {name:?} in the store {}: expected at most 100 letters, digits, `-`, `_` and `.`, with a letter first",
        path.display()
    )]
    BadName {
        /// The store.
        path: PathBuf,
        /// The offending text.
        name: String,
    },
    /// Another process works on the run.
    #[error("the run {name:?} of the store {} is in use{}", path.display(), LockHolder(holder))]
    InUse {
        /// The store.
        path: PathBuf,
        /// The run.
        name: String,
        /// The id of the process, if it is known.
        holder: Option<u32>,
    },
    /// The run is done: its record stays as it is.
    #[error("the run {name:?} of the store {} is done and cannot be changed", path.display())]
    Finished {
        /// The store.
        path: PathBuf,
        /// The run.
        name: String,
    },
    /// A batch came out differently the second time.
    #[error(
        "a batch ({key}) of the run {name:?} of the store {} was finished twice with different results; the first is kept",
        path.display()
    )]
    Differs {
        /// The store.
        path: PathBuf,
        /// The run.
        name: String,
        /// The beginning of the batch's key.
        key: String,
    },
    /// The export format does not exist.
    #[error("unknown export format {name:?}: expected csv, json or parquet")]
    UnknownFormat {
        /// The offending text.
        name: String,
    },
    /// This build cannot write Parquet.
    #[error("this program was built without Parquet (cargo feature `parquet`); export as csv or json")]
    NoParquet,
}

/// What a file is that is not a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ForeignFile {
    /// A folder.
    Folder,
    /// An empty file.
    Empty,
    /// Not a SQLite file, by its first bytes.
    NotSqlite,
    /// A SQLite file of another program.
    OtherSqlite,
}

impl StoreError {
    /// Whether the input of the caller is wrong, and not the machine or the file.
    #[must_use]
    pub fn is_bad_input(&self) -> bool {
        match self {
            Self::Missing { .. } | Self::NotAStore { .. } | Self::Newer { .. } | Self::Older { .. } => true,
            Self::NoRun { .. } | Self::NoChampion { .. } | Self::NameTaken { .. } => true,
            Self::NoGame { .. } | Self::NoEventGame { .. } => true,
            Self::BadName { .. } | Self::InUse { .. } | Self::Finished { .. } => true,
            Self::UnknownFormat { .. } | Self::NoParquet | Self::BadBackup { .. } => true,
            Self::OlderReadOnly { .. } | Self::Unreadable { .. } | Self::Replaced { .. } => false,
            Self::ReadOnly { .. } | Self::Full { .. } | Self::Corrupted { .. } | Self::Busy { .. } => false,
            Self::Io { .. } | Self::Sql { .. } | Self::Export { .. } | Self::Differs { .. } => false,
        }
    }

    /// The store error for an error of the operating system.
    pub(crate) fn of_io(path: &Path, error: io::Error) -> Self {
        let path = path.to_owned();
        match error.kind() {
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => Self::ReadOnly { path },
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::Full { path },
            _ => Self::Io { path, cause: Arc::new(error) },
        }
    }

    /// The store error for an error of SQLite.
    pub(crate) fn of_sqlite(path: &Path, error: rusqlite::Error) -> Self {
        let at = path.to_owned();
        let failure = error.sqlite_error();
        match failure.map(|failure| failure.code) {
            Some(ErrorCode::DiskFull) => Self::Full { path: at },
            Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => Self::ReadOnly { path: at },
            Some(ErrorCode::DatabaseCorrupt) => Self::Corrupted { path: at },
            Some(ErrorCode::NotADatabase) => Self::NotAStore { path: at, foreign: ForeignFile::NotSqlite },
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Busy { path: at },
            Some(ErrorCode::CannotOpen) => cannot_open(path, error),
            // SQLITE_IOERR_SHMSIZE: the index of the log cannot grow, which happens only on a full disk.
            _ if failure.is_some_and(|failure| failure.extended_code == ffi::SQLITE_IOERR_SHMSIZE) => {
                Self::Full { path: at }
            }
            _ => Self::Sql { path: at, cause: Arc::new(error) },
        }
    }
}

/// SQLite does not say why it could not open a file, so this tests whether the folder, then the file is writable.
///
/// The file itself is not opened: closing it again would release the POSIX locks of other connections of this process.
fn cannot_open(path: &Path, error: rusqlite::Error) -> StoreError {
    let mut probe = path.as_os_str().to_owned();
    probe.push(format!("-probe{}", std::process::id()));
    match OpenOptions::new().write(true).create_new(true).open(&probe) {
        Err(reason) => return StoreError::of_io(path, reason),
        Ok(_) => drop(fs::remove_file(&probe)),
    }
    let is_read_only = fs::metadata(path).is_ok_and(|data| data.permissions().readonly());
    match is_read_only {
        true => StoreError::ReadOnly { path: path.to_owned() },
        false => StoreError::Sql { path: path.to_owned(), cause: Arc::new(error) },
    }
}

/// Converts errors to [`StoreError`] with the path of the store.
pub(crate) trait WithPath<T> {
    /// The same result with a [`StoreError`].
    fn at(self, path: &Path) -> Result<T>;
}

impl<T> WithPath<T> for rusqlite::Result<T> {
    fn at(self, path: &Path) -> Result<T> {
        self.map_err(|error| StoreError::of_sqlite(path, error))
    }
}

impl<T> WithPath<T> for io::Result<T> {
    fn at(self, path: &Path) -> Result<T> {
        self.map_err(|error| StoreError::of_io(path, error))
    }
}

impl fmt::Display for ForeignFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Folder => "it is a folder",
            Self::Empty => "it is empty",
            Self::NotSqlite => "it is not a SQLite file, or its beginning was overwritten",
            Self::OtherSqlite => "it is a SQLite file of another program",
        })
    }
}

struct DidYouMean<'a>(&'a Option<String>);

impl fmt::Display for DidYouMean<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.as_ref().map_or(Ok(()), |nearest| write!(f, "; did you mean {nearest:?}?"))
    }
}

struct LockHolder<'a>(&'a Option<u32>);

impl fmt::Display for LockHolder<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(process) => write!(f, " by process {process}"),
            None => f.write_str(" by another process"),
        }
    }
}
