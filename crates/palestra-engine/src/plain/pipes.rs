//! The three pipes of a program. The standard library can only wait for one pipe at a time, so each has a thread, and
//! all threads send events to one channel, which is read with a deadline.

use crate::process::{EngineStderr, Inbox};
use palestra_arena::Fault;
use std::io::{self, ErrorKind, Read, Write};
use std::process::{Child, ChildStdin};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

/// Number of events that may wait in the channel; with more, the program's writes block.
const MAX_PENDING: usize = 64;

/// Longest single wait for an event, since a program may end without an event on its pipes.
const TICK: Duration = Duration::from_millis(50);

/// Pause per call once all pipes are closed.
const PAUSE: Duration = Duration::from_millis(1);

/// An event of one of the threads.
#[derive(Debug)]
enum PipeEvent {
    /// Bytes of standard output; an empty piece is its end.
    Output(Vec<u8>),
    /// Bytes of standard error; an empty piece is its end.
    Errors(Vec<u8>),
    /// Whether a line was written to the program's input.
    Written(bool),
}

/// The pipes and what was read from them.
#[derive(Debug)]
pub(super) struct Pipes {
    /// Lines for the writing thread; `None` once the program's input is closed.
    input: Option<Sender<Vec<u8>>>,
    events: Receiver<PipeEvent>,
    /// Whether standard output is open.
    pub(super) is_open: bool,
    /// Whether standard error is open.
    pub(super) has_errors: bool,
    /// Whether the latest line was written, once that is known.
    pub(super) written: Option<bool>,
    pub(super) inbox: Inbox,
    pub(super) tail: EngineStderr,
}

impl Pipes {
    /// The pipes of a program that could not be started.
    pub(super) fn closed() -> Pipes {
        let (inbox, tail) = (Inbox::default(), EngineStderr::default());
        Pipes {
            input: None,
            events: mpsc::channel().1,
            is_open: false,
            has_errors: false,
            written: None,
            inbox,
            tail,
        }
    }

    pub(super) fn new(child: &mut Child) -> io::Result<Pipes> {
        let (sender, events) = mpsc::sync_channel(MAX_PENDING);
        let (input, lines) = mpsc::channel();
        if let Some(pipe) = child.stdout.take() {
            spawn_reader(pipe, sender.clone(), PipeEvent::Output)?;
        }
        if let Some(pipe) = child.stderr.take() {
            spawn_reader(pipe, sender.clone(), PipeEvent::Errors)?;
        }
        if let Some(pipe) = child.stdin.take() {
            thread::Builder::new().spawn(move || write(pipe, &lines, &sender))?;
        }
        Ok(Pipes { input: Some(input), events, is_open: true, has_errors: true, ..Pipes::closed() })
    }

    /// Passes a line to the writing thread; [`Pipes::written`] has the outcome later. Returns whether the input is
    /// open.
    pub(super) fn write(&mut self, line: &str) -> bool {
        self.written = None;
        self.input.as_ref().is_some_and(|input| input.send(format!("{line}\n").into_bytes()).is_ok())
    }

    /// Closes the program's input after the lines that were passed before.
    pub(super) fn close_input(&mut self) {
        self.input = None;
    }

    /// Waits once, for at most [`TICK`], and handles the events that have arrived.
    pub(super) fn serve(&mut self, until: Instant) -> Result<(), Fault> {
        let left = until.saturating_duration_since(Instant::now()).min(TICK);
        match self.events.recv_timeout(left) {
            Ok(event) => self.take(event)?,
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => thread::sleep(left.min(PAUSE)),
        }
        for _ in 0..MAX_PENDING {
            let Ok(event) = self.events.try_recv() else { break };
            self.take(event)?;
        }
        Ok(())
    }

    fn take(&mut self, event: PipeEvent) -> Result<(), Fault> {
        match event {
            PipeEvent::Output(bytes) if bytes.is_empty() => self.is_open = false,
            PipeEvent::Output(bytes) => self.inbox.push(&bytes)?,
            PipeEvent::Errors(bytes) if bytes.is_empty() => self.has_errors = false,
            PipeEvent::Errors(bytes) => self.tail.push(&bytes)?,
            PipeEvent::Written(is_written) => self.written = Some(is_written),
        }
        Ok(())
    }
}

/// Starts a thread that sends what it reads from a pipe, until the pipe ends or the receiver is dropped.
fn spawn_reader(
    mut pipe: impl Read + Send + 'static,
    sender: SyncSender<PipeEvent>,
    event: fn(Vec<u8>) -> PipeEvent,
) -> io::Result<()> {
    let reader = move || {
        let mut buffer = vec![0; 64 << 10];
        loop {
            let n = match pipe.read(&mut buffer) {
                Ok(n) => n,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(_) => 0,
            };
            if sender.send(event(buffer[..n].to_vec())).is_err() || n == 0 {
                break;
            }
        }
    };
    thread::Builder::new().spawn(reader).map(drop)
}

/// Writes line by line, and closes the pipe after the last one or when the program has closed it.
fn write(mut pipe: ChildStdin, lines: &Receiver<Vec<u8>>, sender: &SyncSender<PipeEvent>) {
    for line in lines {
        let is_written = pipe.write_all(&line).is_ok();
        if sender.send(PipeEvent::Written(is_written)).is_err() || !is_written {
            break;
        }
    }
}
