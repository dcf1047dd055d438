//! Formats and the driver together.

use super::tests::{check_numbers, check_starts, drive, play, rounds_by_pair, setup, values};
use super::toy::{ToyRunner, ToyStore, conditions, entrants};
use super::*;
use crate::driver::{TournamentDriver, TournamentEnd};
use crate::pairing::Pairings;
use crate::results::TournamentResults;
use crate::standings::TieBreak;
use palestra_core::Progress;
use std::collections::BTreeSet;

/// Games go where the order is uncertain, results connect all entrants, and the budget is kept.
#[test]
fn adaptive_games_go_where_the_order_is_uncertain() {
    // Two entrants are nearly equal, the others are far apart.
    let strengths = vec![40.0, 30.0, 29.9, 20.0, 10.0, 0.0];
    let runner = ToyRunner { strengths, luck: 4.0, ..ToyRunner::by_index(6) };
    let values = values("adaptive", "budget = 200");
    let results = play("adaptive", setup(6, values.clone()), &runner);
    assert!(results.games().count() <= 200);
    let met = rounds_by_pair(&results);
    let of = |a: usize, b: usize| met.get(&[a, b]).map_or(0, Vec::len);
    let others: usize = met.iter().filter(|(pair, _)| **pair != [1, 2]).map(|(_, rounds)| rounds.len()).sum();
    assert!(of(1, 2) > others / 2, "{met:?}");
    // No two entrants meet twice on the same start point.
    assert!(met.values().all(|rounds| rounds.iter().collect::<BTreeSet<_>>().len() == rounds.len()));
    check_starts(&results, 1);
    check_numbers(&results);
    let mut format = (format_named("adaptive").unwrap().open)(setup(6, values.clone()));
    let placing = format.placing(&results).unwrap();
    assert_eq!(placing.iter().map(|placing| placing.player).collect::<BTreeSet<_>>().len(), 6);
    assert_eq!((placing[0].player, placing[5].player), (0, 5));
    assert_eq!(format.next(&results, false), Pairings::default(), "time is over");
}

/// Two entrants that only repeat games get no more games.
#[test]
fn adaptive_ends_without_a_budget() {
    let runner = ToyRunner { luck: 1.0, ..ToyRunner::by_index(9) };
    let results = play("adaptive", setup(9, FormatValues::default()), &runner);
    assert!(results.games().count() > 9);
    let placing = (format_named("adaptive").unwrap().open)(setup(9, FormatValues::default()))
        .placing(&results)
        .unwrap();
    assert_eq!(placing.iter().map(|placing| placing.player).collect::<Vec<_>>(), (0..9).collect::<Vec<_>>());
}

/// The best of two stages take part in a third one.
#[test]
fn stages_feed_each_other() {
    let stage = |number: u32, name: &str, field: Vec<usize>, from: Vec<usize>, best: usize| StageSetup {
        name: name.to_owned(),
        format: &super::round_robin::INFO,
        from,
        best,
        setup: FormatSetup { field, stage: number, ..setup(0, FormatValues::default()) },
    };
    let stages = || {
        let stages = vec![
            stage(0, "a", vec![0, 1, 2, 3, 4], Vec::new(), 0),
            stage(1, "b", vec![4, 5, 6, 7, 8], Vec::new(), 0),
            stage(2, "masters", Vec::new(), vec![0, 1], 3),
        ];
        Stages::new(stages, vec![TieBreak::SonnebornBerger])
    };
    let mut format = stages();
    let empty = TournamentResults::new(9, None);
    let estimate = format.estimate(&empty);
    let (outcome, results) =
        drive(&mut format, &ToyRunner::by_index(9), &ToyStore::default(), &Progress::default());
    assert_eq!(outcome, TournamentEnd::Finished);
    assert_eq!(results.games().count() as u64, estimate);
    assert_eq!(format.field_of(2), Some([0, 4, 1, 5, 2, 6].as_slice()));
    let masters = results.counted_in(2).count();
    assert_eq!((results.counted_in(0).count(), results.counted_in(1).count(), masters), (10, 10, 15));
    assert_eq!(results.points(&PointSystem::default(), 2)[..7], [10.0, 8.0, 6.0, 0.0, 4.0, 2.0, 0.0]);
    check_numbers(&results);
    // A broken entrant is replaced by the next in the ranking.
    let runner = ToyRunner { broken: vec![1], ..ToyRunner::by_index(9) };
    let mut format = stages();
    let _ = drive(&mut format, &runner, &ToyStore::default(), &Progress::default());
    assert_eq!(format.field_of(2), Some([0, 4, 2, 5, 3, 6].as_slice()));
}

/// A new version of a program replays only the games of that program.
#[test]
fn stored_games_are_not_played_again() {
    let n = 6;
    let values = values("round-robin", "cycles = 2");
    let runner = ToyRunner::by_index(n);
    let store = ToyStore::default();
    let run = |entrants: &[crate::Entrant], n_field: usize| {
        let before = store.0.lock().unwrap().len();
        let mut results = TournamentResults::new(entrants.len(), None);
        let conditions = conditions();
        let mut format = (super::round_robin::INFO.open)(setup(n_field, values.clone()));
        let driver = TournamentDriver {
            entrants,
            conditions: &conditions,
            runner: &runner,
            store: &store,
            progress: &Progress::default(),
            observer: &(),
        };
        assert_eq!(driver.run(&mut *format, &mut results).unwrap(), TournamentEnd::Finished);
        store.0.lock().unwrap().len() - before
    };
    let mut list = entrants(n);
    assert_eq!(run(&list[..5], 5), 5 * 4 * 2);
    assert_eq!(run(&list[..5], 5), 0);
    assert_eq!(run(&list, 6), 5 * 2 * 2, "a late entrant plays its own games");
    list[2].key = [9; 32];
    assert_eq!(run(&list, 6), 5 * 2 * 2, "a new version plays its own games");
    list[3].key = list[2].key;
    assert_eq!(run(&list, 6), 2 * 2, "the same player twice shares its games");
}

/// An entrant that lost to one that is quarantined later advances in its place.
#[test]
fn a_knockout_skips_quarantined_entrants() {
    // Entrant 0 wins its first match and forfeits the games of the second.
    struct Fails(ToyRunner);
    impl crate::GameRunner for Fails {
        fn play(
            &self,
            games: &[crate::ScheduledGame],
            sink: &dyn crate::ResultSink,
        ) -> Result<(), crate::TournamentError> {
            for (i, game) in games.iter().enumerate().filter(|(_, game)| game.pairing.round > 0) {
                if game.pairing.players.contains(&0) && sink.wants(i) {
                    sink.done(i, ToyRunner { broken: vec![0], ..ToyRunner::by_index(4) }.game(game))?;
                }
            }
            for (i, game) in games.iter().enumerate().filter(|(i, _)| sink.wants(*i)) {
                if game.pairing.round == 0 || !game.pairing.players.contains(&0) {
                    sink.done(i, self.0.game(game))?;
                }
            }
            Ok(())
        }
    }
    let (list, conditions, store) = (entrants(4), conditions(), ToyStore::default());
    let runner = Fails(ToyRunner::by_index(4));
    let driver = TournamentDriver {
        entrants: &list,
        conditions: &conditions,
        runner: &runner,
        store: &store,
        progress: &Progress::default(),
        observer: &(),
    };
    let mut format = (format_named("knockout").unwrap().open)(setup(4, values("knockout", "pairs = 2")));
    let mut results = TournamentResults::new(4, Some(2));
    assert_eq!(driver.run(&mut *format, &mut results).unwrap(), TournamentEnd::Finished);
    assert!(results.is_quarantined(0));
    let met: BTreeSet<[usize; 2]> = rounds_by_pair(&results).into_keys().collect();
    // 3 lost to 0 and still plays the final.
    assert!(met.contains(&[0, 1]) && met.contains(&[1, 3]), "{met:?}");
    let order: Vec<(usize, u32)> =
        format.placing(&results).unwrap().iter().map(|placing| (placing.player, placing.place)).collect();
    assert_eq!(order, [(1, 1), (3, 2), (2, 3), (0, 4)]);
}

/// A runner that plays nothing ends the event with an error; it does not loop for ever.
#[test]
fn an_idle_runner_is_an_error() {
    struct Idle;
    impl crate::GameRunner for Idle {
        fn play(
            &self,
            _games: &[crate::ScheduledGame],
            _sink: &dyn crate::ResultSink,
        ) -> Result<(), crate::TournamentError> {
            Ok(())
        }
    }
    let (list, conditions, store) = (entrants(3), conditions(), ToyStore::default());
    let driver = TournamentDriver {
        entrants: &list,
        conditions: &conditions,
        runner: &Idle,
        store: &store,
        progress: &Progress::default(),
        observer: &(),
    };
    let mut format = (super::round_robin::INFO.open)(setup(3, FormatValues::default()));
    let failure = driver.run(&mut *format, &mut TournamentResults::new(3, None)).unwrap_err();
    assert_eq!(failure.to_string(), "6 games were scheduled and none was played");
}

/// Of two games with the same key one is dropped: the other is still played.
#[test]
fn games_of_entrants_with_the_same_player_are_complete() {
    let mut list = entrants(4);
    list[2].key = list[1].key;
    list[3].key = list[0].key;
    // 0 forfeits every game that is played for it; 3, the same player, does not.
    let runner = ToyRunner { broken: vec![0], parallel: false, ..ToyRunner::by_index(4) };
    let (conditions, store) = (conditions(), ToyStore::default());
    let driver = TournamentDriver {
        entrants: &list,
        conditions: &conditions,
        runner: &runner,
        store: &store,
        progress: &Progress::default(),
        observer: &(),
    };
    let mut format = (super::round_robin::INFO.open)(setup(4, values("round-robin", "cycles = 2")));
    let mut results = TournamentResults::new(4, Some(1));
    assert_eq!(driver.run(&mut *format, &mut results).unwrap(), TournamentEnd::Finished);
    assert!(results.is_quarantined(0));
    let complete = |pair: &&crate::PairResult| pair.games.iter().all(Option::is_some);
    assert!(results.counted().all(|pair| complete(&pair)));
}
