//! Opens the SQLite file of a store: checks what the file is and brings its schema up to date.

use crate::checksum::seal_all;
use crate::error::{ForeignFile, Result, StoreError, WithPath};
use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior};
use rusqlite_migration::{HookResult, M, Migrations};
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::thread;
use std::time::{Duration, Instant};

/// The SQLite application id of stores: `Pale`. It tells them from files of other programs.
pub(crate) const APPLICATION_ID: i32 = i32::from_be_bytes(*b"Pale");

/// All schema migrations in order. Never edit one that was released; add one.
static MIGRATIONS: LazyLock<Migrations<'static>> = LazyLock::new(|| {
    let seal = |transaction: &Transaction<'_>| -> HookResult { Ok(seal_all(transaction)?) };
    Migrations::new(vec![
        M::up(include_str!("schema/1.sql")),
        M::up(include_str!("schema/2.sql")),
        M::up(include_str!("schema/3.sql")),
        M::up_with_hook(include_str!("schema/4.sql"), seal),
        M::up(include_str!("schema/5.sql")),
    ])
});

/// The schema version that this program reads and writes: the number of migrations.
pub(crate) const SCHEMA: i32 = 5;

/// Maximum time to wait for a lock of another process.
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);

/// Capacity of the statement cache: more than there are different queries, so that each is prepared once.
const MAX_STATEMENTS: usize = 64;

/// How a file is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OpenMode {
    /// A store, created if the file is missing or empty.
    Create,
    /// A store that exists.
    Existing,
    /// A store that exists, for reading only.
    ReadOnly,
}

/// Opens a store and brings it up to date unless it is only read. The returned path is canonical, without links.
pub(crate) fn connect(path: &Path, mode: OpenMode) -> Result<(Connection, PathBuf)> {
    // SQLite gives some relative names another meaning, such as `:memory:`.
    let path = &std::path::absolute(path).at(path)?;
    check_file(path, mode)?;
    let mut connection = match mode {
        OpenMode::Create => {
            open_connection(path, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE)
                .at(path)?
        }
        OpenMode::Existing => open_connection(path, OpenFlags::SQLITE_OPEN_READ_WRITE).at(path)?,
        OpenMode::ReadOnly => reader(path)?,
    };
    retry_while_busy(|| identify(&mut connection, path, mode)).map_err(|error| not_writable(error, path))?;
    if mode != OpenMode::ReadOnly {
        if connection.is_readonly("main").at(path)? {
            return Err(not_writable(StoreError::ReadOnly { path: path.clone() }, path));
        }
        retry_while_busy(|| bring_up_to_date(&mut connection, path))?;
    }
    Ok((connection, fs::canonicalize(path).at(path)?))
}

/// Of a store that cannot be written to: whether that is because it has to be migrated. Other errors stay.
fn not_writable(error: StoreError, path: &Path) -> StoreError {
    let found = match &error {
        StoreError::ReadOnly { .. } => reader(path).ok().and_then(|reader| identity(&reader).ok()),
        _ => None,
    };
    match found {
        Some((APPLICATION_ID, found, ..)) if found < SCHEMA => {
            StoreError::OlderReadOnly { path: path.to_owned(), found, known: SCHEMA }
        }
        _ => error,
    }
}

/// Checks what can be seen without opening the file.
fn check_file(path: &Path, mode: OpenMode) -> Result<()> {
    let not_a_store = |foreign| StoreError::NotAStore { path: path.to_owned(), foreign };
    match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            Err(StoreError::Unreadable { path: path.to_owned() })
        }
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(StoreError::of_io(path, error)),
        Err(_) if mode != OpenMode::Create => Err(StoreError::Missing { path: path.to_owned() }),
        Err(_) => Ok(()),
        Ok(data) if data.is_dir() => Err(not_a_store(ForeignFile::Folder)),
        Ok(data) if data.len() > 0 => Ok(()),
        Ok(_) if mode != OpenMode::Create => Err(not_a_store(ForeignFile::Empty)),
        // SQLite would take the file for a new database and delete the log.
        Ok(_) if has_log(path) => Err(StoreError::Corrupted { path: path.to_owned() }),
        Ok(_) => Ok(()),
    }
}

/// Whether the write-ahead log has changes that are not in the file itself yet.
fn has_log(path: &Path) -> bool {
    log_bytes(path) > 0
}

/// What tells a file from another one that takes its name: device and inode.
pub(crate) type FileIdentity = (u64, u64);

/// The identity of the file with this name now; `None` if there is none.
#[cfg(unix)]
pub(crate) fn file_identity(path: &Path) -> Option<FileIdentity> {
    use std::os::unix::fs::MetadataExt;
    fs::metadata(path).ok().map(|data| (data.dev(), data.ino()))
}

/// Whether there is a file with this name: elsewhere an open file cannot be replaced.
#[cfg(not(unix))]
pub(crate) fn file_identity(path: &Path) -> Option<FileIdentity> {
    path.exists().then_some((0, 0))
}

/// Length of the write-ahead log in bytes.
pub(crate) fn log_bytes(path: &Path) -> u64 {
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    fs::metadata(log).map_or(0, |data| data.len())
}

/// Truncates the write-ahead log if its readers finish within 100 ms; writers wait during that time.
pub(crate) fn empty_log(connection: &Connection) -> rusqlite::Result<()> {
    connection.busy_timeout(Duration::from_millis(100))?;
    let result = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
    connection.busy_timeout(BUSY_TIMEOUT)?;
    result
}

fn open_connection(path: &Path, flags: OpenFlags) -> rusqlite::Result<Connection> {
    let mut connection = Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    connection.set_prepared_statement_cache_capacity(MAX_STATEMENTS);
    connection.pragma_update(None, "foreign_keys", true)?;
    // A deferred transaction that reads before it writes can fail if another process writes in between.
    connection.set_transaction_behavior(TransactionBehavior::Immediate);
    Ok(connection)
}

/// A connection that only reads. In a read-only folder SQLite cannot create the index of its log; if there is no log,
/// the file is opened as immutable instead.
fn reader(path: &Path) -> Result<Connection> {
    let open = |path: &Path, flags| {
        let connection = open_connection(path, flags)?;
        identity(&connection).map(|_| connection)
    };
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY;
    match open(path, flags).at(path) {
        Err(StoreError::ReadOnly { .. } | StoreError::Sql { .. } | StoreError::Io { .. })
            if !has_log(path) =>
        {
            open(Path::new(&immutable(path)), flags | OpenFlags::SQLITE_OPEN_URI).at(path)
        }
        other => other,
    }
    .map_err(|error| match error {
        // Nothing was to be written.
        StoreError::ReadOnly { path } => StoreError::Unreadable { path },
        other => other,
    })
}

/// The path as a SQLite URI with `immutable=1`, the promise that no process changes the file.
fn immutable(path: &Path) -> String {
    let mut uri = String::from("file:");
    for byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'/' | b'-' | b'_' | b'.' | b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' => {
                uri.push(*byte as char);
            }
            _ => write!(uri, "%{byte:02X}").expect("writing to a String cannot fail"),
        }
    }
    uri + "?immutable=1"
}

/// Retries a step while another process holds the file: SQLite itself does not wait while a file is created.
fn retry_while_busy(mut step: impl FnMut() -> Result<()>) -> Result<()> {
    let start = Instant::now();
    loop {
        match step() {
            Err(StoreError::Busy { .. }) if start.elapsed() < BUSY_TIMEOUT => {
                thread::sleep(Duration::from_millis(20));
            }
            result => return result,
        }
    }
}

/// Checks that the file is a store with a known schema, and marks an empty file as a store.
fn identify(connection: &mut Connection, path: &Path, mode: OpenMode) -> Result<()> {
    let (mut id, version, is_empty) = identity(connection).at(path)?;
    if mode == OpenMode::Create && (id, version, is_empty) == (0, 0, true) {
        // Can be set only before the first table: deleted runs then give their space back to the disk.
        connection.pragma_update(None, "auto_vacuum", "incremental").at(path)?;
        let transaction = connection.transaction().at(path)?;
        // Another process may have marked the file since.
        if identity(&transaction).at(path)? == (0, 0, true) {
            transaction.pragma_update(None, "application_id", APPLICATION_ID).at(path)?;
        }
        transaction.commit().at(path)?;
        id = identity(connection).at(path)?.0;
    }
    let path = path.to_owned();
    match version {
        _ if id != APPLICATION_ID => Err(StoreError::NotAStore { path, foreign: ForeignFile::OtherSqlite }),
        found if found > SCHEMA => Err(StoreError::Newer { path, found, known: SCHEMA }),
        found if found < 0 => Err(StoreError::Corrupted { path }),
        found if found < SCHEMA && mode == OpenMode::ReadOnly => {
            Err(StoreError::Older { path, found, known: SCHEMA })
        }
        _ => Ok(()),
    }
}

/// Application id, schema version, and whether the file has no tables.
fn identity(connection: &Connection) -> rusqlite::Result<(i32, i32, bool)> {
    connection.query_row(
        "SELECT application_id, user_version, NOT EXISTS (SELECT 1 FROM sqlite_schema)
         FROM pragma_application_id, pragma_user_version",
        [],
        |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
    )
}

fn bring_up_to_date(connection: &mut Connection, path: &Path) -> Result<()> {
    connection.pragma_update(None, "journal_mode", "wal").at(path)?;
    connection.pragma_update(None, "synchronous", "normal").at(path)?;
    match MIGRATIONS.to_latest(connection) {
        Ok(()) => Ok(()),
        // Another process migrated the store at the same time.
        Err(_) if identity(connection).at(path)?.1 == SCHEMA => Ok(()),
        Err(rusqlite_migration::Error::RusqliteError { err, .. }) => Err(StoreError::of_sqlite(path, err)),
        Err(error) => panic!("the migrations are wrong: {error}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_migrations_are_valid() {
        MIGRATIONS.validate().unwrap();
        let empty = Connection::open_in_memory().unwrap();
        assert_eq!(MIGRATIONS.pending_migrations(&empty).unwrap(), SCHEMA);
    }

    #[test]
    fn special_characters_of_a_path_are_escaped() {
        assert_eq!(immutable(Path::new("/a b/c?d%.db")), "file:/a%20b/c%3Fd%25.db?immutable=1");
    }
}
