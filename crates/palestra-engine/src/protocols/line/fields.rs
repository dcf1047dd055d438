//! The parts of a move: what Palestra calls them, and what a program does.

use super::template::PlaceholderKind;

/// One part of a move and its two names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum MoveField {
    /// Something that is counted: a row, a column.
    Counted {
        /// How Palestra writes it, from 1 or a on.
        ours: Numeral,
        /// How the program writes it.
        theirs: Numeral,
        /// What the program calls the first.
        base: u64,
    },
    /// One of some words, in the same order here and there.
    Words {
        /// Palestra's.
        ours: Vec<String>,
        /// The program's.
        theirs: Vec<String>,
    },
}

/// How something counted is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Numeral {
    /// With digits.
    Number,
    /// With letters: `a`, `b`, … `z`, `aa`.
    Letters,
}

impl MoveField {
    pub(super) fn our_class(&self) -> PlaceholderKind<'_> {
        match self {
            MoveField::Counted { ours, .. } => ours.class(),
            MoveField::Words { ours, .. } => PlaceholderKind::OneOf(ours),
        }
    }

    pub(super) fn their_class(&self) -> PlaceholderKind<'_> {
        match self {
            MoveField::Counted { theirs, .. } => theirs.class(),
            MoveField::Words { theirs, .. } => PlaceholderKind::OneOf(theirs),
        }
    }

    /// The program's name of it; `None` for what is none of ours.
    pub(super) fn to_theirs(&self, text: &str) -> Option<String> {
        match self {
            MoveField::Counted { ours, theirs, base } => Some(theirs.write(ours.read(text, 1)?, *base)),
            MoveField::Words { ours, theirs } => theirs.get(position(ours, text)?).cloned(),
        }
    }

    /// Our name of it; `None` for what is none of theirs.
    pub(super) fn to_ours(&self, text: &str) -> Option<String> {
        match self {
            MoveField::Counted { ours, theirs, base } => Some(ours.write(theirs.read(text, *base)?, 1)),
            MoveField::Words { ours, theirs } => ours.get(position(theirs, text)?).cloned(),
        }
    }
}

fn position(words: &[String], text: &str) -> Option<usize> {
    words.iter().position(|word| word == text)
}

impl Numeral {
    fn class(self) -> PlaceholderKind<'static> {
        match self {
            Numeral::Number => PlaceholderKind::Number,
            Numeral::Letters => PlaceholderKind::Letters,
        }
    }

    /// How many come before it.
    fn read(self, text: &str, base: u64) -> Option<u64> {
        match self {
            Numeral::Number => text.parse::<u64>().ok().filter(|number| *number <= MOST)?.checked_sub(base),
            Numeral::Letters => {
                let mut number = 0;
                for letter in text.bytes() {
                    number = number * 26 + u64::from(letter.checked_sub(b'a')?) + 1;
                    if letter > b'z' || number > MOST {
                        return None;
                    }
                }
                u64::checked_sub(number, 1)
            }
        }
    }

    fn write(self, mut before: u64, base: u64) -> String {
        match self {
            Numeral::Number => (before + base).to_string(),
            Numeral::Letters => {
                let mut letters = Vec::new();
                loop {
                    letters.push(char::from(b'a' + (before % 26) as u8));
                    match before / 26 {
                        0 => break,
                        more => before = more - 1,
                    }
                }
                letters.iter().rev().collect()
            }
        }
    }
}

/// More than any board has of anything.
const MOST: u64 = 1_000_000;

#[cfg(test)]
mod tests {
    use super::*;

    fn check(field: &MoveField, ours: &str, theirs: &str) {
        assert_eq!(field.to_theirs(ours).as_deref(), Some(theirs));
        assert_eq!(field.to_ours(theirs).as_deref(), Some(ours));
    }

    #[test]
    fn names_go_both_ways() {
        let column = MoveField::Counted { ours: Numeral::Letters, theirs: Numeral::Number, base: 1 };
        for (ours, theirs) in
            [("a", "1"), ("z", "26"), ("aa", "27"), ("az", "52"), ("ba", "53"), ("zz", "702")]
        {
            check(&column, ours, theirs);
        }
        let from_zero = MoveField::Counted { ours: Numeral::Number, theirs: Numeral::Number, base: 0 };
        check(&from_zero, "1", "0");
        assert_eq!(from_zero.to_theirs("0"), None);
        assert_eq!(column.to_ours("0"), None);
        assert_eq!(column.to_ours("99999999999999999999"), None);
        let word = |word: &str| word.to_owned();
        let direction =
            MoveField::Words { ours: vec![word("h"), word("v")], theirs: vec![word("0"), word("1")] };
        check(&direction, "v", "1");
        assert_eq!(direction.to_ours("2"), None);
    }
}
