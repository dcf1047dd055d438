//! Words of a stream, separated by blanks or ends of lines.

use std::io::{self, BufRead};

/// Maximum length of a word, in bytes: bounds the memory for a stream without blanks.
const MAX_BYTES: usize = 1 << 16;

/// Reads one word at a time and nothing after it: the sender may wait for an answer before it ends the line.
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
                false if word.len() == MAX_BYTES => {
                    return Err(io::Error::other(format!("a word of more than {MAX_BYTES} bytes")));
                }
                false => word.push(byte),
            }
        }
        Ok((!word.is_empty()).then(|| String::from_utf8_lossy(&word).into_owned()))
    }
}
