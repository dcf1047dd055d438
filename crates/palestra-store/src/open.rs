//! From a path to a connection: what is there, whether it is ours, and whether we can read it.

use crate::error::{ForeignFile, Result, StoreError, WithPath};
use rusqlite::{Connection, OpenFlags, TransactionBehavior};
use rusqlite_migration::{M, Migrations};
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

/// `Pale`: what tells our files from those of other programs.
pub(crate) const APPLICATION_ID: i32 = i32::from_be_bytes(*b"Pale");

/// Every change of the tables since the first, in order: never edit one that was released, add one.
const STEPS: &[M<'static>] = &[
    M::up(include_str!("schema/1.sql")),
    M::up(include_str!("schema/2.sql")),
    M::up(include_str!("schema/3.sql")),
];
const MIGRATIONS: Migrations<'static> = Migrations::from_slice(STEPS);

/// The schema that this program reads and writes.
pub(crate) const SCHEMA: i32 = STEPS.len() as i32;

/// How long one process waits for another.
const PATIENCE: Duration = Duration::from_secs(10);

/// More than there are different questions, each of which is read by SQLite once.
const MOST_STATEMENTS: usize = 64;

/// What a caller wants of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OpenMode {
    /// A store, made where there is none.
    Create,
    /// A store that exists.
    Existing,
    /// A store that exists and is not changed.
    ReadOnly,
}

/// Opens a store, brought up to date unless it is only read. The path that comes back has no links in it.
pub(crate) fn connect(path: &Path, mode: OpenMode) -> Result<(Connection, PathBuf)> {
    // SQLite takes some relative names for something else than files.
    let path = &std::path::absolute(path).at(path)?;
    look(path, mode)?;
    let mut connection = match mode {
        OpenMode::Create => {
            plain(path, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE).at(path)?
        }
        OpenMode::Existing => plain(path, OpenFlags::SQLITE_OPEN_READ_WRITE).at(path)?,
        OpenMode::ReadOnly => reader(path)?,
    };
    patiently(|| identify(&mut connection, path, mode))?;
    if mode != OpenMode::ReadOnly {
        if connection.is_readonly("main").at(path)? {
            return Err(StoreError::ReadOnly { path: path.clone() });
        }
        patiently(|| bring_up_to_date(&mut connection, path))?;
    }
    Ok((connection, fs::canonicalize(path).at(path)?))
}

/// What can be seen without opening the file.
fn look(path: &Path, mode: OpenMode) -> Result<()> {
    let not_a_store = |foreign| StoreError::NotAStore { path: path.to_owned(), foreign };
    match fs::metadata(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(StoreError::of_io(path, error)),
        Err(_) if mode != OpenMode::Create => Err(StoreError::Missing { path: path.to_owned() }),
        Err(_) => Ok(()),
        Ok(data) if data.is_dir() => Err(not_a_store(ForeignFile::Folder)),
        Ok(data) if data.len() > 0 => Ok(()),
        Ok(_) if mode != OpenMode::Create => Err(not_a_store(ForeignFile::Empty)),
        // SQLite would take the file for a new one and throw the log away.
        Ok(_) if has_log(path) => Err(StoreError::Corrupted { path: path.to_owned() }),
        Ok(_) => Ok(()),
    }
}

/// Whether there are changes that have not yet reached the file itself.
fn has_log(path: &Path) -> bool {
    log_bytes(path) > 0
}

/// How long the log of changes is.
pub(crate) fn log_bytes(path: &Path) -> u64 {
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    fs::metadata(log).map_or(0, |data| data.len())
}

/// Empties the log, if those who read from it are done soon; whoever writes waits for them as long.
pub(crate) fn empty_log(connection: &Connection) -> rusqlite::Result<()> {
    connection.busy_timeout(Duration::from_millis(100))?;
    let outcome = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
    connection.busy_timeout(PATIENCE)?;
    outcome
}

fn plain(path: &Path, flags: OpenFlags) -> rusqlite::Result<Connection> {
    let mut connection = Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    connection.busy_timeout(PATIENCE)?;
    connection.set_prepared_statement_cache_capacity(MOST_STATEMENTS);
    connection.pragma_update(None, "foreign_keys", true)?;
    // A transaction that reads first and writes later could find that another process was quicker.
    connection.set_transaction_behavior(TransactionBehavior::Immediate);
    Ok(connection)
}

/// A connection that only reads. In a folder that cannot be written to, SQLite cannot make the index of its log;
/// without a log there is no need of one.
fn reader(path: &Path) -> Result<Connection> {
    let open = |path: &Path, flags| {
        let connection = plain(path, flags)?;
        marks(&connection).map(|_| connection)
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
}

/// The path as an address that promises SQLite that nobody changes the file.
fn immutable(path: &Path) -> String {
    let mut address = String::from("file:");
    for byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'/' | b'-' | b'_' | b'.' | b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' => {
                address.push(*byte as char);
            }
            _ => write!(address, "%{byte:02X}").expect("text takes any text"),
        }
    }
    address + "?immutable=1"
}

/// Repeats what failed because another process was at it: SQLite itself does not wait while a file is made.
fn patiently(mut step: impl FnMut() -> Result<()>) -> Result<()> {
    let start = Instant::now();
    loop {
        match step() {
            Err(StoreError::Busy { .. }) if start.elapsed() < PATIENCE => {
                thread::sleep(Duration::from_millis(20));
            }
            answer => return answer,
        }
    }
}

/// Checks that the file is a store whose schema we know, and makes an empty file ours.
fn identify(connection: &mut Connection, path: &Path, mode: OpenMode) -> Result<()> {
    let (mut id, version, is_empty) = marks(connection).at(path)?;
    if mode == OpenMode::Create && (id, version, is_empty) == (0, 0, true) {
        // Can be chosen only now: what deleted runs took is given back to the disk.
        connection.pragma_update(None, "auto_vacuum", "incremental").at(path)?;
        let transaction = connection.transaction().at(path)?;
        // Another process may have been here since.
        if marks(&transaction).at(path)? == (0, 0, true) {
            transaction.pragma_update(None, "application_id", APPLICATION_ID).at(path)?;
        }
        transaction.commit().at(path)?;
        id = marks(connection).at(path)?.0;
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

/// Whose file it is, its schema, and whether it holds no table.
fn marks(connection: &Connection) -> rusqlite::Result<(i32, i32, bool)> {
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
        // Another process did the same at the same time.
        Err(_) if marks(connection).at(path)?.1 == SCHEMA => Ok(()),
        Err(rusqlite_migration::Error::RusqliteError { err, .. }) => Err(StoreError::of_sqlite(path, err)),
        Err(error) => panic!("the schema's own steps are wrong: {error}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_steps_are_sound() {
        MIGRATIONS.validate().unwrap();
    }

    #[test]
    fn an_address_hides_what_means_something_else_in_it() {
        assert_eq!(immutable(Path::new("/a b/c?d%.db")), "file:/a%20b/c%3Fd%25.db?immutable=1");
    }
}
