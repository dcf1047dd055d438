//! `palestra solve`.

use super::args::{CommonArgs, SolveArgs};
use super::cache::{SolutionCache, SolvedPosition};
use super::output::{Align, Output, counted, grouped, note, number, table};
use super::{CommandStatus, interrupt};
use crate::games;
use anyhow::Result;
use indicatif::{ProgressBar, ProgressStyle};
use palestra_arena::{AnyGame, Oracle, Session};
use palestra_core::{InputError, Seed, Side};
use palestra_search::exact::{SolverProgress, Unsolved};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Time between two updates of the progress bar.
const REFRESH: Duration = Duration::from_millis(50);

/// An interrupted solution with fewer nodes is not stored: it is quick to repeat.
const MIN_NODES_TO_KEEP: u64 = 1_000_000;

pub(super) fn run(args: &SolveArgs, common: &CommonArgs, output: &mut Output) -> Result<CommandStatus> {
    let game = games().open(&args.game)?;
    let session = game.session(args.position.setup.as_deref(), &args.moves.join(" "))?;
    let setup = session.show().setup;
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
    let stop = interrupt::flag()?;
    let solved = match solve(oracle.as_mut(), n_moves, args.value, &stop, &mut work) {
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
    let progress = SolverProgress::default();
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
    stop: &AtomicBool,
    work: &mut SolveStats,
) -> Result<SolvedPosition, Unsolved> {
    let began = Instant::now();
    let progress = SolverProgress::default();
    let value = with_progress(&progress, stop, "", |progress| oracle.value(progress));
    (work.nodes, work.seconds, work.bounds) =
        (progress.nodes(), began.elapsed().as_secs_f64(), progress.bounds());
    let value = value?;
    work.value = Some(value);
    let mut moves = Vec::new();
    for i in 0..if value_only { 0 } else { n_moves } {
        let progress = SolverProgress::default();
        let title = format!("move {} of {n_moves}, ", i + 1);
        let found = with_progress(&progress, stop, &title, |progress| oracle.move_value(i, progress));
        work.moves_nodes += progress.nodes();
        moves.push(found?);
    }
    work.moves_seconds = began.elapsed().as_secs_f64() - work.seconds;
    Ok(SolvedPosition { value, moves })
}

/// Runs `work` on another thread with a progress bar, and cancels it on Ctrl-C.
pub(super) fn with_progress<T: Send>(
    progress: &SolverProgress,
    stop: &AtomicBool,
    title: &str,
    work: impl FnOnce(&SolverProgress) -> T + Send,
) -> T {
    let bar = ProgressBar::new(1000);
    let style = ProgressStyle::with_template("{bar:32} {msg}, {elapsed} so far, {eta} left of this step");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    let result = std::thread::scope(|scope| {
        let worker = scope.spawn(|| work(progress));
        let mut pause = Duration::from_micros(100);
        while !worker.is_finished() {
            std::thread::sleep(pause);
            pause = (2 * pause).min(REFRESH);
            if stop.load(Ordering::Relaxed) {
                progress.cancel();
            }
            if pause == REFRESH {
                let (low, high) = progress.bounds();
                let known = if low == high { String::new() } else { format!(", value from {low} to {high}") };
                bar.set_message(format!("{title}{} positions{known}", grouped(progress.nodes())));
                bar.set_position((1000.0 * progress.fraction_done()) as u64);
            }
        }
        worker.join()
    });
    bar.finish_and_clear();
    result.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
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
    let moves = args.moves.join(" ");
    let moves = if moves.is_empty() { String::new() } else { format!(" '{moves}'") };
    let setup = args.position.setup.as_ref().map_or(String::new(), |setup| format!(" --setup '{setup}'"));
    let value = if args.value { " --value" } else { "" };
    let no_cache = if args.no_cache { " --no-cache" } else { "" };
    note(format_args!(
        "interrupted after {}; {known}this command {}: palestra solve {}{moves}{setup}{value}{no_cache} --memory {}M",
        counted(work.total_nodes(), "position"),
        if is_kept { "continues" } else { "starts again" },
        args.game,
        args.memory.bytes >> 20,
    ));
}

/// The moves whose value is that of the position.
pub(super) fn best_moves<'a>(legal: &'a [String], values: &[f64], value: f64) -> Vec<&'a str> {
    let pairs = legal.iter().zip(values);
    pairs.filter(|(_, other)| **other == value).map(|(mv, _)| mv.as_str()).collect()
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
        let moves: Vec<Value> = legal
            .iter()
            .zip(&solved.moves)
            .map(|(mv, value)| json!({ "move": mv, "value": value }))
            .collect();
        return output.json(&json!({
            "game": game.name(), "setup": session.show().setup, "to_move": session.to_move().to_string(),
            "value": solved.value, "best": best, "moves": moves, "exact": true,
            "nodes": work.nodes, "seconds": work.seconds, "total_nodes": total.0, "total_seconds": total.1,
            "threads": work.n_threads, "cached": work.cached, "resumed": work.resumed,
        }));
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
