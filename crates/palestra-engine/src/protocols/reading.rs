//! Reading the answers of a program up to a deadline, and the faults for answers that are late or not requested.

use crate::transport::Transport;
use palestra_arena::{Fault, FaultKind};
use std::time::Instant;

/// Reads lines until `parse` returns a value; other lines are skipped. `None` at the deadline, also for a program that
/// keeps sending other lines.
pub(super) fn read_until<T>(
    transport: &mut dyn Transport,
    until: Instant,
    mut parse: impl FnMut(&str) -> Result<Option<T>, Fault>,
) -> Result<Option<T>, Fault> {
    while let Some(line) = transport.receive(until)? {
        if let Some(answer) = parse(&line)? {
            return Ok(Some(answer));
        }
        // `receive` returns lines that have already arrived even after the deadline.
        if transport.is_over(until) {
            break;
        }
    }
    Ok(None)
}

/// Passes every line that has already arrived to `check`, without waiting.
pub(super) fn read_pending(
    transport: &mut dyn Transport,
    until: Instant,
    mut check: impl FnMut(&str) -> Result<(), Fault>,
) -> Result<(), Fault> {
    while let Some(line) = transport.pending()? {
        check(&line)?;
        if Instant::now() >= until {
            break;
        }
    }
    Ok(())
}

/// The fault of an answer that did not arrive in time.
pub(super) fn too_late(what: &str) -> Fault {
    Fault::new(FaultKind::Time, format!("no {what} within the time limit"))
}

/// The fault of a line that was not requested.
pub(crate) fn out_of_turn(line: &str) -> Fault {
    Fault::new(FaultKind::OutOfTurn, format!("sent {} without a request", quoted(line)))
}

/// A line in quotation marks for messages: cut to 80 characters, with control characters escaped.
pub(super) fn quoted(line: &str) -> String {
    const MAX_CHARS: usize = 80;
    let mut shown: String = line.chars().take(MAX_CHARS).flat_map(char::escape_debug).collect();
    if line.chars().count() > MAX_CHARS {
        shown.push('…');
    }
    format!("\"{shown}\"")
}
