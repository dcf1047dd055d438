//! `palestra certify`.

use super::args::CommonArgs;
use super::args_certify::CertifyArgs;
use super::output::{Align, Output, bar, counted, grouped, number, table};
use super::{CommandStatus, interrupt, store, tune};
use crate::games;
use anyhow::{Context, Result};
use palestra_core::InputError;
use palestra_tune::certify::{Certificate, CertifyOptions, Reachability, ScoreLevel, certify};
use palestra_tune::{Settings, TuningBoards, TuningPlan};
use serde_json::{Value, json};
use std::sync::atomic::Ordering;
use std::time::Instant;

pub(super) fn run(args: &CertifyArgs, common: &CommonArgs, output: &mut Output) -> Result<CommandStatus> {
    let name = args.plan.display().to_string();
    let text = std::fs::read_to_string(&args.plan).with_context(|| format!("cannot read {name}"))?;
    let plan = tune::read_plan(Settings::parse(&text, &name)?, common)?;
    let starts = args.from.iter().map(|player| start(player, &plan, common)).collect::<Result<_>>()?;
    let stop = interrupt::flag()?;
    let bar = bar(args.nodes, "parts");
    let look = |nodes: u64| {
        if nodes.is_multiple_of(256) {
            bar.set_position(nodes);
        }
        stop.load(Ordering::Relaxed)
    };
    let began = Instant::now();
    let found = certify(&plan, games(), &CertifyOptions { nodes: args.nodes, starts, stop: &look });
    bar.finish_and_clear();
    let found = found?;
    if output.json {
        output.json(&to_json(&found, &plan, began.elapsed().as_secs_f64()))?;
    } else {
        print(&found, output)?;
    }
    Ok(if found.is_stopped { CommandStatus::Interrupted } else { CommandStatus::Completed })
}

/// The weights of a player that is known to be good.
fn start(player: &str, plan: &TuningPlan, common: &CommonArgs) -> Result<Vec<f64>> {
    let player = store::resolve_player(player, common)?;
    let spec = boards(plan).first().map(|board| games().open(board)?.player(&player));
    let weights = spec.transpose()?.and_then(|spec| spec.weights().map(<[f64]>::to_vec));
    let expected = || format!("a player with {} weights", plan.tunable_player.names.len());
    let fits = |weights: &Vec<f64>| weights.len() == plan.tunable_player.names.len();
    Ok(weights.filter(fits).ok_or_else(|| InputError::new("--from", &player, expected()))?)
}

/// The boards of a plan that lists them.
fn boards(plan: &TuningPlan) -> &[String] {
    match &plan.boards {
        TuningBoards::Listed(boards) => boards,
        TuningBoards::Pool(_) => &[],
    }
}

fn print(found: &Certificate, output: &mut Output) -> Result<()> {
    output.heading(&format!("{} with any real weights", found.player))?;
    output.line(format_args!(
        "{}, at most {} in all\n",
        counted(found.n_games as u64, "game"),
        number(found.highest)
    ))?;
    let mut rows = vec![["total", "reached", "parts", "left"].map(str::to_owned).to_vec()];
    for level in &found.levels {
        let cells = [number(level.score), words(level.answer).to_owned()];
        rows.push(cells.into_iter().chain([grouped(level.nodes), grouped(level.n_left as u64)]).collect());
    }
    use Align::{Left, Right};
    output.line(table(&rows, &[Right, Left, Right, Right]))?;
    output.line(sentence(found))?;
    output.line(format_args!("the best that was found: {}", found.best_player()))
}

/// What is proved, in words.
fn sentence(found: &Certificate) -> String {
    let (bound, best) = (number(found.bound), number(found.best));
    if found.is_exact() {
        return format!("proved: {best} is the most that any real weights score");
    }
    let highest = if found.bound < found.highest {
        format!("proved: no real weights score more than {bound}")
    } else {
        "nothing is proved yet".to_owned()
    };
    format!("{highest}; the best found score {best}; --nodes N looks at more parts")
}

fn words(answer: Reachability) -> &'static str {
    match answer {
        Reachability::Unreachable => "by nobody",
        Reachability::Reachable => "by somebody",
        Reachability::Open => "open",
    }
}

fn to_json(found: &Certificate, plan: &TuningPlan, seconds: f64) -> Value {
    let level = |level: &ScoreLevel| {
        json!({
            "score": level.score, "reached": words(level.answer), "parts": level.nodes, "left": level.n_left,
        })
    };
    json!({
        "player": found.player, "names": found.names, "on": boards(plan), "games": found.n_games,
        "highest": found.highest, "bound": found.bound, "best": found.best, "weights": found.weights,
        "best_player": found.best_player(), "exact": found.is_exact(),
        "levels": found.levels.iter().map(level).collect::<Vec<Value>>(),
        "parts": found.levels.iter().map(|level| level.nodes).sum::<u64>(),
        "places": found.n_positions, "sentence": sentence(found), "seconds": seconds,
        "complete": !found.is_stopped,
    })
}
