//! `palestra compare-methods`.

mod estimate;
mod outcome;
mod print;
mod work;

pub(super) use outcome::Outcome;
pub(super) use print::table_of;

use super::args::Common;
use super::args_tune::CompareMethodsArgs;
use super::output::{Output, grouped, note};
use super::tune::{set_beside, with_outside};
use super::{Done, interrupt, store};
use crate::games;
use anyhow::{Context, Result};
use palestra_review::tuning::{COMPARISON, board_name};
use palestra_store::{NewRun, RunState};
use palestra_tune::compare::{ComparisonPlan, ComparisonProtocol};
use palestra_tune::{Settings, ExecutionError};
use work::Spent;

/// What results depend on beside the plan: changes whenever the same plan would come to something else.
const ENGINE: &str = "palestra compare 1";

pub(super) fn run(args: &CompareMethodsArgs, common: &Common, output: &mut Output) -> Result<Done> {
    let name = args.file.display().to_string();
    let text = std::fs::read_to_string(&args.file).with_context(|| format!("cannot read {name}"))?;
    let mut settings = Settings::parse(&text, &name)?;
    set_beside(&mut settings, &args.set)?;
    let plan = with_outside(common, |outside| ComparisonPlan::read(settings, outside))?;
    let protocol = ComparisonProtocol::new(&plan, games())?;
    if args.print_plan {
        estimate::print(&plan, &protocol, args, common, output)?;
        return Ok(Done::Fully);
    }
    compare(&plan, &protocol, args, common, output)
}

/// Runs a comparison, or goes on with it, and prints what came out.
fn compare(
    plan: &ComparisonPlan,
    protocol: &ComparisonProtocol<'_>,
    args: &CompareMethodsArgs,
    common: &Common,
    output: &mut Output,
) -> Result<Done> {
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
    let mut spent = Spent::default();
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
                let outcome = Outcome::new(plan, protocol, records);
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
                return Ok(Done::Interrupted);
            }
            Err(ExecutionError::Bad(bad)) => return Err(bad.into()),
            Err(ExecutionError::Failed(failure)) => return Err(anyhow::anyhow!(failure)),
        }
    }
    let run = store.run(&run.name)?;
    let outcome: Outcome = serde_json::from_str(run.outcome.as_deref().unwrap_or("null"))?;
    print::result(&run, &outcome, &spent, &args.picture, output)?;
    Ok(Done::Fully)
}
