//! The transport to a program: lines of text in both directions, each with a deadline.

use palestra_arena::Fault;
use std::time::Instant;

/// Sends and receives lines.
pub trait Transport: Send {
    /// Writes a line; the end of line is added. A program that does not read it by `until` gets the fault of a closed
    /// pipe.
    fn send(&mut self, line: &str, until: Instant) -> Result<(), Fault>;

    /// The next complete line, without its end (`\n` or `\r\n`); `None` where none arrived by `until`. With an instant
    /// in the past, a line that has already arrived is returned.
    fn receive(&mut self, until: Instant) -> Result<Option<String>, Fault>;

    /// A line that has already arrived.
    fn pending(&mut self) -> Result<Option<String>, Fault> {
        self.receive(Instant::now())
    }

    /// Whether the time for an answer is over: at `until`, or later where some time is given back.
    fn is_over(&mut self, until: Instant) -> bool {
        Instant::now() >= until
    }
}
