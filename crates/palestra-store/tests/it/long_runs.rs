//! Runs of many generations: the store keeps what is needed and no more.

use crate::support::{Folder, generation, key, new_run};
use palestra_store::{Candidate, RunId, RunLedger, Store, keeps_generation};
use rusqlite::Connection;
use std::fs;

const N: u32 = 9_000;

/// Works on the generations `from..to`, as training does.
fn train(ledger: &RunLedger, generations: std::ops::Range<u32>) {
    for number in generations {
        if ledger.reply(number).unwrap().is_none() {
            if ledger.finished(&key(number)).unwrap().is_none() {
                ledger.finish_batch(&key(number), vec![number as u8; 8_000], 552).unwrap();
            }
            ledger.keep_reply(number, number.to_le_bytes().to_vec(), 552).unwrap();
        }
        let candidate = Candidate { weights: vec![f64::from(number), 1.0], fitness: 0.5 };
        ledger.keep_generation(generation(number), vec![candidate; 4]).unwrap();
    }
}

fn kept(store: &Store, run: RunId) -> Vec<u32> {
    store.generations(run).unwrap().iter().map(|generation| generation.number).collect()
}

fn n_batches(folder: &Folder) -> i64 {
    let connection = Connection::open(folder.file()).unwrap();
    connection.query_row("SELECT count(*) FROM batches", [], |row| row.get(0)).unwrap()
}

#[test]
fn a_long_run_is_thinned_and_goes_on_from_its_replies() {
    let expected = |n: u32| (0..n).filter(|&number| keeps_generation(number, n)).collect::<Vec<_>>();
    let folder = Folder::new();
    let mut store = folder.store();
    let run = store.begin_run(&new_run("a")).unwrap().id;
    let ledger = store.ledger(run).unwrap();
    train(&ledger, 0..100);
    ledger.flush().unwrap();
    assert_eq!((kept(&store, run), n_batches(&folder)), (expected(100), 0));
    train(&ledger, 100..5_000);
    // The batch of an unfinished generation is needed.
    ledger.finish_batch(&key(5_000), vec![1], 552).unwrap();
    drop(ledger);
    assert_eq!((kept(&store, run), n_batches(&folder)), (expected(5_000), 1));
    assert_eq!(store.n_generations(run).unwrap(), 5_000);

    // Everything is repeated from the replies, and thinned generations do not come back.
    let ledger = store.ledger(run).unwrap();
    assert_eq!(ledger.reply(77).unwrap(), Some(77u32.to_le_bytes().to_vec()));
    assert_eq!(ledger.finished(&key(5_000)).unwrap(), Some(vec![1]));
    train(&ledger, 0..N);
    ledger.finish_batch(&key(N), vec![7; 1_000_000], 100).unwrap();
    ledger.flush().unwrap();
    let before = fs::metadata(folder.file()).unwrap().len();
    ledger.finish("1").unwrap();
    drop(ledger);
    assert_eq!((kept(&store, run), n_batches(&folder)), (expected(N), 0));
    assert_eq!(store.run_by_id(run).unwrap().n_games, 552 * u64::from(N) + 100);
    assert_eq!(store.candidates(run, 8).unwrap().len(), 4);
    assert_eq!(store.reply(run, N - 1).unwrap(), Some((N - 1).to_le_bytes().to_vec()));
    assert_eq!((store.check().unwrap().len(), store.damaged_entries().unwrap().len()), (0, 0));
    drop(store);
    let after = fs::metadata(folder.file()).unwrap().len();
    assert!(after < 4_000_000 && after < before, "{after} bytes, before {before}");
}

#[test]
fn games_of_retired_batches_count_once() {
    let folder = Folder::new();
    let mut store = folder.store();
    let run = store.begin_run(&new_run("a")).unwrap().id;
    let ledger = store.ledger(run).unwrap();
    ledger.keep_unit(&key(0), 0, vec![1], 30).unwrap();
    ledger.flush().unwrap();
    ledger.keep_unit(&key(0), 1, vec![1], 30).unwrap();
    ledger.finish_batch(&key(0), vec![1], 100).unwrap();
    ledger.keep_reply(0, vec![1], 100).unwrap();
    ledger.finish_batch(&key(1), vec![1], 100).unwrap();
    ledger.flush().unwrap();
    assert_eq!(store.run_by_id(run).unwrap().n_games, 200);
    ledger.keep_reply(1, vec![1], 100).unwrap();
    ledger.flush().unwrap();
    assert_eq!(store.run_by_id(run).unwrap().n_games, 200);
}

#[test]
fn finished_runs_are_compacted_and_stores_copied() {
    let folder = Folder::new();
    let mut store = folder.store();
    let [done, going] = ["a", "b"].map(|plan| store.begin_run(&new_run(plan)).unwrap().id);
    for run in [done, going] {
        store.ledger(run).unwrap().finish_batch(&key(0), vec![7; 1_000_000], 100).unwrap();
    }
    // As an earlier version left it.
    let connection = Connection::open(folder.file()).unwrap();
    connection.execute("UPDATE runs SET state = 'done' WHERE id = ?1", [done.0]).unwrap();
    connection.close().unwrap();
    assert_eq!(store.compact(|run| run.id == done).unwrap().n_results, 0);
    let ledger = store.ledger(going).unwrap();
    let compacted = store.compact(|_| false).unwrap();
    assert_eq!((compacted.n_runs, compacted.n_results), (1, 1));
    assert!(compacted.bytes_after + 900_000 < compacted.bytes_before, "{compacted:?}");
    assert_eq!(store.finished_batch(done, &key(0)).unwrap(), None);
    assert!(store.finished_batch(going, &key(0)).unwrap().is_some());
    assert_eq!(store.compact(|_| false).unwrap().n_results, 0);

    // A copy while a run is written to.
    let copy = folder.path().join("copy.db");
    ledger.keep_unit(&key(1), 0, vec![1], 1).unwrap();
    ledger.flush().unwrap();
    store.back_up(&copy).unwrap();
    ledger.keep_unit(&key(1), 1, vec![1], 1).unwrap();
    ledger.flush().unwrap();
    assert!(store.back_up(&copy).is_err(), "a copy is not replaced");
    let copied = Store::open_existing(&copy).unwrap();
    assert_eq!(copied.check().unwrap(), [""; 0]);
    assert_eq!((copied.run_by_id(going).unwrap().n_games, copied.runs().unwrap().len()), (101, 2));
}
