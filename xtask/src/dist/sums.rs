//! `SHA256SUMS`, as `sha256sum -c` reads it.

use sha2::{Digest, Sha256};
use std::fmt::Write;

/// One line per file, sorted by name.
pub(crate) fn sha256sums<'a>(files: impl IntoIterator<Item = (&'a str, &'a [u8])>) -> String {
    let mut lines: Vec<(&str, String)> =
        files.into_iter().map(|(name, bytes)| (name, hexadecimal(&Sha256::digest(bytes)))).collect();
    lines.sort();
    lines.iter().map(|(name, sum)| format!("{sum}  {name}\n")).collect()
}

pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string does not fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}
