//! The three pipes of a program. The standard library can only wait for one at a time, so each has a thread, and all
//! threads tell one channel, which is listened to no longer than somebody wants.

use crate::fault::Fault;
use crate::process::{EngineStderr, Inbox};
use std::io::{self, ErrorKind, Read, Write};
use std::process::{Child, ChildStdin};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

/// Pieces of output that may wait to be looked at; with more the program itself has to wait.
const WAITING: usize = 64;

/// How long it is listened at a time: the end of a program may show without a word on its pipes.
const TICK: Duration = Duration::from_millis(50);

/// How long to wait for a message once all pipes are closed.
const PAUSE: Duration = Duration::from_millis(1);

/// What a thread tells.
#[derive(Debug)]
enum PipeEvent {
    /// A piece of output; an empty one is the end.
    Output(Vec<u8>),
    /// A piece of error output; an empty one is the end.
    Errors(Vec<u8>),
    /// Whether a line went into the program's input.
    Written(bool),
}

/// The pipes, and what has come out of them.
#[derive(Debug)]
pub(super) struct Pipes {
    /// Lines on their way to the program; `None` once its input is closed.
    input: Option<Sender<Vec<u8>>>,
    events: Receiver<PipeEvent>,
    /// Whether the program may still say something.
    pub(super) is_open: bool,
    /// Whether its error output may still grow.
    pub(super) has_errors: bool,
    /// Whether the latest line went in, once that is known.
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
        let (tell, events) = mpsc::sync_channel(WAITING);
        let (input, lines) = mpsc::channel();
        if let Some(pipe) = child.stdout.take() {
            listen(pipe, tell.clone(), PipeEvent::Output)?;
        }
        if let Some(pipe) = child.stderr.take() {
            listen(pipe, tell.clone(), PipeEvent::Errors)?;
        }
        if let Some(pipe) = child.stdin.take() {
            thread::Builder::new().spawn(move || write(pipe, &lines, &tell))?;
        }
        Ok(Pipes { input: Some(input), events, is_open: true, has_errors: true, ..Pipes::closed() })
    }

    /// Hands a line to the program; [`Pipes::written`] reports the outcome. Says whether there is an input.
    pub(super) fn write(&mut self, line: &str) -> bool {
        self.written = None;
        self.input.as_ref().is_some_and(|input| input.send(format!("{line}\n").into_bytes()).is_ok())
    }

    /// Tells the program that nothing will come any more, as soon as it has read what did.
    pub(super) fn close_input(&mut self) {
        self.input = None;
    }

    /// Waits once, a moment at most, and takes in what has arrived.
    pub(super) fn serve(&mut self, until: Instant) -> Result<(), Fault> {
        let left = until.saturating_duration_since(Instant::now()).min(TICK);
        match self.events.recv_timeout(left) {
            Ok(event) => self.take(event)?,
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => thread::sleep(left.min(PAUSE)),
        }
        for _ in 0..WAITING {
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

/// Tells what comes out of a pipe, until it ends or the receiver is dropped.
fn listen(
    mut pipe: impl Read + Send + 'static,
    tell: SyncSender<PipeEvent>,
    piece: fn(Vec<u8>) -> PipeEvent,
) -> io::Result<()> {
    let listener = move || {
        let mut buffer = vec![0; 64 << 10];
        loop {
            let n = match pipe.read(&mut buffer) {
                Ok(n) => n,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(_) => 0,
            };
            if tell.send(piece(buffer[..n].to_vec())).is_err() || n == 0 {
                break;
            }
        }
    };
    thread::Builder::new().spawn(listener).map(drop)
}

/// Writes line by line, and closes the pipe after the last or when the program has closed it.
fn write(mut pipe: ChildStdin, lines: &Receiver<Vec<u8>>, tell: &SyncSender<PipeEvent>) {
    for line in lines {
        let is_written = pipe.write_all(&line).is_ok();
        if tell.send(PipeEvent::Written(is_written)).is_err() || !is_written {
            break;
        }
    }
}
