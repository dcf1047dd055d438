//! The supervisor: a process between Palestra and an engine that has the engine confined and started, and watches it.
//!
//! Palestra starts its own program again as the supervisor, as leader of a new process group, with the engine's pipes.
//! The supervisor starts the program once more as the [`starter`](super::starter), which confines and starts the engine,
//! and then checks every 50 ms what the engine and its descendants use. When the engine ends or exceeds a limit, or when
//! Palestra has ended, the supervisor writes its report and kills all of them and itself.

use super::cgroup;
use super::limits::data_limit;
use super::order::{EndFile, ORDER, START, SupervisorOrder, SupervisorReport, write_first, write_peak};
use super::starter;
use super::tree::{FolderUsage, allocated, descendant_entries, folder_usage, open_files, usage};
use super::work_dir::scratch;
use crate::linux::confine;
use crate::process::{PeakUsage, ResourceLimits};
use palestra_arena::{Fault, FaultKind};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fd::OwnedFd;
use rustix::process::{
    Pid, PidfdFlags, Signal, WaitOptions, getpid, getppid, kill_process, kill_process_group, pidfd_open,
    set_child_subreaper, setpriority_process, wait,
};
use std::collections::BTreeSet;
use std::fs::File;
use std::io;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

/// Time between two checks of the limits.
const TICK: Duration = Duration::from_millis(50);

/// From this number of files on, the scratch folder is only measured at every [`DISK_CHECK_INTERVAL`]th check, because
/// reading it takes time.
const MANY_FILES: u64 = 64;
const DISK_CHECK_INTERVAL: u32 = 5;

/// Longest time from the last sight of a process close to the kernel's limit on its memory to its end, for which the limit
/// is the reason: a program may write a dump first.
const NEAR_TIME: Duration = Duration::from_secs(1);

/// The reason in the report of an engine that is killed because Palestra has ended.
const PALESTRA_HAS_ENDED: &str = "Palestra has ended";

/// Does what is ordered in a working directory, as the supervisor of an engine, or in the file of an order, as the
/// starter of the engine. Returns only where no engine was started or after its end: otherwise the process is killed
/// with the engine.
#[must_use]
pub fn run_supervisor(order: &Path) -> ExitCode {
    if order.is_file() {
        return starter::run(order);
    }
    let work_dir = order;
    let order = SupervisorOrder::read(&work_dir.join(ORDER));
    let group = order.as_ref().ok().and_then(|order| order.cgroup.clone());
    let report = match order {
        Ok(order) => run(order, work_dir).unwrap_or_else(SupervisorReport::NotStarted),
        Err(error) => SupervisorReport::NotStarted(format!("{}: {error}", work_dir.display())),
    };
    // Without a report, Palestra still sees that the supervisor has ended.
    let _ = report.write(work_dir);
    kill_descendants(getpid());
    if report == SupervisorReport::NotStarted(PALESTRA_HAS_ENDED.to_owned()) {
        group.as_deref().map(cgroup::remove);
    }
    let _ = kill_process_group(getpid(), Signal::KILL);
    ExitCode::FAILURE
}

/// Has the engine started and watches it until its end.
fn run(mut order: SupervisorOrder, work_dir: &Path) -> Result<SupervisorReport, String> {
    let context = |what: &'static str| move |error: rustix::io::Errno| format!("{what}: {error}");
    let parent = Pid::from_raw(order.parent).ok_or("no parent process")?;
    let parent_end = pidfd_open(parent, PidfdFlags::empty()).map_err(context(PALESTRA_HAS_ENDED))?;
    if getppid() != Some(parent) {
        return Err(PALESTRA_HAS_ENDED.to_owned());
    }
    // Orphans among the engine's processes become children of the supervisor instead of init.
    set_child_subreaper(Some(getpid())).map_err(context("subreaper"))?;
    order.has_namespaces = order.confinement.is_some() && confine::separate_processes();
    let first = start(&order, work_dir)?;
    // A fork bomb would leave the supervisor little processor time. Only root may raise its priority; others fail here.
    let _ = setpriority_process(None, -20);
    let first_end = pidfd_open(first, PidfdFlags::empty()).map_err(context("engine"))?;
    release_pipes().map_err(|error| format!("pipes: {error}"))?;
    let mut monitor = EngineMonitor::new(&order, work_dir, first);
    let report = monitor.watch(&parent_end, &first_end);
    // Without it, the peaks are unknown.
    let _ = write_peak(&monitor.peak, work_dir);
    Ok(report)
}

/// Starts the starter, which is the first process of the engine.
fn start(order: &SupervisorOrder, work_dir: &Path) -> Result<Pid, String> {
    let path = work_dir.join(START);
    let context = |what: &Path, error: io::Error| format!("{}: {error}", what.display());
    order.write(&path).map_err(|error| context(&path, error))?;
    let launcher = &order.launcher;
    let mut command = Command::new(&launcher.program);
    let starter = command.args(&launcher.args).arg(&path).spawn();
    let starter = starter.map_err(|error| context(&launcher.program, error))?;
    let first = i32::try_from(starter.id()).ok().and_then(Pid::from_raw).ok_or("no process number")?;
    write_first(work_dir, first).map_err(|error| context(work_dir, error))?;
    Ok(first)
}

const NULL_DEVICE: &str = "/dev/null";

/// Closes this process's copies of the engine's pipes, so that a pipe closes when the engine closes its own end.
pub(super) fn release_pipes() -> io::Result<()> {
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
    /// The starter, which may have become the engine.
    first: Pid,
    /// Whether the starter stays beside the engine, so that it is none of its processes.
    has_starter: bool,
    n_checks: u32,
    /// Files in the scratch folder at the last check of the disk.
    n_files: u64,
    /// When a process was last seen close to the kernel's limit on its memory, and the bytes that it had allocated.
    near_data_limit: Option<(Instant, u64)>,
    peak: PeakUsage,
}

impl<'a> EngineMonitor<'a> {
    fn new(order: &'a SupervisorOrder, work_dir: &'a Path, first: Pid) -> EngineMonitor<'a> {
        let (limits, has_starter) = (&order.limits, order.has_namespaces);
        EngineMonitor {
            limits,
            work_dir,
            first,
            has_starter,
            n_checks: 0,
            n_files: 0,
            near_data_limit: None,
            peak: PeakUsage::default(),
        }
    }

    /// Checks until the engine ends, exceeds a limit or Palestra has ended.
    fn watch(&mut self, parent: &OwnedFd, engine: &OwnedFd) -> SupervisorReport {
        let tick = Timespec { tv_sec: 0, tv_nsec: i64::from(TICK.subsec_nanos()) };
        loop {
            let mut fds = [parent, engine].map(|fd| PollFd::new(fd, PollFlags::IN));
            // An interrupted wait only means an early check.
            let _ = poll(&mut fds, Some(&tick));
            if !fds[0].revents().is_empty() {
                return SupervisorReport::NotStarted(PALESTRA_HAS_ENDED.to_owned());
            }
            if let Some(report) = self.reap() {
                // The scratch folder still shows a limit that was exceeded after the last check.
                return self.exceeded_disk().map_or_else(|| self.explained(report), SupervisorReport::Over);
            }
            if let Some(fault) = self.exceeded() {
                return SupervisorReport::Over(fault);
            }
        }
    }

    /// The report of an engine that has ended, with the kernel's limit on its memory as the reason where it failed close
    /// to that: the kernel only refuses the memory, and most programs crash then.
    fn explained(&self, report: SupervisorReport) -> SupervisorReport {
        let near = self.near_data_limit.filter(|(at, _)| at.elapsed() <= NEAR_TIME);
        match near.filter(|_| report.is_own_crash()) {
            None => report,
            Some((_, bytes)) => {
                let (detail, mb) = (report.fault().detail, bytes >> 20);
                let (allocated, used) = (data_limit(self.limits) >> 20, self.limits.memory >> 20);
                SupervisorReport::Over(Fault::new(
                    FaultKind::Memory,
                    format!(
                        "{detail}, with {mb} MiB allocated in one process; the limit is {allocated}, of which {used} \
                         may be in use"
                    ),
                ))
            }
        }
    }

    /// Waits for every child that has ended; returns a report if the first process is among them.
    fn reap(&self) -> Option<SupervisorReport> {
        let mut report = None;
        while let Ok(Some((pid, status))) = wait(WaitOptions::NOHANG) {
            if pid == self.first {
                report = Some(EndFile::read(self.work_dir).unwrap_or_else(|| status.into()));
            }
        }
        report
    }

    /// The first limit that is exceeded, as a fault.
    fn exceeded(&mut self) -> Option<Fault> {
        let limits = self.limits;
        // One process above the limit decides: a fork bomb must not keep the supervisor counting.
        let max = usize::try_from(limits.processes).unwrap_or(usize::MAX).saturating_add(2);
        let mut entries = descendant_entries(getpid().as_raw_pid(), max);
        entries.retain(|(pid, _)| !(self.has_starter && *pid == self.first.as_raw_pid()));
        let close = data_limit(limits) / 10 * 9;
        let bytes = allocated(&entries, close);
        if bytes >= close {
            self.near_data_limit = Some((Instant::now(), bytes));
        }
        let used = usage(&entries, self.peak.memory);
        self.peak = self.peak.max(PeakUsage {
            memory: used.memory,
            processes: used.processes,
            threads: used.threads,
            open_files: open_files(&entries),
            ..PeakUsage::default()
        });
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
        self.peak = self.peak.max(PeakUsage { scratch_bytes: bytes, files, ..PeakUsage::default() });
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

/// Kills the descendants of a supervisor with their groups. Returns the numbers of those that were found.
pub(super) fn kill_descendants(supervisor: Pid) -> Vec<Pid> {
    let own_group = supervisor.as_raw_pid();
    let mut killed = Vec::new();
    // Ten rounds: a confined engine is one group, which is killed with one signal, so that no fork escapes. Only an
    // unconfined one can have more, if it forks faster than it is killed.
    for _ in 0..10 {
        let entries = descendant_entries(own_group, usize::MAX);
        let running: Vec<_> = entries.into_iter().filter(|(_, stat)| stat.state != 'Z').collect();
        if running.is_empty() {
            break;
        }
        let groups: BTreeSet<i32> = running.iter().map(|(_, stat)| stat.group).collect();
        for group in groups.into_iter().filter(|group| *group != own_group).filter_map(Pid::from_raw) {
            let _ = kill_process_group(group, Signal::KILL);
        }
        for (pid, _) in running {
            let Some(pid) = Pid::from_raw(pid) else { continue };
            let _ = kill_process(pid, Signal::KILL);
            killed.push(pid);
        }
    }
    killed
}
