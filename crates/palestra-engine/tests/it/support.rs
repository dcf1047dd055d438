//! A player of the zoo under the test's own eyes.

use crate::zoo::zoo;
use palestra_engine::{
    Confinement, Fault, FaultKind, Launcher, Process, ProcessSetup, ProgramCommand, ResourceLimits, Transport,
};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// What a test waits for at most where something must happen; a machine may be slow.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);

/// A confined player of the zoo.
pub(crate) fn setup(args: &[&str]) -> ProcessSetup {
    ProcessSetup {
        launcher: launcher(),
        program: ProgramCommand {
            program: zoo().to_owned(),
            args: args.iter().map(|word| (*word).to_owned()).collect(),
            folder: zoo().parent().unwrap().to_owned(),
            environment: Vec::new(),
        },
        limits: ResourceLimits::default(),
        confinement: Some(Confinement::default()),
        core: None,
    }
}

/// The warden is an example, which cargo builds together with the tests.
pub(crate) fn launcher() -> Launcher {
    Launcher::new(example(), "warden")
}

pub(crate) fn example() -> PathBuf {
    let own = std::env::current_exe().unwrap();
    let program = own.parent().and_then(Path::parent).unwrap().join("examples/warden");
    assert!(program.exists(), "{} is built by cargo test without --test", program.display());
    program
}

/// What came of a conversation.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Verdict {
    /// All questions were answered; the last answer.
    Answered(String),
    /// No answer came in time.
    Silence,
    /// The wire saw a fault.
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

/// Plays a game of a few questions, each with a time.
pub(crate) fn converse(process: &mut Process, time: Duration) -> Verdict {
    match converse_or_fault(process, time) {
        Ok(verdict) => verdict,
        Err(fault) => Verdict::Fault(fault),
    }
}

fn converse_or_fault(process: &mut Process, time: Duration) -> Result<Verdict, Fault> {
    let patience = || Instant::now() + time.max(Duration::from_secs(5));
    for (question, answer) in [("ugi", "ugiok"), ("isready", "readyok")] {
        process.send(question, patience())?;
        if hear(process, answer, Instant::now() + time)?.is_none() {
            return Ok(Verdict::Silence);
        }
    }
    let mut last = String::new();
    for moves in ["", "1 2", "1 2 1 3", "1 2 1 3 4 4"] {
        process.send(&format!("position startpos moves {moves}"), patience())?;
        process.send("go movetime 100", patience())?;
        match hear(process, "bestmove", Instant::now() + time)? {
            Some(line) => last = line,
            None => return Ok(Verdict::Silence),
        }
    }
    Ok(Verdict::Answered(last))
}

/// The first line that begins with a word.
fn hear(process: &mut Process, word: &str, until: Instant) -> Result<Option<String>, Fault> {
    while let Some(line) = process.receive(until)? {
        if line.starts_with(word) {
            return Ok(Some(line));
        }
    }
    Ok(None)
}

/// Tells a probe to do something, and hears what came of it.
pub(crate) fn ask(process: &mut Process, what: &str) -> String {
    let until = Instant::now() + PATIENCE;
    process.send(what, until).unwrap();
    process.receive(until).unwrap().unwrap_or_else(|| panic!("no answer to {what}"))
}

/// Whether a process of the group exists, even one that only waits to be waited for.
pub(crate) fn group_exists(group: i32) -> bool {
    let group = rustix::process::Pid::from_raw(group).unwrap();
    rustix::process::test_kill_process_group(group) != Err(rustix::io::Errno::SRCH)
}

/// Waits until something holds, and says whether it came to.
pub(crate) fn eventually(what: impl Fn() -> bool) -> bool {
    let until = Instant::now() + PATIENCE;
    while Instant::now() < until {
        if what() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    false
}
