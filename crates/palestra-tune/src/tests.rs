//! The engines against each other, on any number of threads, interrupted or not.

use crate::{
    Batch, BatchResult, BatchStore, BoxError, CandidateSet, ExecutionContext, ExecutionError, Executor,
    LocalExecutor, Schedule, ScheduledMatch, StartPoint, TuningPoints,
};
use palestra_arena::ProgressMonitor;
use palestra_core::Seed;
use palestra_registry::GAMES;
use rand::RngExt;
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

const TABLE: TuningPoints = TuningPoints::Table { win: 2.0, draw: 1.0, loss: 0.0 };

fn scenes(games: &[&str], n: u64, opening_plies: u32) -> Vec<StartPoint> {
    let mut all = Vec::new();
    for (i, &game) in games.iter().enumerate() {
        for k in 0..n {
            all.push(StartPoint { game: game.to_owned(), opening_plies, seed: Seed(i as u64).child(k).0 });
        }
    }
    all
}

/// Candidates with weights of which many tie.
fn candidates(n: usize, n_weights: usize, whole: bool) -> CandidateSet {
    let mut rng = Seed(9).rng();
    let weight = |rng: &mut palestra_core::Rng| {
        if whole { f64::from(rng.random_range(-2..=2)) } else { rng.random_range(-1.0..1.0) }
    };
    CandidateSet::Listed((0..n).map(|_| (0..n_weights).map(|_| weight(&mut rng)).collect()).collect())
}

fn batches() -> Vec<Batch> {
    let batch = |template: &str, candidates, schedule, scenes, points| Batch {
        template: template.to_owned(),
        candidates,
        schedule,
        scenes,
        points,
    };
    let everyone =
        |rivals: &[&str]| Schedule::Everyone(rivals.iter().map(|&rival| rival.to_owned()).collect());
    let boards = ["connect:5x4x3", "connect:6x5x4"];
    let matches =
        (0..4u32).map(|i| ScheduledMatch { a: i, b: (i + 1) % 5, from: 2 * i, to: 2 * i + 2 }).collect();
    vec![
        batch(
            "greedy/lines",
            candidates(40, 6, true),
            everyone(&["rival-0", "random", "first"]),
            scenes(&boards, 2, 2),
            TABLE,
        ),
        batch("greedy/lines", candidates(9, 6, false), Schedule::League, scenes(&boards, 2, 3), TABLE),
        batch(
            "greedy/lines",
            candidates(5, 6, false),
            Schedule::Matches(matches),
            scenes(&boards, 4, 2),
            TABLE,
        ),
        batch(
            "greedy/islands",
            candidates(7, 5, false),
            Schedule::League,
            scenes(&["ladrillos:5"], 2, 2),
            TuningPoints::Margin,
        ),
        batch(
            "greedy/islands",
            candidates(12, 5, true),
            everyone(&["heurb", "greedy/islands/1,2,3,4,5"]),
            scenes(&["ladrillos:5"], 2, 2),
            TuningPoints::Margin,
        ),
        batch(
            "greedy/level1",
            candidates(6, 8, false),
            Schedule::League,
            scenes(&["mastergoal:1"], 1, 2),
            TABLE,
        ),
        batch(
            "alphabeta:depth=2/lines",
            candidates(4, 6, false),
            Schedule::League,
            scenes(&boards[..1], 2, 2),
            TABLE,
        ),
    ]
}

fn on_threads<T: Send>(n: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(n).build().unwrap().install(work)
}

fn bits(result: &BatchResult) -> Vec<u64> {
    let meetings = result.meetings.iter().flat_map(|m| [m.points, m.other_points]);
    result.points.iter().copied().chain(meetings).map(f64::to_bits).collect()
}

#[test]
fn together_equals_one_by_one_on_any_number_of_threads() {
    for batch in batches() {
        let run = |threads: usize, together: bool| {
            on_threads(threads, || {
                LocalExecutor::new(&GAMES, together).run(&batch, &ExecutionContext::EMPTY).unwrap()
            })
        };
        let plain = run(1, false);
        assert_eq!(plain.n_games, batch.n_games());
        assert_eq!(plain.meetings.len(), batch.n_matches());
        for (threads, together) in [(1, true), (2, true), (7, true), (2, false), (7, false)] {
            let other = run(threads, together);
            assert_eq!(
                (&other, bits(&other)),
                (&plain, bits(&plain)),
                "{} {threads} {together}",
                batch.template
            );
        }
    }
}

#[test]
fn a_league_is_all_meetings_from_both_points_of_view() {
    let batch = &batches()[1];
    let result = LocalExecutor::new(&GAMES, false).run(batch, &ExecutionContext::EMPTY).unwrap();
    let CandidateSet::Listed(all) = &batch.candidates else { panic!("listed") };
    // The same games as a gauntlet against the first candidate.
    let player = format!("greedy/lines/{}", palestra_core::print_weights(&all[0]));
    let gauntlet = Batch {
        candidates: CandidateSet::Listed(all[1..].to_vec()),
        schedule: Schedule::Everyone(vec![player]),
        ..batch.clone()
    };
    let other = LocalExecutor::new(&GAMES, false).run(&gauntlet, &ExecutionContext::EMPTY).unwrap();
    for (of_first, of_other) in result.meetings.iter().zip(&other.meetings) {
        assert_eq!(
            (of_first.wins, of_first.draws, of_first.losses),
            (of_other.losses, of_other.draws, of_other.wins)
        );
        assert_eq!(of_first.points, of_other.other_points);
    }
}

#[test]
fn keys_tell_batches_apart() {
    let all = batches();
    let keys: std::collections::BTreeSet<[u8; 32]> = all.iter().map(Batch::key).collect();
    assert_eq!(keys.len(), all.len());
    let mut other = all[0].clone();
    other.scenes[0].seed ^= 1;
    assert_ne!(other.key(), all[0].key());
    assert_eq!(all[0].clone().key(), all[0].key());
}

/// Parts by batch and number.
type Units = BTreeMap<([u8; 32], u32), Vec<u8>>;

/// Keeps units and results in memory.
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

/// Calls the work off after so many games.
struct Patience {
    left: AtomicU64,
}

impl ProgressMonitor for Patience {
    fn advance(&self, n_games: u64) {
        let _ = self
            .left
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| Some(left.saturating_sub(n_games)));
    }

    fn should_stop(&self) -> bool {
        self.left.load(Ordering::Relaxed) == 0
    }
}

#[test]
fn interrupted_at_any_game_it_goes_on_to_the_same_result() {
    for batch in batches() {
        let whole = LocalExecutor::new(&GAMES, false).run(&batch, &ExecutionContext::EMPTY).unwrap();
        for patience in [1, 7, 20, 50] {
            let ledger = Memory::default();
            let mut result = None;
            // Each time a little further; by turns with the one engine and the other.
            for turn in 0..10_000u64 {
                let watch = Patience { left: AtomicU64::new(patience * (turn + 1)) };
                let desk = ExecutionContext { progress: &watch, batch_store: &ledger, game_sink: None };
                let local = LocalExecutor::new(&GAMES, turn % 2 == 0);
                match on_threads(1 + turn as usize % 3, || local.run(&batch, &desk)) {
                    Ok(finished) => {
                        result = Some(finished);
                        break;
                    }
                    Err(ExecutionError::Stopped) => {}
                    Err(trouble) => panic!("{trouble}"),
                }
            }
            assert_eq!(result.as_ref(), Some(&whole), "{} {patience}", batch.template);
            // Asked again, it plays nothing.
            let watch = Patience { left: AtomicU64::new(u64::MAX) };
            let desk = ExecutionContext { progress: &watch, batch_store: &ledger, game_sink: None };
            let kept = ledger.n_kept.load(Ordering::Relaxed);
            assert_eq!(LocalExecutor::new(&GAMES, true).run(&batch, &desk).unwrap(), whole);
            assert_eq!(ledger.n_kept.load(Ordering::Relaxed), kept);
        }
    }
}

#[test]
fn bad_names_are_complaints() {
    let mut batch = batches().swap_remove(0);
    batch.schedule = Schedule::Everyone(vec!["rivl-0".to_owned()]);
    let trouble = LocalExecutor::new(&GAMES, true).run(&batch, &ExecutionContext::EMPTY).unwrap_err();
    assert!(trouble.to_string().contains("did you mean \"rival-0\"?"), "{trouble}");
    batch.scenes[0].game = "conect4".to_owned();
    let trouble = LocalExecutor::new(&GAMES, true).run(&batch, &ExecutionContext::EMPTY).unwrap_err();
    assert!(trouble.to_string().contains("did you mean"), "{trouble}");
}
