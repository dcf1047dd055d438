//! The warden: a process of ours between palestra and a player, which confines, starts and watches it.
//!
//! Palestra starts its own program again as the warden, first of a process group of its own, with the player's pipes.
//! The warden lays limits, confines the one thread that starts the player, and then looks every 50 ms at what the
//! player and its descendants use. When the player ends, goes over a limit, or palestra is gone, the warden writes its
//! report and kills the whole group, itself included: one signal, which no fork outruns.

use super::limits::apply_limits;
use super::order::{SupervisorOrder, SupervisorReport};
use super::tree::{FolderUsage, descendant_entries, folder_usage, usage};
use super::work_dir::scratch;
use crate::fault::{Fault, FaultKind};
use crate::linux::confine;
use crate::process::ResourceLimits;
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

/// How often the warden looks.
const TICK: Duration = Duration::from_millis(50);

/// With so many files in the scratch folder, counting is work: only every so many looks.
const MANY_FILES: u64 = 64;
const LOOKS: u32 = 5;

/// Runs a player in the room that palestra has made for it. Returns only where no player was started: otherwise the
/// warden ends with its group.
#[must_use]
pub fn run_supervisor(room: &Path) -> ExitCode {
    let report = match SupervisorOrder::read(room) {
        Ok(order) => run(&order, room).unwrap_or_else(SupervisorReport::NotStarted),
        Err(error) => SupervisorReport::NotStarted(format!("{}: {error}", room.display())),
    };
    // Without a report palestra still sees that the warden is gone.
    let _ = report.write(room);
    end_all();
    ExitCode::FAILURE
}

/// Starts the player and watches it until it is over.
fn run(order: &SupervisorOrder, room: &Path) -> Result<SupervisorReport, String> {
    let said = |what: &'static str| move |error: rustix::io::Errno| format!("{what}: {error}");
    let parent = Pid::from_raw(order.parent).ok_or("no parent")?;
    let parent_end = pidfd_open(parent, PidfdFlags::empty()).map_err(said("palestra is gone"))?;
    if getppid() != Some(parent) {
        return Err("palestra is gone".to_owned());
    }
    // Whoever loses its parent becomes a child of the warden, and stays in sight.
    set_child_subreaper(Some(getpid())).map_err(said("subreaper"))?;
    let player = start(order, room)?;
    // A fork bomb leaves little of the processor to others; only root may ask for more than others have.
    let _ = setpriority_process(None, -20);
    let player_end = pidfd_open(player, PidfdFlags::empty()).map_err(said("player"))?;
    release_pipes().map_err(|error| format!("pipes: {error}"))?;
    let mut watch = PlayerMonitor { limits: &order.limits, room, player, looks: 0, files: 0 };
    Ok(watch.until_over(&parent_end, &player_end))
}

/// Starts the player from a thread that is confined like it.
fn start(order: &SupervisorOrder, room: &Path) -> Result<Pid, String> {
    apply_limits(&order.limits)?;
    let starter = || -> Result<Pid, String> {
        if let Some(core) = order.core {
            let mut cores = rustix::thread::CpuSet::new();
            cores.set(core);
            rustix::thread::sched_setaffinity(None, &cores)
                .map_err(|error| format!("processor {core}: {error}"))?;
        }
        if let Some(confinement) = &order.confinement {
            confine::apply(confinement, &scratch(room))?;
        }
        let program = &order.program;
        let player = program.command().spawn().map_err(|error| program.complaint(&error))?;
        i32::try_from(player.id()).ok().and_then(Pid::from_raw).ok_or_else(|| "no process".to_owned())
    };
    thread::scope(|scope| scope.spawn(starter).join()).map_err(|_| "the starting thread failed".to_owned())?
}

/// Reads as empty and swallows everything.
const NOTHING: &str = "/dev/null";

/// Lets go of the player's pipes: only its own ends say whether it has closed them.
fn release_pipes() -> io::Result<()> {
    let nothing = File::options().read(true).write(true).open(NOTHING);
    let nothing = nothing.map_err(|error| io::Error::new(error.kind(), format!("{NOTHING}: {error}")))?;
    rustix::stdio::dup2_stdin(&nothing)?;
    rustix::stdio::dup2_stdout(&nothing)?;
    rustix::stdio::dup2_stderr(&nothing)?;
    Ok(())
}

/// A player under watch.
struct PlayerMonitor<'a> {
    limits: &'a ResourceLimits,
    room: &'a Path,
    player: Pid,
    looks: u32,
    files: u64,
}

impl PlayerMonitor<'_> {
    fn until_over(&mut self, parent: &OwnedFd, player: &OwnedFd) -> SupervisorReport {
        let tick = Timespec { tv_sec: 0, tv_nsec: i64::from(TICK.subsec_nanos()) };
        loop {
            let mut fds = [parent, player].map(|fd| PollFd::new(fd, PollFlags::IN));
            // An interrupted wait is only an early look.
            let _ = poll(&mut fds, Some(&tick));
            if !fds[0].revents().is_empty() {
                return SupervisorReport::NotStarted("palestra is gone".to_owned());
            }
            if let Some(report) = self.reap() {
                // What ran over a limit at the very end is seen in its traces.
                return self.over_disk().map_or(report, SupervisorReport::Over);
            }
            if let Some(fault) = self.over() {
                return SupervisorReport::Over(fault);
            }
        }
    }

    /// Takes note of every child that has ended; the player's own end is a report.
    fn reap(&self) -> Option<SupervisorReport> {
        let mut report = None;
        while let Ok(Some((pid, status))) = wait(WaitOptions::NOHANG) {
            if pid == self.player {
                report = Some(how(status));
            }
        }
        report
    }

    /// What the player uses too much of.
    fn over(&mut self) -> Option<Fault> {
        let limits = self.limits;
        // One too many is enough: a fork bomb must not keep the warden counting.
        let most = usize::try_from(limits.processes).unwrap_or(usize::MAX).saturating_add(1);
        let used = usage(&descendant_entries(getpid().as_raw_pid(), most), limits.memory);
        let sums = [
            (FaultKind::Processes, used.processes, limits.processes, "processes"),
            (FaultKind::Processes, used.threads, limits.threads, "threads"),
            (FaultKind::Memory, used.memory >> 20, limits.memory >> 20, "MiB of memory"),
            (FaultKind::Cpu, used.cpu.as_secs(), limits.cpu_seconds, "seconds of processor time"),
        ];
        let over = sums.into_iter().find(|(_, used, most, _)| used > most);
        if let Some((kind, used, most, what)) = over {
            return Some(Fault::new(kind, format!("{used} {what} or more, where {most} are allowed")));
        }
        self.looks += 1;
        match self.files < MANY_FILES || self.looks.is_multiple_of(LOOKS) {
            true => self.over_disk(),
            false => None,
        }
    }

    fn over_disk(&mut self) -> Option<Fault> {
        let FolderUsage { bytes, files, closed } = folder_usage(&scratch(self.room));
        self.files = files;
        let ResourceLimits { scratch_bytes: most, files: most_files, .. } = *self.limits;
        let detail = match closed {
            _ if bytes > most => {
                format!("{} MiB in its scratch folder, where {} are allowed", bytes >> 20, most >> 20)
            }
            _ if files > most_files => {
                format!("{files} files in its scratch folder, where {most_files} are allowed")
            }
            true => "a folder in its scratch folder that cannot be looked into".to_owned(),
            false => return None,
        };
        Some(Fault::new(FaultKind::Disk, detail))
    }
}

fn how(status: WaitStatus) -> SupervisorReport {
    match (status.exit_status(), status.terminating_signal()) {
        (Some(code), _) => SupervisorReport::Exit(code),
        (_, signal) => SupervisorReport::Signal(signal.unwrap_or_default()),
    }
}

/// Kills the whole group, this process included, and before it whoever has left the group.
fn end_all() {
    kill_strays(getpid());
    let _ = kill_process_group(getpid(), Signal::KILL);
}

/// Kills the descendants of a warden that are in another group than its own: a confined player has none. Returns
/// their numbers.
pub(super) fn kill_strays(supervisor: Pid) -> Vec<Pid> {
    let group = supervisor.as_raw_pid();
    let mut killed = Vec::new();
    // Who forks faster than this is in the group, or unconfined by choice.
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
