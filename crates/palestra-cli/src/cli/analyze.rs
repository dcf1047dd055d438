//! `palestra analyze`.

use super::args::{AnalyzeArgs, CommonArgs};
use super::output::{Align, Output, counted, note, number, table};
use super::progress::with_solver_bar;
use super::solve::{best_moves, ended_game_error, meaning, move_seed, n_threads};
use super::{CommandStatus, interrupt};
use anyhow::Result;
use palestra_arena::{Oracle, Session};
use palestra_core::{Progress, WIN};
use palestra_search::exact::Unsolved;
use serde::Serialize;
use std::time::Instant;

/// The values of all moves of a position.
#[derive(Serialize)]
struct AnalysisRecord<'a> {
    game: String,
    setup: String,
    to_move: String,
    value: f64,
    best: Vec<&'a str>,
    moves: &'a [MoveAnalysis],
    nodes: u64,
    seconds: f64,
    exact: bool,
    #[serde(flatten)]
    choice: Option<&'a PlayerChoice>,
}

/// What a player plays, and what that loses.
#[derive(Serialize)]
struct PlayerChoice {
    player: String,
    chosen: String,
    regret: f64,
}

/// One move with its value and principal variation.
#[derive(Serialize)]
pub(super) struct MoveAnalysis {
    #[serde(rename = "move")]
    pub(super) mv: String,
    pub(super) value: f64,
    line: Vec<String>,
}

pub(super) fn run(args: &AnalyzeArgs, common: &CommonArgs, output: &mut Output) -> Result<CommandStatus> {
    let (game, mut session) = args.position.open()?;
    let legal = session.legal();
    if legal.is_empty() {
        return Err(ended_game_error(&session.setup()).into());
    }
    // An unknown player is reported before the search, not after it.
    let player = args.player.as_ref().map(|player| game.player(player)).transpose()?;
    args.memory.check()?;
    let (began, progress) = (Instant::now(), interrupt::progress()?);
    let nodes = OracleEffort { bytes: (!args.deep).then_some(args.memory.bytes), nodes: args.nodes };
    let Some(rated) = rated_moves(session.as_ref(), &legal, nodes, common, &progress) else {
        return Ok(interrupted(&progress));
    };
    let RatedMoves { mut moves, is_exact } = rated;
    let seconds = began.elapsed().as_secs_f64();
    let values: Vec<f64> = moves.iter().map(|rated| rated.value).collect();
    let value = values.iter().copied().fold(f64::MIN, f64::max);
    let best = best_moves(&legal, &values, value);
    let seed = move_seed(common, session.as_ref());
    let choice = match player {
        Some(player) => {
            let answer = session.ask(&player, seed)?;
            let chosen = moves.iter().find(|rated| rated.mv == answer.mv).map_or(value, |rated| rated.value);
            Some(PlayerChoice { player: player.to_string(), chosen: answer.mv, regret: value - chosen })
        }
        None => None,
    };
    if output.json {
        output.json(&AnalysisRecord {
            game: game.name(),
            setup: session.setup(),
            to_move: session.to_move().to_string(),
            value,
            best,
            moves: &moves,
            nodes: progress.done(),
            seconds,
            exact: is_exact,
            choice: choice.as_ref(),
        })?;
        return Ok(CommandStatus::Completed);
    }
    super::show::position(session.as_ref(), &session.show(), output)?;
    output.line("")?;
    moves.sort_by(|a, b| b.value.total_cmp(&a.value));
    let chosen = choice.as_ref().map(|choice| choice.chosen.as_str());
    output.line(move_table(&moves, value, chosen))?;
    let how = if is_exact {
        format!(": {} (exact", meaning(value, session.to_move()))
    } else {
        " (by deep search, not proved".to_owned()
    };
    let positions = counted(progress.done(), "position");
    output.line(format_args!("value {}{how}; {positions}, {seconds:.2} s)", number(value)))?;
    if let Some(PlayerChoice { player, chosen, regret }) = choice {
        let verdict = match loss(value, value - regret) {
            None => "a best move".to_owned(),
            Some(MoveLoss::Points(points)) => format!("{} worse than the best", number(points)),
            Some(MoveLoss::Outcome(what)) => format!("gives away {what}"),
        };
        output.line(format_args!("{player} plays {chosen}: {verdict}"))?;
    }
    Ok(CommandStatus::Completed)
}

/// What the values of moves may cost.
#[derive(Clone, Copy)]
pub(super) struct OracleEffort {
    /// Memory of the solver's table; `None` does not try to solve the position.
    pub(super) bytes: Option<usize>,
    /// Nodes per move of the deep search.
    pub(super) nodes: u64,
}

/// The values of all moves of a position.
pub(super) struct RatedMoves {
    pub(super) moves: Vec<MoveAnalysis>,
    /// Whether they are exact; otherwise they are those of a deep search.
    pub(super) is_exact: bool,
}

/// The values of the legal moves, exact where the position can be solved; `None` where the user stopped the work.
pub(super) fn rated_moves(
    session: &dyn Session,
    legal: &[String],
    effort: OracleEffort,
    common: &CommonArgs,
    progress: &Progress,
) -> Option<RatedMoves> {
    let exact = effort.bytes.and_then(|bytes| session.exact_oracle(bytes, n_threads(common)));
    if let Some(mut oracle) = exact.filter(|oracle| oracle.in_reach()) {
        match rate_moves(oracle.as_mut(), legal, progress) {
            Ok(moves) => return Some(RatedMoves { moves, is_exact: true }),
            Err(Unsolved::TooLarge) => {}
            Err(Unsolved::Stopped) => return None,
        }
    }
    let moves = rate_moves(session.deep_oracle(effort.nodes).as_mut(), legal, progress).ok()?;
    Some(RatedMoves { moves, is_exact: false })
}

pub(super) fn interrupted(progress: &Progress) -> CommandStatus {
    note(format_args!("interrupted after {}", counted(progress.done(), "position")));
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
    progress: &Progress,
) -> Result<Vec<MoveAnalysis>, Unsolved> {
    let rate_move = |(i, mv): (usize, &String)| {
        let title = format!("move {} of {}, ", i + 1, legal.len());
        with_solver_bar(progress, &title, || {
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
