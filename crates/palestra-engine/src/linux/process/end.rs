//! How a program ends: by itself, when told to, or when killed; and why.

use super::Process;
use super::order::SupervisorReport;
use super::pipes::PipeError;
use super::supervisor::kill_strays;
use super::tree::{descendant_entries, descendants};
use crate::fault::{Fault, FaultKind};
use crate::process::{ExitKind, ExitReport};
use rustix::io::Errno;
use rustix::process::{
    Pid, Signal, WaitOptions, kill_process, kill_process_group, test_kill_process_group, waitpgid, waitpid,
};
use std::thread;
use std::time::{Duration, Instant};

/// How long the end of a process may take to reach us after its pipes have closed.
const SETTLING: Duration = Duration::from_millis(100);

/// How long the kernel may take to end what was killed.
const DYING: Duration = Duration::from_secs(2);

/// How long a program may take to leave when told to terminate, at most.
const TERMINATING: Duration = Duration::from_millis(200);

impl Process {
    /// Asks the program to leave, then tells it, then kills it: the end of its input, a `SIGTERM` after the grace,
    /// a `SIGKILL` soon after. Nothing that it started is left.
    pub fn stop(&mut self, grace: Duration) -> ExitReport {
        if let Some(farewell) = &self.farewell {
            return farewell.clone();
        }
        self.pipes.close_input();
        let mut left = ExitKind::ByItself;
        if !self.pipes.wait_gone(Instant::now() + grace) {
            left = ExitKind::Terminated;
            // The players' processes and not the group: the warden must live to report.
            for pid in descendants(self.warden.as_raw_pid()).into_iter().filter_map(Pid::from_raw) {
                let _ = kill_process(pid, Signal::TERM);
            }
            if !self.pipes.wait_gone(Instant::now() + grace.min(TERMINATING)) {
                left = ExitKind::Killed;
            }
        }
        let report = SupervisorReport::read(self.room.path());
        if matches!(report, Some(SupervisorReport::Over(_))) {
            left = ExitKind::Killed;
        }
        self.end();
        let fault = self.fault.clone().or_else(|| match (left, report) {
            (_, Some(SupervisorReport::Over(fault))) => Some(fault),
            // How it ended when it was made to is no fault of its own.
            (ExitKind::Terminated | ExitKind::Killed, _) | (_, Some(SupervisorReport::Exit(0))) => None,
            (ExitKind::ByItself, report) => Some(ending(report)),
        });
        self.farewell.insert(ExitReport { kind: left, fault }).clone()
    }

    /// Turns the end of a conversation into a fault. The warden's report comes before what the pipes look like: a
    /// program that was killed for its memory has also closed its output.
    pub(super) fn verdict(&mut self, stop: PipeError) -> Fault {
        match stop {
            PipeError::Gone => ending(SupervisorReport::read(self.room.path())),
            PipeError::Flood(fault) => fault,
            PipeError::NotReading => Fault::new(FaultKind::Closed, "it does not read its input"),
            PipeError::InputClosed | PipeError::OutputClosed => match self.settled() {
                true => ending(SupervisorReport::read(self.room.path())),
                false if matches!(stop, PipeError::InputClosed) => {
                    Fault::new(FaultKind::Closed, "it closed its input")
                }
                false => Fault::new(FaultKind::Closed, "it closed its output"),
            },
        }
    }

    /// Waits a little for the warden's end where a pipe was closed; says whether it came.
    fn settled(&mut self) -> bool {
        if self.pipes.wait_gone(Instant::now() + SETTLING) {
            return true;
        }
        // Nobody lives who could have closed a pipe on purpose: the report is on its way.
        descendant_entries(self.warden.as_raw_pid(), usize::MAX).iter().all(|(_, stat)| stat.state == 'Z')
            && self.pipes.wait_gone(Instant::now() + DYING)
    }

    /// Kills whatever is left and waits for it.
    fn end(&mut self) {
        if self.ended {
            return;
        }
        self.ended = true;
        let mut strays = kill_strays(self.warden);
        // Until the warden is waited for, its number is nobody else's.
        let _ = kill_process_group(self.warden, Signal::KILL);
        let until = Instant::now() + DYING;
        while Instant::now() < until {
            if self.reaped() {
                // With the warden gone its strays are ours; `None` is one that is still dying.
                strays.retain(|stray| matches!(waitpid(Some(*stray), WaitOptions::NOHANG), Ok(None)));
                if strays.is_empty() {
                    return;
                }
            }
            // The kernel needs some microseconds for each.
            thread::sleep(Duration::from_micros(100));
        }
    }

    /// Waits for those of the group who have ended; says whether the group is no more.
    fn reaped(&self) -> bool {
        while let Ok(Some(_)) = waitpgid(self.warden, WaitOptions::NOHANG) {}
        test_kill_process_group(self.warden) == Err(Errno::SRCH)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}

/// The fault of a program that is gone.
fn ending(report: Option<SupervisorReport>) -> Fault {
    match report {
        Some(report) => report.fault(),
        None => Fault::new(FaultKind::Crash, "its warden was killed from outside"),
    }
}
