//! An outside program: what is started, how it is watched, and how it leaves. The process itself is the system's.

mod dialogue;
mod inbox;
mod limits;

pub(crate) use dialogue::Dialogue;
pub use dialogue::{LogLine, Speaker};
pub(crate) use inbox::{EngineStderr, Inbox};
pub use limits::ResourceLimits;

use crate::confine::Confinement;
use crate::fault::Fault;
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
    /// Where it works: its own folder.
    pub folder: PathBuf,
    /// What its environment has beside `PATH`, `LANG`, `HOME` and `TMPDIR`.
    pub environment: Vec<(String, String)>,
}

/// How to start a supervisor: palestra's own program, told to call [`run_supervisor`](crate::run_supervisor) with its last argument. On
/// systems other than Linux there are none, and this is not used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Launcher {
    /// The program.
    pub program: PathBuf,
    /// The arguments before the last.
    pub args: Vec<OsString>,
}

/// All that a process needs to be started.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProcessSetup {
    /// Who watches it.
    pub launcher: Launcher,
    /// What is started.
    pub program: ProgramCommand,
    /// What it may use.
    pub limits: ResourceLimits,
    /// What it is kept from; `None` keeps it from nothing.
    pub confinement: Option<Confinement>,
    /// The one processor it may run on, where it is pinned.
    pub core: Option<usize>,
}

/// How a program left when it was asked to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExitKind {
    /// By itself: it was asked to quit, or saw the end of its input.
    ByItself,
    /// When it was told to terminate.
    Terminated,
    /// Not before it was killed, by us or by its warden.
    Killed,
}

/// The end of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExitReport {
    /// How it left.
    pub kind: ExitKind,
    /// What it did wrong at the end, if anything: a program that leaves by itself has exit code 0.
    pub fault: Option<Fault>,
}

impl ProgramCommand {
    /// Whether it is a name alone, to be looked up.
    pub(crate) fn is_name(&self) -> bool {
        let has_slash = self.program.as_os_str().as_encoded_bytes().contains(&b'/');
        self.program.components().count() == 1 && !has_slash
    }

    /// The same program as it is started: found from anywhere, and with its whole environment.
    pub(crate) fn ready(&self, scratch: &Path) -> ProgramCommand {
        let mut ready = self.clone();
        if !self.is_name() {
            ready.program = self.folder.join(&self.program);
        }
        let scratch = scratch.to_string_lossy().into_owned();
        let path = std::env::var("PATH").unwrap_or_else(|_| "/usr/local/bin:/usr/bin:/bin".to_owned());
        let fixed =
            [("PATH", path), ("LANG", "C.UTF-8".to_owned()), ("HOME", scratch.clone()), ("TMPDIR", scratch)];
        let fixed = fixed.map(|(name, value)| (name.to_owned(), value));
        ready.environment = fixed.into_iter().chain(ready.environment).collect();
        ready
    }

    /// What starts it, once it is ready.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.args).current_dir(&self.folder).env_clear();
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        command
    }

    /// Why it could not be started.
    pub(crate) fn complaint(&self, error: &io::Error) -> String {
        match error.kind() {
            io::ErrorKind::NotFound if !self.folder.is_dir() => {
                format!("{}: no such folder", self.folder.display())
            }
            _ => format!("{}: {error}", self.program.display()),
        }
    }
}

impl Launcher {
    /// A launcher for a program that calls [`run_supervisor`](crate::run_supervisor) when its first argument is this word.
    pub fn new(program: impl AsRef<Path>, word: &str) -> Launcher {
        Launcher { program: program.as_ref().to_owned(), args: vec![word.into()] }
    }
}
