//! The commands: command line → arguments → work → output. Errors are printed here and nowhere else.

mod accuracy;
mod all_candidates;
mod analyze;
mod args;
mod args_certify;
mod args_engine;
mod args_event;
mod args_format;
mod args_programs;
mod args_stats;
mod args_store;
mod args_study;
mod args_submissions;
mod args_tune;
mod args_web;
mod bench;
mod cache;
mod certify;
mod check_player;
mod check_submissions;
mod check_terms;
mod compare;
mod demo;
mod event;
mod explain;
mod explain_program;
mod external;
mod games;
mod hall_of_fame;
mod help;
mod human;
mod interrupt;
mod judge_player;
mod long_sets;
mod man;
mod map;
mod matches;
mod methods;
mod new_game;
mod old_names;
mod output;
mod output_file;
mod perft;
mod picture;
mod plan_file;
mod play;
mod players;
mod playouts;
mod programs;
mod progress;
mod ratings;
mod report;
mod runs;
mod sensitivity;
mod serve;
mod show;
mod solve;
mod stats;
mod store;
mod store_upkeep;
mod study;
mod submissions;
mod tournament;
mod tree;
mod tune;
mod ugi;
mod weights;

pub(crate) use tournament::{BenchmarkGame, play_event};

use anyhow::Result;
use args::{Args, Command};
use args_engine::{EngineArgs, EngineCommand};
use clap::{FromArgMatches, error::ErrorKind};
use output::Output;
use palestra_arena::{Catalog, program_name, set_program_name};
use palestra_core::InputError;
use std::io::{ErrorKind as IoKind, Write};
use std::process::ExitCode;

/// Exit code of a command that was interrupted and can be continued: 128 + SIGINT, as shells have it.
const INTERRUPTED: u8 = 130;

/// Exit code when an external engine cannot be used.
const ENGINE_FAILED: u8 = 3;

/// How a command ended, errors aside.
enum CommandStatus {
    Completed,
    Interrupted,
    /// Ended with an exit code that the command's help explains.
    Code(u8),
}

/// Runs a program with these games on the arguments of the process. `version` is what `--version` prints.
pub fn main(games: &'static Catalog, version: &'static str) -> ExitCode {
    crate::set_games(games);
    let file = std::env::args_os().next().map(std::path::PathBuf::from);
    set_program_name(
        &file.as_deref().and_then(std::path::Path::file_stem).unwrap_or_default().to_string_lossy(),
    );
    if let Some(work_dir) = supervised_dir() {
        return tournament::supervisor(&work_dir);
    }
    let (arguments, notices) = old_names::replace(std::env::args_os());
    output::note_old_names(&notices);
    let matches = help::command().version(version).try_get_matches_from(arguments);
    let mut args = match matches.and_then(|matches| Args::from_arg_matches(&matches)) {
        Ok(args) => args,
        Err(error) => return report_usage(&error),
    };
    palestra_search::set_clock(clock);
    if args.common.tied
        && let Err(error) = interrupt::tie_to_parent()
    {
        return report_error(&error);
    }
    let mut output = Output::new(&args.common);
    let resolved =
        args.command.as_mut().map_or(Ok(()), |command| store::resolve_players(command, &args.common));
    match resolved.and_then(|()| run(&args, &mut output)).and_then(|done| output.flush().map(|()| done)) {
        Ok(CommandStatus::Completed) => ExitCode::SUCCESS,
        Ok(CommandStatus::Interrupted) => ExitCode::from(INTERRUPTED),
        Ok(CommandStatus::Code(code)) => ExitCode::from(code),
        Err(error) => report_error(&error),
    }
}

/// The working directory of the engine that this process supervises, if it was started as a supervisor. Checked before
/// anything else, because engines are started often.
fn supervised_dir() -> Option<std::path::PathBuf> {
    let mut args = std::env::args_os().skip(1);
    (args.next()? == tournament::SUPERVISOR).then(|| args.next().map(Into::into))?
}

/// The clock of searches with a time limit: the time since its first call.
fn clock() -> std::time::Duration {
    static START: std::sync::LazyLock<std::time::Instant> = std::sync::LazyLock::new(std::time::Instant::now);
    START.elapsed()
}

fn run(args: &Args, output: &mut Output) -> Result<CommandStatus> {
    let common = &args.common;
    match &args.command {
        None => return demo::run(common, output),
        Some(Command::Games(args)) => games::run(args, output)?,
        Some(Command::Players(args)) => players::run(args, output)?,
        Some(Command::Play(args)) => return play::run(args, common, output),
        Some(Command::Match(args)) => return matches::run(args, common, output),
        Some(Command::Show(args)) => show::run(args, output)?,
        Some(Command::Explain(args)) => return explain::run(args, common, output),
        Some(Command::Perft(args)) => perft::run(args, common, output)?,
        Some(Command::Playouts(args)) => playouts::run(args, common, output)?,
        Some(Command::Tree(args)) => tree::run(args, output)?,
        Some(Command::Solve(args)) => return solve::run(args, common, output),
        Some(Command::Analyze(args)) => return analyze::run(args, common, output),
        Some(Command::Accuracy(args)) => return accuracy::run(args, common, output),
        Some(Command::Tune(args)) => return tune::run(args, common, output),
        Some(Command::CompareMethods(args)) => return compare::run(args, common, output),
        Some(Command::Methods(args)) => methods::run(args, output)?,
        Some(Command::Runs(args)) => runs::list(args, common, output)?,
        Some(Command::Certify(args)) => return certify::run(args, common, output),
        Some(Command::Map(args)) => return map::run(args, common, output),
        Some(Command::Sensitivity(args)) => sensitivity::run(args, common, output)?,
        Some(Command::Weights(args)) => weights::run(args, common, output)?,
        Some(Command::Report(args)) => report::run(args, common, output)?,
        Some(Command::Run(args)) => return runs::run(args, common, output),
        Some(Command::Store(args)) => return store_upkeep::run(args, common, output),
        Some(Command::Stats(args)) => stats::run(args, output)?,
        Some(Command::Ratings(args)) => ratings::run(args, common, output)?,
        Some(Command::Tournament(args)) => return tournament::run(args, common, output),
        Some(Command::Event(args)) => tournament::show(args, common, output)?,
        Some(Command::Engine(EngineArgs { command })) => match command {
            EngineCommand::Check(args) => return check_player::run(args, common, output),
            EngineCommand::Judge(args) => judge_player::run(args, common)?,
            EngineCommand::Replay(args) => return tournament::replay_failure(args, common, output),
            EngineCommand::Serve(args) => ugi::run(args, common)?,
        },
        Some(Command::CheckSubmissions(args)) => return check_submissions::run(args, common, output),
        Some(Command::Study(args)) => return study::run(args, common, output),
        Some(Command::Serve(args)) => return serve::run(args, common, output),
        Some(Command::Bench(args)) => bench::run(args, output)?,
        Some(Command::Completions { shell }) => {
            // The generator panics where it cannot write, and a closed pipe is no error.
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut help::command(), program_name(), &mut script);
            output.write_all(&script)?;
        }
        Some(Command::NewGame(args)) => new_game::run(args, output)?,
        Some(Command::Man(args)) => man::run(args, output)?,
    }
    Ok(CommandStatus::Completed)
}

/// Prints what clap has to say: help and version to standard output, an error as one line to standard error.
fn report_usage(error: &clap::Error) -> ExitCode {
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        // The pipe of `--help | head` may be closed already.
        let _ = error.print();
        return ExitCode::SUCCESS;
    }
    let text = error.to_string();
    let lines = text.lines().map(str::trim).take_while(|line| !line.starts_with("Usage:"));
    let lines: Vec<&str> = lines.filter(|line| !line.is_empty() && !line.starts_with("For more")).collect();
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        let typed = std::env::args().skip(1).collect::<Vec<_>>().join(" ");
        let line = format!("{} {typed} --help", program_name());
        return fail(&format!("error: what to do is missing after {typed:?} (see {line})"), 2);
    }
    fail(&format!("{} (see {} --help)", lines.join("; ").replace(":; ", ": "), program_name()), 2)
}

/// Prints an error. Exit code 2 for invalid input, 3 for a failing engine, 1 for other errors, 0 if the reader closed the
/// pipe.
fn report_error(error: &anyhow::Error) -> ExitCode {
    let broken_pipe = |cause: &(dyn std::error::Error + 'static)| {
        cause.downcast_ref::<std::io::Error>().is_some_and(|io| io.kind() == IoKind::BrokenPipe)
    };
    if error.chain().any(broken_pipe) {
        return ExitCode::SUCCESS;
    }
    let broken_export = |cause: &(dyn std::error::Error + 'static)| {
        let store = cause.downcast_ref::<palestra_store::StoreError>();
        store.is_some_and(|error| matches!(error, palestra_store::StoreError::Export { cause, .. } if cause.kind() == IoKind::BrokenPipe))
    };
    if error.chain().any(broken_export) {
        return ExitCode::SUCCESS;
    }
    let is_bad = |cause: &(dyn std::error::Error + 'static)| {
        let store = cause.downcast_ref::<palestra_store::StoreError>();
        let review = cause.downcast_ref::<palestra_review::ReviewError>();
        let study = cause.downcast_ref::<palestra_study::StudyError>();
        let export = cause.downcast_ref::<palestra_web::export::ExportError>();
        cause.is::<InputError>()
            || export.is_some_and(palestra_web::export::ExportError::is_bad_input)
            || study.is_some_and(palestra_study::StudyError::is_bad_input)
            || store.is_some_and(palestra_store::StoreError::is_bad_input)
            || review.is_some_and(palestra_review::ReviewError::is_bad_input)
    };
    let code = match () {
        () if error.is::<programs::EngineFailed>() => ENGINE_FAILED,
        () if error.chain().any(is_bad) => 2,
        () => 1,
    };
    fail(&format!("error: {error:#}"), code)
}

fn fail(message: &str, code: u8) -> ExitCode {
    let _ = writeln!(std::io::stderr(), "{}", one_line(message));
    ExitCode::from(code)
}

/// The message on one line, with control characters escaped: it may quote any text.
fn one_line(message: &str) -> String {
    /// Longer than any message; only a quoted argument makes one longer.
    const SHOWN: usize = 600;
    let escape = |c: char| if c.is_control() { c.escape_default().to_string() } else { c.to_string() };
    let mut line: String = message.chars().take(SHOWN).map(escape).collect();
    if message.chars().count() > SHOWN {
        line.push('…');
    }
    line
}
