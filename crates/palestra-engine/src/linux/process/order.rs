//! The orders to a supervisor and a starter and their reports: files in the working directory of the process.

use crate::confine::Confinement;
use crate::process::{Launcher, PeakUsage, ProgramCommand, ResourceLimits};
use palestra_arena::{Fault, FaultKind};
use rustix::process::{Pid, WaitStatus};
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// What to start, and how to watch it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct SupervisorOrder {
    /// The process of Palestra; the engine is killed when it ends.
    pub(super) parent: i32,
    /// Starts the starter.
    pub(super) launcher: Launcher,
    /// As [`ProgramCommand::ready`] returned it.
    pub(super) program: ProgramCommand,
    pub(super) limits: ResourceLimits,
    pub(super) confinement: Option<Confinement>,
    pub(super) core: Option<usize>,
    /// The control group of the engine, where it has one.
    pub(super) cgroup: Option<PathBuf>,
    /// Whether the starter is the first process of a namespace; set by the supervisor.
    pub(super) has_namespaces: bool,
}

/// How the engine ended.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) enum SupervisorReport {
    /// The engine could not be started.
    NotStarted(String),
    /// It ended with an exit code.
    Exit(i32),
    /// It was ended by a signal.
    Signal(i32),
    /// It exceeded a limit and was killed.
    Over(Fault),
}

/// The order to the supervisor.
pub(super) const ORDER: &str = "order.json";
/// The order to the starter.
pub(super) const START: &str = "start.json";
const FIRST: &str = "first";
const END: &str = "end.json";
const REPORT: &str = "report.json";
const PEAK: &str = "peak.json";

impl SupervisorOrder {
    pub(super) fn write(&self, path: &Path) -> io::Result<()> {
        fs::write(path, serde_json::to_vec(self)?)
    }

    pub(super) fn read(path: &Path) -> io::Result<SupervisorOrder> {
        Ok(serde_json::from_slice(&fs::read(path)?)?)
    }
}

/// Notes the first process of the engine, which leads a group of its own.
pub(super) fn write_first(work_dir: &Path, first: Pid) -> io::Result<()> {
    fs::write(work_dir.join(FIRST), first.as_raw_pid().to_string())
}

/// The first process of the engine, once it was started.
pub(super) fn read_first(work_dir: &Path) -> Option<Pid> {
    Pid::from_raw(fs::read_to_string(work_dir.join(FIRST)).ok()?.parse().ok()?)
}

/// Writes what the engine used at most. It is read once the supervisor has ended.
pub(super) fn write_peak(peak: &PeakUsage, work_dir: &Path) -> io::Result<()> {
    fs::write(work_dir.join(PEAK), serde_json::to_vec(peak)?)
}

/// What an engine that has ended used at most.
pub(super) fn read_peak(work_dir: &Path) -> Option<PeakUsage> {
    serde_json::from_slice(&fs::read(work_dir.join(PEAK)).ok()?).ok()
}

/// The file in which a starter says how the engine ended. It is read once the starter has ended, and empty where the
/// starter became the engine.
#[derive(Debug)]
pub(super) struct EndFile(File);

impl EndFile {
    pub(super) fn create(work_dir: &Path) -> io::Result<EndFile> {
        File::create(work_dir.join(END)).map(EndFile)
    }

    pub(super) fn write(mut self, report: &SupervisorReport) -> io::Result<()> {
        self.0.write_all(&serde_json::to_vec(report)?)
    }

    pub(super) fn read(work_dir: &Path) -> Option<SupervisorReport> {
        serde_json::from_slice(&fs::read(work_dir.join(END)).ok()?).ok()
    }
}

impl SupervisorReport {
    /// Writes the report atomically, since it may be read at any time.
    pub(super) fn write(&self, work_dir: &Path) -> io::Result<()> {
        let draft = work_dir.join("report.draft");
        fs::write(&draft, serde_json::to_vec(self)?)?;
        fs::rename(draft, work_dir.join(REPORT))
    }

    /// The report, once it is written.
    pub(super) fn read(work_dir: &Path) -> Option<SupervisorReport> {
        serde_json::from_slice(&fs::read(work_dir.join(REPORT)).ok()?).ok()
    }

    /// Whether the engine failed by itself. `SIGTERM` and the exit codes of programs that handle it are requests to end.
    pub(super) fn is_own_crash(&self) -> bool {
        match self {
            SupervisorReport::Exit(0 | 143) | SupervisorReport::Signal(15) => false,
            SupervisorReport::Exit(_) | SupervisorReport::Signal(_) => {
                self.clone().fault().kind == FaultKind::Crash
            }
            SupervisorReport::NotStarted(_) | SupervisorReport::Over(_) => false,
        }
    }

    /// The fault of an engine that ended like this during a game.
    pub(super) fn fault(self) -> Fault {
        match self {
            SupervisorReport::NotStarted(why) => Fault::new(FaultKind::Start, why),
            SupervisorReport::Over(fault) => fault,
            SupervisorReport::Signal(signal) => by_signal(signal, &format!("ended by {}", name(signal))),
            // A shell that ran the engine exits with 128 plus the signal that ended its child.
            SupervisorReport::Exit(code)
                if (129..160).contains(&code) && kind(code - 128) != FaultKind::Crash =>
            {
                by_signal(code - 128, &format!("exit code {code}, for {}", name(code - 128)))
            }
            SupervisorReport::Exit(code) => {
                Fault::new(FaultKind::Crash, format!("ended with exit code {code}"))
            }
        }
    }
}

impl From<WaitStatus> for SupervisorReport {
    fn from(status: WaitStatus) -> SupervisorReport {
        match (status.exit_status(), status.terminating_signal()) {
            (Some(code), _) => SupervisorReport::Exit(code),
            (_, signal) => SupervisorReport::Signal(signal.unwrap_or_default()),
        }
    }
}

fn by_signal(signal: i32, seen: &str) -> Fault {
    let kind = kind(signal);
    let why = match kind {
        FaultKind::Disk => ": a file larger than the limit",
        FaultKind::Cpu => ": more processor time than the limit",
        FaultKind::Forbidden => ": a socket or another forbidden system call",
        _ => "",
    };
    Fault::new(kind, format!("{seen}{why}"))
}

/// The kind of fault for a signal; the kernel sends the first three to a process that exceeds a limit.
fn kind(signal: i32) -> FaultKind {
    match name(signal).as_str() {
        "SIGXFSZ" => FaultKind::Disk,
        "SIGXCPU" => FaultKind::Cpu,
        "SIGSYS" => FaultKind::Forbidden,
        _ => FaultKind::Crash,
    }
}

/// A signal's name; the numbers are the same on all machines that Palestra runs on.
pub(super) fn name(signal: i32) -> String {
    const NAMES: [&str; 31] = [
        "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2", "PIPE",
        "ALRM", "TERM", "STKFLT", "CHLD", "CONT", "STOP", "TSTP", "TTIN", "TTOU", "URG", "XCPU", "XFSZ",
        "VTALRM", "PROF", "WINCH", "IO", "PWR", "SYS",
    ];
    let known = usize::try_from(signal - 1).ok().and_then(|index| NAMES.get(index));
    known.map_or_else(|| format!("signal {signal}"), |name| format!("SIG{name}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requested_ends_are_no_crashes() {
        for (report, expected) in [
            (SupervisorReport::Exit(0), false),
            (SupervisorReport::Exit(1), true),
            (SupervisorReport::Exit(134), true),
            (SupervisorReport::Exit(143), false),
            (SupervisorReport::Signal(6), true),
            (SupervisorReport::Signal(11), true),
            (SupervisorReport::Signal(15), false),
            (SupervisorReport::Signal(24), false),
            (SupervisorReport::NotStarted(String::new()), false),
        ] {
            assert_eq!(report.is_own_crash(), expected, "{report:?}");
        }
    }

    #[test]
    fn endings_have_their_kinds() {
        let check = |report: SupervisorReport, kind: FaultKind, detail: &str| {
            let fault = report.fault();
            assert_eq!(fault.kind, kind);
            assert!(fault.detail.contains(detail), "{fault}");
        };
        check(SupervisorReport::Exit(0), FaultKind::Crash, "exit code 0");
        check(SupervisorReport::Exit(137), FaultKind::Crash, "exit code 137");
        check(SupervisorReport::Exit(159), FaultKind::Forbidden, "SIGSYS");
        check(SupervisorReport::Signal(11), FaultKind::Crash, "SIGSEGV");
        check(SupervisorReport::Signal(24), FaultKind::Cpu, "SIGXCPU");
        check(SupervisorReport::Signal(25), FaultKind::Disk, "SIGXFSZ");
        check(SupervisorReport::Signal(31), FaultKind::Forbidden, "SIGSYS");
        check(SupervisorReport::Signal(40), FaultKind::Crash, "signal 40");
        check(SupervisorReport::NotStarted("no such file".to_owned()), FaultKind::Start, "no such file");
    }
}
