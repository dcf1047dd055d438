//! Runs, champions and games.

use crate::support::{Folder, game, generation, key, new_run, work};
use palestra_store::{Candidate, Champion, NewRun, RunId, RunState, StoreError, StoredHallEntry};
use rusqlite::Connection;
use std::fs;

fn champion(name: &str, player: &str, run: Option<RunId>) -> Champion {
    Champion {
        name: name.into(),
        game: "connect4".into(),
        player: player.into(),
        run,
        verdict: "{}".into(),
        created: String::new(),
    }
}

#[test]
fn the_same_plan_finds_the_same_run() {
    let folder = Folder::new();
    let mut store = folder.store();
    let (first, is_new) = store.find_or_begin_run(&new_run("a")).unwrap();
    assert!(is_new && first.name == "toy-1" && first.state == RunState::Interrupted);
    assert_eq!((first.seed, first.n_games, &first.outcome), (u64::MAX, 0, &None));
    assert_eq!(first.weights, ["twos", "threes"]);
    assert_eq!(store.find_or_begin_run(&new_run("a")).unwrap(), (first.clone(), false));
    assert_eq!(store.find_run(&new_run("a").plan_key()).unwrap(), Some(first.clone()));
    let other_version = NewRun { version: "2".into(), ..new_run("a") };
    assert_eq!(store.find_run(&other_version.plan_key()).unwrap(), None);
    // A second run of the same plan: the latest is found.
    let second = store.begin_run(&new_run("a")).unwrap();
    assert_eq!(second.name, "toy-2");
    assert_eq!(store.find_run(&first.plan_key).unwrap(), Some(second.clone()));
    assert_eq!(store.runs().unwrap(), [first, second]);
}

#[test]
fn runs_have_names_and_numbers() {
    let folder = Folder::new();
    let mut store = folder.store();
    let run = store.begin_run(&new_run("a")).unwrap();
    assert_eq!(store.run("toy-1").unwrap(), run);
    assert_eq!(store.run(&run.id.0.to_string()).unwrap(), run);
    let error = store.run("tyo-1").unwrap_err();
    assert!(error.to_string().ends_with(r#"has no run "tyo-1"; did you mean "toy-1"?"#), "{error}");
    assert!(store.run("99").unwrap_err().is_bad_input());

    let other = store.begin_run(&new_run("b")).unwrap();
    assert!(matches!(store.rename_run(other.id, "toy-1"), Err(StoreError::NameTaken { .. })));
    for bad in ["", "17", "two words", "-x"] {
        assert!(matches!(store.rename_run(other.id, bad), Err(StoreError::BadName { .. })), "{bad:?}");
    }
    assert_eq!(store.rename_run(other.id, "toy-7").unwrap().name, "toy-7");
    assert_eq!(store.begin_run(&new_run("c")).unwrap().name, "toy-8");
    assert!(matches!(store.rename_run(RunId(99), "x"), Err(StoreError::NoRun { .. })));
    assert!(matches!(store.ledger(RunId(99)), Err(StoreError::NoRun { .. })));
}

#[test]
fn a_done_run_is_not_changed() {
    let folder = Folder::new();
    let mut store = folder.store();
    let run = store.begin_run(&new_run("a")).unwrap().id;
    let ledger = store.ledger(run).unwrap();
    assert_eq!(store.run("toy-1").unwrap().state, RunState::Running);
    ledger.finish("17").unwrap();
    assert!(matches!(ledger.finish_batch(&key(0), vec![], 1), Err(StoreError::Finished { .. })));
    assert!(matches!(ledger.finish("18"), Err(StoreError::Finished { .. })));
    drop(ledger);
    assert!(matches!(store.ledger(run), Err(StoreError::Finished { .. })));
    let found = store.run("toy-1").unwrap();
    assert_eq!((found.state, found.outcome.as_deref()), (RunState::Done, Some("17")));
}

#[test]
fn a_failed_run_can_be_tried_again() {
    let folder = Folder::new();
    let mut store = folder.store();
    let run = store.begin_run(&new_run("a")).unwrap().id;
    store.ledger(run).unwrap().fail().unwrap();
    assert_eq!(store.run("toy-1").unwrap().state, RunState::Failed);
    drop(store.ledger(run).unwrap());
    assert_eq!(store.run("toy-1").unwrap().state, RunState::Interrupted);
}

#[test]
fn kept_records_read_back() {
    let folder = Folder::new();
    let mut store = folder.store();
    let run = store.begin_run(&new_run("a")).unwrap().id;
    let candidate = Candidate { weights: vec![0.1 + 0.2, f64::MIN_POSITIVE], fitness: f64::NEG_INFINITY };
    let entry = StoredHallEntry {
        number: 4,
        generation: 2,
        label: "best".into(),
        weights: vec![-0.0],
        fitness: 1e300,
    };
    {
        let ledger = store.ledger(run).unwrap();
        ledger.keep_generation(generation(1), vec![candidate.clone()]).unwrap();
        ledger.keep_generation(generation(0), vec![]).unwrap();
        ledger.keep_hall_entry(StoredHallEntry { label: "first".into(), ..entry.clone() }).unwrap();
        ledger.flush().unwrap();
        ledger.keep_hall_entry(entry.clone()).unwrap();
        ledger.keep_generation(generation(1), vec![]).unwrap();
        ledger.keep_game(&key(1), 7, game("b")).unwrap();
        ledger.flush().unwrap();
        ledger.keep_game(&key(1), 6, game("a")).unwrap();
        ledger.keep_game(&key(1), 7, game("c")).unwrap();
    }
    let numbers: Vec<u32> = store.generations(run).unwrap().iter().map(|stored| stored.number).collect();
    assert_eq!(numbers, [0, 1]);
    let stored = &store.generations(run).unwrap()[1];
    assert!(stored.angle.is_nan(), "NaN reads back as NaN");
    assert_eq!((stored.best, &stored.metrics), (1.0 / 3.0, &generation(1).metrics));
    assert_eq!(store.candidates(run, 1).unwrap(), [candidate]);
    assert_eq!(store.candidates(run, 0).unwrap(), []);
    assert_eq!(store.hall_of_fame(run).unwrap(), [entry]);
    assert!(store.hall_of_fame(run).unwrap()[0].weights[0].is_sign_negative());
    assert_eq!(store.games(run).unwrap(), [game("a"), game("b")]);
}

#[test]
fn a_deleted_run_leaves_nothing_but_its_champions() {
    let folder = Folder::new();
    let mut store = folder.store();
    let run = store.begin_run(&new_run("a")).unwrap().id;
    work(&store.ledger(run).unwrap(), |_| ()).unwrap();
    store.save_champion(&champion("best", "greedy/lines/1,2", Some(run))).unwrap();
    let kept = palestra_store::StoredGame { first: "last".into(), ..game("kept") };
    store.keep_loose_game(&kept).unwrap();
    store.delete_run(run).unwrap();
    assert_eq!(store.champion("best").unwrap().run, None);
    assert_eq!(store.loose_games().unwrap(), [kept]);
    assert!(matches!(store.delete_run(run), Err(StoreError::NoRun { .. })));
    drop(store);
    let connection = Connection::open(folder.file()).unwrap();
    let count = |table: &str| -> i64 {
        connection.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0)).unwrap()
    };
    for table in ["runs", "generations", "candidates", "hall", "batches", "units"] {
        assert_eq!(count(table), 0, "{table}");
    }
    assert_eq!((count("games"), count("players")), (1, 2));
}

#[test]
fn a_deleted_run_gives_its_disk_space_back() {
    let folder = Folder::new();
    let size = || fs::metadata(folder.file()).unwrap().len();
    drop(folder.store());
    let empty = size();
    let run = folder.store().begin_run(&new_run("a")).unwrap().id;
    folder.store().ledger(run).unwrap().finish_batch(&key(0), vec![1; 1_000_000], 1).unwrap();
    assert!(size() > empty + 900_000);
    folder.store().delete_run(run).unwrap();
    assert_eq!(size(), empty);
}

#[test]
fn champions_are_found_by_name() {
    let folder = Folder::new();
    let mut store = folder.store();
    store.save_champion(&champion("best", "a", None)).unwrap();
    store.save_champion(&Champion { verdict: "1".into(), ..champion("best", "a", None) }).unwrap();
    let found = store.champion("best").unwrap();
    assert_eq!((found.player.as_str(), found.verdict.as_str()), ("a", "1"));
    assert_eq!((found.created.len(), &found.created[10..11]), (20, "T"));
    let other = champion("best", "b", None);
    let error = store.save_champion(&other).unwrap_err();
    assert!(matches!(error, StoreError::NameTaken { what: "champion", .. }), "{error}");
    store.replace_champion(&other).unwrap();
    assert_eq!(store.champion("best").unwrap().player, "b");
    let error = store.champion("bset").unwrap_err();
    assert!(error.to_string().contains("did you mean \"best\"?"), "{error}");
    assert!(matches!(store.save_champion(&champion("@x", "a", None)), Err(StoreError::BadName { .. })));
    assert_eq!(store.champions().unwrap().len(), 1);
    store.delete_champion("best").unwrap();
    assert!(matches!(store.delete_champion("best"), Err(StoreError::NoChampion { nearest: None, .. })));
}
