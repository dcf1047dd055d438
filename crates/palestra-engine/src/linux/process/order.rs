//! What palestra tells a warden, and what the warden reports: two files in the room of the process.

use crate::confine::Confinement;
use crate::fault::{Fault, FaultKind};
use crate::process::{ProgramCommand, ResourceLimits};
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::{fs, io};

/// What to start, and how to watch it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct SupervisorOrder {
    /// Who wants it: with this process the player ends.
    pub(super) parent: i32,
    /// Ready to be started.
    pub(super) program: ProgramCommand,
    pub(super) limits: ResourceLimits,
    pub(super) confinement: Option<Confinement>,
    pub(super) core: Option<usize>,
}

/// How it went.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) enum SupervisorReport {
    /// The player could not be started.
    NotStarted(String),
    /// It ended with an exit code.
    Exit(i32),
    /// It was ended by a signal.
    Signal(i32),
    /// It used more than it may and was ended.
    Over(Fault),
}

const ORDER: &str = "order.json";
const REPORT: &str = "report.json";

impl SupervisorOrder {
    pub(super) fn write(&self, room: &Path) -> io::Result<()> {
        fs::write(room.join(ORDER), serde_json::to_vec(self)?)
    }

    pub(super) fn read(room: &Path) -> io::Result<SupervisorOrder> {
        Ok(serde_json::from_slice(&fs::read(room.join(ORDER))?)?)
    }
}

impl SupervisorReport {
    /// Writes the report whole or not at all: its reader may come at any time.
    pub(super) fn write(&self, room: &Path) -> io::Result<()> {
        let draft = room.join("report.draft");
        fs::write(&draft, serde_json::to_vec(self)?)?;
        fs::rename(draft, room.join(REPORT))
    }

    /// The report, once there is one.
    pub(super) fn read(room: &Path) -> Option<SupervisorReport> {
        serde_json::from_slice(&fs::read(room.join(REPORT)).ok()?).ok()
    }

    /// What a player that ended like this did wrong.
    pub(super) fn fault(self) -> Fault {
        match self {
            SupervisorReport::NotStarted(why) => Fault::new(FaultKind::Start, why),
            SupervisorReport::Over(fault) => fault,
            SupervisorReport::Signal(signal) => by_signal(signal, &format!("ended by {}", name(signal))),
            // A shell that ran the player says with such a code how its child ended.
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

fn by_signal(signal: i32, seen: &str) -> Fault {
    let kind = kind(signal);
    let why = match kind {
        FaultKind::Disk => ": a file larger than it may be",
        FaultKind::Cpu => ": more processor time than it may use",
        FaultKind::Forbidden => ": a socket, or another call that players may not make",
        _ => "",
    };
    Fault::new(kind, format!("{seen}{why}"))
}

/// The signals by which the kernel ends who goes over a limit.
fn kind(signal: i32) -> FaultKind {
    match name(signal).as_str() {
        "SIGXFSZ" => FaultKind::Disk,
        "SIGXCPU" => FaultKind::Cpu,
        "SIGSYS" => FaultKind::Forbidden,
        _ => FaultKind::Crash,
    }
}

/// A signal's name; they have the same numbers on all machines that Palestra runs on.
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
