//! Formats and the driver together.

use super::tests::{NoWatch, check_numbers, check_scenes, drive, meetings, play, setup};
use super::toy::{ToyRunner, ToyStore, entrants, terms};
use super::*;
use crate::driver::{TournamentDriver, TournamentEnd};
use crate::pairing::Pairings;
use crate::results::TournamentResults;
use crate::standings::TieBreak;
use std::collections::BTreeSet;

/// Games go where the order is in doubt, everybody is connected, and the budget is kept.
#[test]
fn adaptive_games_go_to_the_doubtful() {
    // Two who are nearly equal among others who are far apart.
    let strengths = vec![40.0, 30.0, 29.9, 20.0, 10.0, 0.0];
    let venue = ToyRunner { strengths, luck: 4.0, ..ToyRunner::by_index(6) };
    let rules = FormatOptions { budget: Some(200), ..FormatOptions::default() };
    let results = play("adaptive", setup(6, rules), &venue);
    assert!(results.games().count() <= 200);
    let met = meetings(&results);
    let of = |a: usize, b: usize| met.get(&[a, b]).map_or(0, Vec::len);
    let others: usize = met.iter().filter(|(pair, _)| **pair != [1, 2]).map(|(_, rounds)| rounds.len()).sum();
    assert!(of(1, 2) > others / 2, "{met:?}");
    // Nobody meets twice on the same scene.
    assert!(met.values().all(|rounds| rounds.iter().collect::<BTreeSet<_>>().len() == rounds.len()));
    check_scenes(&results, 1);
    check_numbers(&results);
    let mut format = (format_named("adaptive").unwrap().open)(setup(6, rules));
    let placing = format.placing(&results).unwrap();
    assert_eq!(placing.iter().map(|placing| placing.player).collect::<BTreeSet<_>>().len(), 6);
    assert_eq!((placing[0].player, placing[5].player), (0, 5));
    assert_eq!(format.next(&results, false), Pairings::default(), "time is over");
}

/// Whoever only repeats games is not asked again.
#[test]
fn adaptive_ends_without_a_budget() {
    let venue = ToyRunner { luck: 1.0, ..ToyRunner::by_index(9) };
    let results = play("adaptive", setup(9, FormatOptions::default()), &venue);
    assert!(results.games().count() > 9);
    let placing = (format_named("adaptive").unwrap().open)(setup(9, FormatOptions::default()))
        .placing(&results)
        .unwrap();
    assert_eq!(placing.iter().map(|placing| placing.player).collect::<Vec<_>>(), (0..9).collect::<Vec<_>>());
}

/// The best of two tournaments meet in a third one.
#[test]
fn stages_feed_each_other() {
    let stage = |number: u32, name: &str, field: Vec<usize>, from: Vec<usize>, best: usize| StageSetup {
        name: name.to_owned(),
        format: &super::round_robin::INFO,
        from,
        best,
        setup: FormatSetup { field, stage: number, ..setup(0, FormatOptions::default()) },
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
    let (outcome, results) = drive(&mut format, &ToyRunner::by_index(9), &ToyStore::default(), &NoWatch);
    assert_eq!(outcome, TournamentEnd::Finished);
    assert_eq!(results.games().count() as u64, estimate);
    assert_eq!(format.field_of(2), Some([0, 4, 1, 5, 2, 6].as_slice()));
    let masters = results.counted_in(2).count();
    assert_eq!((results.counted_in(0).count(), results.counted_in(1).count(), masters), (10, 10, 15));
    assert_eq!(results.points(&PointSystem::default(), 2)[..7], [10.0, 8.0, 6.0, 0.0, 4.0, 2.0, 0.0]);
    check_numbers(&results);
    // The broken one is replaced by the next.
    let venue = ToyRunner { broken: vec![1], ..ToyRunner::by_index(9) };
    let mut format = stages();
    let _ = drive(&mut format, &venue, &ToyStore::default(), &NoWatch);
    assert_eq!(format.field_of(2), Some([0, 4, 2, 5, 3, 6].as_slice()));
}

/// A resubmission replays its own games only.
#[test]
fn games_that_are_known_are_not_played_again() {
    let n = 6;
    let rules = FormatOptions { cycles: 2, ..FormatOptions::default() };
    let venue = ToyRunner::by_index(n);
    let book = ToyStore::default();
    let run = |entrants: &[crate::Entrant], n_field: usize| {
        let before = book.0.lock().unwrap().len();
        let mut results = TournamentResults::new(entrants.len(), None);
        let (terms, mut format) = (terms(), (super::round_robin::INFO.open)(setup(n_field, rules)));
        let driver = TournamentDriver {
            entrants,
            conditions: &terms,
            runner: &venue,
            store: &book,
            progress: &NoWatch,
        };
        assert_eq!(driver.run(&mut *format, &mut results).unwrap(), TournamentEnd::Finished);
        book.0.lock().unwrap().len() - before
    };
    let mut list = entrants(n);
    assert_eq!(run(&list[..5], 5), 5 * 4 * 2);
    assert_eq!(run(&list[..5], 5), 0);
    assert_eq!(run(&list, 6), 5 * 2 * 2, "a late entrant plays its own games");
    list[2].key = [9; 32];
    assert_eq!(run(&list, 6), 5 * 2 * 2, "so does a new version");
    list[3].key = list[2].key;
    assert_eq!(run(&list, 6), 2 * 2, "the same player twice shares its games");
}

/// Whoever lost to somebody who is quarantined afterwards goes on instead.
#[test]
fn a_knockout_forgets_the_broken() {
    // The first wins its first match fairly and fails in the second.
    struct Fails(ToyRunner);
    impl crate::GameRunner for Fails {
        fn play(
            &self,
            games: &[crate::ScheduledGame],
            desk: &dyn crate::ResultSink,
        ) -> Result<(), crate::TournamentError> {
            for (i, order) in games.iter().enumerate().filter(|(_, order)| order.pairing.round > 0) {
                if order.pairing.players.contains(&0) && desk.wants(i) {
                    desk.done(i, ToyRunner { broken: vec![0], ..ToyRunner::by_index(4) }.game(order))?;
                }
            }
            for (i, order) in games.iter().enumerate().filter(|(i, _)| desk.wants(*i)) {
                if order.pairing.round == 0 || !order.pairing.players.contains(&0) {
                    desk.done(i, self.0.game(order))?;
                }
            }
            Ok(())
        }
    }
    let (list, terms, book) = (entrants(4), terms(), ToyStore::default());
    let venue = Fails(ToyRunner::by_index(4));
    let driver = TournamentDriver {
        entrants: &list,
        conditions: &terms,
        runner: &venue,
        store: &book,
        progress: &NoWatch,
    };
    let mut format = (format_named("knockout").unwrap().open)(setup(
        4,
        FormatOptions { games: 2, ..FormatOptions::default() },
    ));
    let mut results = TournamentResults::new(4, Some(2));
    assert_eq!(driver.run(&mut *format, &mut results).unwrap(), TournamentEnd::Finished);
    assert!(results.is_quarantined(0));
    let met: BTreeSet<[usize; 2]> = meetings(&results).into_keys().collect();
    // 3 lost to 0, and plays the final after all.
    assert!(met.contains(&[0, 1]) && met.contains(&[1, 3]), "{met:?}");
    let order: Vec<(usize, u32)> =
        format.placing(&results).unwrap().iter().map(|placing| (placing.player, placing.place)).collect();
    assert_eq!(order, [(1, 1), (3, 2), (2, 3), (0, 4)]);
}

/// A venue that plays nothing ends the event with an error, and not never.
#[test]
fn idle_venues_are_told_of() {
    struct Idle;
    impl crate::GameRunner for Idle {
        fn play(
            &self,
            _games: &[crate::ScheduledGame],
            _desk: &dyn crate::ResultSink,
        ) -> Result<(), crate::TournamentError> {
            Ok(())
        }
    }
    let (list, terms, book) = (entrants(3), terms(), ToyStore::default());
    let driver = TournamentDriver {
        entrants: &list,
        conditions: &terms,
        runner: &Idle,
        store: &book,
        progress: &NoWatch,
    };
    let mut format = (super::round_robin::INFO.open)(setup(3, FormatOptions::default()));
    let failure = driver.run(&mut *format, &mut TournamentResults::new(3, None)).unwrap_err();
    assert_eq!(failure.to_string(), "6 games were ordered and none was played");
}

/// Twins of whom one is dropped: the other one's game is still played.
#[test]
fn the_same_player_twice_is_not_forgotten() {
    let mut list = entrants(4);
    list[2].key = list[1].key;
    list[3].key = list[0].key;
    // 0 fails wherever it plays under its own name; 3, the same player, has a quieter day.
    let venue = ToyRunner { broken: vec![0], parallel: false, ..ToyRunner::by_index(4) };
    let (terms, book) = (terms(), ToyStore::default());
    let driver = TournamentDriver {
        entrants: &list,
        conditions: &terms,
        runner: &venue,
        store: &book,
        progress: &NoWatch,
    };
    let mut format =
        (super::round_robin::INFO.open)(setup(4, FormatOptions { cycles: 2, ..FormatOptions::default() }));
    let mut results = TournamentResults::new(4, Some(1));
    assert_eq!(driver.run(&mut *format, &mut results).unwrap(), TournamentEnd::Finished);
    assert!(results.is_quarantined(0));
    let complete = |meeting: &&crate::PairResult| meeting.games.iter().all(Option::is_some);
    assert!(results.counted().all(|meeting| complete(&meeting)));
}
