//! `palestra solve`.

use super::args::{CommonArgs, SolveArgs, setup_option};
use super::cache::{SolutionCache, SolvedPosition};
use super::output::{Align, Output, counted, grouped, note, number, table};
use super::progress::with_solver_bar;
use super::{CommandStatus, interrupt};
use crate::games;
use anyhow::Result;
use palestra_arena::{AnyGame, Oracle, Session, program_name};
use palestra_core::{InputError, Progress, Seed, Side};
use palestra_search::exact::Unsolved;
use serde::Serialize;
use std::time::Instant;

/// An interrupted solution with fewer nodes is not stored: it is quick to repeat.
const MIN_NODES_TO_KEEP: u64 = 1_000_000;

pub(super) fn run(args: &SolveArgs, common: &CommonArgs, output: &mut Output) -> Result<CommandStatus> {
    let (game, session) = args.position.open()?;
    let setup = session.setup();
    let n_moves = session.legal().len();
    if n_moves == 0 {
        return Err(ended_game_error(&setup).into());
    }
    let cache = if args.no_cache { None } else { SolutionCache::of(&game.name()) };
    let known = cache.as_ref().and_then(|cache| cache.get(&setup));
    let n_threads = n_threads(common);
    let mut work = SolveStats { n_threads, ..SolveStats::default() };
    if let Some(mut solved) = known.filter(|solved| args.value || solved.moves.len() == n_moves) {
        if args.value {
            solved.moves.clear();
        }
        work.cached = true;
        return print(game.as_ref(), session.as_ref(), &solved, &work, output)
            .map(|()| CommandStatus::Completed);
    }
    args.memory.check()?;
    let Some(mut oracle) = session.exact_oracle(args.memory.bytes, n_threads) else {
        return Err(unsolvable_error(game.as_ref()).into());
    };
    if !oracle.in_reach() && !is_too_large(oracle.as_mut()) {
        note(
            "this position may take days, if it can be solved at all; Ctrl-C stops and prints how to continue",
        );
    }
    if let Some(mut file) = cache.as_ref().and_then(|cache| cache.open_unfinished(&setup)) {
        oracle.load(&mut file)?;
        work.resumed = true;
    }
    let progress = interrupt::progress()?;
    let solved = match solve(oracle.as_mut(), n_moves, args.value, &progress, &mut work) {
        Ok(solved) => solved,
        Err(Unsolved::TooLarge) => {
            let expected = "a position that can be solved: on a smaller board, or later in the game";
            return Err(InputError::new("position", setup, expected).into());
        }
        Err(Unsolved::Stopped) => {
            let kept = cache.filter(|_| work.resumed || work.total_nodes() >= MIN_NODES_TO_KEEP);
            let kept = kept.map(|cache| keep(&cache, &setup, oracle.as_ref(), &work));
            print_interrupted(args, &work, kept.unwrap_or(false));
            return Ok(CommandStatus::Interrupted);
        }
    };
    print(game.as_ref(), session.as_ref(), &solved, &work, output)?;
    if let Some(cache) = &cache {
        match cache.put(&setup, &solved) {
            Ok(()) => cache.drop_unfinished(&setup),
            Err(error) => note(format_args!("the result was not stored: {error:#}")),
        }
    }
    Ok(CommandStatus::Completed)
}

/// Whether the board is too large to solve. A search that is canceled before its start reports that without work.
fn is_too_large(oracle: &mut dyn Oracle) -> bool {
    let progress = Progress::default();
    progress.cancel();
    oracle.value(&progress) == Err(Unsolved::TooLarge)
}

/// Stores an unfinished solution; whether that succeeded.
fn keep(cache: &SolutionCache, setup: &str, oracle: &dyn Oracle, work: &SolveStats) -> bool {
    let value =
        work.value.map_or(Ok(()), |value| cache.put(setup, &SolvedPosition { value, moves: Vec::new() }));
    let kept = value.and_then(|()| cache.keep_unfinished(setup, |out| oracle.save(out)));
    kept.inspect_err(|error| note(format_args!("the unfinished solution was not stored: {error:#}"))).is_ok()
}

/// The error of a position in which the game has ended.
pub(super) fn ended_game_error(setup: &str) -> InputError {
    InputError::new("position", setup, "a position where the game has not ended")
}

/// The number of threads: `--threads`, or one per core.
pub(super) fn n_threads(common: &CommonArgs) -> usize {
    let all = || std::thread::available_parallelism().map_or(1, usize::from);
    common.threads.map_or_else(all, usize::from)
}

/// Work of a solution, and what is known of the value.
#[derive(Clone, Copy, Default, Debug)]
struct SolveStats {
    nodes: u64,
    seconds: f64,
    /// Nodes and seconds for the values of the moves, not included above.
    moves_nodes: u64,
    moves_seconds: f64,
    /// The value, once it is known.
    value: Option<f64>,
    /// Bounds of the value of an interrupted solution.
    bounds: (i32, i32),
    n_threads: usize,
    cached: bool,
    resumed: bool,
}

impl SolveStats {
    fn total_nodes(&self) -> u64 {
        self.nodes + self.moves_nodes
    }
}

fn solve(
    oracle: &mut dyn Oracle,
    n_moves: usize,
    value_only: bool,
    progress: &Progress,
    work: &mut SolveStats,
) -> Result<SolvedPosition, Unsolved> {
    let began = Instant::now();
    let whole = progress.part();
    let value = with_solver_bar(&whole, "", || oracle.value(&whole));
    (work.nodes, work.seconds, work.bounds) = (whole.done(), began.elapsed().as_secs_f64(), whole.bounds());
    let value = value?;
    work.value = Some(value);
    let mut moves = Vec::new();
    for i in 0..if value_only { 0 } else { n_moves } {
        let of_move = progress.part();
        let title = format!("move {} of {n_moves}, ", i + 1);
        let found = with_solver_bar(&of_move, &title, || oracle.move_value(i, &of_move));
        work.moves_nodes += of_move.done();
        moves.push(found?);
    }
    work.moves_seconds = began.elapsed().as_secs_f64() - work.seconds;
    Ok(SolvedPosition { value, moves })
}

fn unsolvable_error(game: &dyn AnyGame) -> InputError {
    let solvable: Vec<&str> =
        games().families().filter(|family| !family.exact.is_empty()).map(|family| family.name).collect();
    let expected = format!("a game with a solver: {}, on boards that are not too large", solvable.join(", "));
    InputError::new("game", game.name(), expected)
}

fn print_interrupted(args: &SolveArgs, work: &SolveStats, is_kept: bool) {
    let known = match (work.value, work.bounds) {
        (Some(value), _) => format!("the value is {}; ", number(value)),
        (None, (low, high)) if low < high => format!("the value is from {low} to {high}; "),
        _ => String::new(),
    };
    let moves = args.position.moves.join(" ");
    let moves = if moves.is_empty() { String::new() } else { format!(" '{moves}'") };
    let setup = setup_option(args.position.setup.as_deref());
    let value = if args.value { " --value" } else { "" };
    let no_cache = if args.no_cache { " --no-cache" } else { "" };
    note(format_args!(
        "interrupted after {}; {known}this command {}: {} solve {}{moves}{setup}{value}{no_cache} --memory {}M",
        counted(work.total_nodes(), "position"),
        if is_kept { "continues" } else { "starts again" },
        program_name(),
        args.position.game,
        args.memory.bytes >> 20,
    ));
}

/// The moves whose value is that of the position.
pub(super) fn best_moves<'a>(legal: &'a [String], values: &[f64], value: f64) -> Vec<&'a str> {
    let pairs = legal.iter().zip(values);
    pairs.filter(|(_, other)| **other == value).map(|(mv, _)| mv.as_str()).collect()
}

/// A solved position as JSON.
#[derive(Serialize)]
struct SolutionRecord<'a> {
    game: String,
    setup: String,
    to_move: String,
    value: f64,
    best: Vec<&'a str>,
    moves: Vec<MoveValueRecord<'a>>,
    exact: bool,
    nodes: u64,
    seconds: f64,
    total_nodes: u64,
    total_seconds: f64,
    threads: usize,
    cached: bool,
    resumed: bool,
}

#[derive(Serialize)]
struct MoveValueRecord<'a> {
    #[serde(rename = "move")]
    mv: &'a str,
    value: f64,
}

fn print(
    game: &dyn AnyGame,
    session: &dyn Session,
    solved: &SolvedPosition,
    work: &SolveStats,
    output: &mut Output,
) -> Result<()> {
    let legal = session.legal();
    let best = best_moves(&legal, &solved.moves, solved.value);
    let total = (work.total_nodes(), work.seconds + work.moves_seconds);
    if output.json {
        let moves = legal.iter().zip(&solved.moves).map(|(mv, &value)| MoveValueRecord { mv, value });
        return output.json(&SolutionRecord {
            game: game.name(),
            setup: session.setup(),
            to_move: session.to_move().to_string(),
            value: solved.value,
            best,
            moves: moves.collect(),
            exact: true,
            nodes: work.nodes,
            seconds: work.seconds,
            total_nodes: total.0,
            total_seconds: total.1,
            threads: work.n_threads,
            cached: work.cached,
            resumed: work.resumed,
        });
    }
    super::show::position(session, &session.show(), output)?;
    output.line("")?;
    output.line(format_args!(
        "value {}: {}",
        number(solved.value),
        meaning(solved.value, session.to_move())
    ))?;
    if !solved.moves.is_empty() {
        let mut rows = vec![["", "move", "value"].map(str::to_owned).to_vec()];
        for (mv, &value) in legal.iter().zip(&solved.moves) {
            let mark = if value == solved.value { "*" } else { "" };
            rows.push(vec![mark.to_owned(), mv.clone(), number(value)]);
        }
        output.line(table(&rows, &[Align::Left, Align::Right, Align::Right]).trim_end())?;
    }
    if work.cached {
        return output.line("from the cache (--no-cache solves it again)");
    }
    // A shorter time is too inaccurate for a speed.
    let rate = if work.seconds < 0.1 {
        String::new()
    } else {
        format!(" ({} per second)", grouped((work.nodes as f64 / work.seconds) as u64))
    };
    let value = format!("{} in {:.2} s{rate}", counted(work.nodes, "position"), work.seconds);
    if solved.moves.is_empty() {
        return output.line(value);
    }
    output.line(format_args!("{value}; with all moves {} in {:.2} s", grouped(total.0), total.1))
}

/// The result that a value stands for.
pub(super) fn meaning(value: f64, to_move: Side) -> String {
    match value.total_cmp(&0.0) {
        std::cmp::Ordering::Greater => format!("{to_move}, to move, wins"),
        std::cmp::Ordering::Less => format!("{to_move}, to move, loses"),
        std::cmp::Ordering::Equal => "a draw".to_owned(),
    }
}

/// The seed that `play` uses at this ply.
pub(super) fn move_seed(common: &CommonArgs, session: &dyn Session) -> Seed {
    Seed(common.seed).child(session.played().len() as u64)
}
