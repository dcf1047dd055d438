//! `palestra run export --format csv` of a grid search: every weight vector with its score.
//!
//! A run does not store them one by one: the plan defines the weights, and the stored batches have the points. Training
//! is repeated with those batches, so that nothing is played.

use super::args::CommonArgs;
use super::output::thread_pool;
use super::tune::read_stored;
use crate::games;
use anyhow::Result;
use palestra_core::{InputError, Progress};
use palestra_store::{Run, RunId, Store};
use palestra_tune::{
    BatchStore, BoxError, ExecutionContext, GenerationReport, LocalExecutor, TrainingObserver, TuningDriver,
};
use std::io::Write;
use std::sync::Mutex;

/// Writes `generation,number,fitness` and the weights of every point, in the order of the grid.
pub(super) fn write_csv(store: Store, run: &Run, common: &CommonArgs, out: &mut Vec<u8>) -> Result<()> {
    let plan = read_stored(&run.plan, &run.name, common)?;
    if !plan.objective.programs().is_empty() {
        let expected = "a grid against built-in players; tune --scores FILE writes the scores of other grids";
        return Err(InputError::new("run", &run.name, expected).into());
    }
    let mut observer = ScoreWriter { writer: csv::Writer::from_writer(out) };
    let fixed = ["generation", "number", "fitness"].map(str::to_owned);
    observer.writer.write_record(fixed.iter().chain(&run.weights))?;
    let batches = StoredBatches { store: Mutex::new(store), run: run.id };
    let progress = Progress::default();
    let context = ExecutionContext { progress: &progress, batch_store: &batches, game_sink: None };
    // Outside of the pool: the writer stays on this thread, and only games would be played in it.
    let executor = thread_pool(common.threads)?.install(|| LocalExecutor::new(games(), true));
    TuningDriver::new(&plan, games(), &executor)?.train(&context, &mut observer)?;
    observer.writer.flush()?;
    Ok(())
}

/// Writes the score of every point.
struct ScoreWriter<W: Write> {
    writer: csv::Writer<W>,
}

impl<W: Write> TrainingObserver for ScoreWriter<W> {
    fn generation(&mut self, generation: &GenerationReport) -> Result<(), BoxError> {
        for (i, fitness) in generation.fitness.iter().enumerate() {
            let fields = [generation.number.to_string(), i.to_string()];
            // `Debug` prints the shortest decimal that reads back as the same number, as in other exports.
            let numbers = [*fitness].into_iter().chain(generation.candidates.weights(i));
            self.writer
                .write_record(fields.into_iter().chain(numbers.map(|number| format!("{number:?}"))))?;
        }
        Ok(())
    }
}

/// The finished batches of a run, for reading.
struct StoredBatches {
    store: Mutex<Store>,
    run: RunId,
}

impl BatchStore for StoredBatches {
    fn finished(&self, key: &[u8; 32]) -> Result<Option<Vec<u8>>, BoxError> {
        let store = self.store.lock().map_err(|_| "another thread failed while it read the store")?;
        Ok(store.finished_batch(self.run, key)?)
    }

    fn units(&self, _key: &[u8; 32]) -> Result<Vec<(u32, Vec<u8>)>, BoxError> {
        Ok(Vec::new())
    }

    fn is_due(&self) -> bool {
        false
    }

    fn keep_unit(&self, _key: &[u8; 32], _unit: u32, _bytes: Vec<u8>, _n_games: u64) -> Result<(), BoxError> {
        Ok(())
    }

    fn finish(&self, _key: &[u8; 32], _bytes: Vec<u8>, _n_games: u64) -> Result<(), BoxError> {
        Ok(())
    }
}
