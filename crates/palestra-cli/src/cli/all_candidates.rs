//! `palestra run export --format csv` of runs whose candidates are not all in the store: grid searches and long runs.
//!
//! The plan and the replies to the optimizer define the candidates. Training is repeated with these replies, or with the
//! stored batches where an earlier version left those, so that nothing is played.

use super::args::CommonArgs;
use super::output::thread_pool;
use super::tune::read_stored;
use crate::games;
use anyhow::Result;
use palestra_core::{InputError, Progress};
use palestra_review::tuning::{TUNING, TuningOutcome, new_tuning};
use palestra_store::{Run, RunId, Store, generation_step};
use palestra_tune::{
    BatchStore, BoxError, CandidateFitness, ExecutionContext, ExecutionError, GenerationReport,
    LocalExecutor, TrainingObserver, TuningBudget, TuningDriver, TuningPlan,
};
use std::io::{self, Write};
use std::sync::{Mutex, MutexGuard};

/// Whether a run has candidates that are not in the store and can be computed.
pub(super) fn are_needed(store: &Store, run: &Run) -> Result<bool> {
    let outcome = TuningOutcome::of(run).ok();
    if outcome.is_some_and(|outcome| outcome.grid.is_some()) {
        return Ok(true);
    }
    let n = u32::try_from(store.n_generations(run.id)?).unwrap_or(u32::MAX);
    Ok(run.kind == TUNING && generation_step(n) > 1 && store.has_replies(run.id)?)
}

/// Writes `generation,number,fitness` and the weights of every candidate, in order.
pub(super) fn write_csv(
    store: Store,
    run: &Run,
    common: &CommonArgs,
    out: &mut (dyn Write + Send),
) -> Result<()> {
    let plan = read_stored(&run.plan, &run.name, common)?;
    let has_replies = store.has_replies(run.id)?;
    if !plan.objective.programs().is_empty() && !has_replies {
        let expected = "a grid against built-in players; tune --scores FILE writes the scores of other grids";
        return Err(InputError::new("run", &run.name, expected).into());
    }
    let now = new_tuning(&plan).version;
    if has_replies && now != run.version {
        let expected = format!(
            "a run of engine version {now:?} for all candidates, or --format json for the generations in the store; \
             this run is of version {:?}",
            run.version
        );
        return Err(InputError::new("run", &run.name, expected).into());
    }
    let n = store.n_generations(run.id)?;
    let stored = StoredResults { store: Mutex::new(store), run: run.id };
    let mut observer = CandidateWriter { writer: csv::Writer::from_writer(out), stored: &stored };
    let fixed = ["generation", "number", "fitness"].map(str::to_owned);
    observer.writer.write_record(fixed.iter().chain(&run.weights))?;
    let progress = Progress::default();
    let context = ExecutionContext { progress: &progress, batch_store: &stored, game_sink: None };
    // Outside of the pool: the writer stays on this thread, and only games would be played in it.
    let executor = thread_pool(common.threads)?.install(|| LocalExecutor::new(games(), true));
    // A run that is not finished has no generations after these, and a budget of time is not repeated.
    let budget = TuningBudget { generations: Some(n), ..TuningBudget::default() };
    let plan = if has_replies {
        TuningPlan { budget: TuningBudget { games: plan.budget.games, ..budget }, ..plan }
    } else {
        plan
    };
    let trained = TuningDriver::new(&plan, games(), &executor)?.train(&context, &mut observer);
    trained.map_err(|error| match error {
        // A closed pipe is no error.
        ExecutionError::Failed(cause) => match cause.downcast::<io::Error>() {
            Ok(cause) => anyhow::Error::from(*cause),
            Err(cause) => anyhow::anyhow!(cause),
        },
        other => other.into(),
    })?;
    observer.writer.flush()?;
    Ok(())
}

/// Writes every candidate with its fitness.
struct CandidateWriter<'a, W: Write> {
    writer: csv::Writer<W>,
    stored: &'a StoredResults,
}

impl<W: Write> TrainingObserver for CandidateWriter<'_, W> {
    fn known_rating(&mut self, number: u64) -> Result<Option<CandidateFitness>, BoxError> {
        let reply = self.stored.lock()?.reply(self.stored.run, u32::try_from(number)?)?;
        Ok(reply.as_deref().and_then(CandidateFitness::from_bytes))
    }

    fn generation(&mut self, generation: &GenerationReport) -> Result<(), BoxError> {
        for (i, fitness) in generation.fitness.iter().enumerate() {
            let fields = [generation.number.to_string(), i.to_string()];
            // `Debug` prints the shortest decimal that reads back as the same number, as in other exports.
            let numbers = [*fitness].into_iter().chain(generation.candidates.weights(i));
            let fields = fields.into_iter().chain(numbers.map(|number| format!("{number:?}")));
            self.writer.write_record(fields).map_err(io::Error::from)?;
        }
        Ok(())
    }
}

/// The finished batches and replies of a run, for reading.
struct StoredResults {
    store: Mutex<Store>,
    run: RunId,
}

impl StoredResults {
    fn lock(&self) -> Result<MutexGuard<'_, Store>, BoxError> {
        Ok(self.store.lock().map_err(|_| "another thread failed while it read the store")?)
    }
}

impl BatchStore for StoredResults {
    fn finished(&self, key: &[u8; 32]) -> Result<Option<Vec<u8>>, BoxError> {
        Ok(self.lock()?.finished_batch(self.run, key)?)
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
