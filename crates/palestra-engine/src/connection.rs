//! The connection to a program during one exchange: it extends the deadline by the time that the program waited for a
//! core, and stops waiting when the user cancels.

use crate::system::Process;
use crate::transport::Transport;
use palestra_arena::{Fault, FaultKind, MAX_GIVEN_BACK};
use palestra_core::CancelFlag;
use std::time::{Duration, Instant};

/// Time between two checks of the cancel flag.
const SLICE: Duration = Duration::from_millis(100);

/// Smallest further extension that is waited for.
const MIN_EXTENSION: Duration = Duration::from_millis(1);

/// Extension while a program waits for a core, before the next look at it.
const WAIT_STEP: Duration = Duration::from_millis(5);

/// A connection to a process, for one exchange.
pub(crate) struct Connection<'a> {
    /// `None` where the program is not started yet.
    process: Option<&'a mut Process>,
    stop: &'a CancelFlag,
    extension: Duration,
    is_stopped: bool,
}

impl<'a> Connection<'a> {
    pub(crate) fn new(process: Option<&'a mut Process>, stop: &'a CancelFlag) -> Connection<'a> {
        Connection { process, stop, extension: Duration::ZERO, is_stopped: false }
    }

    /// How long the program waited for a core since the last line was sent.
    pub(crate) fn waited_for_core(&mut self) -> Duration {
        self.process.as_mut().map_or(Duration::ZERO, |process| process.waited_for_core())
    }

    /// Whether the user canceled while it waited.
    pub(crate) fn is_stopped(&self) -> bool {
        self.is_stopped
    }
}

impl Transport for Connection<'_> {
    fn send(&mut self, line: &str, until: Instant) -> Result<(), Fault> {
        match &mut self.process {
            Some(process) => process.send(line, until),
            None => Err(Fault::new(FaultKind::Closed, "a line was sent before the program was started")),
        }
    }

    fn receive(&mut self, until: Instant) -> Result<Option<String>, Fault> {
        loop {
            let slice = (until + self.extension).min(Instant::now() + SLICE);
            let Some(process) = &mut self.process else { return Ok(None) };
            if let Some(line) = process.receive(slice)? {
                return Ok(Some(line));
            }
            if self.stop.is_canceled() {
                self.is_stopped = true;
                return Ok(None);
            }
            if self.is_over(until) {
                return Ok(None);
            }
        }
    }

    fn pending(&mut self) -> Result<Option<String>, Fault> {
        match &mut self.process {
            Some(process) => process.receive(Instant::now()),
            None => Ok(None),
        }
    }

    fn is_over(&mut self, until: Instant) -> bool {
        if Instant::now() < until + self.extension {
            return false;
        }
        let waited = self.waited_for_core().min(MAX_GIVEN_BACK);
        if waited >= self.extension + MIN_EXTENSION {
            self.extension = waited;
            return false;
        }
        // A wait in progress is not in the record yet.
        let is_waiting = self.process.as_mut().is_some_and(|process| process.is_waiting_for_core());
        if is_waiting && self.extension < MAX_GIVEN_BACK {
            self.extension += WAIT_STEP;
        }
        !is_waiting || self.extension >= MAX_GIVEN_BACK
    }
}
