//! The starter: a process between the supervisor and an engine, which confines and starts the engine.
//!
//! It has a session of its own, so that the engine's processes are a group that can be stopped without the supervisor,
//! and share processor time as one. Where the kernel grants namespaces, it is the first process of its own, waits for
//! orphans and reports how the engine ended; all processes end with it. Otherwise it becomes the engine.

use super::cgroup;
use super::limits::apply_limits;
use super::order::{EndFile, SupervisorOrder, SupervisorReport};
use super::work_dir::scratch;
use crate::linux::confine::{ProcView, Scene};
use rustix::process::{Pid, Signal, WaitOptions, set_parent_process_death_signal, setsid, wait};
use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::ExitCode;
use std::thread;

/// Starts the engine of an order, which lies in the engine's working directory. Returns once the engine has ended, or
/// where it was not started.
pub(super) fn run(order: &Path) -> ExitCode {
    let work_dir = order.parent().unwrap_or(Path::new("/"));
    // Opened before the rights to do so are gone.
    let Ok(end) = EndFile::create(work_dir) else { return ExitCode::FAILURE };
    let order = SupervisorOrder::read(order).map_err(|error| error.to_string());
    let report = order.and_then(|order| start(&order, work_dir)).unwrap_or_else(SupervisorReport::NotStarted);
    match end.write(&report) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

fn start(order: &SupervisorOrder, work_dir: &Path) -> Result<SupervisorReport, String> {
    let context = |what: &'static str| move |error: rustix::io::Errno| format!("{what}: {error}");
    // The supervisor may be ended by another process.
    set_parent_process_death_signal(Some(Signal::KILL)).map_err(context("death signal"))?;
    setsid().map_err(context("session"))?;
    if let Some(group) = &order.cgroup {
        // Palestra sees whether it is empty.
        let _ = cgroup::join(group);
    }
    apply_limits(&order.limits)?;
    if let Some(core) = order.core {
        let mut cores = rustix::thread::CpuSet::new();
        cores.set(core);
        rustix::thread::sched_setaffinity(None, &cores)
            .map_err(|error| format!("processor {core}: {error}"))?;
    }
    let scratch = scratch(work_dir);
    let path = order.program.environment.iter().rev().find(|(name, _)| name == "PATH");
    let path = path.map_or_else(OsString::new, |(_, folders)| folders.into());
    let scene = order.confinement.as_ref().map(|confinement| Scene::new(confinement, &path, &scratch));
    let scene = scene.transpose()?;
    if !order.has_namespaces {
        if let Some(scene) = &scene {
            scene.apply(ProcView::OneProcess)?;
        }
        // Returns only where the program could not be started.
        return Err(order.program.start_error(&order.program.command().exec()));
    }
    let view = scene.as_ref().map(|scene| scene.enter(&order.program.folder, &work_dir.join("root")));
    let engine = thread::scope(|scope| scope.spawn(|| spawn(order, scene.as_ref().zip(view))).join());
    let engine = engine.map_err(|_| "the starting thread failed".to_owned())??;
    super::supervisor::release_pipes().map_err(|error| format!("pipes: {error}"))?;
    loop {
        match wait(WaitOptions::empty()) {
            Ok(Some((pid, status))) if pid == engine => return Ok(status.into()),
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(format!("wait: {error}")),
        }
    }
}

/// Confines this thread and starts the engine.
fn spawn(order: &SupervisorOrder, confined: Option<(&Scene<'_>, ProcView)>) -> Result<Pid, String> {
    if let Some((scene, view)) = confined {
        scene.apply(view)?;
    }
    let program = &order.program;
    let engine = program.command().spawn().map_err(|error| program.start_error(&error))?;
    i32::try_from(engine.id()).ok().and_then(Pid::from_raw).ok_or_else(|| "no process number".to_owned())
}
