//! The lines exchanged with a program, kept to explain why a game ended as it did.

use palestra_arena::{LogLine, Speaker};
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// Bytes of text that are kept; older lines are dropped.
const MAX_BYTES: usize = 1 << 20;

/// The latest lines of a dialogue.
#[derive(Debug)]
pub(crate) struct Dialogue {
    since: Instant,
    lines: VecDeque<LogLine>,
    n_bytes: usize,
}

impl Dialogue {
    pub(crate) fn new(since: Instant) -> Dialogue {
        Dialogue { since, lines: VecDeque::new(), n_bytes: 0 }
    }

    pub(crate) fn since_start(&self) -> Duration {
        self.since.elapsed()
    }

    pub(crate) fn add(&mut self, by: Speaker, text: &str) {
        let at_us = u64::try_from(self.since.elapsed().as_micros()).unwrap_or(u64::MAX);
        self.n_bytes += bytes(text);
        self.lines.push_back(LogLine { by, at_us, text: text.to_owned() });
        while self.n_bytes > MAX_BYTES {
            self.n_bytes -= self.lines.pop_front().map_or(self.n_bytes, |line| bytes(&line.text));
        }
    }

    pub(crate) fn all(&self) -> Vec<LogLine> {
        self.lines.iter().cloned().collect()
    }

    pub(crate) fn take(&mut self) -> Vec<LogLine> {
        self.n_bytes = 0;
        self.lines.drain(..).collect()
    }
}

/// Memory that a line is counted with. The constant bounds the number of empty lines.
fn bytes(text: &str) -> usize {
    text.len() + 32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_lines_are_dropped() {
        let mut dialogue = Dialogue::new(Instant::now());
        dialogue.add(Speaker::Palestra, "first");
        let long = MAX_BYTES - bytes("first") - bytes("");
        dialogue.add(Speaker::Program, &"x".repeat(long));
        assert_eq!(dialogue.lines.len(), 2);
        dialogue.add(Speaker::Palestra, "last");
        let lines = dialogue.take();
        assert_eq!(lines.iter().map(|line| line.text.len()).collect::<Vec<_>>(), [long, 4]);
        assert!(lines[0].at_us <= lines[1].at_us);
        assert!(dialogue.take().is_empty());
    }
}
