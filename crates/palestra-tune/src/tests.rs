//! Cohorts against games played one by one, on any number of threads, interrupted or not.

use crate::{
    Batch, BatchResult, BatchStore, BoxError, CandidateSet, ExecutionContext, ExecutionError, Executor,
    LocalExecutor, PointSystem, Schedule, ScheduledMatch, StartPoint,
};
use palestra_core::{Progress, Seed};
use palestra_registry::GAMES;
use rand::RngExt;
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

const TABLE: PointSystem = PointSystem::ByResult { win: 2.0, draw: 1.0, loss: 0.0 };

fn start_points(games: &[&str], n: u64, opening_plies: u32) -> Vec<StartPoint> {
    let mut all = Vec::new();
    for (i, &game) in games.iter().enumerate() {
        for k in 0..n {
            all.push(StartPoint { game: game.to_owned(), opening_plies, seed: Seed(i as u64).child(k).0 });
        }
    }
    all
}

/// Random candidates; small whole weights make many moves tie.
fn candidates(n: usize, n_weights: usize, whole: bool) -> CandidateSet {
    let mut rng = Seed(9).rng();
    let weight = |rng: &mut palestra_core::Rng| {
        if whole { f64::from(rng.random_range(-2..=2)) } else { rng.random_range(-1.0..1.0) }
    };
    CandidateSet::Listed((0..n).map(|_| (0..n_weights).map(|_| weight(&mut rng)).collect()).collect())
}

fn batches() -> Vec<Batch> {
    let batch = |template: &str, candidates, schedule, start_points, points| Batch {
        template: template.to_owned(),
        candidates,
        schedule,
        starts: start_points,
        points,
    };
    let everyone = |names: &[&str]| Schedule::Everyone(names.iter().map(|&name| name.to_owned()).collect());
    let apart = |names: &[&str], per_match| {
        let opponents = names.iter().map(|&name| name.to_owned()).collect();
        Schedule::EveryoneApart { opponents, per_match }
    };
    let boards = ["connect:5x4x3", "connect:6x5x4"];
    let matches =
        (0..4u32).map(|i| ScheduledMatch { a: i, b: (i + 1) % 5, from: 2 * i, to: 2 * i + 2 }).collect();
    vec![
        batch(
            "greedy/lines",
            candidates(40, 6, true),
            everyone(&["rival-0", "random", "first"]),
            start_points(&boards, 2, 2),
            TABLE,
        ),
        batch("greedy/lines", candidates(9, 6, false), Schedule::League, start_points(&boards, 2, 3), TABLE),
        batch(
            "greedy/lines",
            candidates(5, 6, false),
            Schedule::Matches(matches),
            start_points(&boards, 4, 2),
            TABLE,
        ),
        batch(
            "greedy/lines",
            candidates(7, 6, true),
            apart(&["rival-0", "random", "first"], 2),
            start_points(&boards, 21, 2),
            TABLE,
        ),
        batch(
            "greedy/islands",
            candidates(7, 5, false),
            Schedule::League,
            start_points(&["ladrillos:5"], 2, 2),
            PointSystem::Margin,
        ),
        batch(
            "greedy/islands",
            candidates(12, 5, true),
            everyone(&["heurb", "greedy/islands/1,2,3,4,5"]),
            start_points(&["ladrillos:5"], 2, 2),
            PointSystem::Margin,
        ),
        batch(
            "greedy/level1",
            candidates(6, 8, false),
            Schedule::League,
            start_points(&["mastergoal:1"], 1, 2),
            TABLE,
        ),
        batch(
            "alphabeta:depth=2/lines",
            candidates(4, 6, false),
            Schedule::League,
            start_points(&boards[..1], 2, 2),
            TABLE,
        ),
    ]
}

fn on_threads<T: Send>(n: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(n).build().unwrap().install(work)
}

fn bits(result: &BatchResult) -> Vec<u64> {
    let match_points = result.match_results.iter().flat_map(|m| [m.points, m.other_points]);
    result.points.iter().copied().chain(match_points).map(f64::to_bits).collect()
}

#[test]
fn cohorts_equal_single_games_on_any_number_of_threads() {
    for batch in batches() {
        let run = |threads: usize, cohorts: bool| {
            on_threads(threads, || {
                LocalExecutor::new(&GAMES, cohorts)
                    .run(&batch, &ExecutionContext::new(&Progress::default()))
                    .unwrap()
            })
        };
        let plain = run(1, false);
        assert_eq!(plain.n_games, batch.n_games());
        assert_eq!(plain.match_results.len(), batch.n_matches());
        for (threads, cohorts) in [(1, true), (2, true), (7, true), (2, false), (7, false)] {
            let other = run(threads, cohorts);
            assert_eq!(
                (&other, bits(&other)),
                (&plain, bits(&plain)),
                "{} {threads} {cohorts}",
                batch.template
            );
        }
    }
}

#[test]
fn a_league_counts_each_match_for_both_candidates() {
    let batch = &batches()[1];
    let result =
        LocalExecutor::new(&GAMES, false).run(batch, &ExecutionContext::new(&Progress::default())).unwrap();
    let CandidateSet::Listed(all) = &batch.candidates else { panic!("listed") };
    // The same games as a gauntlet against the first candidate.
    let player = format!("greedy/lines/{}", palestra_core::print_weights(&all[0]));
    let gauntlet = Batch {
        candidates: CandidateSet::Listed(all[1..].to_vec()),
        schedule: Schedule::Everyone(vec![player]),
        ..batch.clone()
    };
    let other = LocalExecutor::new(&GAMES, false)
        .run(&gauntlet, &ExecutionContext::new(&Progress::default()))
        .unwrap();
    for (of_first, of_other) in result.match_results.iter().zip(&other.match_results) {
        assert_eq!(
            (of_first.wins, of_first.draws, of_first.losses),
            (of_other.losses, of_other.draws, of_other.wins)
        );
        assert_eq!(of_first.points, of_other.other_points);
    }
}

/// Games against fixed opponents, each match on its own start points, equal single matches on these start points.
#[test]
fn matches_apart_are_played_on_their_own_start_points() {
    let batch = &batches()[3];
    let Schedule::EveryoneApart { opponents, per_match } = &batch.schedule else { panic!("matches apart") };
    let run = |batch: &Batch| {
        LocalExecutor::new(&GAMES, false).run(batch, &ExecutionContext::new(&Progress::default())).unwrap()
    };
    let result = run(batch);
    let mut starts = batch.starts.chunks(*per_match as usize);
    let mut match_results = result.match_results.iter();
    for i in 0..batch.candidates.len() {
        let mut points = 0.0;
        for opponent in opponents {
            let alone = run(&Batch {
                candidates: CandidateSet::Listed(vec![batch.candidates.weights(i)]),
                schedule: Schedule::Everyone(vec![opponent.clone()]),
                starts: starts.next().unwrap().to_vec(),
                ..batch.clone()
            });
            assert_eq!(match_results.next(), alone.match_results.first());
            points += alone.points[0];
        }
        assert_eq!(result.points[i].to_bits(), points.to_bits());
    }
    assert!(starts.next().is_none() && match_results.next().is_none());
    assert_eq!(result.n_games, batch.n_games());
}

#[test]
fn different_batches_have_different_keys() {
    let all = batches();
    let keys: std::collections::BTreeSet<[u8; 32]> = all.iter().map(Batch::key).collect();
    assert_eq!(keys.len(), all.len());
    let mut other = all[0].clone();
    other.starts[0].seed ^= 1;
    assert_ne!(other.key(), all[0].key());
    assert_eq!(all[0].clone().key(), all[0].key());
}

/// Stored units by batch key and number.
type Units = BTreeMap<([u8; 32], u32), Vec<u8>>;

/// A store in memory.
#[derive(Default)]
struct Memory {
    units: Mutex<Units>,
    finished: Mutex<BTreeMap<[u8; 32], Vec<u8>>>,
    n_kept: AtomicU64,
}

impl BatchStore for Memory {
    fn finished(&self, key: &[u8; 32]) -> Result<Option<Vec<u8>>, BoxError> {
        Ok(self.finished.lock().unwrap().get(key).cloned())
    }

    fn units(&self, key: &[u8; 32]) -> Result<Vec<(u32, Vec<u8>)>, BoxError> {
        let units = self.units.lock().unwrap();
        Ok(units.iter().filter(|((k, _), _)| k == key).map(|((_, n), bytes)| (*n, bytes.clone())).collect())
    }

    fn is_due(&self) -> bool {
        true
    }

    fn keep_unit(&self, key: &[u8; 32], unit: u32, bytes: Vec<u8>, n_games: u64) -> Result<(), BoxError> {
        self.n_kept.fetch_add(n_games, Ordering::Relaxed);
        self.units.lock().unwrap().entry((*key, unit)).or_insert(bytes);
        Ok(())
    }

    fn finish(&self, key: &[u8; 32], bytes: Vec<u8>, _n_games: u64) -> Result<(), BoxError> {
        self.finished.lock().unwrap().insert(*key, bytes);
        Ok(())
    }
}

#[test]
fn a_batch_interrupted_at_any_game_resumes_to_the_same_result() {
    for batch in batches() {
        let whole = LocalExecutor::new(&GAMES, false)
            .run(&batch, &ExecutionContext::new(&Progress::default()))
            .unwrap();
        for n_games in [1, 7, 20, 50] {
            let store = Memory::default();
            let mut result = None;
            // Each attempt gets further, with cohorts and without by turns.
            for turn in 0..10_000u64 {
                let progress = Progress::default().with_limit(n_games * (turn + 1));
                let context = ExecutionContext { progress: &progress, batch_store: &store, game_sink: None };
                let local = LocalExecutor::new(&GAMES, turn % 2 == 0);
                match on_threads(1 + turn as usize % 3, || local.run(&batch, &context)) {
                    Ok(finished) => {
                        result = Some(finished);
                        break;
                    }
                    Err(ExecutionError::Stopped) => {}
                    Err(error) => panic!("{error}"),
                }
            }
            assert_eq!(result.as_ref(), Some(&whole), "{} {n_games}", batch.template);
            // A finished batch is not played again.
            let progress = Progress::default();
            let context = ExecutionContext { progress: &progress, batch_store: &store, game_sink: None };
            let kept = store.n_kept.load(Ordering::Relaxed);
            assert_eq!(LocalExecutor::new(&GAMES, true).run(&batch, &context).unwrap(), whole);
            assert_eq!(store.n_kept.load(Ordering::Relaxed), kept);
        }
    }
}

#[test]
fn unknown_names_are_errors() {
    let mut batch = batches().swap_remove(0);
    batch.schedule = Schedule::Everyone(vec!["rivl-0".to_owned()]);
    let error = LocalExecutor::new(&GAMES, true)
        .run(&batch, &ExecutionContext::new(&Progress::default()))
        .unwrap_err();
    assert!(error.to_string().contains("did you mean \"rival-0\"?"), "{error}");
    batch.starts[0].game = "conect4".to_owned();
    let error = LocalExecutor::new(&GAMES, true)
        .run(&batch, &ExecutionContext::new(&Progress::default()))
        .unwrap_err();
    assert!(error.to_string().contains("did you mean"), "{error}");
}

#[test]
fn a_league_of_more_matches_than_are_kept_counts_every_game_for_both_players() {
    let batch = Batch {
        template: "greedy/lines".to_owned(),
        candidates: candidates(1450, 6, true),
        schedule: Schedule::League,
        starts: start_points(&["connect:3x2x2"], 1, 0),
        points: TABLE,
    };
    assert!(batch.n_matches() > crate::MAX_MATCH_RESULTS);
    let executor = LocalExecutor::new(&GAMES, true);
    let result = executor.run(&batch, &ExecutionContext::new(&Progress::default())).unwrap();
    assert!(result.match_results.is_empty());
    // Two points for every game.
    assert_eq!(result.points.iter().sum::<f64>(), 2.0 * batch.n_games() as f64);
    // All candidates play the same number of games, so that equal candidates have about equal points.
    let CandidateSet::Listed(weights) = &batch.candidates else { unreachable!("they are listed") };
    let of_equals = |i: usize| (0..1450).filter(move |&j| weights[j] == weights[i]).map(|j| result.points[j]);
    let spread = |i: usize| of_equals(i).fold(0.0, f64::max) - of_equals(i).fold(f64::MAX, f64::min);
    assert!((0..1450).all(|i| spread(i) <= 0.02 * result.points[i].max(1000.0)), "equals score equally");
}
