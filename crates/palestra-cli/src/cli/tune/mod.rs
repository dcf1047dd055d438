//! `palestra tune`.

mod estimate;
mod plan_options;
mod print;
mod programs;
mod recorder;

pub(super) use estimate::{duration, games_per_second};
pub(super) use plan_options::{read_stored, with_resolver};
pub(super) use print::{champion, criteria};

use super::args::CommonArgs;
use super::args_tune::{ResumeArgs, TuneArgs};
use super::output::{Output, grouped, n_threads, note, thread_pool};
use super::progress::{LiveStatusWriter, with_status};
use super::store::{self, LedgerAdapter};
use super::{CommandStatus, interrupt};
use crate::games;
use anyhow::Result;
use palestra_core::{InputError, Progress, ProgressPhase};
use palestra_review::live::LiveStatus;
use palestra_review::tuning::{TuningOutcome, check, identify_programs, new_tuning};
use palestra_store::{Champion, Run, RunLedger, RunState, Store};
use palestra_tune::progress::ChampionTester;
use palestra_tune::{
    ExecutionContext, ExecutionError, LocalExecutor, OpponentProgram, StartPointSampler, TuningDriver,
    TuningPlan, training_size,
};
use recorder::GenerationRecorder;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

pub(super) fn run(args: &TuneArgs, common: &CommonArgs, output: &mut Output) -> Result<CommandStatus> {
    let mut plan = plan_options::plan(args, common)?;
    let size = check(&plan, args.memory.limit(), n_threads(common))?;
    args.programs.override_section(&mut plan.programs);
    identify_programs(&mut plan, games())?;
    if args.print_plan {
        thread_pool(common.threads)?.install(|| estimate::print(&plan, &size, !args.no_cohort, output))?;
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
    /// Whether external opponents are checked first.
    has_preflight: bool,
}

/// Starts or continues the run of a plan, and prints its result.
fn tune(
    plan: &TuningPlan,
    args: &TuneArgs,
    common: &CommonArgs,
    output: &mut Output,
) -> Result<CommandStatus> {
    if let Some(name) = &args.save {
        store::check_name("--save", name)?;
    }
    let mut store = store::open(common)?;
    let new = new_tuning(plan);
    if let Some(name) = &args.save {
        store.check_champion_name(name, |run| new.has_plan_of(run))?;
    }
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
            has_preflight: !args.no_preflight,
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
    if let Some(name) = &args.save {
        store.check_champion_name(name, |known| known.id == run.id)?;
    }
    if run.state == RunState::Done {
        note(format_args!("{} is already done", run.name));
    } else {
        let plan = read_stored(&run.plan, &format!("the plan of {}", run.name), common)?;
        let now = new_tuning(&plan);
        if !now.has_plan_of(run) || now.version != run.version {
            let expected = format!(
                "a run of engine version {:?}, that of this program; the run was started by {:?}",
                now.version, run.version
            );
            return Err(InputError::new("run", &run.name, expected).into());
        }
        refuse_changed_programs(&plan, run)?;
        note_going_on(run);
        let options =
            RunOptions { in_cohorts: true, keep_games: args.keep_games, scores: None, has_preflight: true };
        if !run_to_end(&plan, run, &options, &store, common)? {
            return interrupted(&interrupt::same_command(), output);
        }
    }
    conclude(&mut store, &run.name, args.save.as_deref(), common, output)
}

/// A run whose programs have changed cannot go on: its results would be those of two programs.
fn refuse_changed_programs(plan: &TuningPlan, run: &Run) -> Result<()> {
    let mut now = plan.clone();
    identify_programs(&mut now, games())?;
    let is_changed =
        |(text, key): (&String, &String)| now.programs.keys.get(text).is_some_and(|now| now != key);
    if plan.programs.keys.iter().any(is_changed) {
        let expected = "a run whose programs have not changed since it began: start a new run";
        return Err(InputError::new("run", &run.name, expected).into());
    }
    Ok(())
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
    let ledger = store::ledger(store, run.id)?;
    let stop = interrupt::flag()?;
    let programs = programs::open(plan, options.has_preflight, common, &stop)?;
    let progress = Progress::new(stop);
    let n_known = store.n_generations(run.id)?;
    match thread_pool(common.threads)?
        .install(|| work(plan, options, programs, (run, n_known), &ledger, &progress))
    {
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
    programs: BTreeMap<String, OpponentProgram>,
    (run, n_known): (&Run, u64),
    ledger: &RunLedger,
    progress: &Progress,
) -> Result<TuningOutcome, ExecutionError> {
    let failed = |error: palestra_store::StoreError| ExecutionError::Failed(error.into());
    let games_of = StartPointSampler::new(games(), plan.boards.clone())?.samples()?;
    let family = games().open(&games_of[0])?.family().name;
    let executor =
        LocalExecutor::new(games(), options.in_cohorts && !options.keep_games).with_programs(programs);
    let adapter = LedgerAdapter::new(ledger, family);
    let size = training_size(plan, rayon::current_num_threads() as u64)?;
    progress.begin(ProgressPhase {
        name: LiveStatus::TRAINING,
        total: size.n_games,
        step: Some(0),
        n_steps: size.n_generations,
        message: "first generation".to_owned(),
    });
    let began = Instant::now();
    let mut recorder = GenerationRecorder::new(ledger, progress, n_known);
    if let Some(path) = options.scores {
        recorder = recorder.writing(path).map_err(|error| ExecutionError::Failed(error.into()))?;
    }
    let game_sink = options.keep_games.then_some(&adapter as _);
    let context = ExecutionContext { progress, batch_store: &adapter, game_sink };
    let driver = TuningDriver::new(plan, games(), &executor)?;
    let status = LiveStatusWriter::new(ledger, run.seconds, plan.budget.seconds);
    let training = with_status(progress, "games", Some(status), || driver.train(&context, &mut recorder))?;
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
        let message = "testing the champion on openings never used in training".to_owned();
        progress.begin(ProgressPhase { name: LiveStatus::TESTING, message, ..ProgressPhase::default() });
        let status = LiveStatusWriter::new(ledger, run.seconds + began.elapsed().as_secs_f64(), None);
        let context = ExecutionContext { game_sink: None, ..context };
        let tester = ChampionTester::new(plan, games(), &executor)?;
        Some(with_status(progress, "games", Some(status), || tester.verify(&training, &context))?)
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
