//! Temporary folders, and a small run with fixed results.

use palestra_arena::GameRecord;
use palestra_core::Side;
use palestra_store::{
    Candidate, ContentKey, ExportFormat, ExportOptions, NewRun, Result, RunId, RunLedger, Store, StoredGame,
    StoredGeneration, StoredHallEntry,
};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::{env, fs, process};

/// A temporary folder for one test, removed on drop.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new() -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = env::temp_dir().join(format!("palestra-store-{}-{number}", process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    pub(crate) fn file(&self) -> PathBuf {
        self.0.join("palestra.db")
    }

    pub(crate) fn store(&self) -> Store {
        Store::open(self.file()).unwrap()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.0));
    }
}

pub(crate) fn new_run(plan: &str) -> NewRun {
    NewRun {
        stem: "toy".into(),
        kind: "tune".into(),
        plan: format!("name = {plan:?}\n"),
        old_plan: None,
        seed: u64::MAX,
        version: "1".into(),
        weights: vec!["twos".into(), "threes".into()],
    }
}

pub(crate) fn key(number: u32) -> ContentKey {
    *palestra_store::hash(&number.to_le_bytes()).as_bytes()
}

pub(crate) fn game(moves: &str) -> StoredGame {
    StoredGame {
        family: "connect".into(),
        game: "connect:7x6x4".into(),
        first: "greedy/lines/1,2".into(),
        second: "random".into(),
        setup: None,
        seed: u64::MAX - 1,
        record: GameRecord {
            opening: "44".into(),
            moves: moves.into(),
            winner: Some(Side::Second),
            margin: 3,
            reason: "line".into(),
            plies: 9,
            microseconds: Some(17),
            ..GameRecord::default()
        },
    }
}

pub(crate) fn generation(number: u32) -> StoredGeneration {
    let at = f64::from(number);
    StoredGeneration {
        number,
        n_games: 20_000 * u64::from(number + 1),
        best: at / 3.0,
        mean: 0.1,
        worst: -at,
        best_number: 1,
        spread: 0.25,
        angle: f64::NAN,
        metrics: r#"{"step_size": 0.30000000000000004}"#.into(),
    }
}

/// Number of generations of the small run.
pub(crate) const GENERATIONS: u32 = 40;
/// Number of units of each batch.
pub(crate) const UNITS: u32 = 200;
/// Number of games of each unit.
pub(crate) const UNIT_GAMES: u64 = 100;

/// Works on the small run to its end, or resumes it; `kept` is called with the number of every unit, counted over all
/// batches.
pub(crate) fn work(ledger: &RunLedger, mut kept: impl FnMut(u32)) -> Result<()> {
    for number in 0..GENERATIONS {
        let key = key(number);
        let result = match ledger.finished(&key)? {
            Some(result) => result,
            None => {
                let mut units = ledger.units(&key)?;
                let known: Vec<u32> = units.iter().map(|(unit, _)| *unit).collect();
                for unit in (0..UNITS).filter(|unit| !known.contains(unit)) {
                    let result = palestra_store::hash(&[number as u8, unit as u8]).as_bytes().to_vec();
                    ledger.keep_game(&key, unit.into(), game(&format!("{number} {unit}")))?;
                    ledger.keep_unit(&key, unit, result.clone(), UNIT_GAMES)?;
                    kept(number * UNITS + unit);
                    units.push((unit, result));
                }
                units.sort();
                let result: Vec<u8> = units.into_iter().flat_map(|(_, result)| result).collect();
                ledger.finish_batch(&key, result.clone(), UNIT_GAMES * u64::from(UNITS))?;
                result
            }
        };
        let candidates = result.chunks_exact(64).map(|bytes| Candidate {
            weights: vec![f64::from(bytes[0]) / 3.0, -f64::from(bytes[1])],
            fitness: f64::from(bytes[2]) / 7.0,
        });
        ledger.keep_generation(generation(number), candidates.collect())?;
        let weights = vec![f64::from(number), 1.0 / f64::from(result[3])];
        let entry = StoredHallEntry {
            number: number % 3,
            generation: number,
            label: "best".into(),
            weights,
            fitness: 1.0,
        };
        ledger.keep_hall_entry(entry)?;
    }
    ledger.finish(r#"{"champion":[1,2]}"#)
}

/// The exported run, without names and times.
pub(crate) fn exported(store: &Store, run: RunId, format: ExportFormat) -> Vec<u8> {
    let mut bytes = Vec::new();
    store.export(run, ExportOptions { format, with_timings: false }, &mut bytes).unwrap();
    bytes
}

/// The export and the games of the small run without an interruption.
pub(crate) fn uninterrupted() -> (Vec<u8>, Vec<StoredGame>) {
    let folder = Folder::new();
    let mut store = folder.store();
    let run = store.begin_run(&new_run("work")).unwrap().id;
    work(&store.ledger(run).unwrap(), |_| ()).unwrap();
    (exported(&store, run, ExportFormat::Json), store.games(run).unwrap())
}
