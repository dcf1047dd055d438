//! All runs of a comparison, each on one thread. They share nothing but the gauntlet, so that it does not matter which
//! is played when, and small generations keep all threads busy.

use crate::cli::args::CommonArgs;
use crate::cli::args_tune::CompareMethodsArgs;
use crate::cli::store::LedgerAdapter;
use crate::cli::tune::TuningProgress;
use crate::games;
use palestra_arena::ProgressMonitor;
use palestra_engine::cpu_seconds;
use palestra_store::{Candidate, RunLedger, StoredGeneration};
use palestra_tune::compare::{ComparisonPlan, ComparisonProtocol, RunRecord};
use palestra_tune::{ExecutionContext, ExecutionError, LocalExecutor, StartPointSampler};
use std::num::NonZero;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// CPU seconds that training took in each run, by method and seed. Not part of the outcome: they differ from time to time.
#[derive(Clone, Debug, Default)]
pub(crate) struct CpuSeconds(pub(crate) Vec<Vec<f64>>);

/// What all workers share.
struct ComparisonRunner<'a> {
    plan: &'a ComparisonPlan,
    protocol: &'a ComparisonProtocol<'a>,
    ledger: &'a RunLedger,
    book: LedgerAdapter<'a>,
    eye: TuningProgress,
    together: bool,
    /// The number of the run that nobody has begun.
    next: AtomicUsize,
    /// Runs that are done, with their CPU seconds.
    done: Mutex<Vec<Option<(RunRecord, f64)>>>,
    trouble: Mutex<Option<ExecutionError>>,
}

/// Plays all runs; gives the records of each method, seed by seed.
pub(super) fn work(
    plan: &ComparisonPlan,
    protocol: &ComparisonProtocol<'_>,
    (args, common): (&CompareMethodsArgs, &CommonArgs),
    ledger: &RunLedger,
    stop: &Arc<AtomicBool>,
) -> Result<(Vec<RunRecord>, CpuSeconds), ExecutionError> {
    let sample = StartPointSampler::new(games(), plan.task.boards.clone())?.samples()?;
    let family = games().open(&sample[0])?.family().name;
    let n_runs = plan.n_runs();
    let shop = ComparisonRunner {
        plan,
        protocol,
        ledger,
        book: LedgerAdapter::new(ledger, family),
        eye: TuningProgress::new(Some(n_runs as u64 * protocol.max_games()), Arc::clone(stop)),
        together: !args.no_cohort,
        next: AtomicUsize::new(0),
        done: Mutex::new(vec![None; n_runs]),
        trouble: Mutex::new(None),
    };
    thread::scope(|scope| {
        (0..n_threads(common).min(n_runs)).for_each(|_| drop(scope.spawn(|| shop.worker())));
    });
    shop.eye.bar.finish_and_clear();
    if let Some(trouble) = shop.trouble.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(trouble);
    }
    let done = shop.done.into_inner().unwrap_or_else(PoisonError::into_inner);
    // In the order of the file, not in that of the work.
    let mut done: Vec<(RunRecord, f64)> = done.into_iter().flatten().collect();
    done.sort_by_key(|(record, _)| (record.method, record.seed));
    let mut spent = vec![Vec::new(); plan.methods.len()];
    done.iter().for_each(|(record, seconds)| spent[record.method].push(*seconds));
    Ok((done.into_iter().map(|(record, _)| record).collect(), CpuSeconds(spent)))
}

/// The threads that were asked for, or one for each core.
pub(super) fn n_threads(common: &CommonArgs) -> usize {
    let cores = || thread::available_parallelism().map_or(1, NonZero::get);
    common.threads.map_or_else(cores, usize::from)
}

impl ComparisonRunner<'_> {
    /// Takes runs until there are none, or until somebody stops.
    fn worker(&self) {
        let worked = match rayon::ThreadPoolBuilder::new().num_threads(1).build() {
            Ok(pool) => pool.install(|| self.take_runs()),
            Err(error) => Err(ExecutionError::Failed(error.into())),
        };
        if let Err(trouble) = worked {
            // The others need not go on.
            self.eye.stop.store(true, Ordering::SeqCst);
            let mut first = self.trouble.lock().unwrap_or_else(PoisonError::into_inner);
            // What went wrong matters more than that the others stopped for it.
            if !matches!((&*first, &trouble), (Some(_), ExecutionError::Stopped)) {
                *first = Some(trouble);
            }
        }
    }

    fn take_runs(&self) -> Result<(), ExecutionError> {
        let executor = LocalExecutor::new(games(), self.together);
        loop {
            let i = self.next.fetch_add(1, Ordering::SeqCst);
            if i >= self.plan.n_runs() {
                return Ok(());
            }
            // All methods of a seed before the next seed.
            let n_methods = self.plan.methods.len();
            let (method, seed) = (i % n_methods, (i / n_methods) as u32);
            let label = &self.plan.methods[method].label;
            self.eye.bar.set_message(format!("{label}, seed {}", seed + 1));
            let done = self.run((method, seed), &executor)?;
            self.done.lock().unwrap_or_else(PoisonError::into_inner)[i] = Some(done);
        }
    }

    /// One run, or what is known of it from before.
    fn run(
        &self,
        (method, seed): (usize, u32),
        executor: &LocalExecutor,
    ) -> Result<(RunRecord, f64), ExecutionError> {
        let failed = |error: palestra_store::StoreError| ExecutionError::Failed(error.into());
        let key = self.plan.run_key(method, seed);
        let most = self.protocol.max_games();
        let known = self.ledger.finished(&key).map_err(failed)?;
        if let Some(done) = known.as_deref().and_then(RunRecord::from_bytes) {
            self.eye.bar.inc(most);
            return Ok(done);
        }
        let parts = self.ledger.units(&key).map_err(failed)?;
        let before: f64 = parts.iter().filter_map(|(_, bytes)| seconds_of(bytes)).sum();
        let eye = CountingProgress { eye: &self.eye, n_games: AtomicU64::new(0) };
        let desk = ExecutionContext { progress: &eye, batch_store: &self.book, game_sink: None };
        let began = cpu_seconds();
        let trained = self.protocol.train((method, seed), executor, &desk);
        let seconds = cpu_seconds() - began;
        let judged = trained.and_then(|trained| self.protocol.evaluate(trained, executor, &desk));
        if matches!(judged, Err(ExecutionError::Stopped)) {
            let part = seconds.to_le_bytes().to_vec();
            self.ledger.keep_unit(&key, parts.len() as u32, part, 0).map_err(failed)?;
        }
        let record = judged?;
        self.eye.bar.inc(most.saturating_sub(eye.n_games.into_inner()));
        let number = method as u32 * self.plan.n_seeds + seed;
        let (generation, candidates) = self.kept(&record, number);
        self.ledger.keep_generation(generation, candidates).map_err(failed)?;
        let bytes = record.to_bytes(before + seconds);
        self.ledger.finish_batch(&key, bytes, 0).map_err(failed)?;
        Ok((record, before + seconds))
    }

    /// What the store shows of a run: as a generation whose candidates are the weights of the checkpoints.
    fn kept(&self, record: &RunRecord, number: u32) -> (StoredGeneration, Vec<Candidate>) {
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
            vitals: serde_json::json!({ "method": record.method, "seed": record.seed }).to_string(),
        };
        let candidate =
            |(weights, elo): (&Vec<f64>, &f64)| Candidate { weights: weights.clone(), fitness: *elo };
        (generation, record.points.iter().zip(&record.elo).map(candidate).collect())
    }
}

fn seconds_of(bytes: &[u8]) -> Option<f64> {
    bytes.try_into().ok().map(f64::from_le_bytes)
}

/// Counts the games of one run on their way to the bar.
struct CountingProgress<'a> {
    eye: &'a TuningProgress,
    n_games: AtomicU64,
}

impl ProgressMonitor for CountingProgress<'_> {
    fn advance(&self, n_games: u64) {
        self.n_games.fetch_add(n_games, Ordering::Relaxed);
        self.eye.advance(n_games);
    }

    fn should_stop(&self) -> bool {
        self.eye.should_stop()
    }
}
