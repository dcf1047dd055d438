//! Stores with long-running readers.

use crate::child::ChildProcess;
use crate::events::{event_game, new_event};
use crate::support::{Folder, new_run};
use palestra_store::{EventFilter, Store};
use rusqlite::Connection;
use std::fs;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

#[test]
fn a_killed_process_has_no_live_status() {
    let folder = Folder::new();
    let mut child = ChildProcess::start("set-status", "status", &folder.file());
    assert_eq!(child.next_message().as_deref(), Some("ready"));
    let store = Store::open_read_only(folder.file()).unwrap();
    let run = store.run("toy-1").unwrap().id;
    let start = Instant::now();
    while store.live_status(run).unwrap().is_none_or(|live| live.what != r#"{"ply": 3}"#) {
        assert!(start.elapsed() < Duration::from_secs(60), "no status was committed");
        thread::sleep(Duration::from_millis(5));
    }
    child.kill();
    assert_eq!(store.live_status(run).unwrap(), None);
    let rows = "SELECT count(*) FROM live";
    let n_rows =
        || -> u32 { Connection::open(folder.file()).unwrap().query_row(rows, [], |row| row.get(0)).unwrap() };
    assert_eq!(n_rows(), 1);
    // A process that resumes the run has not set a status yet.
    let _ledger = folder.store().ledger(run).unwrap();
    assert_eq!((n_rows(), store.live_status(run).unwrap()), (0, None));
}

#[test]
fn a_reader_sees_changes_and_holds_no_lock() {
    let folder = Folder::new();
    let mut store = folder.store();
    let reader = Store::open_read_only(folder.file()).unwrap();
    let mut version = reader.data_version().unwrap();
    assert_eq!(reader.data_version().unwrap(), version);
    for number in 1..=3 {
        store.begin_run(&new_run(&number.to_string())).unwrap();
        let later = reader.data_version().unwrap();
        assert_ne!(later, version);
        version = later;
        assert_eq!(reader.n_runs().unwrap(), number);
        assert_eq!(reader.runs_page(None, 1, None).unwrap().len(), 1);
        // The whole log can be truncated only while no reader uses it.
        let writer = Connection::open(folder.file()).unwrap();
        let is_busy: bool =
            writer.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0)).unwrap();
        assert!(!is_busy, "the reader is still reading");
    }
}

#[test]
fn the_log_stays_small_with_readers_that_never_pause() {
    let folder = Folder::new();
    let mut store = folder.store();
    let event = store.find_or_begin_event(&new_event("a")).unwrap().0.id;
    let (is_over, longest, n_polls) = (AtomicBool::new(false), AtomicU64::new(0), AtomicU64::new(0));
    let log = folder.path().join("palestra.db-wal");
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let reader = Store::open_read_only(folder.file()).unwrap();
                while !is_over.load(Ordering::SeqCst) {
                    reader.data_version().unwrap();
                    reader.event_games_of(event, &EventFilter::default(), None, 50).unwrap();
                    reader.live_status(event).unwrap();
                    let length = fs::metadata(&log).map_or(0, |data| data.len());
                    longest.fetch_max(length, Ordering::SeqCst);
                    n_polls.fetch_add(1, Ordering::SeqCst);
                }
            });
        }
        let ledger = store.ledger(event).unwrap();
        for number in 0..100_000 {
            // With half as many games the log would stay small anyway.
            ledger.keep_event_game(event_game(number, None)).unwrap();
        }
        ledger.flush().unwrap();
        is_over.store(true, Ordering::SeqCst);
    });
    let longest = longest.into_inner();
    eprintln!("the log had {longest} bytes at most, with {} polls", n_polls.into_inner());
    assert!(longest < 32 << 20, "the log has {longest} bytes");
}
