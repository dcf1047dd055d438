//! `palestra compare-methods`.

mod estimate;
mod outcome;
mod print;
mod work;

pub(super) use outcome::ComparisonOutcome;
pub(super) use print::table_of;

use super::args::CommonArgs;
use super::args_tune::CompareMethodsArgs;
use super::output::{Output, grouped, note};
use super::tune::{apply_set_options, with_resolver};
use super::{CommandStatus, interrupt, store};
use crate::games;
use anyhow::{Context, Result};
use palestra_review::tuning::{COMPARISON, board_name};
use palestra_store::{NewRun, RunState};
use palestra_tune::compare::{ComparisonPlan, ComparisonProtocol};
use palestra_tune::{ExecutionError, Settings};
use work::CpuSeconds;

/// What results depend on beside the plan: changes whenever the same plan would come to something else.
const ENGINE: &str = "palestra compare 1";

pub(super) fn run(
    args: &CompareMethodsArgs,
    common: &CommonArgs,
    output: &mut Output,
) -> Result<CommandStatus> {
    let name = args.file.display().to_string();
    let text = std::fs::read_to_string(&args.file).with_context(|| format!("cannot read {name}"))?;
    let mut settings = Settings::parse(&text, &name)?;
    apply_set_options(&mut settings, &args.set)?;
    let plan = with_resolver(common, |outside| ComparisonPlan::read(settings, outside))?;
    let protocol = ComparisonProtocol::new(&plan, games())?;
    if args.print_plan {
        estimate::print(&plan, &protocol, args, common, output)?;
        return Ok(CommandStatus::Completed);
    }
    compare(&plan, &protocol, args, common, output)
}

/// Runs a comparison, or goes on with it, and prints what came out.
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
        seed: plan.task.seed,
        version: ENGINE.to_owned(),
        weights: plan.task.space.names.clone(),
    };
    let (run, is_new) =
        if args.again { (store.begin_run(&new)?, true) } else { store.find_or_begin_run(&new)? };
    let mut spent = CpuSeconds::default();
    if run.state == RunState::Done {
        note(format_args!("{} is done already; --again begins anew", run.name));
    } else {
        if !is_new {
            note(format_args!("going on with {}, {} games so far", run.name, grouped(run.n_games)));
        }
        let ledger = store.ledger(run.id)?;
        let stop = interrupt::flag()?;
        match work::work(plan, protocol, (args, common), &ledger, &stop) {
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
                    "interrupted; everything is kept, and the same command goes on with {}",
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
    print::result(&run, &outcome, &spent, &args.picture, output)?;
    Ok(CommandStatus::Completed)
}
