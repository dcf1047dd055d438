//! An outside program as a child: started, spoken to, and ended. Who it starts itself is not known here.

use super::pipes::Pipes;
use super::scratch::Scratch;
use crate::fault::{Fault, FaultKind};
use crate::process::{Dialogue, ExitKind, ExitReport, Inbox, LogLine, ProcessSetup, Speaker};
use crate::transport::Transport;
use std::path::{Path, PathBuf};
use std::process::{Child, ExitCode, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// How long the end of a program may take to reach us after its pipes have closed, and what it said after its end.
const SETTLING: Duration = Duration::from_millis(500);

/// How often it is looked whether a program that must end has.
const LOOK: Duration = Duration::from_millis(2);

/// What the thread that writes gets in any case.
const LEAST: Duration = Duration::from_millis(50);

/// A running program and the line to it. Dropping it ends the program, and not what that has started.
#[derive(Debug)]
pub struct Process {
    /// `None` where it could not be started.
    child: Option<Child>,
    /// How it ended, once it has.
    status: Option<ExitStatus>,
    pipes: Pipes,
    dialogue: Dialogue,
    /// What ended the conversation, once something has.
    fault: Option<Fault>,
    /// How it left, once it was stopped.
    farewell: Option<ExitReport>,
    scratch: Scratch,
}

/// Why a conversation cannot go on.
enum PlainPipeError {
    OutputClosed,
    InputClosed,
    NotReading,
    Flood(Fault),
}

/// Watches a player: not on this system, where players are started without.
#[must_use]
pub fn run_supervisor(_room: &Path) -> ExitCode {
    ExitCode::FAILURE
}

impl Process {
    /// Starts a program. That it cannot be started shows when it is spoken to.
    pub fn start(setup: &ProcessSetup) -> Result<Process, Fault> {
        let said = |error: std::io::Error| Fault::new(FaultKind::Start, error.to_string());
        let scratch = Scratch::new().map_err(said)?;
        let dialogue = Dialogue::new(Instant::now());
        let (child, fault) = match spawn(setup, scratch.path()) {
            Ok(child) => (Some(child), None),
            Err(why) => (None, Some(Fault::new(FaultKind::Start, why))),
        };
        let pipes = Pipes::closed();
        let mut process = Process { child, status: None, pipes, dialogue, fault, farewell: None, scratch };
        if let Some(child) = &mut process.child {
            process.pipes = Pipes::new(child).map_err(said)?;
        }
        Ok(process)
    }

    /// What was said since the last call, as far as it was kept.
    pub fn take_dialogue(&mut self) -> Vec<LogLine> {
        self.dialogue.take()
    }

    /// What was said since the program was started, or the last call of [`Process::take_dialogue`], as far as it was
    /// kept.
    #[must_use]
    pub fn dialogue(&self) -> Vec<LogLine> {
        self.dialogue.all()
    }

    /// The end of what the program wrote to its error output.
    #[must_use]
    pub fn stderr_tail(&self) -> String {
        self.pipes.tail.text()
    }

    /// How long the program waited for a processor since it was last spoken to: unknown on this system.
    pub fn waited_for_core(&mut self) -> Duration {
        Duration::ZERO
    }

    /// The number of the process; there are no groups here.
    #[must_use]
    pub fn group(&self) -> i32 {
        self.child.as_ref().and_then(|child| i32::try_from(child.id()).ok()).unwrap_or_default()
    }

    /// Where the program may write; it is not kept from writing elsewhere.
    #[must_use]
    pub fn scratch(&self) -> PathBuf {
        self.scratch.path().to_owned()
    }

    /// Asks the program to leave by the end of its input, and kills it after the grace.
    pub fn stop(&mut self, grace: Duration) -> ExitReport {
        if let Some(farewell) = &self.farewell {
            return farewell.clone();
        }
        self.pipes.close_input();
        let until = Instant::now() + grace;
        let has_left = loop {
            match self.wait_gone(until) {
                Ok(has_left) => break has_left,
                // Too much of what it says at the end is forgotten.
                Err(_) => self.pipes.inbox = Inbox::default(),
            }
        };
        self.end();
        let left = if has_left { ExitKind::ByItself } else { ExitKind::Killed };
        let fault = self.fault.clone().or_else(|| match self.status {
            // How it ended when it was made to is no fault of its own.
            _ if left == ExitKind::Killed => None,
            Some(status) if status.success() => None,
            status => Some(ending(status)),
        });
        self.farewell.insert(ExitReport { kind: left, fault }).clone()
    }

    /// Whether the program has ended.
    fn has_ended(&mut self) -> bool {
        if let (None, Some(child)) = (self.status, &mut self.child) {
            self.status = child.try_wait().ok().flatten();
        }
        self.status.is_some() || self.child.is_none()
    }

    /// Waits until the program has ended and everything it said was read; says whether it has ended.
    fn wait_gone(&mut self, until: Instant) -> Result<bool, Fault> {
        let mut until = until;
        let mut has_ended = false;
        loop {
            let now = Instant::now();
            if !has_ended && self.has_ended() {
                has_ended = true;
                // Who was started by it may hold its output open for ever.
                until = now + SETTLING;
            }
            if has_ended && !self.pipes.is_open && !self.pipes.has_errors || now >= until {
                return Ok(has_ended);
            }
            self.pipes.serve(until.min(now + LOOK))?;
        }
    }

    /// Hands over a line. What the program says meanwhile is read, so that no two pipes wait for each other.
    fn write(&mut self, line: &str, until: Instant) -> Result<(), PlainPipeError> {
        let until = until.max(Instant::now() + LEAST);
        if !self.pipes.write(line) {
            return Err(PlainPipeError::InputClosed);
        }
        loop {
            let is_late = Instant::now() >= until;
            self.pipes.serve(until).map_err(PlainPipeError::Flood)?;
            match self.pipes.written.take() {
                Some(true) => return Ok(()),
                Some(false) => return Err(PlainPipeError::InputClosed),
                None if is_late => return Err(PlainPipeError::NotReading),
                None if self.is_over() => return Err(PlainPipeError::OutputClosed),
                None => {}
            }
        }
    }

    /// Whether nothing can come from the program that has not come yet.
    fn is_over(&mut self) -> bool {
        !self.pipes.is_open || self.has_ended()
    }

    /// Turns the end of a conversation into a fault.
    fn verdict(&mut self, stop: PlainPipeError) -> Fault {
        let seen = match stop {
            PlainPipeError::Flood(fault) => return fault,
            PlainPipeError::NotReading => return Fault::new(FaultKind::Closed, "it does not read its input"),
            PlainPipeError::InputClosed => "it closed its input",
            PlainPipeError::OutputClosed => "it closed its output",
        };
        match self.wait_gone(Instant::now() + SETTLING) {
            Ok(true) => ending(self.status),
            Ok(false) => Fault::new(FaultKind::Closed, seen),
            Err(flood) => flood,
        }
    }

    /// Kills the program, unless it has ended, and waits for it.
    fn end(&mut self) {
        if let (false, Some(child)) = (self.has_ended(), &mut self.child) {
            // It may end by itself in between.
            let _ = child.kill();
            self.status = child.wait().ok();
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}

impl Transport for Process {
    fn send(&mut self, line: &str, until: Instant) -> Result<(), Fault> {
        if let Some(fault) = &self.fault {
            return Err(fault.clone());
        }
        self.dialogue.add(Speaker::Palestra, line);
        self.pipes.inbox.asked();
        self.write(line, until).map_err(|stop| {
            let fault = self.verdict(stop);
            self.fault.insert(fault).clone()
        })
    }

    fn receive(&mut self, until: Instant) -> Result<Option<String>, Fault> {
        loop {
            if let Some(line) = self.pipes.inbox.line() {
                self.dialogue.add(Speaker::Program, &line);
                return Ok(Some(line));
            }
            if let Some(fault) = &self.fault {
                // The line that it never ended was its last.
                if let Some(begun) = self.pipes.inbox.take_beginning() {
                    self.dialogue.add(Speaker::Program, &begun);
                }
                return Err(fault.clone());
            }
            let is_late = Instant::now() >= until;
            let served = self.pipes.serve(until).map_err(PlainPipeError::Flood);
            let is_over = self.pipes.inbox.is_empty() && self.is_over();
            match served {
                // What it said before it ended counts: the fault comes after the last line.
                Err(stop) => self.fault = Some(self.verdict(stop)),
                Ok(()) if is_over => self.fault = Some(self.verdict(PlainPipeError::OutputClosed)),
                Ok(()) if is_late && self.pipes.inbox.is_empty() => return Ok(None),
                Ok(()) => {}
            }
        }
    }
}

/// Starts the program, where somebody accepted that nothing holds it.
fn spawn(setup: &ProcessSetup, scratch: &Path) -> Result<Child, String> {
    if let Some(confinement) = &setup.confinement {
        confinement.accepts(&super::missing())?;
    }
    let mut program = setup.program.ready(scratch);
    // Windows has other names for the folder, and nothing starts there without the first.
    let root = std::env::var("SYSTEMROOT").ok().map(|root| ("SYSTEMROOT".to_owned(), root));
    let folder = ["TEMP", "TMP", "USERPROFILE"].map(|name| (name.to_owned(), scratch.display().to_string()));
    program.environment.splice(..0, root.into_iter().chain(folder));
    let mut command = program.command();
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().map_err(|error| program.complaint(&error))
}

/// The fault of a program that is gone.
fn ending(status: Option<ExitStatus>) -> Fault {
    let detail = match status {
        Some(status) => match status.code() {
            Some(code) => format!("ended with exit code {code}"),
            // The standard library names the signal.
            None => format!("ended by {status}"),
        },
        None => "it ended with an unknown exit status".to_owned(),
    };
    Fault::new(FaultKind::Crash, detail)
}
