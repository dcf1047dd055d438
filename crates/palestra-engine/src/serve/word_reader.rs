//! Words out of a stream, whatever blanks and lines are between.

use std::io::{self, BufRead};

/// Longer words are nobody's.
const LONGEST: usize = 1 << 16;

/// Reads word by word and never further: who speaks may wait for an answer before the end of the line.
pub(super) struct WordReader<R>(pub(super) R);

impl<R: BufRead> WordReader<R> {
    /// The next word; `None` at the end of the stream.
    pub(super) fn next(&mut self) -> io::Result<Option<String>> {
        let mut word = Vec::new();
        loop {
            let bytes = match self.0.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                bytes => bytes?,
            };
            let Some(&byte) = bytes.first() else { break };
            self.0.consume(1);
            match byte.is_ascii_whitespace() {
                true if word.is_empty() => {}
                true => break,
                false if word.len() == LONGEST => return Err(io::Error::other("a word without an end")),
                false => word.push(byte),
            }
        }
        Ok((!word.is_empty()).then(|| String::from_utf8_lossy(&word).into_owned()))
    }
}
