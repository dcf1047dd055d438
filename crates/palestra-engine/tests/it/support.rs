//! Starts misbehaving engines and talks to them.

use crate::zoo::zoo;
use palestra_engine::{
    Confinement, Fault, FaultKind, Launcher, Process, ProcessSetup, ProgramCommand, ResourceLimits, Transport,
};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Longest wait for an event that must happen; a machine may be slow.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);

/// A confined engine of the zoo.
pub(crate) fn setup(args: &[&str]) -> ProcessSetup {
    let folder = zoo().parent().unwrap().to_owned();
    ProcessSetup {
        launcher: launcher(),
        confinement: Some(Confinement { shown: vec![folder.clone()], ..Confinement::default() }),
        program: ProgramCommand {
            program: zoo().to_owned(),
            args: args.iter().map(|word| (*word).to_owned()).collect(),
            folder,
            environment: Vec::new(),
        },
        limits: ResourceLimits::default(),
        core: None,
    }
}

/// The supervisor is an example, which cargo builds together with the tests.
pub(crate) fn launcher() -> Launcher {
    Launcher::new(example(), "warden")
}

pub(crate) fn example() -> PathBuf {
    let own = std::env::current_exe().unwrap();
    let program = own.parent().and_then(Path::parent).unwrap().join("examples/warden");
    assert!(program.exists(), "{} is built by cargo test without --test", program.display());
    program
}

/// The result of a dialogue.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Verdict {
    /// All requests were answered; the last answer.
    Answered(String),
    /// No answer arrived in time.
    Silence,
    /// The process returned a fault.
    Fault(Fault),
}

impl Verdict {
    pub(crate) fn kind(&self) -> Option<FaultKind> {
        match self {
            Verdict::Fault(fault) => Some(fault.kind),
            _ => None,
        }
    }
}

/// Makes the handshake and four move requests, each with this time.
pub(crate) fn converse(process: &mut Process, time: Duration) -> Verdict {
    match converse_or_fault(process, time) {
        Ok(verdict) => verdict,
        Err(fault) => Verdict::Fault(fault),
    }
}

fn converse_or_fault(process: &mut Process, time: Duration) -> Result<Verdict, Fault> {
    let patience = || Instant::now() + time.max(Duration::from_secs(5));
    for (command, answer) in [("ugi", "ugiok"), ("isready", "readyok")] {
        process.send(command, patience())?;
        if receive_line(process, answer, Instant::now() + time)?.is_none() {
            return Ok(Verdict::Silence);
        }
    }
    let mut last = String::new();
    for moves in ["", "1 2", "1 2 1 3", "1 2 1 3 4 4"] {
        process.send(&format!("position startpos moves {moves}"), patience())?;
        process.send("go movetime 100", patience())?;
        match receive_line(process, "bestmove", Instant::now() + time)? {
            Some(line) => last = line,
            None => return Ok(Verdict::Silence),
        }
    }
    Ok(Verdict::Answered(last))
}

/// Waits for a line that begins with a word.
fn receive_line(process: &mut Process, word: &str, until: Instant) -> Result<Option<String>, Fault> {
    while let Some(line) = process.receive(until)? {
        if line.starts_with(word) {
            return Ok(Some(line));
        }
    }
    Ok(None)
}

/// Sends a command to a probe and returns its answer.
pub(crate) fn request(process: &mut Process, command: &str) -> String {
    let until = Instant::now() + PATIENCE;
    process.send(command, until).unwrap();
    process.receive(until).unwrap().unwrap_or_else(|| panic!("no answer to {command}"))
}

/// Whether a process of the group exists, zombies included.
pub(crate) fn group_exists(group: i32) -> bool {
    let group = rustix::process::Pid::from_raw(group).unwrap();
    rustix::process::test_kill_process_group(group) != Err(rustix::io::Errno::SRCH)
}

/// Waits until a condition holds; returns whether it did within [`PATIENCE`].
pub(crate) fn eventually(condition: impl Fn() -> bool) -> bool {
    let until = Instant::now() + PATIENCE;
    while Instant::now() < until {
        if condition() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    false
}
