//! Listening to a program: skipping what is not an answer, and never for ever.

use crate::fault::{Fault, FaultKind};
use crate::transport::Transport;
use std::time::Instant;

/// Reads lines until `answer` makes something of one; lines it makes nothing of are skipped. `None` when time is up, also
/// for a program that never stops saying other things.
pub(super) fn read_until<T>(
    wire: &mut dyn Transport,
    until: Instant,
    mut answer: impl FnMut(&str) -> Result<Option<T>, Fault>,
) -> Result<Option<T>, Fault> {
    while let Some(line) = wire.receive(until)? {
        if let Some(heard) = answer(&line)? {
            return Ok(Some(heard));
        }
        // A line that is there already comes even after its time.
        if Instant::now() >= until {
            break;
        }
    }
    Ok(None)
}

/// Looks at every line that is there already and waits for none.
pub(super) fn read_pending(
    wire: &mut dyn Transport,
    until: Instant,
    mut look: impl FnMut(&str) -> Result<(), Fault>,
) -> Result<(), Fault> {
    while let Some(line) = wire.receive(Instant::now())? {
        look(&line)?;
        if Instant::now() >= until {
            break;
        }
    }
    Ok(())
}

/// A fault at the end of the clock.
pub(super) fn too_late(what: &str) -> Fault {
    Fault::new(FaultKind::Time, format!("no {what} when its time was up"))
}

/// The program said this when nobody had asked.
pub(super) fn out_of_turn(line: &str) -> Fault {
    Fault::new(FaultKind::OutOfTurn, format!("said {} when nobody had asked", quoted(line)))
}

/// A line as a message repeats it: short, and without control characters.
pub(super) fn quoted(line: &str) -> String {
    /// Enough to recognize a line by.
    const SHOWN: usize = 80;
    let mut shown: String = line.chars().take(SHOWN).flat_map(char::escape_debug).collect();
    if line.chars().count() > SHOWN {
        shown.push('…');
    }
    format!("\"{shown}\"")
}
