//! The result of a comparison, as text and JSON.

use super::outcome::ComparisonOutcome;
use super::work::CpuSeconds;
use crate::cli::args::ChartArgs;
use crate::cli::output::{Align, Output, counted, grouped, table};
use anyhow::Result;
use palestra_arena::stats::median;
use palestra_review::chart::{ChartCurve, CurveChart};
use palestra_stats::{EloEstimate, signed_elo};
use palestra_store::Run;
use palestra_tune::compare::short_count;
use serde_json::json;

/// Prints the tables, and draws the chart if requested.
pub(super) fn result(
    run: &Run,
    outcome: &ComparisonOutcome,
    spent: &CpuSeconds,
    files: &ChartArgs,
    output: &mut Output,
) -> Result<()> {
    if files.is_wanted() {
        draw(outcome, files)?;
    }
    if output.json {
        return output.json(&json!({
            "run": run.name, "seed": run.seed, "seconds": run.seconds,
            "cpu_seconds": (!spent.0.is_empty()).then_some(&spent.0),
            "sentences": outcome.comparison.sentences(), "outcome": outcome,
        }));
    }
    output.heading(&format!("{}: {} on {}", run.name, outcome.player, outcome.boards.join(", ")))?;
    output.line(format_args!(
        "{} with {} each, {} in all, {:.1} s, seed {}\n",
        counted(outcome.methods.len() as u64, "method"),
        counted(u64::from(outcome.seeds), "run"),
        counted(outcome.games, "game"),
        run.seconds,
        run.seed
    ))?;
    output.line(table_of(outcome))?;
    if !spent.0.is_empty() {
        output.heading("CPU seconds of training, median of the runs")?;
        let cell = |(method, seconds): (&super::outcome::ComparedMethod, &Vec<f64>)| {
            vec![method.label.clone(), format!("{:.2}", median(seconds).unwrap_or(0.0))]
        };
        let rows: Vec<Vec<String>> = outcome.methods.iter().zip(&spent.0).map(cell).collect();
        output.line(table(&rows, &[Align::Left, Align::Right]))?;
    }
    Ok(())
}

/// Elo by checkpoint, shares of runs at the goal, and differences between methods.
pub(crate) fn table_of(outcome: &ComparisonOutcome) -> String {
    let comparison = &outcome.comparison;
    let columns = |first: &str| -> Vec<String> {
        let games = outcome.checkpoints.iter().map(|games| format!("{} games", short_count(*games)));
        [first.to_owned()].into_iter().chain(games).collect()
    };
    let mut align = vec![Align::Right; outcome.checkpoints.len() + 1];
    align[0] = Align::Left;
    let mut elo = vec![columns("method")];
    let mut share = vec![columns("method")];
    for curve in &comparison.methods {
        let label = || [curve.label.clone()].into_iter();
        let cells = curve.at.iter().map(|at| {
            let [low, middle, high] = at.quartiles;
            EloEstimate { elo: Some(middle), low: Some(low), high: Some(high) }.cell()
        });
        elo.push(label().chain(cells).collect());
        let cells = curve.at.iter().map(|at| format!("{:.0} %", 100.0 * at.share_reached));
        share.push(label().chain(cells).collect());
    }
    let mut text = format!(
        "Elo against the gauntlet ({}, {}), median [quartiles] of the runs; the start has {}\n{}\n",
        counted(outcome.opponents.len() as u64, "opponent"),
        counted(outcome.openings as u64, "held-out opening"),
        signed_elo(comparison.start_elo, 0),
        table(&elo, &align)
    );
    text.push_str(&format!(
        "Share of runs that have reached {}, {} Elo above the start\n{}\n",
        signed_elo(comparison.target_elo, 0),
        outcome.target,
        table(&share, &align)
    ));
    let n_pairs = comparison.differences.len() / outcome.checkpoints.len().max(1);
    text.push_str(&format!(
        "Differences at each checkpoint (Mann-Whitney, corrected by Holm for {})\n",
        counted(n_pairs as u64, "pair")
    ));
    for sentence in comparison.sentences() {
        text.push_str(&format!("  {sentence}\n"));
    }
    if outcome.seeds < MIN_RUNS {
        let n_runs = grouped(u64::from(outcome.seeds));
        text.push_str(&format!(
            "  {n_runs} runs per method are few: 20 or more are needed to tell methods apart\n"
        ));
    }
    text
}

/// With fewer runs than this a warning is printed: differences between methods are hardly significant.
const MIN_RUNS: u32 = 10;

fn draw(outcome: &ComparisonOutcome, files: &ChartArgs) -> Result<()> {
    let curve = |curve: &palestra_tune::compare::MethodCurve| ChartCurve {
        label: curve.label.clone(),
        points: curve.at.iter().map(|at| (at.games as f64, at.quartiles)).collect(),
    };
    let chart = CurveChart {
        title: format!("{} on {}", outcome.player, outcome.boards.join(", ")),
        across: "training games".to_owned(),
        up: "Elo against the gauntlet".to_owned(),
        curves: outcome.comparison.methods.iter().map(curve).collect(),
    };
    files.write(&chart.draw())
}
