//! Runs all runs of a comparison, each on one thread. They share only the gauntlet, so that their order does not matter
//! and all threads are busy even with small generations.

use crate::cli::args::CommonArgs;
use crate::cli::args_tune::CompareMethodsArgs;
use crate::cli::output::n_threads;
use crate::cli::progress::with_bar;
use crate::cli::store::LedgerAdapter;
use crate::games;
use palestra_core::Progress;
use palestra_engine::cpu_seconds;
use palestra_store::{Candidate, RunLedger, StoredGeneration};
use palestra_tune::compare::{ComparisonPlan, ComparisonProtocol, RunRecord};
use palestra_tune::{ExecutionContext, ExecutionError, LocalExecutor, StartPointSampler};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// CPU seconds of training of each run, by method and seed. Not part of the outcome, because they are not repeatable.
#[derive(Clone, Debug, Default)]
pub(crate) struct CpuSeconds(pub(crate) Vec<Vec<f64>>);

/// State shared by all workers.
struct ComparisonRunner<'a> {
    plan: &'a ComparisonPlan,
    protocol: &'a ComparisonProtocol<'a>,
    ledger: &'a RunLedger,
    adapter: LedgerAdapter<'a>,
    progress: &'a Progress,
    in_cohorts: bool,
    /// Number of the next run to start.
    next: AtomicUsize,
    /// Finished runs, with their CPU seconds.
    done: Mutex<Vec<Option<(RunRecord, f64)>>>,
    error: Mutex<Option<ExecutionError>>,
}

/// Plays all runs; returns the records by method, then seed.
pub(super) fn work(
    plan: &ComparisonPlan,
    protocol: &ComparisonProtocol<'_>,
    (args, common): (&CompareMethodsArgs, &CommonArgs),
    ledger: &RunLedger,
    progress: &Progress,
) -> Result<(Vec<RunRecord>, CpuSeconds), ExecutionError> {
    let sample = StartPointSampler::new(games(), plan.task.boards.clone())?.samples()?;
    let family = games().open(&sample[0])?.family().name;
    let n_runs = plan.n_runs();
    let runner = ComparisonRunner {
        plan,
        protocol,
        ledger,
        adapter: LedgerAdapter::new(ledger, family),
        progress,
        in_cohorts: !args.no_cohort,
        next: AtomicUsize::new(0),
        done: Mutex::new(vec![None; n_runs]),
        error: Mutex::new(None),
    };
    progress.update(|phase| phase.message = "first run".to_owned());
    with_bar(progress, n_runs as u64 * protocol.max_games(), "games", || {
        thread::scope(|scope| {
            for _ in 0..n_threads(common).min(n_runs as u64) {
                if let Err(error) = thread::Builder::new().spawn_scoped(scope, || runner.worker()) {
                    runner.fail(ExecutionError::Failed(error.into()));
                }
            }
        });
    });
    if let Some(error) = runner.error.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(error);
    }
    let done = runner.done.into_inner().unwrap_or_else(PoisonError::into_inner);
    // In the order of the plan, not in that of completion.
    let mut done: Vec<(RunRecord, f64)> = done.into_iter().flatten().collect();
    done.sort_by_key(|(record, _)| (record.method, record.seed));
    let mut spent = vec![Vec::new(); plan.methods.len()];
    done.iter().for_each(|(record, seconds)| spent[record.method].push(*seconds));
    Ok((done.into_iter().map(|(record, _)| record).collect(), CpuSeconds(spent)))
}

impl ComparisonRunner<'_> {
    /// Plays runs until none is left or the comparison is stopped.
    fn worker(&self) {
        let worked = match rayon::ThreadPoolBuilder::new().num_threads(1).build() {
            Ok(pool) => pool.install(|| self.take_runs()),
            Err(error) => Err(ExecutionError::Failed(error.into())),
        };
        worked.unwrap_or_else(|error| self.fail(error));
    }

    /// Keeps an error and stops the other workers.
    fn fail(&self, error: ExecutionError) {
        self.progress.cancel();
        let mut first = self.error.lock().unwrap_or_else(PoisonError::into_inner);
        // The first error is kept: that other workers stopped is only its consequence.
        if !matches!((&*first, &error), (Some(_), ExecutionError::Stopped)) {
            *first = Some(error);
        }
    }

    fn take_runs(&self) -> Result<(), ExecutionError> {
        let executor = LocalExecutor::new(games(), self.in_cohorts);
        loop {
            let i = self.next.fetch_add(1, Ordering::SeqCst);
            if i >= self.plan.n_runs() {
                return Ok(());
            }
            // All methods of a seed come before the next seed.
            let n_methods = self.plan.methods.len();
            let (method, seed) = (i % n_methods, (i / n_methods) as u32);
            let label = &self.plan.methods[method].label;
            self.progress.update(|phase| phase.message = format!("{label}, seed {}", seed + 1));
            let done = self.run((method, seed), &executor)?;
            self.done.lock().unwrap_or_else(PoisonError::into_inner)[i] = Some(done);
        }
    }

    /// Plays one run, or reads it from the store if it is finished.
    fn run(
        &self,
        (method, seed): (usize, u32),
        executor: &LocalExecutor,
    ) -> Result<(RunRecord, f64), ExecutionError> {
        let failed = |error: palestra_store::StoreError| ExecutionError::Failed(error.into());
        let key = self.plan.run_key(method, seed);
        let max_games = self.protocol.max_games();
        let known = self.ledger.finished(&key).map_err(failed)?;
        if let Some(done) = known.as_deref().and_then(RunRecord::from_bytes) {
            self.progress.add(max_games);
            return Ok(done);
        }
        let parts = self.ledger.units(&key).map_err(failed)?;
        let before: f64 = parts.iter().filter_map(|(_, bytes)| seconds_of(bytes)).sum();
        let context =
            ExecutionContext { progress: self.progress, batch_store: &self.adapter, game_sink: None };
        let began = cpu_seconds();
        let trained = self.protocol.train((method, seed), executor, &context);
        let seconds = cpu_seconds() - began;
        let evaluated = trained.and_then(|trained| self.protocol.evaluate(trained, executor, &context));
        if matches!(evaluated, Err(ExecutionError::Stopped)) {
            let part = seconds.to_le_bytes().to_vec();
            self.ledger.keep_unit(&key, parts.len() as u32, part, 0).map_err(failed)?;
        }
        let record = evaluated?;
        self.progress.add(max_games.saturating_sub(self.protocol.n_games(&record)));
        let number = method as u32 * self.plan.n_seeds + seed;
        let (generation, candidates) = self.as_generation(&record, number);
        self.ledger.keep_generation(generation, candidates).map_err(failed)?;
        let bytes = record.to_bytes(before + seconds);
        self.ledger.finish_batch(&key, bytes, 0).map_err(failed)?;
        Ok((record, before + seconds))
    }

    /// A run in the form that the store shows: a generation whose candidates are the weights of the checkpoints.
    fn as_generation(&self, record: &RunRecord, number: u32) -> (StoredGeneration, Vec<Candidate>) {
        let fold = |from: f64, choose: fn(f64, f64) -> f64| record.elo.iter().copied().fold(from, choose);
        let (best, worst) = (fold(f64::NEG_INFINITY, f64::max), fold(f64::INFINITY, f64::min));
        let best_number = record.elo.iter().position(|elo| *elo == best).unwrap_or(0);
        let generation = StoredGeneration {
            number,
            n_games: record.n_games,
            best,
            mean: record.elo.iter().sum::<f64>() / record.elo.len().max(1) as f64,
            worst,
            best_number: best_number as u32,
            spread: 0.0,
            angle: 0.0,
            metrics: serde_json::json!({ "method": record.method, "seed": record.seed }).to_string(),
        };
        let candidate =
            |(weights, elo): (&Vec<f64>, &f64)| Candidate { weights: weights.clone(), fitness: *elo };
        (generation, record.points.iter().zip(&record.elo).map(candidate).collect())
    }
}

fn seconds_of(bytes: &[u8]) -> Option<f64> {
    bytes.try_into().ok().map(f64::from_le_bytes)
}
