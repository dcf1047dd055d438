//! `palestra analyze`.

use super::args::{AnalyzeArgs, CommonArgs};
use super::output::{Align, Output, counted, note, number, table};
use super::solve::{best_moves, ended_game_error, meaning, move_seed, n_threads, with_progress};
use super::{CommandStatus, interrupt};
use crate::games;
use anyhow::Result;
use palestra_arena::Oracle;
use palestra_core::WIN;
use palestra_search::exact::{SolverProgress, Unsolved};
use serde_json::{Value, json};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// One move with its value and principal variation.
struct MoveAnalysis {
    mv: String,
    value: f64,
    line: Vec<String>,
}

pub(super) fn run(args: &AnalyzeArgs, common: &CommonArgs, output: &mut Output) -> Result<CommandStatus> {
    let game = games().open(&args.game)?;
    let mut session = game.session(args.position.setup.as_deref(), &args.moves.join(" "))?;
    let legal = session.legal();
    if legal.is_empty() {
        return Err(ended_game_error(&session.show().setup).into());
    }
    // An unknown player is reported before the search, not after it.
    args.player.as_ref().map(|player| game.player(player)).transpose()?;
    args.memory.check()?;
    let exact = if args.deep { None } else { session.exact_oracle(args.memory.bytes, n_threads(common)) };
    let exact = exact.filter(|oracle| oracle.in_reach());
    let mut oracle = exact.unwrap_or_else(|| session.deep_oracle(args.nodes));
    let stop = interrupt::flag()?;
    let (began, progress) = (Instant::now(), SolverProgress::default());
    let mut moves = match rate_moves(oracle.as_mut(), &legal, &progress, &stop) {
        Ok(moves) => moves,
        Err(Unsolved::TooLarge) => {
            oracle = session.deep_oracle(args.nodes);
            match rate_moves(oracle.as_mut(), &legal, &progress, &stop) {
                Ok(moves) => moves,
                Err(_) => return Ok(interrupted(&progress)),
            }
        }
        Err(Unsolved::Stopped) => return Ok(interrupted(&progress)),
    };
    let seconds = began.elapsed().as_secs_f64();
    let values: Vec<f64> = moves.iter().map(|rated| rated.value).collect();
    let value = values.iter().copied().fold(f64::MIN, f64::max);
    let best = best_moves(&legal, &values, value);
    let seed = move_seed(common, session.as_ref());
    let choice = match &args.player {
        Some(player) => {
            let answer = session.ask(player, seed)?;
            let chosen = moves.iter().find(|rated| rated.mv == answer.mv).map_or(value, |rated| rated.value);
            Some((game.player(player)?.to_string(), answer.mv, value - chosen))
        }
        None => None,
    };
    if output.json {
        let row =
            |rated: &MoveAnalysis| json!({ "move": rated.mv, "value": rated.value, "line": rated.line });
        let mut result = json!({
            "game": game.name(), "setup": session.show().setup, "to_move": session.to_move().to_string(),
            "value": value, "best": best, "moves": moves.iter().map(row).collect::<Vec<Value>>(),
            "nodes": progress.nodes(), "seconds": seconds, "exact": oracle.is_exact(),
        });
        if let Some((player, mv, regret)) = &choice {
            result["player"] = json!(player);
            result["chosen"] = json!(mv);
            result["regret"] = json!(regret);
        }
        output.json(&result)?;
        return Ok(CommandStatus::Completed);
    }
    super::show::position(session.as_ref(), &session.show(), output)?;
    output.line("")?;
    moves.sort_by(|a, b| b.value.total_cmp(&a.value));
    let chosen = choice.as_ref().map(|(_, mv, _)| mv.as_str());
    output.line(move_table(&moves, value, chosen))?;
    let how = if oracle.is_exact() {
        format!(": {} (exact", meaning(value, session.to_move()))
    } else {
        " (by deep search, not proved".to_owned()
    };
    let positions = counted(progress.nodes(), "position");
    output.line(format_args!("value {}{how}; {positions}, {seconds:.2} s)", number(value)))?;
    if let Some((player, mv, regret)) = choice {
        let verdict = match loss(value, value - regret) {
            None => "a best move".to_owned(),
            Some(MoveLoss::Points(points)) => format!("{} worse than the best", number(points)),
            Some(MoveLoss::Outcome(what)) => format!("gives away {what}"),
        };
        output.line(format_args!("{player} plays {mv}: {verdict}"))?;
    }
    Ok(CommandStatus::Completed)
}

fn interrupted(progress: &SolverProgress) -> CommandStatus {
    note(format_args!("interrupted after {}", counted(progress.nodes(), "position")));
    CommandStatus::Interrupted
}

/// What a move loses against the best one.
enum MoveLoss {
    Points(f64),
    /// The result of the game: where the search reached the end, values are no points.
    Outcome(&'static str),
}

fn loss(best: f64, chosen: f64) -> Option<MoveLoss> {
    match () {
        () if chosen == best => None,
        () if best >= WIN => Some(MoveLoss::Outcome("the win")),
        () if chosen <= -WIN => Some(MoveLoss::Outcome("the game")),
        () => Some(MoveLoss::Points(best - chosen)),
    }
}

fn rate_moves(
    oracle: &mut dyn Oracle,
    legal: &[String],
    progress: &SolverProgress,
    stop: &AtomicBool,
) -> Result<Vec<MoveAnalysis>, Unsolved> {
    let rate_move = |(i, mv): (usize, &String)| {
        let title = format!("move {} of {}, ", i + 1, legal.len());
        with_progress(progress, stop, &title, |progress| {
            let value = oracle.move_value(i, progress)?;
            Ok(MoveAnalysis { mv: mv.clone(), value, line: oracle.pv(i, progress)? })
        })
    };
    legal.iter().enumerate().map(rate_move).collect()
}

fn move_table(moves: &[MoveAnalysis], value: f64, chosen: Option<&str>) -> String {
    let mut rows = vec![["", "move", "value", "loses", "line"].map(str::to_owned).to_vec()];
    for rated in moves {
        let is_best = rated.value == value;
        let mark = match (is_best, chosen == Some(rated.mv.as_str())) {
            (true, true) => "*>",
            (true, false) => "*",
            (false, true) => ">",
            (false, false) => "",
        };
        let loses = match loss(value, rated.value) {
            None => String::new(),
            Some(MoveLoss::Points(points)) => number(points),
            Some(MoveLoss::Outcome(what)) => what.to_owned(),
        };
        let line = rated.line.iter().skip(1).take(SHOWN_LINE).cloned().collect::<Vec<_>>().join(" ");
        let more = if rated.line.len() > SHOWN_LINE + 1 { " …" } else { "" };
        rows.push(vec![mark.to_owned(), rated.mv.clone(), number(rated.value), loses, line + more]);
    }
    let right = Align::Right;
    table(&rows, &[Align::Left, right, right, right, Align::Left])
}

/// Moves of a line that fit on a terminal; JSON has all of them.
const SHOWN_LINE: usize = 16;
