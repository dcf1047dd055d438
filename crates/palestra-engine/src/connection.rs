//! The line to a program while the world goes on: it gives back time that the program had to wait for a core, and hangs
//! up when a person wants to stop.

use crate::fault::{Fault, FaultKind};
use crate::system::Process;
use crate::transport::Transport;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How long a wish to stop may go unheard.
const SLICE: Duration = Duration::from_millis(100);

/// So much time at most is given back on one turn: beyond that the machine is too busy for any clock.
const MOST_GIVEN: Duration = Duration::from_secs(10);

/// Less than this is not worth waiting for.
const LEAST_GIVEN: Duration = Duration::from_millis(1);

/// A line to a process, for one turn.
pub(crate) struct Connection<'a> {
    /// None where the program is not started yet: then there is nobody to speak to.
    process: Option<&'a mut Process>,
    stop: &'a AtomicBool,
    given: Duration,
    is_stopped: bool,
}

impl<'a> Connection<'a> {
    pub(crate) fn new(process: Option<&'a mut Process>, stop: &'a AtomicBool) -> Connection<'a> {
        Connection { process, stop, given: Duration::ZERO, is_stopped: false }
    }

    /// Whether it was hung up.
    pub(crate) fn is_stopped(&self) -> bool {
        self.is_stopped
    }
}

impl Transport for Connection<'_> {
    fn send(&mut self, line: &str, until: Instant) -> Result<(), Fault> {
        match &mut self.process {
            Some(process) => process.send(line, until),
            None => Err(Fault::new(FaultKind::Closed, "it was spoken to before it was started")),
        }
    }

    fn receive(&mut self, until: Instant) -> Result<Option<String>, Fault> {
        let Some(process) = &mut self.process else { return Ok(None) };
        if until <= Instant::now() {
            return process.receive(until);
        }
        loop {
            let end = until + self.given;
            let slice = end.min(Instant::now() + SLICE);
            if let Some(line) = process.receive(slice)? {
                return Ok(Some(line));
            }
            if self.stop.load(Ordering::Relaxed) {
                self.is_stopped = true;
                return Ok(None);
            }
            if Instant::now() >= end {
                let waited = process.waited_for_core().min(MOST_GIVEN);
                if waited < self.given + LEAST_GIVEN {
                    return Ok(None);
                }
                self.given = waited;
            }
        }
    }
}
