//! The line to a program: text out, text in, never longer than until a given instant.

use crate::fault::Fault;
use std::time::Instant;

/// A dialogue with a program, line by line.
pub trait Transport: Send {
    /// Writes a line; the end of line is added. A program that does not read until then has closed its pipe.
    fn send(&mut self, line: &str, until: Instant) -> Result<(), Fault>;

    /// The next whole line, without its end (`\n` or `\r\n`); `None` where none came until then. An instant that has
    /// passed looks whether one is there already.
    fn receive(&mut self, until: Instant) -> Result<Option<String>, Fault>;
}
