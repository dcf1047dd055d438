//! `palestra certify`.

use super::args::CommonArgs;
use super::args_certify::CertifyArgs;
use super::output::{Align, Output, counted, grouped, number, table};
use super::progress::with_bar;
use super::{CommandStatus, interrupt, plan_file, store, tune};
use crate::games;
use anyhow::Result;
use palestra_core::InputError;
use palestra_tune::certify::{Certificate, CertifyOptions, Reachability, ScoreLevel, certify};
use palestra_tune::{OLD_KEYS, TuningBoards, TuningPlan};
use serde_json::{Value, json};
use std::time::Instant;

pub(super) fn run(args: &CertifyArgs, common: &CommonArgs, output: &mut Output) -> Result<CommandStatus> {
    let document = plan_file::read(&args.plan, &OLD_KEYS, &[])?;
    let plan = tune::with_resolver(common, |resolver| TuningPlan::read(document, resolver))?;
    let starts = args.from.iter().map(|player| start(player, &plan, common)).collect::<Result<_>>()?;
    let progress = interrupt::progress()?;
    let began = Instant::now();
    let options = CertifyOptions { nodes: args.nodes, starts, progress: &progress };
    let certificate = with_bar(&progress, args.nodes, "cones", || certify(&plan, games(), &options))?;
    if output.json {
        output.json(&to_json(&certificate, &plan, began.elapsed().as_secs_f64()))?;
    } else {
        print(&certificate, output)?;
    }
    Ok(if certificate.is_stopped { CommandStatus::Interrupted } else { CommandStatus::Completed })
}

/// The weights of a player of `--from`.
fn start(player: &str, plan: &TuningPlan, common: &CommonArgs) -> Result<Vec<f64>> {
    let player = store::resolve_player(player, common)?;
    let spec = boards(plan).first().map(|board| games().open(board)?.player(&player));
    let weights = spec.transpose()?.and_then(|spec| spec.weights().map(<[f64]>::to_vec));
    let expected = || format!("a player with {} weights", plan.tunable_player.names.len());
    let fits = |weights: &Vec<f64>| weights.len() == plan.tunable_player.names.len();
    Ok(weights.filter(fits).ok_or_else(|| InputError::new("--from", &player, expected()))?)
}

/// The boards of a plan; none of a pool, which the certificate does not support.
fn boards(plan: &TuningPlan) -> &[String] {
    match &plan.boards {
        TuningBoards::Listed(boards) => boards,
        TuningBoards::Pool(_) => &[],
    }
}

fn print(certificate: &Certificate, output: &mut Output) -> Result<()> {
    output.heading(&format!("{} with any real weights", certificate.player))?;
    output.line(format_args!(
        "{}, at most {} in all\n",
        counted(certificate.n_games as u64, "game"),
        number(certificate.highest)
    ))?;
    let mut rows = vec![["total", "reachable", "cones", "left"].map(str::to_owned).to_vec()];
    for level in &certificate.levels {
        let reachable = match level.answer {
            Reachability::Unreachable => "no",
            Reachability::Reachable => "yes",
            Reachability::Open => "unknown",
        };
        let cells = [number(level.score), reachable.to_owned()];
        rows.push(cells.into_iter().chain([grouped(level.nodes), grouped(level.n_left as u64)]).collect());
    }
    use Align::{Left, Right};
    output.line(table(&rows, &[Right, Left, Right, Right]))?;
    output.line(sentence(certificate))?;
    output.line(players(certificate))?;
    output.line(format_args!("best player found: {}", certificate.best_player()))
}

/// What is proved, as a sentence.
fn sentence(certificate: &Certificate) -> String {
    let (bound, best) = (number(certificate.bound), number(certificate.best));
    if certificate.is_exact() {
        return format!("proved: {best} is the highest score of any real weights, summed without rounding");
    }
    let highest = if certificate.bound < certificate.highest {
        format!("proved: no real weights, summed without rounding, score more than {bound}")
    } else {
        "nothing is proved yet".to_owned()
    };
    format!("{highest}; the best weights found score {best}; --nodes N raises the limit")
}

/// How many players the weights stand for that played the games, as a sentence.
fn players(certificate: &Certificate) -> String {
    format!(
        "{} played the games and are {} by their moves; {} of these {} {}",
        counted(certificate.n_tried, "weight vector"),
        counted(certificate.n_players, "different player"),
        grouped(certificate.n_best),
        if certificate.n_best == 1 { "scores" } else { "score" },
        number(certificate.best)
    )
}

/// The value of `reached` in JSON.
fn reached(answer: Reachability) -> &'static str {
    match answer {
        Reachability::Unreachable => "no",
        Reachability::Reachable => "yes",
        Reachability::Open => "unknown",
    }
}

fn to_json(certificate: &Certificate, plan: &TuningPlan, seconds: f64) -> Value {
    let level = |level: &ScoreLevel| {
        json!({
            "score": level.score, "reached": reached(level.answer), "parts": level.nodes, "left": level.n_left,
        })
    };
    json!({
        "player": certificate.player, "names": certificate.names, "on": boards(plan),
        "games": certificate.n_games, "highest": certificate.highest, "bound": certificate.bound,
        "best": certificate.best, "weights": certificate.weights,
        "best_player": certificate.best_player(), "exact": certificate.is_exact(),
        "levels": certificate.levels.iter().map(level).collect::<Vec<Value>>(),
        "parts": certificate.levels.iter().map(|level| level.nodes).sum::<u64>(),
        "places": certificate.n_positions, "sentence": sentence(certificate), "seconds": seconds,
        "complete": !certificate.is_stopped, "tried": certificate.n_tried, "players": certificate.n_players,
        "players_with_best": certificate.n_best,
    })
}
