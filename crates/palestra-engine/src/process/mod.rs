//! An engine process: what is started, with which limits, and how it exits. The process itself depends on the system.

mod dialogue;
mod inbox;
mod limits;
mod peak;

pub(crate) use dialogue::Dialogue;
pub(crate) use inbox::{EngineStderr, Inbox};
pub use limits::ResourceLimits;
pub use peak::PeakUsage;
pub(crate) use peak::UsedShare;

use crate::confine::Confinement;
use palestra_arena::{Fault, FaultKind};
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A program to start.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ProgramCommand {
    /// A name to look up in `PATH`, or a path; one that is not absolute starts at `folder`.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<String>,
    /// Working directory.
    pub folder: PathBuf,
    /// Environment variables in addition to `PATH`, `LANG`, `HOME`, `TMPDIR` and the limits of runtimes.
    pub environment: Vec<(String, String)>,
}

/// How to start a supervisor: Palestra's own program with arguments that make it call
/// [`run_supervisor`](crate::run_supervisor) with its last argument. The supervisor starts it once more. Only used on
/// Linux.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Launcher {
    /// Path of the program.
    pub program: PathBuf,
    /// The arguments before the last.
    pub args: Vec<OsString>,
}

/// What is needed to start a process.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProcessSetup {
    /// Starts the supervisor.
    pub launcher: Launcher,
    /// The program.
    pub program: ProgramCommand,
    /// Its resource limits.
    pub limits: ResourceLimits,
    /// Its confinement; `None` leaves it unconfined.
    pub confinement: Option<Confinement>,
    /// The one processor that it may run on; `None` does not pin it.
    pub core: Option<usize>,
}

/// How a program is asked to exit, after the last line of its protocol.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ExitRequest {
    /// Its input is closed.
    #[default]
    InputClosed,
    /// `SIGTERM` with its input open; how it exits is no fault. On systems other than Linux it is killed.
    Sigterm,
    /// Not at all: it exits by itself.
    ByItself,
}

/// How a program exited when it was stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExitKind {
    /// By itself, after the protocol's request to quit, at the end of its input, or after `SIGTERM` where that is how
    /// its judge ends it.
    ByItself,
    /// After `SIGTERM`.
    Terminated,
    /// After it was killed, by Palestra or by its supervisor.
    Killed,
}

/// How a program exited, and whether that was a fault.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExitReport {
    /// How it exited.
    pub kind: ExitKind,
    /// Its fault, if any: a program that exits by itself must have exit code 0.
    pub fault: Option<Fault>,
}

impl ExitReport {
    /// Whether a fault says only that the program has ended, which is none after its last game.
    pub(crate) fn is_end(fault: &Fault) -> bool {
        matches!(fault.kind, FaultKind::Crash | FaultKind::Closed)
    }

    /// Whether the program ended by itself with exit code 0.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.kind == ExitKind::ByItself && self.fault.is_none()
    }
}

impl ProgramCommand {
    /// Whether the program is a name without a path, to be looked up in `PATH`.
    pub(crate) fn is_name(&self) -> bool {
        let has_slash = self.program.as_os_str().as_encoded_bytes().contains(&b'/');
        self.program.components().count() == 1 && !has_slash
    }

    /// The command as it is started: with a path that does not depend on the current directory, and its whole
    /// environment.
    pub(crate) fn ready(&self, scratch: &Path, limits: &ResourceLimits) -> ProgramCommand {
        let mut ready = self.clone();
        if !self.is_name() {
            ready.program = self.folder.join(&self.program);
        }
        let scratch = scratch.to_string_lossy().into_owned();
        let path = std::env::var("PATH").unwrap_or_else(|_| "/usr/local/bin:/usr/bin:/bin".to_owned());
        let fixed =
            [("PATH", path), ("LANG", "C.UTF-8".to_owned()), ("HOME", scratch.clone()), ("TMPDIR", scratch)];
        let fixed = fixed.map(|(name, value)| (name.to_owned(), value));
        let of_limits = limits.runtime_environment();
        // What the entry sets comes last and replaces the rest.
        ready.environment = fixed.into_iter().chain(of_limits).chain(ready.environment).collect();
        ready
    }

    /// The [`Command`] of a program that [`ProgramCommand::ready`] returned.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.args).current_dir(&self.folder).env_clear();
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        command
    }

    /// The message for a program that could not be started.
    pub(crate) fn start_error(&self, error: &io::Error) -> String {
        match error.kind() {
            io::ErrorKind::NotFound if !self.folder.is_dir() => {
                format!("{}: no such folder", self.folder.display())
            }
            _ => format!("{}: {error}", self.program.display()),
        }
    }
}

impl Launcher {
    /// A launcher for a program that calls [`run_supervisor`](crate::run_supervisor) when its first argument is `word`.
    pub fn new(program: impl AsRef<Path>, word: &str) -> Launcher {
        Launcher { program: program.as_ref().to_owned(), args: vec![word.into()] }
    }
}
