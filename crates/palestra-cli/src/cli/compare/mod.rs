//! `palestra compare-methods`.

mod estimate;
mod outcome;
mod print;
mod work;

pub(super) use outcome::ComparisonOutcome;
pub(super) use print::table_of;

use super::args::CommonArgs;
use super::args_tune::CompareMethodsArgs;
use super::output::{Output, grouped, n_threads, note};
use super::tune::with_resolver;
use super::{CommandStatus, interrupt, plan_file, store};
use crate::games;
use anyhow::Result;
use palestra_core::MemoryLimit;
use palestra_review::tuning::{COMPARISON, board_name};
use palestra_settings::KeyRename;
use palestra_store::{NewRun, RunState};
use palestra_tune::compare::{ComparisonPlan, ComparisonProtocol, OLD_COMPARISON_KEYS};
use palestra_tune::{ExecutionError, OLD_KEYS};
use work::CpuSeconds;

/// Version of the results: changes whenever the same plan would give other results.
fn engine(plan: &ComparisonPlan) -> &'static str {
    let is_new = |i: usize| plan.plan_of(i, 0).has_new_start_points();
    if (0..plan.methods.len()).any(is_new) { "palestra compare 2" } else { "palestra compare 1" }
}

pub(super) fn run(
    args: &CompareMethodsArgs,
    common: &CommonArgs,
    output: &mut Output,
) -> Result<CommandStatus> {
    let renames: Vec<KeyRename> = OLD_KEYS.into_iter().chain(OLD_COMPARISON_KEYS).collect();
    let settings = plan_file::read(&args.file, &renames, &args.set)?;
    let plan = with_resolver(common, |resolver| ComparisonPlan::read(settings, resolver))?;
    check_size(&plan, args, common)?;
    let protocol = ComparisonProtocol::new(&plan, games())?;
    if args.print_plan {
        estimate::print(&plan, &protocol, args, common, output)?;
        return Ok(CommandStatus::Completed);
    }
    compare(&plan, &protocol, args, common, output)
}

/// An error where the runs that are played at the same time need more memory than is allowed.
fn check_size(plan: &ComparisonPlan, args: &CompareMethodsArgs, common: &CommonArgs) -> Result<()> {
    let limit = args.memory.limit();
    let at_a_time = n_threads(common).min(plan.n_runs() as u64);
    let each = MemoryLimit { bytes: limit.bytes / at_a_time.max(1) };
    for method in 0..plan.methods.len() {
        palestra_tune::check_size(&plan.plan_of(method, 0), each, 1)?;
    }
    Ok(())
}

/// Starts or continues a comparison, and prints its result.
fn compare(
    plan: &ComparisonPlan,
    protocol: &ComparisonProtocol<'_>,
    args: &CompareMethodsArgs,
    common: &CommonArgs,
    output: &mut Output,
) -> Result<CommandStatus> {
    let mut store = store::open(common)?;
    let new = NewRun {
        stem: format!("compare-{}", board_name(&plan.task)),
        kind: COMPARISON.to_owned(),
        plan: plan.to_string(),
        old_plan: Some(plan.old_spelling()),
        seed: plan.task.seed,
        version: engine(plan).to_owned(),
        weights: plan.task.space.names.clone(),
    };
    let (run, is_new) =
        if args.again { (store.begin_run(&new)?, true) } else { store.find_or_begin_run(&new)? };
    let mut spent = CpuSeconds::default();
    if run.state == RunState::Done {
        note(format_args!("{} is already done; --again starts a new comparison", run.name));
    } else {
        if !is_new {
            note(format_args!("continuing {}, {} games so far", run.name, grouped(run.n_games)));
        }
        let ledger = store::ledger(&store, run.id)?;
        let progress = interrupt::progress()?;
        match work::work(plan, protocol, (args, common), &ledger, &progress) {
            Ok((records, seconds)) => {
                let outcome = ComparisonOutcome::new(plan, protocol, records);
                ledger.finish(&serde_json::to_string(&outcome)?)?;
                spent = seconds;
            }
            Err(ExecutionError::Stopped) => {
                ledger.flush()?;
                drop(ledger);
                output.flush()?;
                note(format_args!(
                    "interrupted; all results are kept, and the same command continues {}",
                    run.name
                ));
                return Ok(CommandStatus::Interrupted);
            }
            Err(ExecutionError::Bad(bad)) => return Err(bad.into()),
            Err(ExecutionError::Failed(failure)) => return Err(anyhow::anyhow!(failure)),
        }
    }
    let run = store.run(&run.name)?;
    let outcome: ComparisonOutcome = serde_json::from_str(run.outcome.as_deref().unwrap_or("null"))?;
    print::result(&run, &outcome, &spent, &args.chart, output)?;
    Ok(CommandStatus::Completed)
}
