//! Several processes, some of which are killed.

use crate::child::Other;
use crate::support::{Folder, UNIT_GAMES, exported, key, new_run, undisturbed};
use palestra_store::{ExportFormat, RunState, Store, StoreError};
use std::thread;
use std::time::{Duration, Instant};

#[test]
fn a_run_killed_ten_times_ends_like_one_that_was_not() {
    let folder = Folder::new();
    for kill in 1..=10 {
        let mut other = Other::start("work", "work", &folder.file());
        let mut last = None;
        for _ in 0..37 * kill {
            last = other.says();
        }
        other.kill();
        // What it said last was kept before it said so; what the pipe still holds came later.
        let n_kept = UNIT_GAMES * (1 + last.expect("the run is longer").parse::<u64>().unwrap());
        let store = Store::open_existing(folder.file()).unwrap();
        assert_eq!(store.check().unwrap(), [""; 0]);
        let run = store.run("toy-1").unwrap();
        assert_eq!(run.state, RunState::Interrupted);
        assert!(run.n_games + 1_000 > n_kept, "kill {kill}: {} of {n_kept} games are left", run.n_games);
    }
    assert!(Other::start("work", "work", &folder.file()).ends_well());
    let store = folder.store();
    let run = store.run("toy-1").unwrap();
    let (expected, games) = undisturbed();
    assert_eq!(run.state, RunState::Done);
    assert!(exported(&store, run.id, ExportFormat::Json) == expected, "the exports differ");
    assert_eq!(store.games(run.id).unwrap(), games);
}

#[test]
fn what_is_kept_is_committed_though_nothing_follows() {
    let folder = Folder::new();
    let mut other = Other::start("keep", "keep", &folder.file());
    assert_eq!(other.says().as_deref(), Some("ready"));
    let store = Store::open_read_only(folder.file()).unwrap();
    let start = Instant::now();
    while store.run("toy-1").unwrap().n_games == 0 {
        assert!(start.elapsed() < Duration::from_secs(60), "nothing was committed");
        thread::sleep(Duration::from_millis(20));
    }
    other.kill();
    let ledger = Store::open_existing(folder.file()).unwrap().ledger(store.run("toy-1").unwrap().id).unwrap();
    assert_eq!(ledger.units(&key(0)).unwrap(), [(0, vec![1])]);
}

#[test]
fn one_run_is_worked_on_by_one_process() {
    let folder = Folder::new();
    let mut other = Other::start("hold", "held", &folder.file());
    assert_eq!(other.says().as_deref(), Some("ready"));
    let mut store = folder.store();
    let run = store.run("toy-1").unwrap();
    assert_eq!(run.state, RunState::Running);
    let error = store.ledger(run.id).unwrap_err();
    assert!(matches!(error, StoreError::InUse { holder: Some(id), .. } if id == other.id()), "{error}");
    assert!(error.is_bad_input());
    assert!(matches!(store.delete_run(run.id), Err(StoreError::InUse { .. })));
    // Another run of the same store is free.
    let free = store.begin_run(&new_run("free")).unwrap();
    let ledger = store.ledger(free.id).unwrap();
    assert!(matches!(store.ledger(free.id), Err(StoreError::InUse { .. })));
    drop(ledger);
    other.kill();
    assert_eq!(store.run("toy-1").unwrap().state, RunState::Interrupted);
    drop(store.ledger(run.id).unwrap());
    store.delete_run(run.id).unwrap();
}

#[test]
fn two_processes_work_on_two_runs_of_one_store() {
    let folder = Folder::new();
    drop(folder.store());
    let mut others = ["work", "other"].map(|plan| Other::start("work", plan, &folder.file()));
    // Both are at it at once: neither has room for all that it has to say.
    while others.iter_mut().map(|other| usize::from(other.says().is_some())).sum::<usize>() == 2 {}
    assert!(others.into_iter().all(Other::ends_well));
    let store = folder.store();
    assert_eq!(store.check().unwrap(), [""; 0]);
    let (expected, games) = undisturbed();
    for run in store.runs().unwrap() {
        assert_eq!(run.state, RunState::Done);
        assert_eq!(store.games(run.id).unwrap(), games);
        if run.plan.contains("work") {
            assert!(exported(&store, run.id, ExportFormat::Json) == expected, "the exports differ");
        }
    }
    assert_eq!(store.runs().unwrap().len(), 2);
}

#[test]
fn processes_that_make_a_store_at_once_make_one() {
    let folder = Folder::new();
    let mut others: Vec<Other> = (0..6).map(|_| Other::start("create", "same", &folder.file())).collect();
    for other in &mut others {
        assert_eq!(other.says().as_deref(), Some("ready"));
    }
    others.iter_mut().for_each(Other::go);
    let mut said: Vec<String> = others.iter_mut().map(|other| other.says().unwrap()).collect();
    said.sort();
    let mut expected = vec!["toy-1 false"; 5];
    expected.push("toy-1 true");
    assert_eq!(said, expected);
    assert!(others.into_iter().all(Other::ends_well));
}
