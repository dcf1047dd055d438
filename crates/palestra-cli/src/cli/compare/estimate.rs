//! `palestra compare-methods --print-plan`: number of games and time of a comparison.

use crate::cli::args::CommonArgs;
use crate::cli::args_tune::CompareMethodsArgs;
use crate::cli::output::{Output, grouped, n_threads};
use crate::cli::tune::{duration, games_per_second};
use crate::games;
use anyhow::Result;
use palestra_core::Progress;
use palestra_tune::compare::{ComparisonPlan, ComparisonProtocol};
use palestra_tune::{ExecutionContext, LocalExecutor};
use std::time::Instant;

/// Prints the plan, the number of games and the estimated time.
pub(super) fn print(
    plan: &ComparisonPlan,
    protocol: &ComparisonProtocol<'_>,
    args: &CompareMethodsArgs,
    common: &CommonArgs,
    output: &mut Output,
) -> Result<()> {
    let n_runs = plan.n_runs() as u64;
    let budget = plan.checkpoints.last().copied().unwrap_or(0);
    let charged = n_runs * budget;
    let measured = n_runs * (plan.checkpoints.len() as u64 + 1) * protocol.measuring_games();
    // One thread, as every run has.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let seconds = pool.install(|| cpu_seconds(plan, protocol, !args.no_cohort))?;
    let n_threads = n_threads(common);
    let wait = seconds / n_threads as f64;
    if output.json {
        return output.json(&serde_json::json!({
            "plan": plan.to_string(), "runs": n_runs, "games": charged, "measuring_games": measured,
            "cpu_seconds": seconds, "seconds": wait,
        }));
    }
    output.line(plan)?;
    output.line(format_args!(
        "# {n_runs} runs, at most {} training games, and at most {} more against the gauntlet",
        grouped(charged),
        grouped(measured)
    ))?;
    output.line(format_args!("# about {} on {n_threads} threads (just measured)", duration(wait)))
}

/// CPU seconds of all runs: training and gauntlets.
fn cpu_seconds(plan: &ComparisonPlan, protocol: &ComparisonProtocol<'_>, in_cohorts: bool) -> Result<f64> {
    let budget = plan.checkpoints.last().copied().unwrap_or(0) as f64;
    let mut one_seed = 0.0;
    for i in 0..plan.methods.len() {
        let rate = games_per_second(&plan.plan_of(i, 0), in_cohorts)?;
        one_seed += rate.map_or(0.0, |rate| budget / rate);
    }
    let executor = LocalExecutor::new(games(), in_cohorts);
    let began = Instant::now();
    protocol.measure(&[plan.start_of(0)], &executor, &ExecutionContext::new(&Progress::default()))?;
    let measuring = began.elapsed().as_secs_f64() * (plan.checkpoints.len() as f64 + 1.0);
    one_seed += measuring * plan.methods.len() as f64;
    Ok(one_seed * f64::from(plan.n_seeds))
}
