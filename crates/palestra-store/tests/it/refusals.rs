//! Files that are not stores or damaged: a clear error, and the file is not changed.

use crate::support::{Folder, key, new_run, work};
use palestra_store::{ForeignFile, Store, StoreError};
use rusqlite::Connection;
use std::fs;
use std::path::Path;

/// Every function that opens the file fails with the same error, which names the file and contains `text`, and the file
/// is not changed.
fn check(file: &Path, is_expected: impl Fn(&StoreError) -> bool, is_bad_input: bool, text: &str) {
    let before = fs::read(file).ok();
    for open in [Store::open, Store::open_existing, Store::open_read_only] {
        let error = open(file).unwrap_err();
        assert!(is_expected(&error), "{error:?}");
        assert_eq!(error.is_bad_input(), is_bad_input, "{error}");
        let message = error.to_string();
        assert!(message.contains(text) && message.contains(file.to_str().unwrap()), "{message}");
    }
    assert!(fs::read(file).ok() == before, "the file was changed");
}

fn is_foreign(expected: ForeignFile) -> impl Fn(&StoreError) -> bool {
    move |error| matches!(error, StoreError::NotAStore { foreign, .. } if *foreign == expected)
}

fn is_corrupted(error: &StoreError) -> bool {
    matches!(error, StoreError::Corrupted { .. })
}

/// The bytes of a store with a run in it.
fn bytes_of_a_store() -> Vec<u8> {
    let folder = Folder::new();
    let mut store = folder.store();
    let run = store.begin_run(&new_run("a")).unwrap().id;
    work(&store.ledger(run).unwrap(), |_| ()).unwrap();
    drop(store);
    fs::read(folder.file()).unwrap()
}

#[test]
fn a_folder_is_no_store() {
    check(Folder::new().path(), is_foreign(ForeignFile::Folder), true, "it is a folder");
}

#[test]
fn garbage_is_no_store() {
    let folder = Folder::new();
    let file = folder.file();
    fs::write(&file, "the quick brown fox jumps over the lazy dog\n".repeat(200)).unwrap();
    check(&file, is_foreign(ForeignFile::NotSqlite), true, "not a SQLite file");
    fs::write(&file, "short").unwrap();
    check(&file, is_foreign(ForeignFile::NotSqlite), true, "not a SQLite file");
}

#[test]
fn files_of_other_programs_are_no_stores() {
    let folder = Folder::new();
    let other = Connection::open(folder.file()).unwrap();
    other.execute_batch("CREATE TABLE runs (id INTEGER PRIMARY KEY)").unwrap();
    other.close().unwrap();
    check(&folder.file(), is_foreign(ForeignFile::OtherSqlite), true, "of another program");
}

#[test]
fn newer_stores_are_refused() {
    let folder = Folder::new();
    drop(folder.store());
    Connection::open(folder.file()).unwrap().pragma_update(None, "user_version", 7).unwrap();
    let is_newer = |error: &StoreError| matches!(error, StoreError::Newer { found: 7, known: 5, .. });
    check(&folder.file(), is_newer, true, "its schema is 7, this program knows up to 5");
}

#[test]
fn cut_stores_are_corrupted() {
    let folder = Folder::new();
    let bytes = bytes_of_a_store();
    for length in [bytes.len() / 2, bytes.len() - 4096, 5000] {
        fs::write(folder.file(), &bytes[..length]).unwrap();
        check(&folder.file(), is_corrupted, false, "nothing was changed");
    }
}

#[test]
fn stores_with_overwritten_pages_are_corrupted() {
    let folder = Folder::new();
    let bytes = bytes_of_a_store();
    let overwritten = |from: usize| [&bytes[..from], &vec![0xA5; bytes.len() - from]].concat();
    // The first pages hold the schema.
    fs::write(folder.file(), overwritten(4096)).unwrap();
    check(&folder.file(), is_corrupted, false, "nothing was changed");
    let half = overwritten(bytes.len() / 2 / 4096 * 4096);
    fs::write(folder.file(), &half).unwrap();
    let store = Store::open_existing(folder.file()).unwrap();
    assert!(!store.check().unwrap().is_empty());
    let run = store.run("toy-1").unwrap().id;
    assert!(is_corrupted(&store.games(run).unwrap_err()));
    drop(store);
    assert!(fs::read(folder.file()).unwrap() == half, "the file was changed");
}

#[test]
fn a_log_without_its_store_is_not_thrown_away() {
    let folder = Folder::new();
    let log = folder.path().join("palestra.db-wal");
    fs::write(folder.file(), "").unwrap();
    fs::write(&log, "changes").unwrap();
    assert!(is_corrupted(&Store::open(folder.file()).unwrap_err()));
    assert_eq!(fs::read_to_string(log).unwrap(), "changes");
}

#[test]
fn an_empty_file_becomes_a_store_only_in_create_mode() {
    let folder = Folder::new();
    fs::write(folder.file(), "").unwrap();
    let is_empty = is_foreign(ForeignFile::Empty);
    assert!(is_empty(&Store::open_existing(folder.file()).unwrap_err()));
    assert!(is_empty(&Store::open_read_only(folder.file()).unwrap_err()));
    drop(folder.store());
    Store::open_read_only(folder.file()).unwrap();
}

#[test]
fn a_missing_file_is_an_error() {
    let folder = Folder::new();
    for open in [Store::open_existing, Store::open_read_only] {
        let error = open(folder.file()).unwrap_err();
        assert!(matches!(error, StoreError::Missing { .. }) && error.is_bad_input(), "{error:?}");
    }
    assert!(!folder.file().exists());
    let error = Store::open(folder.path().join("no/such/folder.db")).unwrap_err();
    assert!(matches!(error, StoreError::Io { .. }), "{error:?}");
    assert!(error.to_string().contains("folder.db"), "{error}");
}

#[test]
fn special_names_of_sqlite_are_files() {
    let folder = Folder::new();
    let file = folder.path().join(":memory:");
    drop(Store::open(&file).unwrap());
    assert!(file.exists());
}

#[test]
fn a_read_only_store_cannot_be_written() {
    let folder = Folder::new();
    let run = folder.store().begin_run(&new_run("a")).unwrap();
    let mut store = Store::open_read_only(folder.file()).unwrap();
    let error = store.begin_run(&new_run("b")).unwrap_err();
    assert!(matches!(error, StoreError::ReadOnly { .. }) && !error.is_bad_input(), "{error:?}");
    assert!(matches!(store.rename_run(run.id, "other"), Err(StoreError::ReadOnly { .. })));
    assert!(matches!(store.delete_run(run.id), Err(StoreError::ReadOnly { .. })));
    assert_eq!(store.runs().unwrap(), [run]);
}

#[test]
fn an_interrupted_creation_is_completed() {
    let folder = Folder::new();
    // The state after the first of the two steps of the creation.
    let half = Connection::open(folder.file()).unwrap();
    half.pragma_update(None, "application_id", i32::from_be_bytes(*b"Pale")).unwrap();
    half.close().unwrap();
    let error = Store::open_read_only(folder.file()).unwrap_err();
    assert!(matches!(error, StoreError::Older { found: 0, known: 5, .. }), "{error:?}");
    let mut store = Store::open_existing(folder.file()).unwrap();
    let run = store.begin_run(&new_run("a")).unwrap().id;
    store.ledger(run).unwrap().finish_batch(&key(0), vec![], 1).unwrap();
}
