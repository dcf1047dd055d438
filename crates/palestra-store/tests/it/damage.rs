//! Flipped bits in values: they are found, and what they belong to is played again.

use crate::events::{event_game, new_event};
use crate::support::{Folder, exported, generation, key, new_run, uninterrupted, work};
use palestra_store::{Candidate, ExportFormat, RunId, Store, StoreError, StoredHallEntry};
use rusqlite::Connection;
use std::fs;

fn change(folder: &Folder, sql: &str) {
    let connection = Connection::open(folder.file()).unwrap();
    assert!(connection.execute(sql, []).unwrap() > 0, "{sql}");
    connection.close().unwrap();
}

/// A store with an interrupted run that has an entry of every kind.
fn interrupted(folder: &Folder) -> RunId {
    let mut store = folder.store();
    let run = store.begin_run(&new_run("a")).unwrap().id;
    let ledger = store.ledger(run).unwrap();
    let weights = vec![1.0, 2.0];
    ledger.keep_reply(0, vec![1, 2, 3], 10).unwrap();
    let candidate = Candidate { weights: weights.clone(), fitness: 1.0 };
    ledger.keep_generation(generation(0), vec![candidate]).unwrap();
    let entry = StoredHallEntry { number: 0, generation: 0, label: "best".into(), weights, fitness: 1.0 };
    ledger.keep_hall_entry(entry).unwrap();
    ledger.keep_unit(&key(0), 0, vec![1; 40], 30).unwrap();
    ledger.finish_batch(&key(1), vec![2; 40], 100).unwrap();
    ledger.keep_game(&key(0), 0, crate::support::game("a")).unwrap();
    run
}

#[test]
fn a_changed_value_is_found_and_deleted() {
    for (table, column, value, what) in [
        ("batches", "result", "zeroblob(length(result))", "the result of a batch"),
        ("batches", "n_games", "n_games + 1", "the result of a batch"),
        ("units", "result", "x''", "the result of a part of a batch"),
        ("units", "unit", "unit + 1", "the result of a part of a batch"),
        ("replies", "reply", "x'010203FF'", "the fitness of a generation"),
        ("generations", "best", "best + 1e-9", "a generation"),
        ("candidates", "fitness", "-fitness", "a candidate"),
        ("hall", "weights", "zeroblob(16)", "an entry of the hall of fame"),
        ("games", "moves", "'b'", "a game"),
    ] {
        let folder = Folder::new();
        let run = interrupted(&folder);
        assert_eq!(folder.store().damaged_entries().unwrap(), []);
        change(&folder, &format!("UPDATE {table} SET {column} = {value}"));
        let store = folder.store();
        assert_eq!(store.check().unwrap(), [""; 0]);
        let damaged = store.damaged_entries().unwrap();
        assert_eq!(damaged.len(), 1, "{table}: {damaged:?}");
        assert_eq!((damaged[0].what, damaged[0].n_entries, damaged[0].is_replayed), (what, 1, true));
        let ledger = store.ledger(run).unwrap();
        assert_eq!(ledger.n_damaged(), 1, "{table}");
        assert_eq!(ledger.finished(&key(1)).unwrap().is_none(), table == "batches");
        assert_eq!(ledger.units(&key(0)).unwrap().is_empty(), table == "units");
        assert_eq!(ledger.reply(0).unwrap().is_none(), table == "replies");
        drop(ledger);
        assert_eq!(store.damaged_entries().unwrap(), []);
    }
}

#[test]
fn a_damaged_run_ends_as_one_that_was_not() {
    let (expected, _) = uninterrupted();
    let folder = Folder::new();
    let mut store = folder.store();
    let run = store.begin_run(&new_run("work")).unwrap().id;
    let ledger = store.ledger(run).unwrap();
    // A worker that stops in the middle of its third batch.
    let stopped = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        work(&ledger, |unit| assert!(unit < 500, "stop here"))
    }));
    assert!(stopped.is_err());
    drop(ledger);
    change(
        &folder,
        "UPDATE batches SET result = zeroblob(length(result)) WHERE key = (SELECT min(key) FROM batches)",
    );
    change(&folder, "UPDATE units SET result = x'00' WHERE unit = 3");
    change(&folder, "UPDATE candidates SET fitness = 0.5 WHERE generation = 1 AND number = 2");
    let ledger = store.ledger(run).unwrap();
    assert_eq!(ledger.n_damaged(), 3);
    work(&ledger, |_| ()).unwrap();
    assert!(exported(&store, run, ExportFormat::Json) == expected);
}

#[test]
fn a_damaged_game_of_an_event_is_played_again() {
    for sql in [
        "UPDATE games SET moves = '1 2 4' WHERE id = 1",
        "UPDATE event_games SET points = 0.5 WHERE game = 1",
    ] {
        let folder = Folder::new();
        let mut store = folder.store();
        let event = store.find_or_begin_event(&new_event("a")).unwrap().0.id;
        let ledger = store.ledger(event).unwrap();
        for number in 0..3 {
            ledger.keep_event_game(event_game(number, None)).unwrap();
        }
        drop(ledger);
        change(&folder, sql);
        assert_eq!(store.damaged_entries().unwrap()[0].run.as_deref(), Some("cup"));
        let ledger = store.ledger(event).unwrap();
        assert_eq!((ledger.n_damaged(), store.event_games(event).unwrap().len()), (1, 2), "{sql}");
        ledger.keep_event_game(event_game(0, None)).unwrap();
        ledger.flush().unwrap();
        assert_eq!((store.run("cup").unwrap().n_games, store.event_games(event).unwrap().len()), (3, 3));
        assert_eq!(store.damaged_entries().unwrap(), []);
    }
}

#[test]
fn a_changed_plan_or_player_is_found() {
    let folder = Folder::new();
    interrupted(&folder);
    change(&folder, "UPDATE runs SET plan = 'name = \"b\"'");
    change(&folder, "UPDATE players SET player = 'greedy/lines/1,3' WHERE player <> 'random'");
    let damaged = folder.store().damaged_entries().unwrap();
    assert_eq!(damaged.iter().map(|entries| entries.what).collect::<Vec<_>>(), ["the plan", "a player"]);
}

#[cfg(unix)]
#[test]
fn a_deleted_or_replaced_store_is_noticed() {
    let replace = |folder: &Folder, with_other: bool| {
        for name in ["palestra.db", "palestra.db-wal", "palestra.db-shm"] {
            // Which of them there are depends on the system.
            drop(fs::remove_file(folder.path().join(name)));
        }
        if with_other {
            drop(Store::open(folder.file()).unwrap());
        }
    };
    for with_other in [false, true] {
        let folder = Folder::new();
        let mut store = folder.store();
        let run = store.begin_run(&new_run("a")).unwrap().id;
        let ledger = store.ledger(run).unwrap();
        ledger.keep_unit(&key(0), 0, vec![1], 1).unwrap();
        ledger.flush().unwrap();
        replace(&folder, with_other);
        let is_replaced =
            |error: &StoreError| matches!(error, StoreError::Replaced { .. }) && !error.is_bad_input();
        assert!(is_replaced(&ledger.keep_unit(&key(0), 1, vec![1], 1_000).unwrap_err()));
        let error = ledger.finish("1").unwrap_err();
        assert!(is_replaced(&error) && error.to_string().contains("was deleted or replaced"), "{error}");
    }
}
