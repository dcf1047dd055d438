//! Events: names that stay, and games that are found again.

use crate::support::{Folder, game, key, new_run};
use palestra_arena::{EngineLog, Forfeit, GameEvidence, GameRecord};
use palestra_core::Side;
use palestra_store::{EVENT, EventGame, EventPlace, NewRun, RunState, StoreError, StoredGame};

pub(crate) fn new_event(plan: &str) -> NewRun {
    NewRun { stem: "cup".into(), kind: EVENT.into(), weights: Vec::new(), ..new_run(plan) }
}

pub(crate) fn event_game(number: u32, forfeit: Option<Side>) -> EventGame {
    let game = game("1 2 3");
    let evidence = GameEvidence {
        micros: vec![Some(7), None],
        values: vec![Some(0.5), None],
        first: EngineLog { stderr: "boom".into(), ..EngineLog::default() },
        ..GameEvidence::default()
    };
    let record = GameRecord {
        margin_points: -0.5,
        milliseconds: [12, 0],
        forfeit: forfeit.map(|culprit| Forfeit {
            culprit,
            kind: "crash".into(),
            detail: "exit code 3".into(),
        }),
        evidence: forfeit.map(|_| Box::new(evidence)),
        ..game.record
    };
    EventGame {
        id: 0,
        key: key(number),
        game: StoredGame { record, ..game },
        place: EventPlace { round: number / 2, first: "ana".into(), second: "luis \"the second\"".into() },
    }
}

#[test]
fn an_event_keeps_its_name_and_its_games() {
    let folder = Folder::new();
    let mut store = folder.store();
    let (event, is_new) = store.find_or_begin_event(&new_event("a")).unwrap();
    assert!(is_new && event.name == "cup");
    let ledger = store.ledger(event.id).unwrap();
    ledger.keep_event_game(event_game(0, None)).unwrap();
    ledger.keep_event_game(event_game(1, Some(Side::Second))).unwrap();
    // The same game again: the first record stays.
    ledger.keep_event_game(event_game(1, None)).unwrap();
    ledger.flush().unwrap();
    let kept = store.event_games(event.id).unwrap();
    assert_eq!(kept.len(), 2);
    let expected = EventGame { id: kept[1].id, ..event_game(1, Some(Side::Second)) };
    let mut listed = expected.clone();
    listed.game.record.evidence = None;
    assert_eq!(kept[1], listed);
    assert_eq!(store.event_game(kept[1].id).unwrap(), (event.id, expected));
    assert!(matches!(store.event_game(77), Err(StoreError::NoEventGame { id: 77, .. })));
    ledger.finish("{}").unwrap();
    drop(ledger);
    assert_eq!(store.find_or_begin_event(&new_event("a")).unwrap().0.state, RunState::Done);
    // A changed plan reopens the event, which keeps its games.
    let (again, is_new) = store.find_or_begin_event(&new_event("b")).unwrap();
    assert!(!is_new && again.id == event.id && again.state == RunState::Interrupted && again.n_games == 2);
    assert_eq!((again.plan.as_str(), &again.outcome), ("name = \"b\"\n", &None));
    store.ledger(again.id).unwrap().finish("{}").unwrap();
    store.reopen(again.id).unwrap();
    drop(store.ledger(again.id).unwrap());
    // Deleting the run deletes its games.
    store.delete_run(again.id).unwrap();
    assert!(store.event_games(again.id).unwrap().is_empty());
    assert_eq!(store.check().unwrap(), Vec::<String>::new());
}

/// The commit takes less than the second of other writes and needs no flush.
#[test]
fn a_finished_game_is_committed_within_milliseconds() {
    let folder = Folder::new();
    let mut store = folder.store();
    let (event, _) = store.find_or_begin_event(&new_event("a")).unwrap();
    let ledger = store.ledger(event.id).unwrap();
    for number in 0..50 {
        ledger.keep_event_game(event_game(number, None)).unwrap();
    }
    let began = std::time::Instant::now();
    while store.event_games(event.id).unwrap().len() < 50 {
        assert!(began.elapsed().as_millis() < 900, "the commit waited for a second");
        std::thread::yield_now();
    }
    assert_eq!(store.run("cup").unwrap().n_games, 50);
}

#[test]
fn a_run_that_is_no_event_is_not_changed() {
    let folder = Folder::new();
    let mut store = folder.store();
    store.begin_run(&new_run("a")).unwrap();
    let taken = store.find_or_begin_event(&NewRun { stem: "toy-1".into(), ..new_event("a") });
    assert!(matches!(taken, Err(StoreError::NameTaken { what: "run", .. })), "{taken:?}");
}
