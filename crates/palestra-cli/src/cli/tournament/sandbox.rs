//! The sandbox of external engines, from the plan and the options.

use crate::cli::args::CommonArgs;
use crate::cli::args_programs::SandboxArgs;
use anyhow::{Context, Result};
use palestra_arena::{AnyGame, TimeControl};
use palestra_core::{CancelFlag, InputError};
use palestra_engine::{
    Confinement, Launcher, PreflightError, ProgramSpec, ResourceLimits, Sandbox, quick_check,
};
use palestra_review::event::EventEntrants;
use palestra_review::event::text::plain;
use palestra_tournament::ProgramLimits;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The hidden command that supervises one engine.
pub(in crate::cli) const SUPERVISOR: &str = "warden";

/// Default time for an engine to start: a Java virtual machine needs a second on a busy machine.
const STARTUP: Duration = Duration::from_secs(10);

/// Time for an engine to exit before it is killed.
const GRACE: Duration = Duration::from_millis(500);

/// The sandbox of an engine that is checked, from the options.
pub(in crate::cli) fn of_args(
    args: &SandboxArgs,
    hidden: Vec<PathBuf>,
    stop: &CancelFlag,
) -> Result<Sandbox> {
    let mut limits_of_plan = ProgramLimits { unconfined: args.unconfined, ..ProgramLimits::default() };
    limits_of_plan.memory_mb = args.memory_mb.map_or(limits_of_plan.memory_mb, u64::from);
    build(&limits_of_plan, args, hidden, stop)
}

/// The sandbox of an event, in which no engine sees the store or the files of other engines.
pub(super) fn of_event(
    limits_of_plan: &ProgramLimits,
    args: &SandboxArgs,
    field: &EventEntrants,
    common: &CommonArgs,
    stop: &CancelFlag,
) -> Result<Sandbox> {
    let mut hidden = store_files(common);
    hidden.extend(field.programs.iter().flatten().flat_map(ProgramSpec::own_files));
    build(limits_of_plan, args, hidden, stop)
}

/// What a user must know of a sandbox that is not complete.
pub(in crate::cli) fn sandbox_warning(sandbox: &Sandbox, unconfined: bool) -> Option<String> {
    if unconfined && !Confinement::missing().is_empty() {
        let missing: Vec<String> = Confinement::missing().iter().map(ToString::to_string).collect();
        return Some(format!("engines ran with an incomplete sandbox: {}", missing.join("; ")));
    }
    sandbox.confinement.is_none().then(|| {
        "engines ran without a sandbox: they could read and write all files of their user".to_owned()
    })
}

/// Why a program fails the quick check before its games, if it does.
pub(in crate::cli) fn complaint(
    game: &dyn AnyGame,
    program: &ProgramSpec,
    sandbox: &Sandbox,
    control: &TimeControl,
) -> Result<Option<String>, PreflightError> {
    let report = quick_check(game, program, sandbox, control)?;
    let last_line = report.stderr.lines().last();
    let stderr = last_line.map_or(String::new(), |line| format!(" (standard error: {line})"));
    Ok(report.complaint().map(|failed_check| plain(&format!("{}{stderr}", failed_check.words))))
}

/// The store and the files that SQLite keeps next to it.
pub(in crate::cli) fn store_files(common: &CommonArgs) -> Vec<PathBuf> {
    let with_suffix = |suffix: &str| {
        let mut path = common.store.as_os_str().to_owned();
        path.push(suffix);
        PathBuf::from(path)
    };
    ["", "-wal", "-shm", "-journal"].map(with_suffix).to_vec()
}

fn build(
    limits_of_plan: &ProgramLimits,
    args: &SandboxArgs,
    hidden: Vec<PathBuf>,
    stop: &CancelFlag,
) -> Result<Sandbox> {
    let missing = Confinement::missing();
    if !limits_of_plan.unconfined && !missing.is_empty() {
        let missing: Vec<String> = missing.iter().map(ToString::to_string).collect();
        let reason = format!(
            "this system lacks protections ({}); use --unconfined if you trust all programs",
            missing.join("; ")
        );
        return Err(InputError::not_allowed("an external engine", reason).into());
    }
    let program = std::env::current_exe().context("cannot find this program, which supervises engines")?;
    let defaults = ResourceLimits::default();
    let limits = ResourceLimits {
        memory: limits_of_plan.memory_mb << 20,
        processes: limits_of_plan.processes,
        threads: limits_of_plan.processes.saturating_mul(8),
        cpu_seconds: limits_of_plan.cpu_seconds.unwrap_or(MAX_CPU_SECONDS),
        file_bytes: limits_of_plan.file_mb << 20,
        open_files: limits_of_plan.open_files,
        ..defaults
    };
    let absolute = |path: PathBuf| std::path::absolute(&path).unwrap_or(path);
    // With --unconfined on a system that lacks part of the sandbox, the other parts are still used.
    let shown = readable(limits_of_plan.read.iter().chain(&args.read))?;
    let is_confined = !limits_of_plan.unconfined || !missing.is_empty();
    let confinement = is_confined.then(|| Confinement {
        hidden: hidden.into_iter().map(absolute).collect(),
        shown,
        aliases: Vec::new(),
        accept_missing: limits_of_plan.unconfined,
        refuse_sockets_softly: false,
    });
    Ok(Sandbox {
        launcher: Launcher::new(program, SUPERVISOR),
        limits,
        confinement,
        startup: args.startup.map_or(STARTUP, |seconds| Duration::from_secs(u64::from(seconds))),
        grace: GRACE,
        stop: stop.clone(),
    })
}

/// The files and folders that all engines can read. One that is missing is a mistake that would cost games.
fn readable<'a>(paths: impl Iterator<Item = &'a String>) -> Result<Vec<PathBuf>, InputError> {
    let path = |text: &String| {
        let expected = |why| InputError::new("read", text, format!("a file or folder that exists ({why})"));
        std::path::absolute(text).and_then(|path| path.metadata().map(|_| path)).map_err(expected)
    };
    paths.map(path).collect()
}

/// Default limit on CPU time, a month: an engine that spins is stopped by its clock.
const MAX_CPU_SECONDS: u64 = 30 * 86_400;

/// `palestra warden DIR`: supervises the engine whose working directory is `DIR`.
pub(in crate::cli) fn supervisor(work_dir: &Path) -> std::process::ExitCode {
    palestra_engine::run_supervisor(work_dir)
}
