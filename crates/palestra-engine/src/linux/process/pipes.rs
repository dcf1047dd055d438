//! The three pipes of a program, served by the calling thread, which never waits longer than its deadline.

use crate::process::{EngineStderr, Inbox};
use palestra_arena::Fault;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fd::{AsFd, OwnedFd};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::io::Errno;
use std::io;
use std::process::Child;
use std::time::Instant;

/// Why the dialogue cannot continue.
#[derive(Debug)]
pub(super) enum PipeError {
    /// The supervisor has ended, and with it the program.
    Gone,
    /// The program closed its output.
    OutputClosed,
    /// The program closed its input.
    InputClosed,
    /// The program does not read its input.
    NotReading,
    /// The program wrote too much.
    Flood(Fault),
}

/// The pipes and what was read from them.
#[derive(Debug)]
pub(super) struct Pipes {
    input: Option<OwnedFd>,
    output: Option<OwnedFd>,
    error: Option<OwnedFd>,
    /// Readable once the supervisor has ended.
    gone: OwnedFd,
    inbox: Inbox,
    tail: EngineStderr,
    /// The line that is being written.
    outgoing: Vec<u8>,
    buffer: Box<[u8; 64 << 10]>,
}

impl Pipes {
    pub(super) fn new(child: &mut Child, gone: OwnedFd) -> io::Result<Pipes> {
        let pipes = Pipes {
            input: child.stdin.take().map(OwnedFd::from),
            output: child.stdout.take().map(OwnedFd::from),
            error: child.stderr.take().map(OwnedFd::from),
            gone,
            inbox: Inbox::default(),
            tail: EngineStderr::default(),
            outgoing: Vec::new(),
            buffer: Box::new([0; 64 << 10]),
        };
        // Only this end: the program may expect blocking reads and writes.
        for pipe in [&pipes.input, &pipes.output, &pipes.error].into_iter().flatten() {
            fcntl_setfl(pipe, fcntl_getfl(pipe)? | OFlags::NONBLOCK)?;
        }
        Ok(pipes)
    }

    /// Restarts the count of output: a line is sent.
    pub(super) fn reset_counts(&mut self) {
        self.inbox.reset_counts();
    }

    /// The next complete line that has arrived.
    pub(super) fn line(&mut self) -> Option<String> {
        self.inbox.line()
    }

    /// Takes the incomplete last line of a program that has ended, cut to 80 bytes.
    pub(super) fn take_partial(&mut self) -> Option<String> {
        self.inbox.take_partial()
    }

    /// The end of standard error.
    pub(super) fn stderr_tail(&self) -> String {
        self.tail.text()
    }

    /// Closes the program's input.
    pub(super) fn close_input(&mut self) {
        self.input = None;
    }

    /// Writes a line. The program's output is read meanwhile, so that two full pipes cannot block each other.
    pub(super) fn write(&mut self, line: &str, until: Instant) -> Result<(), PipeError> {
        self.outgoing.clear();
        self.outgoing.extend_from_slice(line.as_bytes());
        self.outgoing.push(b'\n');
        let mut written = 0;
        while written < self.outgoing.len() {
            let Some(input) = &self.input else { return Err(PipeError::InputClosed) };
            match rustix::io::write(input, &self.outgoing[written..]) {
                Ok(n) => written += n,
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => {
                    if Instant::now() >= until {
                        return Err(PipeError::NotReading);
                    }
                    self.serve(until, true)?;
                }
                Err(_) => return Err(PipeError::InputClosed),
            }
        }
        Ok(())
    }

    /// Waits for a complete line; returns whether one has arrived by `until`.
    pub(super) fn read(&mut self, until: Instant) -> Result<bool, PipeError> {
        loop {
            let late = Instant::now() >= until;
            self.serve(until, false)?;
            if !self.inbox.is_empty() {
                return Ok(true);
            }
            if late || Instant::now() >= until {
                return Ok(false);
            }
        }
    }

    /// Waits once, for an event or until the deadline, and reads what has arrived.
    fn serve(&mut self, until: Instant, writing: bool) -> Result<(), PipeError> {
        let [output, error, gone] = self.wait(until, writing);
        if error {
            self.take_errors().map_err(PipeError::Flood)?;
        }
        if output || gone {
            self.take_output().map_err(PipeError::Flood)?;
        }
        if gone {
            // No process is left that could write, so the pipes are read to their end.
            while self.output.is_some() && self.take_output().map_err(PipeError::Flood)? {}
            while self.error.is_some() && self.take_errors().map_err(PipeError::Flood)? {}
            return Err(PipeError::Gone);
        }
        match self.output {
            None => Err(PipeError::OutputClosed),
            Some(_) => Ok(()),
        }
    }

    /// Whether the output, standard error and the supervisor's end are ready.
    fn wait(&self, until: Instant, writing: bool) -> [bool; 3] {
        let left = until.saturating_duration_since(Instant::now());
        let timeout = Timespec::try_from(left).unwrap_or(Timespec { tv_sec: 3600, tv_nsec: 0 });
        let mut fds = Vec::with_capacity(4);
        fds.push(PollFd::new(&self.gone, PollFlags::IN));
        fds.extend(self.output.iter().map(|fd| PollFd::new(fd, PollFlags::IN)));
        fds.extend(self.error.iter().map(|fd| PollFd::new(fd, PollFlags::IN)));
        if writing {
            fds.extend(self.input.iter().map(|fd| PollFd::new(fd, PollFlags::OUT)));
        }
        // An interrupted wait counts as one without events.
        if poll(&mut fds, Some(&timeout)).is_err() {
            return [false; 3];
        }
        let mut happened = fds.iter().map(|fd| !fd.revents().is_empty());
        let gone = happened.next().unwrap_or(false);
        let output = self.output.is_some() && happened.next().unwrap_or(false);
        let error = self.error.is_some() && happened.next().unwrap_or(false);
        [output, error, gone]
    }

    /// Reads the output once; returns whether there may be more.
    fn take_output(&mut self) -> Result<bool, Fault> {
        let Some(n) = take(&mut self.output, &mut *self.buffer) else { return Ok(false) };
        self.inbox.push(&self.buffer[..n])?;
        Ok(true)
    }

    /// Reads standard error once; returns whether there may be more.
    fn take_errors(&mut self) -> Result<bool, Fault> {
        let Some(n) = take(&mut self.error, &mut *self.buffer) else { return Ok(false) };
        self.tail.push(&self.buffer[..n])?;
        Ok(true)
    }

    /// Waits for the end of the supervisor; returns whether it has ended by `until`. The program's output is read
    /// meanwhile, since a full pipe would keep it from exiting; too much of it is dropped.
    pub(super) fn wait_gone(&mut self, until: Instant) -> bool {
        loop {
            let [output, error, gone] = self.wait(until, false);
            if output && self.take_output().is_err() {
                self.inbox = Inbox::default();
            }
            if error {
                // The dialogue is over, so that a flood is no fault any more.
                let _ = self.take_errors();
            }
            if gone || Instant::now() >= until {
                return gone;
            }
        }
    }
}

/// Reads a pipe once and closes it at its end; `None` where no bytes are available.
fn take(pipe: &mut Option<OwnedFd>, buffer: &mut [u8]) -> Option<usize> {
    match rustix::io::read(pipe.as_ref()?.as_fd(), buffer) {
        Ok(n) if n > 0 => Some(n),
        Err(Errno::AGAIN | Errno::INTR) => None,
        _ => {
            *pipe = None;
            None
        }
    }
}
