//! Several processes with one store, some of which are killed.

use crate::child::ChildProcess;
use crate::support::{Folder, UNIT_GAMES, exported, key, new_run, uninterrupted};
use palestra_store::{ExportFormat, RunState, Store, StoreError};
use std::thread;
use std::time::{Duration, Instant};

#[test]
fn a_run_killed_ten_times_ends_like_one_that_was_not() {
    let folder = Folder::new();
    for kill in 1..=10 {
        let mut child = ChildProcess::start("work", "work", &folder.file());
        let mut last = None;
        for _ in 0..37 * kill {
            last = child.next_message();
        }
        child.kill();
        // A unit is kept before its message is sent; messages still in the pipe are later ones.
        let n_kept = UNIT_GAMES * (1 + last.expect("the run is longer").parse::<u64>().unwrap());
        let store = Store::open_existing(folder.file()).unwrap();
        assert_eq!(store.check().unwrap(), [""; 0]);
        let run = store.run("toy-1").unwrap();
        assert_eq!(run.state, RunState::Interrupted);
        assert!(run.n_games + 1_000 > n_kept, "kill {kill}: {} of {n_kept} games are left", run.n_games);
    }
    assert!(ChildProcess::start("work", "work", &folder.file()).succeeds());
    let store = folder.store();
    let run = store.run("toy-1").unwrap();
    let (expected, games) = uninterrupted();
    assert_eq!(run.state, RunState::Done);
    assert!(exported(&store, run.id, ExportFormat::Json) == expected, "the exports differ");
    assert_eq!(store.games(run.id).unwrap(), games);
}

#[test]
fn pending_writes_are_committed_without_further_calls() {
    let folder = Folder::new();
    let mut child = ChildProcess::start("keep", "keep", &folder.file());
    assert_eq!(child.next_message().as_deref(), Some("ready"));
    let store = Store::open_read_only(folder.file()).unwrap();
    let start = Instant::now();
    while store.run("toy-1").unwrap().n_games == 0 {
        assert!(start.elapsed() < Duration::from_secs(60), "nothing was committed");
        thread::sleep(Duration::from_millis(20));
    }
    child.kill();
    let ledger = Store::open_existing(folder.file()).unwrap().ledger(store.run("toy-1").unwrap().id).unwrap();
    assert_eq!(ledger.units(&key(0)).unwrap(), [(0, vec![1])]);
}

#[test]
fn one_run_is_worked_on_by_one_process() {
    let folder = Folder::new();
    let mut child = ChildProcess::start("hold", "held", &folder.file());
    assert_eq!(child.next_message().as_deref(), Some("ready"));
    let mut store = folder.store();
    let run = store.run("toy-1").unwrap();
    assert_eq!(run.state, RunState::Running);
    let error = store.ledger(run.id).unwrap_err();
    assert!(matches!(error, StoreError::InUse { holder: Some(id), .. } if id == child.id()), "{error}");
    assert!(error.is_bad_input());
    assert!(matches!(store.delete_run(run.id), Err(StoreError::InUse { .. })));
    // Another run of the same store is free.
    let free = store.begin_run(&new_run("free")).unwrap();
    let ledger = store.ledger(free.id).unwrap();
    assert!(matches!(store.ledger(free.id), Err(StoreError::InUse { .. })));
    drop(ledger);
    child.kill();
    assert_eq!(store.run("toy-1").unwrap().state, RunState::Interrupted);
    drop(store.ledger(run.id).unwrap());
    store.delete_run(run.id).unwrap();
}

#[test]
fn two_processes_work_on_two_runs_of_one_store() {
    let folder = Folder::new();
    drop(folder.store());
    let mut children = ["work", "other"].map(|plan| ChildProcess::start("work", plan, &folder.file()));
    // Both work at the same time: the pipes are too small for all messages of either.
    while children.iter_mut().map(|child| usize::from(child.next_message().is_some())).sum::<usize>() == 2 {}
    assert!(children.into_iter().all(ChildProcess::succeeds));
    let store = folder.store();
    assert_eq!(store.check().unwrap(), [""; 0]);
    let (expected, games) = uninterrupted();
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
fn processes_that_create_a_store_at_once_create_one() {
    let folder = Folder::new();
    let start = |_| ChildProcess::start("create", "same", &folder.file());
    let mut children: Vec<ChildProcess> = (0..6).map(start).collect();
    for child in &mut children {
        assert_eq!(child.next_message().as_deref(), Some("ready"));
    }
    children.iter_mut().for_each(ChildProcess::resume);
    let mut messages: Vec<String> = children.iter_mut().map(|child| child.next_message().unwrap()).collect();
    messages.sort();
    let mut expected = vec!["toy-1 false"; 5];
    expected.push("toy-1 true");
    assert_eq!(messages, expected);
    assert!(children.into_iter().all(ChildProcess::succeeds));
}
