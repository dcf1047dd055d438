//! An engine as a plain child process. The processes that it starts itself are not tracked.

use super::pipes::Pipes;
use super::scratch::Scratch;
use crate::process::{Dialogue, ExitKind, ExitReport, ExitRequest, Inbox, PeakUsage, ProcessSetup};
use crate::transport::Transport;
use palestra_arena::{Fault, FaultKind, LogLine, Speaker};
use std::path::{Path, PathBuf};
use std::process::{Child, ExitCode, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// Longest time from the closing of a pipe to the end of the program, and from its end to its last output.
const SETTLE_TIME: Duration = Duration::from_millis(500);

/// Time between two checks whether a program has ended.
const POLL_INTERVAL: Duration = Duration::from_millis(2);

/// Minimum time for the writing thread to report.
const MIN_WRITE_TIME: Duration = Duration::from_millis(50);

/// A running program and the transport to it. Dropping it ends the program, but not the processes that it started.
#[derive(Debug)]
pub struct Process {
    /// `None` where it could not be started.
    child: Option<Child>,
    /// Its exit status, once it has ended.
    status: Option<ExitStatus>,
    pipes: Pipes,
    dialogue: Dialogue,
    /// The fault that ended the dialogue, once there is one.
    fault: Option<Fault>,
    /// How the program exited, once it was stopped.
    exit_report: Option<ExitReport>,
    scratch: Scratch,
}

/// Why the dialogue cannot continue.
enum PlainPipeError {
    OutputClosed,
    InputClosed,
    NotReading,
    Flood(Fault),
}

/// Runs a supervisor on Linux. This system has none, so it only returns a failure.
#[must_use]
pub fn run_supervisor(_work_dir: &Path) -> ExitCode {
    ExitCode::FAILURE
}

impl Process {
    /// Starts a program. A program that cannot be started becomes a fault at the first line sent or received.
    pub fn start(setup: &ProcessSetup) -> Result<Process, Fault> {
        let start_fault = |error: std::io::Error| Fault::new(FaultKind::Start, error.to_string());
        let scratch = Scratch::new().map_err(start_fault)?;
        let dialogue = Dialogue::new(Instant::now());
        let (child, fault) = match spawn(setup, scratch.path()) {
            Ok(child) => (Some(child), None),
            Err(why) => (None, Some(Fault::new(FaultKind::Start, why))),
        };
        let pipes = Pipes::closed();
        let mut process = Process { child, status: None, pipes, dialogue, fault, exit_report: None, scratch };
        if let Some(child) = &mut process.child {
            process.pipes = Pipes::new(child).map_err(start_fault)?;
        }
        Ok(process)
    }

    /// Does nothing: this system does not tell how long a program waited for a processor.
    pub fn begin_exchange(&mut self) {}

    /// False: this system does not tell.
    pub fn is_waiting_for_core(&mut self) -> bool {
        false
    }

    /// Does nothing: this system cannot stop all processes of a program.
    pub fn freeze(&mut self) {}

    /// The lines since the last call, without those that were dropped for their size.
    pub fn take_dialogue(&mut self) -> Vec<LogLine> {
        self.dialogue.take()
    }

    /// The lines since the start of the program or the last call of [`Process::take_dialogue`], without those that were
    /// dropped for their size.
    #[must_use]
    pub fn dialogue(&self) -> Vec<LogLine> {
        self.dialogue.all()
    }

    /// Time since the program was started, on the scale of its dialogue.
    #[must_use]
    pub fn since_start(&self) -> Duration {
        self.dialogue.since_start()
    }

    /// The end of what the program wrote to standard error.
    #[must_use]
    pub fn stderr_tail(&self) -> String {
        self.pipes.tail.text()
    }

    /// How long the program waited for a processor since the last line was sent: always zero, since this system does
    /// not report it.
    pub fn waited_for_core(&mut self) -> Duration {
        Duration::ZERO
    }

    /// What the program used at most: always unknown, since this system does not report it.
    #[must_use]
    pub fn peak(&self) -> Option<PeakUsage> {
        None
    }

    /// The process number; there are no process groups on this system.
    #[must_use]
    pub fn group(&self) -> i32 {
        self.child.as_ref().and_then(|child| i32::try_from(child.id()).ok()).unwrap_or_default()
    }

    /// The scratch folder; the program is not kept from writing elsewhere.
    #[must_use]
    pub fn scratch(&self) -> PathBuf {
        self.scratch.path().to_owned()
    }

    /// Stops the program: closes its input, and kills it after the grace period.
    pub fn stop(&mut self, grace: Duration) -> ExitReport {
        self.stop_by(ExitRequest::InputClosed, grace)
    }

    /// The same with another request.
    pub fn stop_by(&mut self, request: ExitRequest, grace: Duration) -> ExitReport {
        if let Some(exit_report) = &self.exit_report {
            return exit_report.clone();
        }
        let grace = if request == ExitRequest::Sigterm { Duration::ZERO } else { grace };
        if request == ExitRequest::InputClosed {
            self.pipes.close_input();
        }
        let until = Instant::now() + grace;
        let has_exited = loop {
            match self.wait_gone(until) {
                Ok(has_exited) => break has_exited,
                // The dialogue is over, so that a flood is no fault any more and its lines are dropped.
                Err(_) => self.pipes.inbox = Inbox::default(),
            }
        };
        self.end();
        let is_proper = has_exited || request == ExitRequest::Sigterm;
        let kind = if is_proper { ExitKind::ByItself } else { ExitKind::Killed };
        // A program that left by itself with exit code 0 has only ended before the dialogue did.
        let has_left = has_exited && self.status.is_some_and(|status| status.success());
        let fault = self.fault.clone().filter(|fault| !(has_left && ExitReport::is_end(fault)));
        let fault = fault.or_else(|| match self.status {
            // The exit status of a program that was killed is not its fault.
            _ if kind == ExitKind::Killed || request == ExitRequest::Sigterm => None,
            Some(status) if status.success() => None,
            status => Some(exit_fault(status)),
        });
        self.exit_report.insert(ExitReport { kind, fault }).clone()
    }

    /// Whether the program has ended.
    fn has_ended(&mut self) -> bool {
        if let (None, Some(child)) = (self.status, &mut self.child) {
            self.status = child.try_wait().ok().flatten();
        }
        self.status.is_some() || self.child.is_none()
    }

    /// Waits until the program has ended and its output was read; returns whether it has ended.
    fn wait_gone(&mut self, until: Instant) -> Result<bool, Fault> {
        let mut until = until;
        let mut has_ended = false;
        loop {
            let now = Instant::now();
            if !has_ended && self.has_ended() {
                has_ended = true;
                // A process that it started may keep its output open indefinitely.
                until = now + SETTLE_TIME;
            }
            if has_ended && !self.pipes.is_open && !self.pipes.has_errors || now >= until {
                return Ok(has_ended);
            }
            self.pipes.serve(until.min(now + POLL_INTERVAL))?;
        }
    }

    /// Writes a line. The program's output is read meanwhile, so that two full pipes cannot block each other.
    fn write(&mut self, line: &str, until: Instant) -> Result<(), PlainPipeError> {
        let until = until.max(Instant::now() + MIN_WRITE_TIME);
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

    /// Whether no further output can arrive.
    fn is_over(&mut self) -> bool {
        !self.pipes.is_open || self.has_ended()
    }

    /// The fault for the end of the dialogue.
    fn verdict(&mut self, stop: PlainPipeError) -> Fault {
        let detail = match stop {
            PlainPipeError::Flood(fault) => return fault,
            PlainPipeError::NotReading => return Fault::new(FaultKind::Closed, "it does not read its input"),
            PlainPipeError::InputClosed => "it closed its input",
            PlainPipeError::OutputClosed => "it closed its output",
        };
        match self.wait_gone(Instant::now() + SETTLE_TIME) {
            Ok(true) => exit_fault(self.status),
            Ok(false) => Fault::new(FaultKind::Closed, detail),
            Err(flood) => flood,
        }
    }

    /// Kills the program, unless it has ended, and waits for it.
    fn end(&mut self) {
        if let (false, Some(child)) = (self.has_ended(), &mut self.child) {
            // Fails where the program has ended in between.
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
        self.pipes.inbox.reset_counts();
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
                // The log shows the incomplete last line too.
                if let Some(partial) = self.pipes.inbox.take_partial() {
                    self.dialogue.add(Speaker::Program, &partial);
                }
                return Err(fault.clone());
            }
            let is_late = Instant::now() >= until;
            let served = self.pipes.serve(until).map_err(PlainPipeError::Flood);
            let is_over = self.pipes.inbox.is_empty() && self.is_over();
            match served {
                // The fault comes after the lines that the program wrote before its end.
                Err(stop) => self.fault = Some(self.verdict(stop)),
                Ok(()) if is_over => self.fault = Some(self.verdict(PlainPipeError::OutputClosed)),
                Ok(()) if is_late && self.pipes.inbox.is_empty() => return Ok(None),
                Ok(()) => {}
            }
        }
    }
}

/// Starts the program, where no confinement is required or its absence was accepted.
fn spawn(setup: &ProcessSetup, scratch: &Path) -> Result<Child, String> {
    if let Some(confinement) = &setup.confinement {
        confinement.accepts(&super::missing())?;
    }
    let mut program = setup.program.ready(scratch, &setup.limits);
    // Windows uses these names for the folders of temporary and user files, and starts no program without SYSTEMROOT.
    let root = std::env::var("SYSTEMROOT").ok().map(|root| ("SYSTEMROOT".to_owned(), root));
    let folder = ["TEMP", "TMP", "USERPROFILE"].map(|name| (name.to_owned(), scratch.display().to_string()));
    program.environment.splice(..0, root.into_iter().chain(folder));
    let mut command = program.command();
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().map_err(|error| program.start_error(&error))
}

/// The fault of a program that has ended.
fn exit_fault(status: Option<ExitStatus>) -> Fault {
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
