//! `palestra analyze`.

use super::args::{AnalyzeArgs, Common};
use super::output::{Align, Output, grouped, number, table};
use super::solve::{best, dice, meaning, n_threads, watched};
use super::{Done, interrupt};
use crate::GAMES;
use anyhow::Result;
use palestra_arena::Judge;
use palestra_core::BadText;
use palestra_search::exact::{Course, Unsolved};
use serde_json::{Value, json};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// One move and what is to be said about it.
struct Judged {
    mv: String,
    value: f64,
    line: Vec<String>,
}

pub(super) fn run(args: &AnalyzeArgs, common: &Common, output: &mut Output) -> Result<Done> {
    let game = GAMES.open(&args.game)?;
    let mut session = game.session(args.place.setup.as_deref(), &args.moves.join(" "))?;
    let legal = session.legal();
    if legal.is_empty() {
        return Err(BadText::new("position", session.show().setup, "able to move: the game has ended").into());
    }
    // A bad name is an error before the work, not after it.
    args.player.as_ref().map(|player| game.player(player)).transpose()?;
    let exact = if args.deep { None } else { session.exact_judge(args.memory.bytes, n_threads(common)) };
    let mut judge = exact.filter(|judge| judge.in_reach()).unwrap_or_else(|| session.deep_judge(args.nodes));
    let stop = interrupt::flag()?;
    let (began, course) = (Instant::now(), Course::default());
    let mut moves = match judge_moves(judge.as_mut(), &legal, &course, &stop) {
        Ok(moves) => moves,
        Err(Unsolved::TooLarge) => {
            judge = session.deep_judge(args.nodes);
            match judge_moves(judge.as_mut(), &legal, &course, &stop) {
                Ok(moves) => moves,
                Err(_) => return Ok(Done::Interrupted),
            }
        }
        Err(Unsolved::Stopped) => return Ok(Done::Interrupted),
    };
    let seconds = began.elapsed().as_secs_f64();
    let values: Vec<f64> = moves.iter().map(|judged| judged.value).collect();
    let value = values.iter().copied().fold(f64::MIN, f64::max);
    let best = best(&legal, &values, value);
    let seed = dice(common, session.as_ref());
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
        let row = |judged: &Judged| json!({ "move": judged.mv, "value": judged.value, "line": judged.line });
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
        return Ok(Done::Fully);
    }
    super::show::position(session.as_ref(), &session.show(), output)?;
    output.line("")?;
    moves.sort_by(|a, b| b.value.total_cmp(&a.value));
    let chosen = choice.as_ref().map(|(_, mv, _)| mv.as_str());
    output.line(move_table(&moves, value, chosen))?;
    let how = if judge.is_exact() { "exact" } else { "by a deep search; no proof" };
    let known =
        if judge.is_exact() { meaning(value, session.to_move()) } else { "the best move's".to_owned() };
    output.line(format_args!(
        "value {}: {known} ({how}; {} positions, {seconds:.2} s)",
        number(value),
        grouped(course.nodes())
    ))?;
    if let Some((player, mv, regret)) = choice {
        let loss = if regret == 0.0 {
            "a best move".to_owned()
        } else {
            format!("{} worse than the best", number(regret))
        };
        output.line(format_args!("{player} plays {mv}: {loss}"))?;
    }
    Ok(Done::Fully)
}

fn judge_moves(
    judge: &mut dyn Judge,
    legal: &[String],
    course: &Course,
    stop: &AtomicBool,
) -> Result<Vec<Judged>, Unsolved> {
    let judge_move = |(i, mv): (usize, &String)| {
        let title = format!("move {} of {}, ", i + 1, legal.len());
        watched(course, stop, &title, |course| {
            let value = judge.move_value(i, course)?;
            Ok(Judged { mv: mv.clone(), value, line: judge.line(i, course)? })
        })
    };
    legal.iter().enumerate().map(judge_move).collect()
}

fn move_table(moves: &[Judged], value: f64, chosen: Option<&str>) -> String {
    let mut rows = vec![["", "move", "value", "loses", "line"].map(str::to_owned).to_vec()];
    for judged in moves {
        let is_best = judged.value == value;
        let mark = match (is_best, chosen == Some(judged.mv.as_str())) {
            (true, true) => "*>",
            (true, false) => "*",
            (false, true) => ">",
            (false, false) => "",
        };
        let loses = if is_best { String::new() } else { number(value - judged.value) };
        let line = judged.line.iter().skip(1).take(SHOWN_LINE).cloned().collect::<Vec<_>>().join(" ");
        let more = if judged.line.len() > SHOWN_LINE + 1 { " …" } else { "" };
        rows.push(vec![mark.to_owned(), judged.mv.clone(), number(judged.value), loses, line + more]);
    }
    let right = Align::Right;
    table(&rows, &[Align::Left, right, right, right, Align::Left])
}

/// Moves of a line that fit a terminal; JSON has them all.
const SHOWN_LINE: usize = 16;
