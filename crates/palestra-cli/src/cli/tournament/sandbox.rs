//! How the programs of an event are held.

use crate::cli::args::CommonArgs;
use crate::cli::args_event::SandboxArgs;
use anyhow::{Context, Result};
use palestra_core::InputError;
use palestra_engine::{Confinement, Launcher, ResourceLimits, Sandbox};
use palestra_review::event::EventEntrants;
use palestra_tournament::ProgramLimits as Planned;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The hidden command that watches one program.
pub(in crate::cli) const SUPERVISOR: &str = "warden";

/// How long a program may take to start, unless somebody says otherwise: a Java machine needs a second on a busy day.
const STARTUP: Duration = Duration::from_secs(10);

/// How long it may take to leave.
const GRACE: Duration = Duration::from_millis(500);

/// A room for programs that are tried or played one by one, with what the options say.
pub(in crate::cli) fn of_args(
    args: &SandboxArgs,
    hidden: Vec<PathBuf>,
    stop: &Arc<AtomicBool>,
) -> Result<Sandbox> {
    let mut planned = Planned { unconfined: args.unconfined, ..Planned::default() };
    planned.memory_mb = args.memory_mb.map_or(planned.memory_mb, u64::from);
    build(&planned, args, hidden, stop)
}

/// The room of an event: nobody sees the store or what belongs to others.
pub(super) fn of_event(
    planned: &Planned,
    args: &SandboxArgs,
    field: &EventEntrants,
    common: &CommonArgs,
    stop: &Arc<AtomicBool>,
) -> Result<Sandbox> {
    let mut hidden = store_files(common);
    hidden.extend(field.programs.iter().flatten().flat_map(palestra_engine::ProgramSpec::own_files));
    build(planned, args, hidden, stop)
}

/// The store and what SQLite keeps beside it.
pub(in crate::cli) fn store_files(common: &CommonArgs) -> Vec<PathBuf> {
    let beside = |ending: &str| {
        let mut path = common.store.as_os_str().to_owned();
        path.push(ending);
        PathBuf::from(path)
    };
    ["", "-wal", "-shm", "-journal"].map(beside).to_vec()
}

fn build(
    planned: &Planned,
    args: &SandboxArgs,
    hidden: Vec<PathBuf>,
    stop: &Arc<AtomicBool>,
) -> Result<Sandbox> {
    let missing = Confinement::missing();
    if !planned.unconfined && !missing.is_empty() {
        let words: Vec<String> = missing.iter().map(ToString::to_string).collect();
        let expected = "able to confine programs, or --unconfined where you trust all of them";
        return Err(InputError::new("this machine", words.join("; "), expected).into());
    }
    let program = std::env::current_exe().context("cannot find this program, to watch others with it")?;
    let defaults = ResourceLimits::default();
    let limits = ResourceLimits {
        memory: planned.memory_mb << 20,
        processes: planned.processes,
        threads: planned.processes.saturating_mul(8),
        cpu_seconds: planned.cpu_seconds.unwrap_or(ENDLESS),
        file_bytes: planned.file_mb << 20,
        open_files: planned.open_files,
        ..defaults
    };
    let absolute = |path: PathBuf| std::path::absolute(&path).unwrap_or(path);
    // Where a part is missing, those who accept that still get the rest.
    let is_confined = !planned.unconfined || !missing.is_empty();
    let confinement = is_confined.then(|| Confinement {
        hidden: hidden.into_iter().map(absolute).collect(),
        shown: Vec::new(),
        accept_missing: planned.unconfined,
    });
    Ok(Sandbox {
        launcher: Launcher::new(program, SUPERVISOR),
        limits,
        confinement,
        startup: args.startup.map_or(STARTUP, |seconds| Duration::from_secs(u64::from(seconds))),
        grace: GRACE,
        stop: Arc::clone(stop),
    })
}

/// A month of processor time: whoever spins is stopped by its clock.
const ENDLESS: u64 = 30 * 86_400;

/// `palestra warden ROOM`: what this program is when it watches another one.
pub(in crate::cli) fn supervisor(room: &Path) -> std::process::ExitCode {
    palestra_engine::run_supervisor(room)
}
