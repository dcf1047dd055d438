//! Output of a program, split into lines, with limits on its size.

use palestra_arena::{Fault, FaultKind};
use std::collections::VecDeque;

/// Maximum length of a line, in bytes.
const MAX_LINE_BYTES: usize = 64 << 10;
/// Maximum number of lines between two lines sent to the program.
const MAX_LINES: usize = 10_000;
/// Maximum number of bytes between two lines sent to the program.
const MAX_BYTES: usize = 4 << 20;
/// Bytes of the end of standard error that are kept.
const TAIL_BYTES: usize = 64 << 10;
/// Maximum size of standard error over the life of the process, in bytes.
const MAX_STDERR_BYTES: u64 = 256 << 20;

/// Complete lines, and the beginning of the next one.
#[derive(Debug, Default)]
pub(crate) struct Inbox {
    lines: VecDeque<String>,
    /// Bytes after the last end of line.
    partial: Vec<u8>,
    /// Lines since the last line that was sent.
    n_lines: usize,
    /// Bytes since the last line that was sent.
    n_bytes: usize,
}

impl Inbox {
    /// Restarts the count of lines and bytes: a line was sent, and what comes now answers it.
    pub(crate) fn reset_counts(&mut self) {
        (self.n_lines, self.n_bytes) = (0, 0);
    }

    /// Adds bytes that arrived.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        self.n_bytes += bytes.len();
        let mut pieces = bytes.split(|&byte| byte == b'\n');
        let last = pieces.next_back().unwrap_or_default();
        for piece in pieces {
            self.partial.extend_from_slice(piece);
            self.check_line()?;
            let line = self.partial.strip_suffix(b"\r").unwrap_or(&self.partial);
            self.lines.push_back(readable(line));
            self.partial.clear();
            self.n_lines += 1;
        }
        self.partial.extend_from_slice(last);
        self.check_line()?;
        let too_much = match (self.n_lines > MAX_LINES, self.n_bytes > MAX_BYTES) {
            (true, _) => format!("more than {MAX_LINES} lines in one answer"),
            (_, true) => format!("more than {} MiB in one answer", MAX_BYTES >> 20),
            _ => return Ok(()),
        };
        Err(Fault::new(FaultKind::Flood, too_much))
    }

    fn check_line(&self) -> Result<(), Fault> {
        match self.partial.len() > MAX_LINE_BYTES {
            false => Ok(()),
            true => Err(Fault::new(
                FaultKind::Flood,
                format!("a line of more than {} KiB: {}…", MAX_LINE_BYTES >> 10, self.partial_text()),
            )),
        }
    }

    /// The next complete line.
    pub(crate) fn line(&mut self) -> Option<String> {
        self.lines.pop_front()
    }

    /// Whether no complete line is left.
    pub(crate) fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Takes the incomplete last line of a program that has ended, cut to 80 bytes.
    pub(crate) fn take_partial(&mut self) -> Option<String> {
        let partial = self.partial_text();
        self.partial.clear();
        Some(partial).filter(|partial| !partial.is_empty())
    }

    /// The incomplete line, cut to 80 bytes for messages.
    fn partial_text(&self) -> String {
        readable(&self.partial[..self.partial.len().min(80)])
    }
}

/// Bytes as text; those that are not UTF-8 are written as `\xff`.
pub(crate) fn readable(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|byte| format!("\\x{byte:02x}")));
    }
    text
}

/// The end of what a program wrote to standard error.
#[derive(Debug, Default)]
pub(crate) struct EngineStderr {
    bytes: VecDeque<u8>,
    n_bytes: u64,
}

impl EngineStderr {
    /// Adds bytes that arrived and drops what is older than the tail.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        self.n_bytes += bytes.len() as u64;
        let kept = &bytes[bytes.len().saturating_sub(TAIL_BYTES)..];
        let surplus = (self.bytes.len() + kept.len()).saturating_sub(TAIL_BYTES);
        self.bytes.drain(..surplus);
        self.bytes.extend(kept);
        match self.n_bytes > MAX_STDERR_BYTES {
            false => Ok(()),
            true => Err(Fault::new(
                FaultKind::Flood,
                format!("more than {} MiB on standard error", MAX_STDERR_BYTES >> 20),
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
    fn lines_do_not_depend_on_the_pieces() {
        assert_eq!(lines(&[b"a\nb\r\n\nc"]), ["a", "b", ""]);
        assert_eq!(lines(&[b"a", b"b\r", b"\nc\n"]), ["ab", "c"]);
        assert_eq!(lines(&[b"\xff\x00ok\xc3\n", "é\n".as_bytes()]), ["\\xff\0ok\\xc3", "é"]);
    }

    #[test]
    fn floods_are_faults() {
        let flood = |bytes: &[u8], times: usize| {
            let mut inbox = Inbox::default();
            (0..times).try_for_each(|_| inbox.push(bytes)).map_err(|fault| fault.kind)
        };
        assert_eq!(flood(b"x", MAX_LINE_BYTES), Ok(()));
        assert_eq!(flood(b"x", MAX_LINE_BYTES + 1), Err(FaultKind::Flood));
        assert_eq!(flood(b"\n", MAX_LINES), Ok(()));
        assert_eq!(flood(b"\n", MAX_LINES + 1), Err(FaultKind::Flood));
        let line = [vec![b'x'; 60_000], vec![b'\n']].concat();
        assert_eq!(flood(&line, MAX_BYTES / line.len()), Ok(()));
        assert_eq!(flood(&line, MAX_BYTES / line.len() + 1), Err(FaultKind::Flood));
        let mut inbox = Inbox::default();
        for _ in 0..3 {
            inbox.reset_counts();
            (0..MAX_LINES).for_each(|_| inbox.push(b"\n").unwrap());
        }
    }

    #[test]
    fn the_tail_is_the_end() {
        let mut tail = EngineStderr::default();
        tail.push(&vec![b'a'; TAIL_BYTES]).unwrap();
        tail.push(b"end\n").unwrap();
        let text = tail.text();
        assert!(text.len() == TAIL_BYTES && text.ends_with("aaend\n"));
        tail.push(&vec![b'b'; TAIL_BYTES + 7]).unwrap();
        assert!(tail.text().len() == TAIL_BYTES && tail.text().bytes().all(|byte| byte == b'b'));
    }
}
