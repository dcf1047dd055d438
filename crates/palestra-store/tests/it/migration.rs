//! Stores of earlier schemas: they are migrated, and what is in them counts.

use crate::events::{event_game, new_event};
use crate::support::{Folder, generation, key, new_run};
use palestra_store::{EventFilter, RunId, RunState, Store, StoreError};
use rusqlite::{Connection, params};
use std::path::Path;

const SCHEMAS: [&str; 3] = [
    include_str!("../../src/schema/1.sql"),
    include_str!("../../src/schema/2.sql"),
    include_str!("../../src/schema/3.sql"),
];

/// An interrupted run and, from the second schema on, an event, in a store as an earlier version made it.
pub(crate) fn make(file: &Path, schema: usize) {
    let old = Connection::open(file).unwrap();
    old.execute_batch("PRAGMA auto_vacuum = incremental; PRAGMA journal_mode = wal;").unwrap();
    old.pragma_update(None, "application_id", i32::from_be_bytes(*b"Pale")).unwrap();
    SCHEMAS[..schema].iter().for_each(|sql| old.execute_batch(sql).unwrap());
    old.pragma_update(None, "user_version", schema as i32).unwrap();
    let insert = |id: i64, name: &str, new: &palestra_store::NewRun| {
        let sql = "INSERT INTO runs (id, name, kind, plan, plan_key, seed, version, weights, state, created, updated,
                                     n_games)
                   VALUES (?1, ?2, ?3, ?4, ?5, '1', ?6, '[\"twos\", \"threes\"]', 'interrupted', '2025-01-01T00:00:00Z',
                           '2025-01-01T00:00:00Z', 70)";
        old.execute(sql, params![id, name, new.kind, new.plan, new.plan_key(), new.version]).unwrap();
    };
    insert(1, "toy-1", &new_run("a"));
    old.execute("INSERT INTO batches VALUES (1, ?1, x'0102', 50)", [key(0)]).unwrap();
    old.execute("INSERT INTO units VALUES (1, ?1, 3, x'09', 20)", [key(1)]).unwrap();
    let sql = "INSERT INTO generations VALUES (1, 0, 20000, 0.0, 0.1, 0.0, 1, 0.25, NULL, ?1)";
    old.execute(sql, [generation(0).metrics]).unwrap();
    let weights = [0.5f64.to_le_bytes(), (-2f64).to_le_bytes()].concat();
    old.execute("INSERT INTO candidates VALUES (1, 0, 0, ?1, 7.5)", params![weights]).unwrap();
    old.execute("INSERT INTO hall VALUES (1, 0, 0, 'best', ?1, NULL)", params![weights]).unwrap();
    for player in ["greedy/lines/1,2", "random"] {
        let hash = palestra_store::player_hash("connect", player);
        old.execute(
            "INSERT INTO players (hash, game, player) VALUES (?1, 'connect', ?2)",
            [hash.as_str(), player],
        )
        .unwrap();
    }
    let sql = "INSERT INTO games VALUES (NULL, ?1, ?2, 0, 1, 2, 'connect:7x6x4', NULL, '44', '1 2 3', 'second', 3, 'line',
                                         9, ?3, 17)";
    let seed = (u64::MAX - 1).to_string();
    old.execute(sql, params![1, key(1), seed]).unwrap();
    if schema > 1 {
        insert(2, "cup", &new_event("a"));
        old.execute(sql, params![2, key(0), seed]).unwrap();
        let sql = "INSERT INTO event_games VALUES (2, 0, 'ana', 'luis \"the second\"', -0.5, 12, 0, NULL, NULL, NULL, NULL)";
        old.execute(sql, []).unwrap();
    }
    if schema > 2 {
        let sql = "INSERT INTO event_players VALUES (2, 'ana', 1), (2, 'luis \"the second\"', 2)";
        old.execute(sql, []).unwrap();
    }
    old.close().unwrap();
}

fn check(schema: usize) {
    let folder = Folder::new();
    make(&folder.file(), schema);
    let error = Store::open_read_only(folder.file()).unwrap_err();
    let found_schema = schema as i32;
    assert!(matches!(error, StoreError::Older { found, known: 5, .. } if found == found_schema), "{error:?}");
    let store = folder.store();
    assert_eq!(store.check().unwrap(), [""; 0]);
    // Everything has its checksum.
    assert_eq!(store.damaged_entries().unwrap(), []);
    let run = store.run("toy-1").unwrap();
    assert_eq!((run.id, run.state, run.n_games), (RunId(1), RunState::Interrupted, 70));
    assert_eq!(store.generations(run.id).unwrap()[0].n_games, 20_000);
    assert_eq!(store.candidates(run.id, 0).unwrap()[0].weights, [0.5, -2.0]);
    assert_eq!(store.hall_of_fame(run.id).unwrap().len(), 1);
    assert_eq!(store.games(run.id).unwrap(), [crate::support::game("1 2 3")]);
    let ledger = store.ledger(run.id).unwrap();
    assert_eq!(ledger.n_damaged(), 0);
    assert_eq!(ledger.finished(&key(0)).unwrap(), Some(vec![1, 2]));
    assert_eq!(ledger.units(&key(1)).unwrap(), [(3, vec![9])]);
    // The replies of an old run are made from its batches, which are needed for that.
    ledger.keep_reply(0, vec![1], 50).unwrap();
    ledger.flush().unwrap();
    assert_eq!(ledger.finished(&key(0)).unwrap(), Some(vec![1, 2]));
    if schema > 1 {
        let event = store.run("cup").unwrap().id;
        let filter = EventFilter { player: Some("ana"), ..EventFilter::default() };
        let games = store.event_games_of(event, &filter, None, 9).unwrap();
        assert_eq!((games.len(), &games[0].place), (1, &event_game(0, None).place));
        let ledger = store.ledger(event).unwrap();
        assert_eq!(ledger.n_damaged(), 0);
        ledger.set_live_status("{}".into()).unwrap();
        ledger.keep_event_game(event_game(1, None)).unwrap();
        ledger.flush().unwrap();
        assert_eq!(store.event_games(event).unwrap().len(), 2);
    }
    assert_eq!(store.damaged_entries().unwrap(), []);
}

#[test]
fn stores_of_the_first_schema_are_migrated() {
    check(1);
}

#[test]
fn stores_of_the_second_schema_are_migrated() {
    check(2);
}

#[test]
fn stores_of_the_third_schema_are_migrated() {
    check(3);
}

#[test]
fn a_half_migrated_store_is_an_error_and_not_a_panic() {
    let folder = Folder::new();
    make(&folder.file(), 3);
    let half = Connection::open(folder.file()).unwrap();
    half.execute_batch("ALTER TABLE batches ADD COLUMN checksum INTEGER").unwrap();
    half.close().unwrap();
    let error = Store::open(folder.file()).unwrap_err();
    assert!(!error.is_bad_input() && error.to_string().contains("duplicate column"), "{error}");
}
