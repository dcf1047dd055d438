//! The end of a program: by itself, by `SIGTERM` or by `SIGKILL`, and the fault that follows from it.

use super::Process;
use super::order::{SupervisorReport, read_first};
use super::pipes::PipeError;
use super::supervisor::kill_descendants;
use super::tree::{descendant_entries, descendants};
use crate::process::{ExitKind, ExitReport, ExitRequest};
use palestra_arena::{Fault, FaultKind};
use rustix::io::Errno;
use rustix::process::{
    Pid, Signal, WaitOptions, kill_process, kill_process_group, test_kill_process_group, waitpgid, waitpid,
};
use std::thread;
use std::time::{Duration, Instant};

/// Longest time from the closing of a pipe to the end of the supervisor, where the program has ended.
const SETTLE_TIME: Duration = Duration::from_millis(100);

/// Longest time that the kernel may take to end killed processes.
const KILL_TIME: Duration = Duration::from_secs(2);

/// Longest time from `SIGTERM` to `SIGKILL`.
const TERM_TIME: Duration = Duration::from_millis(200);

impl Process {
    /// Stops the program: closes its input, sends `SIGTERM` after the grace period and `SIGKILL` at most 200 ms later.
    /// None of the processes that it started is left.
    pub fn stop(&mut self, grace: Duration) -> ExitReport {
        self.stop_by(ExitRequest::InputClosed, grace)
    }

    /// The same with another request.
    pub fn stop_by(&mut self, request: ExitRequest, grace: Duration) -> ExitReport {
        if let Some(exit_report) = &self.exit_report {
            return exit_report.clone();
        }
        self.freezer.thaw();
        match request {
            ExitRequest::InputClosed => self.pipes.close_input(),
            ExitRequest::Sigterm => self.terminate(),
            ExitRequest::ByItself => {}
        }
        let mut kind = ExitKind::ByItself;
        if !self.pipes.wait_gone(Instant::now() + grace) {
            kind = ExitKind::Terminated;
            self.terminate();
            if !self.pipes.wait_gone(Instant::now() + grace.min(TERM_TIME)) {
                kind = ExitKind::Killed;
            }
        }
        let report = SupervisorReport::read(self.work_dir.path());
        if matches!(report, Some(SupervisorReport::Over(_))) {
            kind = ExitKind::Killed;
        }
        self.end();
        // A program that left by itself with exit code 0 has only ended before the dialogue did.
        let has_left = kind == ExitKind::ByItself && matches!(report, Some(SupervisorReport::Exit(0)));
        let fault = self.fault.clone().filter(|fault| !(has_left && ExitReport::is_end(fault)));
        let fault = fault.or_else(|| match (kind, report) {
            (_, Some(SupervisorReport::Over(fault))) => Some(fault),
            // The exit status of a program that was terminated is not its fault.
            (ExitKind::Terminated | ExitKind::Killed, _) | (_, Some(SupervisorReport::Exit(0))) => None,
            _ if request == ExitRequest::Sigterm => None,
            (ExitKind::ByItself, report) => Some(exit_fault(report)),
        });
        self.exit_report.insert(ExitReport { kind, fault }).clone()
    }

    /// Sends `SIGTERM` to the engine's processes and not to the group: the supervisor must live to report.
    fn terminate(&self) {
        for pid in descendants(self.supervisor.as_raw_pid()).into_iter().filter_map(Pid::from_raw) {
            let _ = kill_process(pid, Signal::TERM);
        }
    }

    /// The fault for the end of the dialogue. The supervisor's report takes precedence over the state of the pipes: a
    /// program that was killed for its memory has also closed its output.
    pub(super) fn verdict(&mut self, stop: PipeError) -> Fault {
        match stop {
            PipeError::Gone => exit_fault(SupervisorReport::read(self.work_dir.path())),
            PipeError::Flood(fault) => fault,
            PipeError::NotReading => Fault::new(FaultKind::Closed, "it does not read its input"),
            PipeError::InputClosed | PipeError::OutputClosed => match self.supervisor_ends() {
                true => exit_fault(SupervisorReport::read(self.work_dir.path())),
                false if matches!(stop, PipeError::InputClosed) => {
                    Fault::new(FaultKind::Closed, "it closed its input")
                }
                false => Fault::new(FaultKind::Closed, "it closed its output"),
            },
        }
    }

    /// After a pipe was closed: waits briefly for the end of the supervisor and returns whether it has ended.
    fn supervisor_ends(&mut self) -> bool {
        if self.pipes.wait_gone(Instant::now() + SETTLE_TIME) {
            return true;
        }
        // Where only zombies are left, the pipe was closed by the end of the program, and the report will follow.
        let entries = descendant_entries(self.supervisor.as_raw_pid(), usize::MAX);
        entries.iter().all(|(_, stat)| stat.state == 'Z') && self.pipes.wait_gone(Instant::now() + KILL_TIME)
    }

    /// Kills all processes that are left and waits for them.
    fn end(&mut self) {
        if self.ended {
            return;
        }
        self.ended = true;
        let mut strays = kill_descendants(self.supervisor);
        // The kernel does not reuse the supervisor's number before it is waited for.
        let _ = kill_process_group(self.supervisor, Signal::KILL);
        // Without the supervisor, the engine's first process is a child of this one, and its number is not reused before it was
        // waited for.
        let first = read_first(self.work_dir.path());
        first.map(|first| kill_process_group(first, Signal::KILL));
        let until = Instant::now() + KILL_TIME;
        while Instant::now() < until {
            if [Some(self.supervisor), first].into_iter().flatten().all(reaped) {
                // Without the supervisor, its strays are children of this process; `Ok(None)` is one not ended yet.
                strays.retain(|stray| matches!(waitpid(Some(*stray), WaitOptions::NOHANG), Ok(None)));
                if strays.is_empty() {
                    return;
                }
            }
            // The kernel needs some microseconds per process.
            thread::sleep(Duration::from_micros(100));
        }
    }
}

/// Waits for the processes of a group that have ended; returns whether the group is empty.
fn reaped(group: Pid) -> bool {
    while let Ok(Some(_)) = waitpgid(group, WaitOptions::NOHANG) {}
    test_kill_process_group(group) == Err(Errno::SRCH)
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}

/// The fault of a program that has ended.
fn exit_fault(report: Option<SupervisorReport>) -> Fault {
    match report {
        Some(report) => report.fault(),
        None => Fault::new(FaultKind::Crash, "its supervisor was killed by another process"),
    }
}
