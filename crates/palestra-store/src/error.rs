//! What can go wrong with a store, said so that a person knows what to do.

use rusqlite::{ErrorCode, ffi};
use std::fmt;
use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The answer of everything that touches a store.
pub type Result<T> = std::result::Result<T, StoreError>;

/// Why a store did not do what it was asked to; every message names the file.
///
/// It can be cloned because a [`RunLedger`](crate::RunLedger) repeats its error until it is overcome.
#[derive(Clone, Debug, thiserror::Error)]
pub enum StoreError {
    /// There is no such file.
    #[error("there is no store {}", path.display())]
    Missing {
        /// The store.
        path: PathBuf,
    },
    /// The file is something else.
    #[error("{} is not a store of Palestra: {foreign}", path.display())]
    NotAStore {
        /// The file.
        path: PathBuf,
        /// What it is instead.
        foreign: ForeignFile,
    },
    /// A later version of the program made or changed the store.
    #[error(
        "the store {} was made by a newer version of Palestra: its schema is {found}, this program knows up to {known}",
        path.display()
    )]
    Newer {
        /// The store.
        path: PathBuf,
        /// The store's schema.
        found: i32,
        /// The latest schema that this program knows.
        known: i32,
    },
    /// An older store must be brought up to date, which a reader may not do.
    #[error(
        "the store {} has the older schema {found} of {known}, and cannot be brought up to date while it is only read",
        path.display()
    )]
    Older {
        /// The store.
        path: PathBuf,
        /// The store's schema.
        found: i32,
        /// The schema that this program needs.
        known: i32,
    },
    /// The file, its folder or its file system cannot be written to.
    #[error("the store {} cannot be written to: the file, its folder or its disk is read-only", path.display())]
    ReadOnly {
        /// The store.
        path: PathBuf,
    },
    /// There is no room left.
    #[error("no room is left on the disk for the store {}; all that was committed before is safe", path.display())]
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
    /// The machine refused.
    #[error("the store {}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: Arc<io::Error>,
    },
    /// SQLite refused for another reason, such as a failing disk.
    #[error("the store {}: {source}", path.display())]
    Sql {
        /// The store.
        path: PathBuf,
        /// What SQLite said.
        source: Arc<rusqlite::Error>,
    },
    /// Whoever takes an export does not take it.
    #[error("the export of the store {} could not be written: {source}", path.display())]
    Export {
        /// The store.
        path: PathBuf,
        /// What the writer said.
        source: Arc<io::Error>,
    },
    /// There is no run of that name or number.
    #[error("the store {} has no run {name:?}{}", path.display(), DidYouMean(nearest))]
    NoRun {
        /// The store.
        path: PathBuf,
        /// What was asked for.
        name: String,
        /// The name most like it.
        nearest: Option<String>,
    },
    /// There is no champion of that name.
    #[error("the store {} has no champion {name:?}{}", path.display(), DidYouMean(nearest))]
    NoChampion {
        /// The store.
        path: PathBuf,
        /// What was asked for.
        name: String,
        /// The name most like it.
        nearest: Option<String>,
    },
    /// There is no game of that number.
    #[error("the store {} has no game {id}", path.display())]
    NoGame {
        /// The store.
        path: PathBuf,
        /// What was asked for.
        id: i64,
    },
    /// There is no game of an event of that number.
    #[error("the store {} has no game {id} of an event", path.display())]
    NoEventGame {
        /// The store.
        path: PathBuf,
        /// What was asked for.
        id: i64,
    },
    /// The name stands for something else.
    #[error("the store {} already has a {what} named {name:?}", path.display())]
    NameTaken {
        /// The store.
        path: PathBuf,
        /// Run or champion.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// Not a name.
    #[error(
        "{name:?} cannot be a name in the store {}: use letters, digits, `-`, `_` and `.`, and a letter first",
        path.display()
    )]
    BadName {
        /// The store.
        path: PathBuf,
        /// What was given.
        name: String,
    },
    /// Another process works on that run.
    #[error("the run {name:?} of the store {} is being worked on{}", path.display(), LockHolder(holder))]
    InUse {
        /// The store.
        path: PathBuf,
        /// The run.
        name: String,
        /// The process, where it is known.
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
    /// Not a format.
    #[error("unknown export format {name:?}: expected csv, json or parquet")]
    UnknownFormat {
        /// What was given.
        name: String,
    },
    /// The program cannot write that format.
    #[error("this program was built without Parquet (cargo feature `parquet`); export as csv or json")]
    NoParquet,
}

/// What a file that is not a store is instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ForeignFile {
    /// A folder.
    Folder,
    /// A file without content.
    Empty,
    /// Not SQLite, as far as its first bytes tell.
    NotSqlite,
    /// SQLite, but another program's.
    OtherSqlite,
}

impl StoreError {
    /// Whether the question was wrong, and not the machine or the file: the same question cannot succeed later.
    #[must_use]
    pub fn is_bad_input(&self) -> bool {
        match self {
            Self::Missing { .. } | Self::NotAStore { .. } | Self::Newer { .. } | Self::Older { .. } => true,
            Self::NoRun { .. } | Self::NoChampion { .. } | Self::NameTaken { .. } => true,
            Self::NoGame { .. } | Self::NoEventGame { .. } => true,
            Self::BadName { .. } | Self::InUse { .. } | Self::Finished { .. } => true,
            Self::UnknownFormat { .. } | Self::NoParquet => true,
            Self::ReadOnly { .. } | Self::Full { .. } | Self::Corrupted { .. } | Self::Busy { .. } => false,
            Self::Io { .. } | Self::Sql { .. } | Self::Export { .. } | Self::Differs { .. } => false,
        }
    }

    /// What the system said about a file, in the terms of a store.
    pub(crate) fn of_io(path: &Path, error: io::Error) -> Self {
        let path = path.to_owned();
        match error.kind() {
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => Self::ReadOnly { path },
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::Full { path },
            _ => Self::Io { path, source: Arc::new(error) },
        }
    }

    /// What SQLite said about a store.
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
            // The index of the log grows by writing to it, and that only fails where there is no room.
            _ if failure.is_some_and(|failure| failure.extended_code == ffi::SQLITE_IOERR_SHMSIZE) => {
                Self::Full { path: at }
            }
            _ => Self::Sql { path: at, source: Arc::new(error) },
        }
    }
}

/// SQLite does not say why it could not open a file: asks the system about the folder, then the file.
///
/// The file itself is opened only where that is bound to fail: closing it again would drop the locks that
/// other connections of this process hold.
fn cannot_open(path: &Path, error: rusqlite::Error) -> StoreError {
    let mut probe = path.as_os_str().to_owned();
    probe.push(format!("-probe{}", std::process::id()));
    match OpenOptions::new().write(true).create_new(true).open(&probe) {
        Err(reason) => return StoreError::of_io(path, reason),
        Ok(_) => drop(fs::remove_file(&probe)),
    }
    let is_locked_away = fs::metadata(path).is_ok_and(|data| data.permissions().readonly());
    match is_locked_away {
        true => StoreError::ReadOnly { path: path.to_owned() },
        false => StoreError::Sql { path: path.to_owned(), source: Arc::new(error) },
    }
}

/// Names the file in whatever went wrong with it.
pub(crate) trait WithPath<T> {
    /// The same answer, with the store's own error.
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
