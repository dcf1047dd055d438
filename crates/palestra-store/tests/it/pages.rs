//! Reading a large store page by page.

use crate::events::{event_game, new_event};
use crate::support::{Folder, game, key, new_run, work};
use palestra_core::Side;
use palestra_store::{Candidate, EVENT, EventFilter, EventGame, NewRun, RunId, RunState, Store, StoreError};

#[test]
fn runs_come_newest_first() {
    let folder = Folder::new();
    let mut store = folder.store();
    let runs: Vec<_> = ["a", "b", "c"].map(|plan| store.begin_run(&new_run(plan)).unwrap()).into();
    let event = store.find_or_begin_event(&new_event("a")).unwrap().0;
    assert_eq!(store.n_runs().unwrap(), 4);
    let ids = |before: Option<RunId>, limit, kind| -> Vec<RunId> {
        store.runs_page(before, limit, kind).unwrap().into_iter().map(|summary| summary.id).collect()
    };
    assert_eq!(ids(None, 2, None), [event.id, runs[2].id]);
    assert_eq!(ids(Some(runs[2].id), 9, None), [runs[1].id, runs[0].id]);
    assert_eq!(ids(None, 9, Some(EVENT)), [event.id]);
    assert_eq!(ids(Some(runs[1].id), 9, Some("tune")), [runs[0].id]);
    let summary = store.runs_page(Some(runs[1].id), 1, None).unwrap().remove(0);
    assert_eq!(
        (summary.name.as_str(), summary.seed, summary.state),
        ("toy-1", u64::MAX, RunState::Interrupted)
    );
    let _ledger = store.ledger(runs[0].id).unwrap();
    assert_eq!(store.runs_page(Some(runs[1].id), 1, None).unwrap()[0].state, RunState::Running);
    assert_eq!(store.run_by_id(runs[1].id).unwrap(), runs[1]);
    assert!(matches!(store.run_by_id(RunId(99)), Err(StoreError::NoRun { .. })));
}

#[test]
fn games_are_found_by_number_and_page() {
    let folder = Folder::new();
    let mut store = folder.store();
    let run = store.begin_run(&new_run("a")).unwrap().id;
    let ledger = store.ledger(run).unwrap();
    for number in 0..3 {
        ledger.keep_game(&key(number), 0, game(&number.to_string())).unwrap();
    }
    drop(ledger);
    let loose = store.keep_loose_game(&game("loose")).unwrap();
    assert_eq!(store.games_page(None, None, 9).unwrap(), [(loose, game("loose"))]);
    assert_eq!(store.games_page(None, Some(loose), 9).unwrap(), []);
    let page = store.games_page(Some(run), None, 2).unwrap();
    assert!(page.len() == 2 && page[0].0 > page[1].0);
    let rest = store.games_page(Some(run), Some(page[1].0), 9).unwrap();
    assert!(rest.len() == 1 && rest[0].0 < page[1].0);
    let stored = store.game(page[0].0).unwrap();
    assert_eq!((stored.run, &stored.game, stored.event), (Some(run), &page[0].1, None));
    assert_eq!(store.game(loose).unwrap().run, None);
    let error = store.game(99).unwrap_err();
    assert!(matches!(error, StoreError::NoGame { id: 99, .. }) && error.is_bad_input(), "{error}");
}

/// Game `number` of a small event of three players, of whom luis has a new version from game 10 on.
fn small_event_game(number: u32) -> EventGame {
    let (first, second) =
        [("ana", "luis"), ("luis", "ana"), ("eva", "luis"), ("ana", "eva")][number as usize % 4];
    let mut kept = event_game(number, number.is_multiple_of(5).then_some(Side::First));
    // All entrants are the same player, except for the later version of luis.
    for (seat, name) in [(&mut kept.game.first, first), (&mut kept.game.second, second)] {
        *seat = if name == "luis" && number >= 10 { "random/2".into() } else { "random".into() };
    }
    (kept.place.first, kept.place.second) = (first.into(), second.into());
    kept
}

/// Two events with the same names of players, whose games alternate in the store.
fn two_events(store: &mut Store) -> RunId {
    let event = store.find_or_begin_event(&new_event("a")).unwrap().0.id;
    let other = store.find_or_begin_event(&NewRun { stem: "other".into(), ..new_event("b") }).unwrap().0.id;
    let (ledger, others) = (store.ledger(event).unwrap(), store.ledger(other).unwrap());
    for number in 0..20 {
        for ledger in [&ledger, &others] {
            ledger.keep_event_game(small_event_game(number)).unwrap();
            ledger.flush().unwrap();
        }
    }
    event
}

#[test]
fn games_of_an_event_are_found_by_filter() {
    let folder = Folder::new();
    let mut store = folder.store();
    let event = two_events(&mut store);
    let all = store.event_games(event).unwrap();
    assert_eq!(all.len(), 20);
    let takes_part = |game: &EventGame, name: Option<&str>| {
        name.is_none_or(|name| game.place.first == name || game.place.second == name)
    };
    let names = [None, Some("ana"), Some("luis"), Some("eva"), Some("nobody")];
    let mut n_found = 0;
    for (player, opponent) in names.into_iter().flat_map(|one| names.map(|two| (one, two))) {
        if player.is_some() && player == opponent {
            continue;
        }
        for (round, failed) in [(None, false), (Some(2), false), (None, true), (Some(2), true)] {
            let filter = EventFilter { player, opponent, round, failed };
            for (before, limit) in [(None, 99), (None, 3), (Some(all[12].id), 2)] {
                let passes = |kept: &&EventGame| {
                    takes_part(kept, player)
                        && takes_part(kept, opponent)
                        && round.is_none_or(|round| kept.place.round == round)
                        && (!failed || kept.game.record.forfeit.is_some())
                        && before.is_none_or(|before| kept.id < before)
                };
                let expected: Vec<EventGame> = all.iter().rev().filter(passes).take(limit).cloned().collect();
                assert_eq!(
                    store.event_games_of(event, &filter, before, limit).unwrap(),
                    expected,
                    "{filter:?}"
                );
                n_found += expected.len();
            }
        }
    }
    assert!(n_found > 200, "{n_found}");
}

#[test]
fn games_of_an_event_are_read_in_chunks() {
    let folder = Folder::new();
    let mut store = folder.store();
    let event = two_events(&mut store);
    let all = store.event_games(event).unwrap();
    let (mut read, mut after) = (Vec::new(), 0);
    loop {
        let more = store.event_games_since(event, after, 7).unwrap();
        let Some(last) = more.last() else { break };
        after = last.id;
        assert!(more.len() <= 7);
        read.extend(more);
    }
    assert_eq!(read, all);
    let stored = store.game(all[5].id).unwrap();
    assert_eq!((stored.run, stored.id), (Some(event), all[5].id));
    assert_eq!(stored.event.as_ref(), Some(&all[5].place));
    assert_eq!(stored.game, small_event_game(5).game);
}

#[test]
fn candidates_are_found_without_reading_all() {
    let folder = Folder::new();
    let mut store = folder.store();
    let run = store.begin_run(&new_run("a")).unwrap().id;
    work(&store.ledger(run).unwrap(), |_| ()).unwrap();
    let best = store.best_candidates(run).unwrap();
    let generations = store.generations(run).unwrap();
    assert_eq!(best.len(), generations.len());
    for ((number, best), generation) in best.iter().zip(&generations) {
        let all = store.candidates(run, *number).unwrap();
        assert_eq!((*number, best), (generation.number, &all[generation.best_number as usize]));
    }
    let mut all: Vec<(u32, Candidate)> = (0..).zip(store.candidates(run, 7).unwrap()).collect();
    assert_eq!(store.n_candidates(run, 7).unwrap(), all.len() as u64);
    all.sort_by(|(_, one), (_, two)| two.fitness.total_cmp(&one.fitness));
    assert_eq!(store.top_candidates(run, 7, 5).unwrap(), all[..5]);
}
