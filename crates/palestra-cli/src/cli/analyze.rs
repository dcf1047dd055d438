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

/// One move and what is to be said about it.
struct MoveAnalysis {
    mv: String,
    value: f64,
    line: Vec<String>,
}

pub(super) fn run(args: &AnalyzeArgs, common: &CommonArgs, output: &mut Output) -> Result<CommandStatus> {
    let game = games().open(&args.game)?;
    let mut session = game.session(args.place.setup.as_deref(), &args.moves.join(" "))?;
    let legal = session.legal();
    if legal.is_empty() {
        return Err(ended_game_error(&session.show().setup).into());
    }
    // A bad name is an error before the work, not after it.
    args.player.as_ref().map(|player| game.player(player)).transpose()?;
    args.memory.check()?;
    let exact = if args.deep { None } else { session.exact_oracle(args.memory.bytes, n_threads(common)) };
    let mut judge = exact.filter(|judge| judge.in_reach()).unwrap_or_else(|| session.deep_oracle(args.nodes));
    let stop = interrupt::flag()?;
    let (began, course) = (Instant::now(), SolverProgress::default());
    let mut moves = match judge_moves(judge.as_mut(), &legal, &course, &stop) {
        Ok(moves) => moves,
        Err(Unsolved::TooLarge) => {
            judge = session.deep_oracle(args.nodes);
            match judge_moves(judge.as_mut(), &legal, &course, &stop) {
                Ok(moves) => moves,
                Err(_) => return Ok(interrupted(&course)),
            }
        }
        Err(Unsolved::Stopped) => return Ok(interrupted(&course)),
    };
    let seconds = began.elapsed().as_secs_f64();
    let values: Vec<f64> = moves.iter().map(|judged| judged.value).collect();
    let value = values.iter().copied().fold(f64::MIN, f64::max);
    let best = best_moves(&legal, &values, value);
    let seed = move_seed(common, session.as_ref());
    let choice = match &args.player {
        Some(player) => {
            let answer = session.ask(player, seed)?;
            let chosen =
                moves.iter().find(|judged| judged.mv == answer.mv).map_or(value, |judged| judged.value);
            Some((game.player(player)?.to_string(), answer.mv, value - chosen))
        }
        None => None,
    };
    if output.json {
        let row =
            |judged: &MoveAnalysis| json!({ "move": judged.mv, "value": judged.value, "line": judged.line });
        let mut result = json!({
            "game": game.name(), "setup": session.show().setup, "to_move": session.to_move().to_string(),
            "value": value, "best": best, "moves": moves.iter().map(row).collect::<Vec<Value>>(),
            "nodes": course.nodes(), "seconds": seconds, "exact": judge.is_exact(),
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
    let how = if judge.is_exact() {
        format!(": {} (exact", meaning(value, session.to_move()))
    } else {
        " (by a deep search, no proof".to_owned()
    };
    let positions = counted(course.nodes(), "position");
    output.line(format_args!("value {}{how}; {positions}, {seconds:.2} s)", number(value)))?;
    if let Some((player, mv, regret)) = choice {
        let verdict = match lost(value, value - regret) {
            None => "a best move".to_owned(),
            Some(MoveLoss::Points(points)) => format!("{} worse than the best", number(points)),
            Some(MoveLoss::Outcome(what)) => format!("gives away {what}"),
        };
        output.line(format_args!("{player} plays {mv}: {verdict}"))?;
    }
    Ok(CommandStatus::Completed)
}

fn interrupted(course: &SolverProgress) -> CommandStatus {
    note(format_args!("interrupted after {}", counted(course.nodes(), "position")));
    CommandStatus::Interrupted
}

/// What a move that is not the best loses.
enum MoveLoss {
    Points(f64),
    /// Where a search saw the end of the game, values are no longer points.
    Outcome(&'static str),
}

fn lost(best: f64, chosen: f64) -> Option<MoveLoss> {
    match () {
        () if chosen == best => None,
        () if best >= WIN => Some(MoveLoss::Outcome("the win")),
        () if chosen <= -WIN => Some(MoveLoss::Outcome("the game")),
        () => Some(MoveLoss::Points(best - chosen)),
    }
}

fn judge_moves(
    judge: &mut dyn Oracle,
    legal: &[String],
    course: &SolverProgress,
    stop: &AtomicBool,
) -> Result<Vec<MoveAnalysis>, Unsolved> {
    let judge_move = |(i, mv): (usize, &String)| {
        let title = format!("move {} of {}, ", i + 1, legal.len());
        with_progress(course, stop, &title, |course| {
            let value = judge.move_value(i, course)?;
            Ok(MoveAnalysis { mv: mv.clone(), value, line: judge.pv(i, course)? })
        })
    };
    legal.iter().enumerate().map(judge_move).collect()
}

fn move_table(moves: &[MoveAnalysis], value: f64, chosen: Option<&str>) -> String {
    let mut rows = vec![["", "move", "value", "loses", "line"].map(str::to_owned).to_vec()];
    for judged in moves {
        let is_best = judged.value == value;
        let mark = match (is_best, chosen == Some(judged.mv.as_str())) {
            (true, true) => "*>",
            (true, false) => "*",
            (false, true) => ">",
            (false, false) => "",
        };
        let loses = match lost(value, judged.value) {
            None => String::new(),
            Some(MoveLoss::Points(points)) => number(points),
            Some(MoveLoss::Outcome(what)) => what.to_owned(),
        };
        let line = judged.line.iter().skip(1).take(SHOWN_LINE).cloned().collect::<Vec<_>>().join(" ");
        let more = if judged.line.len() > SHOWN_LINE + 1 { " …" } else { "" };
        rows.push(vec![mark.to_owned(), judged.mv.clone(), number(judged.value), loses, line + more]);
    }
    let right = Align::Right;
    table(&rows, &[Align::Left, right, right, right, Align::Left])
}

/// Moves of a line that fit a terminal; JSON has them all.
const SHOWN_LINE: usize = 16;
