//! The sandbox of external engines, from the plan and the options.

use crate::cli::args::CommonArgs;
use crate::cli::args_programs::SandboxArgs;
use anyhow::{Context, Result};
use palestra_arena::{AnyGame, TimeControl};
use palestra_core::{CancelFlag, InputError};
use palestra_engine::{
    Confinement, Launcher, MissingProtection, PreflightError, ProgramSpec, ResourceLimits, Sandbox,
    quick_check,
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

/// The sandbox of engines outside of an event, from the limits of a plan and the options that replace them.
pub(in crate::cli) fn of_args(
    limits_of_plan: &ProgramLimits,
    args: &SandboxArgs,
    hidden: Vec<PathBuf>,
    stop: &CancelFlag,
) -> Result<Sandbox> {
    let mut limits = limits_of_plan.clone();
    args.override_limits(&mut limits);
    build(&limits, args, hidden, stop)
}

/// The limits of engines, for a reader.
pub(in crate::cli) fn limits_text(limits: &ResourceLimits) -> String {
    let ResourceLimits {
        memory,
        processes,
        threads,
        cpu_seconds,
        file_bytes,
        scratch_bytes,
        files,
        open_files,
    } = limits;
    let cpu = match *cpu_seconds {
        MAX_CPU_SECONDS.. => String::new(),
        seconds => format!(", {seconds} s of processor time"),
    };
    format!(
        "{} MiB of memory, {processes} processes, {threads} threads{cpu}, {open_files} open files, files of {} MiB, \
         {} MiB and {files} files in the scratch folder",
        memory >> 20,
        file_bytes >> 20,
        scratch_bytes >> 20
    )
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
pub(in crate::cli) fn sandbox_warning(sandbox: &Sandbox) -> Option<String> {
    match &sandbox.confinement {
        None => Some(
            "engines ran without a sandbox: they could read and write all files of their user".to_owned(),
        ),
        Some(_) => Some(Confinement::missing())
            .filter(|missing| !missing.is_empty())
            .map(|missing| format!("engines ran with an incomplete sandbox: {}", risks(&missing))),
    }
}

/// What engines could do on a system that lacks these protections, the most important first.
fn risks(missing: &[MissingProtection]) -> String {
    missing.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

/// Whether engines are confined, and if so whether missing protections are accepted.
fn confinement_policy(
    limits: &ProgramLimits,
    missing: &[MissingProtection],
) -> Result<Option<bool>, InputError> {
    match (limits.unconfined, limits.confine_as_possible) {
        (true, _) => Ok(None),
        (false, false) if !missing.is_empty() => {
            let reason = format!(
                "this system cannot confine it completely ({}); --confine-as-possible confines it without these \
                 parts, --unconfined not at all",
                risks(missing)
            );
            Err(InputError::not_allowed("an external engine", reason))
        }
        (false, accept_missing) => Ok(Some(accept_missing)),
    }
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
    let policy = confinement_policy(limits_of_plan, &Confinement::missing())?;
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
    let shown = readable(limits_of_plan.read.iter().chain(&args.read))?;
    let confinement = policy.map(|accept_missing| Confinement {
        hidden: hidden.into_iter().map(absolute).collect(),
        shown,
        aliases: Vec::new(),
        accept_missing,
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether engines start without a word of the user, as far as possible, or unconfined.
    #[test]
    fn words_for_missing_protections() {
        let limits = |unconfined, confine_as_possible| ProgramLimits {
            unconfined,
            confine_as_possible,
            ..ProgramLimits::default()
        };
        let lacking = |part: &str| MissingProtection { part: part.to_owned(), risk: "a risk".to_owned() };
        let missing = [lacking("first"), lacking("second")];
        assert_eq!(confinement_policy(&limits(false, false), &[]), Ok(Some(false)));
        assert_eq!(confinement_policy(&limits(false, true), &missing), Ok(Some(true)));
        assert_eq!(confinement_policy(&limits(true, false), &missing), Ok(None));
        assert_eq!(confinement_policy(&limits(true, false), &[]), Ok(None));
        let refused = confinement_policy(&limits(false, false), &missing).unwrap_err().to_string();
        let expected = "an external engine cannot be used here: this system cannot confine it completely \
            (first: a risk; second: a risk); --confine-as-possible confines it without these parts, --unconfined \
            not at all";
        assert_eq!(refused, expected);
    }
}
