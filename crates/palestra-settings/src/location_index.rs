//! Lines and columns of the bytes of a file, found without reading the file from its start each time.

use crate::place::SourceLocation;

/// A text with the locations of some of its bytes, so that all others are near one of them.
pub(crate) struct LocationIndex<'a> {
    text: &'a str,
    /// Bytes and their locations, in order; the first is byte 0.
    marks: Vec<(usize, SourceLocation)>,
}

/// Bytes between two marks, or up to three more where characters have several.
const STEP: usize = 256;

impl<'a> LocationIndex<'a> {
    pub(crate) fn new(text: &'a str) -> LocationIndex<'a> {
        let mut location = SourceLocation { line: 1, column: 1 };
        let mut marks = vec![(0, location)];
        let mut next = STEP;
        for (byte, character) in text.char_indices() {
            if byte >= next {
                marks.push((byte, location));
                next = byte + STEP;
            }
            location.pass(character);
        }
        LocationIndex { text, marks }
    }

    /// The location of a byte; that of the end of the text where it has no such byte.
    pub(crate) fn of(&self, byte: usize) -> SourceLocation {
        let (near, mut location) = self.mark_before(byte);
        let end = if self.text.is_char_boundary(byte) { byte } else { self.text.len() };
        self.text[near..end].chars().for_each(|character| location.pass(character));
        location
    }

    /// The last mark up to a byte.
    fn mark_before(&self, byte: usize) -> (usize, SourceLocation) {
        self.marks[self.marks.partition_point(|(marked, _)| *marked <= byte) - 1]
    }
}

impl SourceLocation {
    /// Moves past a character.
    fn pass(&mut self, character: char) {
        if character == '\n' {
            *self = SourceLocation { line: self.line + 1, column: 1 };
        } else {
            self.column += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locations_are_those_of_a_count_from_the_start() {
        let lines = "name = \"ñandú\"\n".repeat(40) + &"[\u{1F600}, x], ".repeat(200) + "\n\nend";
        for text in [lines.as_str(), "", "\n", "one line"] {
            let index = LocationIndex::new(text);
            for (byte, _) in text.char_indices() {
                let before = &text[..byte];
                let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
                let expected = SourceLocation { line: before.matches('\n').count() + 1, column };
                assert_eq!(index.of(byte), expected, "byte {byte}");
                let distance = byte - index.mark_before(byte).0;
                assert!(distance < STEP + 4, "{distance} bytes are read for byte {byte}");
            }
            assert_eq!(index.of(text.len() + 7), index.of(text.len()), "a byte after the end");
        }
    }
}
