//! `palestra tune`.

mod estimate;
mod plan_options;
mod print;
mod progress;
mod tuning_status;

pub(super) use estimate::{duration, games_per_second};
pub(super) use plan_options::{read as read_plan, with_resolver};
pub(super) use print::{champion, criteria};
pub(super) use progress::TuningProgress;

use super::args::CommonArgs;
use super::args_tune::{ResumeArgs, TuneArgs};
use super::output::{Output, grouped, note, thread_pool};
use super::store::{self, LedgerAdapter};
use super::{CommandStatus, interrupt};
use crate::games;
use anyhow::Result;
use palestra_core::InputError;
use palestra_review::live::LiveStatus;
use palestra_review::tuning::{TuningOutcome, check, new_tuning};
use palestra_store::{Champion, Run, RunLedger, RunState, Store};
use palestra_tune::progress::ChampionTester;
use palestra_tune::{
    ExecutionContext, ExecutionError, LocalExecutor, Settings, StartPointSampler, TuningDriver, TuningPlan,
};
use progress::GenerationRecorder;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;
use tuning_status::TuningStatusWriter;

pub(super) fn run(args: &TuneArgs, common: &CommonArgs, output: &mut Output) -> Result<CommandStatus> {
    let plan = plan_options::plan(args, common)?;
    check(&plan)?;
    if args.print_plan {
        thread_pool(common)?.install(|| estimate::print(&plan, !args.no_cohort, output))?;
        return Ok(CommandStatus::Completed);
    }
    tune(&plan, args, common, output)
}

/// How a plan is run. None of these options changes the result.
struct RunOptions<'a> {
    /// Candidates share games where they can.
    in_cohorts: bool,
    /// Every game is stored, not only the counts.
    keep_games: bool,
    /// File for every fitness, one per line.
    scores: Option<&'a Path>,
    /// Whether the run stops when standard input ends.
    is_tied: bool,
}

/// Starts or continues the run of a plan, and prints its result.
fn tune(
    plan: &TuningPlan,
    args: &TuneArgs,
    common: &CommonArgs,
    output: &mut Output,
) -> Result<CommandStatus> {
    let mut store = store::open(common)?;
    let new = new_tuning(plan);
    let (run, is_new) =
        if args.again { (store.begin_run(&new)?, true) } else { store.find_or_begin_run(&new)? };
    if run.state == RunState::Done && args.scores.is_none() {
        note(format_args!("{} is already done; --again starts a new run", run.name));
    } else {
        if run.state == RunState::Done {
            let reason = format!("the run {} is already done; add --again to play it again", run.name);
            return Err(InputError::not_allowed("--scores", reason).into());
        }
        if !is_new {
            note_going_on(&run);
        }
        let options = RunOptions {
            in_cohorts: !args.no_cohort,
            keep_games: args.keep_games,
            scores: args.scores.as_deref(),
            is_tied: false,
        };
        if !run_to_end(plan, &run, &options, &store, common)? {
            // With --again, the same command would start yet another run.
            let line = match args.again {
                true => interrupt::resume_command(&run.name, common),
                false => interrupt::same_command(),
            };
            return interrupted(&line, output);
        }
    }
    conclude(&mut store, &run.name, args.save.as_deref(), common, output)
}

/// `palestra run resume` for a tuning run.
pub(super) fn resume(
    run: &Run,
    args: &ResumeArgs,
    common: &CommonArgs,
    output: &mut Output,
) -> Result<CommandStatus> {
    let mut store = store::open_existing(common)?;
    if run.state == RunState::Done {
        note(format_args!("{} is already done", run.name));
    } else {
        let settings = Settings::parse(&run.plan, &format!("the plan of {}", run.name))?;
        let plan = read_plan(settings, common)?;
        let now = new_tuning(&plan);
        if !now.has_plan_of(run) || now.version != run.version {
            let expected = format!(
                "a run of engine version {:?}, that of this program; the run was started by {:?}",
                now.version, run.version
            );
            return Err(InputError::new("run", &run.name, expected).into());
        }
        note_going_on(run);
        let options =
            RunOptions { in_cohorts: true, keep_games: args.keep_games, scores: None, is_tied: args.tied };
        if !run_to_end(&plan, run, &options, &store, common)? {
            return interrupted(&interrupt::same_command(), output);
        }
    }
    conclude(&mut store, &run.name, args.save.as_deref(), common, output)
}

fn note_going_on(run: &Run) {
    note(format_args!("continuing {}, {} games so far", run.name, grouped(run.n_games)));
}

/// Works on a run until it is done or interrupted; `false` if it was interrupted.
fn run_to_end(
    plan: &TuningPlan,
    run: &Run,
    options: &RunOptions<'_>,
    store: &Store,
    common: &CommonArgs,
) -> Result<bool> {
    let ledger = store.ledger(run.id)?;
    let stop = interrupt::flag_tied(options.is_tied)?;
    let n_known = store.generations(run.id)?.len() as u64;
    match thread_pool(common)?.install(|| work(plan, options, (run, n_known), &ledger, &stop)) {
        Ok(outcome) => ledger.finish(&serde_json::to_string(&outcome)?)?,
        Err(ExecutionError::Stopped) => {
            ledger.flush()?;
            return Ok(false);
        }
        Err(ExecutionError::Bad(bad)) => return Err(bad.into()),
        Err(ExecutionError::Failed(failure)) => return Err(anyhow::anyhow!(failure)),
    }
    Ok(true)
}

/// Prints the command that continues the run.
fn interrupted(line: &str, output: &mut Output) -> Result<CommandStatus> {
    output.flush()?;
    note(format_args!("interrupted; all results are kept. To continue: {line}"));
    Ok(CommandStatus::Interrupted)
}

/// Saves the champion of a finished run and prints the result.
fn conclude(
    store: &mut Store,
    name: &str,
    champion: Option<&str>,
    common: &CommonArgs,
    output: &mut Output,
) -> Result<CommandStatus> {
    let run = store.run(name)?;
    let outcome: TuningOutcome = serde_json::from_str(run.outcome.as_deref().unwrap_or("null"))?;
    let saved = save(store, &run, &outcome, champion)?;
    print::result(&run, &outcome, saved.as_deref(), common, output)?;
    Ok(CommandStatus::Completed)
}

/// Trains, then tests the champion.
fn work(
    plan: &TuningPlan,
    options: &RunOptions<'_>,
    (run, n_known): (&Run, u64),
    ledger: &RunLedger,
    stop: &Arc<AtomicBool>,
) -> Result<TuningOutcome, ExecutionError> {
    let failed = |error: palestra_store::StoreError| ExecutionError::Failed(error.into());
    let games_of = StartPointSampler::new(games(), plan.boards.clone())?.samples()?;
    let family = games().open(&games_of[0])?.family().name;
    let executor = LocalExecutor::new(games(), options.in_cohorts && !options.keep_games);
    let adapter = LedgerAdapter::new(ledger, family);
    let initial = LiveStatus {
        of: estimate::n_games(plan),
        elapsed: run.seconds,
        phase: LiveStatus::TRAINING.to_owned(),
        generations: estimate::n_generations(plan),
        ..LiveStatus::default()
    };
    let progress = TuningProgress::new(initial.of, Arc::clone(stop));
    let began = Instant::now();
    let status = TuningStatusWriter::new(&progress, ledger, initial, plan.budget.seconds);
    let mut recorder =
        GenerationRecorder::new(Some(ledger), &progress, plan.budget.seconds).resuming(run.seconds, n_known);
    if let Some(path) = options.scores {
        recorder = recorder.writing(path).map_err(|error| ExecutionError::Failed(error.into()))?;
    }
    let context = ExecutionContext {
        progress: &status,
        batch_store: &adapter,
        game_sink: options.keep_games.then_some(&adapter as _),
    };
    let training = TuningDriver::new(plan, games(), &executor)?.train(&context, &mut recorder);
    progress.bar.finish_and_clear();
    let training = training?;
    recorder.finish().map_err(|error| ExecutionError::Failed(error.into()))?;
    for (number, entry) in training.hall_of_fame.iter().enumerate() {
        let entry = palestra_store::StoredHallEntry {
            number: number as u32,
            generation: entry.generation as u32,
            label: format!("best of generation {}", entry.generation),
            weights: entry.weights.clone(),
            fitness: entry.fitness,
        };
        ledger.keep_hall_entry(entry).map_err(failed)?;
    }
    let verification = if plan.test.wanted {
        let progress = TuningProgress::new(None, Arc::clone(stop));
        progress.bar.set_message("testing the champion on openings never used in training");
        let elapsed = run.seconds + began.elapsed().as_secs_f64();
        let initial = LiveStatus { phase: LiveStatus::TESTING.to_owned(), elapsed, ..LiveStatus::default() };
        let status = TuningStatusWriter::new(&progress, ledger, initial, None);
        let context = ExecutionContext { progress: &status, batch_store: &adapter, game_sink: None };
        let verified = ChampionTester::new(plan, games(), &executor)?.verify(&training, &context);
        progress.bar.finish_and_clear();
        Some(verified?)
    } else {
        None
    };
    Ok(TuningOutcome::new(plan, games_of, &training, verification))
}

/// Saves the champion under the requested name; without one under the run's name, if the test shows that it is better.
fn save(
    store: &mut Store,
    run: &Run,
    outcome: &TuningOutcome,
    requested: Option<&str>,
) -> Result<Option<String>> {
    let better = outcome.verification.as_ref().is_some_and(|verification| verification.better == Some(true));
    let name = match requested {
        Some(name) => name.to_owned(),
        None if better => run.name.clone(),
        None => return Ok(None),
    };
    let champion = Champion {
        name: name.clone(),
        game: outcome.games_of[0].clone(),
        player: outcome.best.clone(),
        run: Some(run.id),
        verdict: serde_json::to_string(
            &outcome.verification.as_ref().map(|verification| &verification.head_to_head),
        )?,
        created: String::new(),
    };
    store.save_champion(&champion)?;
    Ok(Some(name))
}
