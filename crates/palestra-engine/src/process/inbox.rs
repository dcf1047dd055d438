//! What a program wrote: cut into lines, and never more than somebody would read.

use crate::fault::{Fault, FaultKind};
use std::collections::VecDeque;

/// Bytes of one line.
const LONGEST_LINE: usize = 64 << 10;
/// Lines of one answer.
const MOST_LINES: usize = 10_000;
/// Bytes of one answer.
const MOST_BYTES: usize = 4 << 20;
/// Bytes of the error output that are kept.
const TAIL: usize = 64 << 10;
/// Bytes of the error output in all.
const MOST_ERRORS: u64 = 256 << 20;

/// Whole lines, and the beginning of the next.
#[derive(Debug, Default)]
pub(crate) struct Inbox {
    lines: VecDeque<String>,
    begun: Vec<u8>,
    /// Since the last question.
    n_lines: usize,
    n_bytes: usize,
}

impl Inbox {
    /// A new question was asked: what comes now is another answer.
    pub(crate) fn asked(&mut self) {
        (self.n_lines, self.n_bytes) = (0, 0);
    }

    /// Takes in what arrived.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        self.n_bytes += bytes.len();
        let mut pieces = bytes.split(|&byte| byte == b'\n');
        let last = pieces.next_back().unwrap_or_default();
        for piece in pieces {
            self.begun.extend_from_slice(piece);
            self.check_line()?;
            let line = self.begun.strip_suffix(b"\r").unwrap_or(&self.begun);
            self.lines.push_back(readable(line));
            self.begun.clear();
            self.n_lines += 1;
        }
        self.begun.extend_from_slice(last);
        self.check_line()?;
        let too_much = match (self.n_lines > MOST_LINES, self.n_bytes > MOST_BYTES) {
            (true, _) => format!("more than {MOST_LINES} lines in one answer"),
            (_, true) => format!("more than {} MiB in one answer", MOST_BYTES >> 20),
            _ => return Ok(()),
        };
        Err(Fault::new(FaultKind::Flood, too_much))
    }

    fn check_line(&self) -> Result<(), Fault> {
        match self.begun.len() > LONGEST_LINE {
            false => Ok(()),
            true => Err(Fault::new(
                FaultKind::Flood,
                format!("a line of more than {} KiB: {}…", LONGEST_LINE >> 10, self.beginning()),
            )),
        }
    }

    /// The next whole line.
    pub(crate) fn line(&mut self) -> Option<String> {
        self.lines.pop_front()
    }

    /// Whether no whole line is left.
    pub(crate) fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// The line that will have no end, if one was begun.
    pub(crate) fn take_beginning(&mut self) -> Option<String> {
        let begun = self.beginning();
        self.begun.clear();
        Some(begun).filter(|begun| !begun.is_empty())
    }

    /// The line that has no end yet, as far as a person would look at it.
    fn beginning(&self) -> String {
        readable(&self.begun[..self.begun.len().min(80)])
    }
}

/// Bytes as text: those that are none are written as `\xff`, so that nothing is lost and nothing is mistaken.
pub(crate) fn readable(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|byte| format!("\\x{byte:02x}")));
    }
    text
}

/// The end of what a program wrote to its error output.
#[derive(Debug, Default)]
pub(crate) struct EngineStderr {
    bytes: VecDeque<u8>,
    n_bytes: u64,
}

impl EngineStderr {
    /// Takes in what arrived and forgets what is older than the tail.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        self.n_bytes += bytes.len() as u64;
        let kept = &bytes[bytes.len().saturating_sub(TAIL)..];
        let surplus = (self.bytes.len() + kept.len()).saturating_sub(TAIL);
        self.bytes.drain(..surplus);
        self.bytes.extend(kept);
        match self.n_bytes > MOST_ERRORS {
            false => Ok(()),
            true => Err(Fault::new(
                FaultKind::Flood,
                format!("more than {} MiB on its error output", MOST_ERRORS >> 20),
            )),
        }
    }

    /// The tail as text.
    pub(crate) fn text(&self) -> String {
        let (first, second) = self.bytes.as_slices();
        readable(&[first, second].concat())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(pieces: &[&[u8]]) -> Vec<String> {
        let mut inbox = Inbox::default();
        pieces.iter().for_each(|piece| inbox.push(piece).unwrap());
        std::iter::from_fn(|| inbox.line()).collect()
    }

    #[test]
    fn lines_are_cut_wherever_the_pieces_end() {
        assert_eq!(lines(&[b"a\nb\r\n\nc"]), ["a", "b", ""]);
        assert_eq!(lines(&[b"a", b"b\r", b"\nc\n"]), ["ab", "c"]);
        assert_eq!(lines(&[b"\xff\x00ok\xc3\n", "é\n".as_bytes()]), ["\\xff\0ok\\xc3", "é"]);
    }

    #[test]
    fn floods_are_seen() {
        let flood = |bytes: &[u8], times: usize| {
            let mut inbox = Inbox::default();
            (0..times).try_for_each(|_| inbox.push(bytes)).map_err(|fault| fault.kind)
        };
        assert_eq!(flood(b"x", LONGEST_LINE), Ok(()));
        assert_eq!(flood(b"x", LONGEST_LINE + 1), Err(FaultKind::Flood));
        assert_eq!(flood(b"\n", MOST_LINES), Ok(()));
        assert_eq!(flood(b"\n", MOST_LINES + 1), Err(FaultKind::Flood));
        let line = [vec![b'x'; 60_000], vec![b'\n']].concat();
        assert_eq!(flood(&line, MOST_BYTES / line.len()), Ok(()));
        assert_eq!(flood(&line, MOST_BYTES / line.len() + 1), Err(FaultKind::Flood));
        let mut inbox = Inbox::default();
        for _ in 0..3 {
            inbox.asked();
            (0..MOST_LINES).for_each(|_| inbox.push(b"\n").unwrap());
        }
    }

    #[test]
    fn the_tail_is_the_end() {
        let mut tail = EngineStderr::default();
        tail.push(&vec![b'a'; TAIL]).unwrap();
        tail.push(b"end\n").unwrap();
        let text = tail.text();
        assert!(text.len() == TAIL && text.ends_with("aaend\n"));
        tail.push(&vec![b'b'; TAIL + 7]).unwrap();
        assert!(tail.text().len() == TAIL && tail.text().bytes().all(|byte| byte == b'b'));
    }
}
