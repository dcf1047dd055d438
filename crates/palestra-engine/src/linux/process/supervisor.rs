//! The supervisor: a process between Palestra and an engine that confines, starts and watches the engine.
//!
//! Palestra starts its own program again as the supervisor, as leader of a new process group, with the engine's pipes.
//! The supervisor sets limits, confines the one thread that starts the engine, and then checks every 50 ms what the
//! engine and its descendants use. When the engine ends or exceeds a limit, or when Palestra has ended, the supervisor
//! writes its report and kills the whole group, itself included: with one signal, so that no fork escapes.

use super::limits::apply_limits;
use super::order::{SupervisorOrder, SupervisorReport};
use super::tree::{FolderUsage, descendant_entries, folder_usage, usage};
use super::work_dir::scratch;
use crate::linux::confine;
use crate::process::ResourceLimits;
use palestra_arena::{Fault, FaultKind};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fd::OwnedFd;
use rustix::process::{
    Pid, PidfdFlags, Signal, WaitOptions, WaitStatus, getpid, getppid, kill_process, kill_process_group,
    pidfd_open, set_child_subreaper, setpriority_process, wait,
};
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;
use std::{fs::File, io, thread};

/// Time between two checks of the limits.
const TICK: Duration = Duration::from_millis(50);

/// From this number of files on, the scratch folder is only measured at every [`DISK_CHECK_INTERVAL`]th check, because
/// reading it takes time.
const MANY_FILES: u64 = 64;
const DISK_CHECK_INTERVAL: u32 = 5;

/// Runs the engine that the order in a working directory names. Returns only where no engine was started: otherwise the
/// supervisor is killed with its group.
#[must_use]
pub fn run_supervisor(work_dir: &Path) -> ExitCode {
    let report = match SupervisorOrder::read(work_dir) {
        Ok(order) => run(&order, work_dir).unwrap_or_else(SupervisorReport::NotStarted),
        Err(error) => SupervisorReport::NotStarted(format!("{}: {error}", work_dir.display())),
    };
    // Without a report, Palestra still sees that the supervisor has ended.
    let _ = report.write(work_dir);
    end_all();
    ExitCode::FAILURE
}

/// Starts the engine and watches it until its end.
fn run(order: &SupervisorOrder, work_dir: &Path) -> Result<SupervisorReport, String> {
    let context = |what: &'static str| move |error: rustix::io::Errno| format!("{what}: {error}");
    let parent = Pid::from_raw(order.parent).ok_or("no parent process")?;
    let parent_end = pidfd_open(parent, PidfdFlags::empty()).map_err(context("Palestra has ended"))?;
    if getppid() != Some(parent) {
        return Err("Palestra has ended".to_owned());
    }
    // Orphans among the engine's processes become children of the supervisor instead of init.
    set_child_subreaper(Some(getpid())).map_err(context("subreaper"))?;
    let engine = start(order, work_dir)?;
    // A fork bomb would leave the supervisor little processor time. Only root may raise its priority; others fail here.
    let _ = setpriority_process(None, -20);
    let engine_end = pidfd_open(engine, PidfdFlags::empty()).map_err(context("engine"))?;
    release_pipes().map_err(|error| format!("pipes: {error}"))?;
    let mut monitor = EngineMonitor { limits: &order.limits, work_dir, engine, n_checks: 0, n_files: 0 };
    Ok(monitor.watch(&parent_end, &engine_end))
}

/// Starts the engine from a thread that is confined like the engine.
fn start(order: &SupervisorOrder, work_dir: &Path) -> Result<Pid, String> {
    apply_limits(&order.limits)?;
    let starter = || -> Result<Pid, String> {
        if let Some(core) = order.core {
            let mut cores = rustix::thread::CpuSet::new();
            cores.set(core);
            rustix::thread::sched_setaffinity(None, &cores)
                .map_err(|error| format!("processor {core}: {error}"))?;
        }
        if let Some(confinement) = &order.confinement {
            confine::apply(confinement, &scratch(work_dir))?;
        }
        let program = &order.program;
        let engine = program.command().spawn().map_err(|error| program.start_error(&error))?;
        i32::try_from(engine.id()).ok().and_then(Pid::from_raw).ok_or_else(|| "no process number".to_owned())
    };
    thread::scope(|scope| scope.spawn(starter).join()).map_err(|_| "the starting thread failed".to_owned())?
}

const NULL_DEVICE: &str = "/dev/null";

/// Closes the supervisor's copies of the engine's pipes, so that a pipe closes when the engine closes its own end.
fn release_pipes() -> io::Result<()> {
    let null = File::options().read(true).write(true).open(NULL_DEVICE);
    let null = null.map_err(|error| io::Error::new(error.kind(), format!("{NULL_DEVICE}: {error}")))?;
    rustix::stdio::dup2_stdin(&null)?;
    rustix::stdio::dup2_stdout(&null)?;
    rustix::stdio::dup2_stderr(&null)?;
    Ok(())
}

/// Checks an engine against its limits.
struct EngineMonitor<'a> {
    limits: &'a ResourceLimits,
    work_dir: &'a Path,
    engine: Pid,
    n_checks: u32,
    /// Files in the scratch folder at the last check of the disk.
    n_files: u64,
}

impl EngineMonitor<'_> {
    /// Checks until the engine ends, exceeds a limit or Palestra has ended.
    fn watch(&mut self, parent: &OwnedFd, engine: &OwnedFd) -> SupervisorReport {
        let tick = Timespec { tv_sec: 0, tv_nsec: i64::from(TICK.subsec_nanos()) };
        loop {
            let mut fds = [parent, engine].map(|fd| PollFd::new(fd, PollFlags::IN));
            // An interrupted wait only means an early check.
            let _ = poll(&mut fds, Some(&tick));
            if !fds[0].revents().is_empty() {
                return SupervisorReport::NotStarted("Palestra has ended".to_owned());
            }
            if let Some(report) = self.reap() {
                // The scratch folder still shows a limit that was exceeded after the last check.
                return self.exceeded_disk().map_or(report, SupervisorReport::Over);
            }
            if let Some(fault) = self.exceeded() {
                return SupervisorReport::Over(fault);
            }
        }
    }

    /// Waits for every child that has ended; returns a report if the engine's first process is among them.
    fn reap(&self) -> Option<SupervisorReport> {
        let mut report = None;
        while let Ok(Some((pid, status))) = wait(WaitOptions::NOHANG) {
            if pid == self.engine {
                report = Some(exit_report(status));
            }
        }
        report
    }

    /// The first limit that is exceeded, as a fault.
    fn exceeded(&mut self) -> Option<Fault> {
        let limits = self.limits;
        // One process above the limit decides: a fork bomb must not keep the supervisor counting.
        let max = usize::try_from(limits.processes).unwrap_or(usize::MAX).saturating_add(1);
        let used = usage(&descendant_entries(getpid().as_raw_pid(), max), limits.memory);
        let sums = [
            (FaultKind::Processes, used.processes, limits.processes, "processes"),
            (FaultKind::Processes, used.threads, limits.threads, "threads"),
            (FaultKind::Memory, used.memory >> 20, limits.memory >> 20, "MiB of memory"),
            (FaultKind::Cpu, used.cpu.as_secs(), limits.cpu_seconds, "seconds of processor time"),
        ];
        let exceeded = sums.into_iter().find(|(_, used, limit, _)| used > limit);
        if let Some((kind, used, limit, unit)) = exceeded {
            return Some(Fault::new(kind, format!("at least {used} {unit}, the limit is {limit}")));
        }
        self.n_checks += 1;
        match self.n_files < MANY_FILES || self.n_checks.is_multiple_of(DISK_CHECK_INTERVAL) {
            true => self.exceeded_disk(),
            false => None,
        }
    }

    fn exceeded_disk(&mut self) -> Option<Fault> {
        let FolderUsage { bytes, files, unreadable } = folder_usage(&scratch(self.work_dir));
        self.n_files = files;
        let ResourceLimits { scratch_bytes: max_bytes, files: max_files, .. } = *self.limits;
        let detail = match unreadable {
            _ if bytes > max_bytes => {
                format!("{} MiB in its scratch folder, the limit is {}", bytes >> 20, max_bytes >> 20)
            }
            _ if files > max_files => {
                format!("{files} files in its scratch folder, the limit is {max_files}")
            }
            true => "a folder in its scratch folder cannot be read".to_owned(),
            false => return None,
        };
        Some(Fault::new(FaultKind::Disk, detail))
    }
}

fn exit_report(status: WaitStatus) -> SupervisorReport {
    match (status.exit_status(), status.terminating_signal()) {
        (Some(code), _) => SupervisorReport::Exit(code),
        (_, signal) => SupervisorReport::Signal(signal.unwrap_or_default()),
    }
}

/// Kills the processes that have left the group, then the whole group, this process included.
fn end_all() {
    kill_strays(getpid());
    let _ = kill_process_group(getpid(), Signal::KILL);
}

/// Kills the descendants of a supervisor that are in another process group; a confined engine has none. Returns their
/// numbers.
pub(super) fn kill_strays(supervisor: Pid) -> Vec<Pid> {
    let group = supervisor.as_raw_pid();
    let mut killed = Vec::new();
    // Ten rounds: only an unconfined engine can have more, if it forks faster than it is killed.
    for _ in 0..10 {
        let strays = descendant_entries(group, usize::MAX)
            .into_iter()
            .filter(|(_, stat)| stat.group != group && stat.state != 'Z');
        let strays: Vec<Pid> = strays.filter_map(|(pid, _)| Pid::from_raw(pid)).collect();
        if strays.is_empty() {
            break;
        }
        for &stray in &strays {
            let _ = kill_process(stray, Signal::KILL);
        }
        killed.extend(strays);
    }
    killed
}
