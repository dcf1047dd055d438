//! `palestra sensitivity`.

use super::args::CommonArgs;
use super::args_tune::SensitivityArgs;
use super::map::gauntlet;
use super::output::{Align, Output, counted, number, table};
use super::store;
use crate::games;
use anyhow::Result;
use palestra_arena::{Decision, Sensitivity, WeightRange};
use serde::Serialize;

/// The ranges as JSON.
#[derive(Serialize)]
struct SensitivityRecord<'a> {
    game: String,
    player: String,
    opponents: &'a [String],
    #[serde(flatten)]
    result: &'a Sensitivity,
}

pub(super) fn run(args: &SensitivityArgs, common: &CommonArgs, output: &mut Output) -> Result<()> {
    let game = games().open(&args.game)?;
    let player = store::resolve_player(&args.player, common)?;
    let gauntlet = gauntlet(&args.gauntlet, common)?;
    let result = game.sensitivity(&game.player(&player)?, &gauntlet)?;
    if output.json {
        let opponents = &gauntlet.opponents;
        return output.json(&SensitivityRecord { game: game.name(), player, opponents, result: &result });
    }
    output.heading(&format!("{} on {}", args.player, game.name()))?;
    output.line(format_args!(
        "{} with {} between distinct positions\n",
        counted(result.n_games as u64, "game"),
        counted(result.n_decisions, "comparison")
    ))?;
    let heading = ["feature", "weight", "range", "", "first change"];
    let mut rows = vec![heading.map(str::to_owned).to_vec()];
    for weight in &result.weights {
        rows.push(row(weight));
    }
    use Align::{Left, Right};
    output.line(table(&rows, &[Left, Right, Left, Left, Left]))?;
    match &result.share {
        None => output.line("no move depends on the weights"),
        Some(limit) => output.line(format_args!(
            "all weights may change by {} at once before play changes: {}",
            percent(limit.at),
            describe(&limit.decision)
        )),
    }
}

fn row(weight: &WeightRange) -> Vec<String> {
    let low = weight
        .low
        .as_ref()
        .map(|limit| format!("{} {}", if limit.is_included { "≥" } else { ">" }, number(limit.at)));
    let high = weight
        .high
        .as_ref()
        .map(|limit| format!("{} {}", if limit.is_included { "≤" } else { "<" }, number(limit.at)));
    let nearest = match (&weight.low, &weight.high) {
        (Some(low), Some(high)) if high.at - weight.weight < weight.weight - low.at => Some(high),
        (Some(low), _) => Some(low),
        (None, high) => high.as_ref(),
    };
    let changes = nearest.map_or_else(String::new, |limit| describe(&limit.decision));
    let first = if low.is_none() && high.is_none() { "any".to_owned() } else { low.unwrap_or_default() };
    vec![weight.name.to_owned(), number(weight.weight), first, high.unwrap_or_default(), changes]
}

/// A decision as text.
fn describe(decision: &Decision) -> String {
    let Decision { opponent, opening, side, ply, played, instead } = decision;
    let opening = if opening == "-" { String::new() } else { format!(" after {opening}") };
    format!("{instead} instead of {played} at ply {} as {side} against {opponent}{opening}", ply + 1)
}

/// A share in percent; a small one in scientific notation.
fn percent(share: f64) -> String {
    match 100.0 * share {
        percent if percent >= 0.1 || percent == 0.0 => format!("{percent:.1} %"),
        percent => format!("{percent:.1e} %"),
    }
}
