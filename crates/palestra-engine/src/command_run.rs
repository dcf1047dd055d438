//! Runs a command in the sandbox of engines until it ends: a compiler.

use crate::external::Sandbox;
use crate::process::{ExitReport, ProcessSetup, ProgramCommand};
use crate::system::Process;
use crate::transport::Transport;
use palestra_arena::{Fault, FaultKind, PlayError, Speaker};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Time between two looks at the cancel flag.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// A command that has ended. Its scratch folder is removed when this is dropped.
#[derive(Debug)]
pub struct FinishedCommand {
    /// Why it failed; `None` where it ended with exit code 0.
    pub fault: Option<Fault>,
    /// What it wrote to standard output, and the end of what it wrote to standard error.
    pub output: String,
    process: Process,
}

impl FinishedCommand {
    /// Its scratch folder.
    #[must_use]
    pub fn scratch(&self) -> PathBuf {
        self.process.scratch()
    }
}

/// Runs a command in a sandbox for at most `time`. A command that fails is no error; a machine that fails is one, and so
/// is cancellation.
pub fn run_command(
    program: ProgramCommand,
    sandbox: &Sandbox,
    time: Duration,
) -> Result<FinishedCommand, PlayError> {
    let setup = ProcessSetup {
        launcher: sandbox.launcher.clone(),
        program,
        limits: sandbox.limits.clone(),
        confinement: sandbox.confinement.clone(),
        core: None,
    };
    let mut process = Process::start(&setup).map_err(|fault| PlayError::Internal(fault.to_string()))?;
    let until = Instant::now() + time;
    let stopped = loop {
        let now = Instant::now();
        if sandbox.stop.is_canceled() {
            return Err(PlayError::Internal("interrupted".to_owned()));
        }
        if now >= until {
            let detail = format!("not done after {} s", time.as_secs());
            break Fault::new(FaultKind::Time, detail);
        }
        if let Err(fault) = process.receive(until.min(now + POLL_INTERVAL)) {
            break fault;
        }
    };
    let exit_report = process.stop(sandbox.grace);
    let has_left = exit_report.is_clean() && ExitReport::is_end(&stopped);
    let lines = process.take_dialogue();
    let mut output: String =
        lines.into_iter().filter(|line| line.by == Speaker::Program).map(|line| line.text + "\n").collect();
    output.push_str(&process.stderr_tail());
    let fault = exit_report.fault.or(Some(stopped)).filter(|_| !has_left);
    Ok(FinishedCommand { fault, output, process })
}
