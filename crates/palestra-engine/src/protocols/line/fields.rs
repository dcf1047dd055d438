//! The fields of a move, such as row and column, in Palestra's notation and in a program's.

use super::template::PlaceholderKind;
use palestra_settings::{pairs, whole};
use serde::Deserialize;

/// One field of a move in both notations.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(try_from = "FieldKeys")]
pub(crate) enum MoveField {
    /// A counted field: a row, a column.
    Counted {
        /// Palestra's numeral, which begins with `1` or `a`.
        palestra: Numeral,
        /// The program's numeral.
        program: Numeral,
        /// The program's number of the first row or column.
        base: u64,
    },
    /// One of some words, in the same order in both lists.
    Words {
        /// Palestra's words.
        palestra: Vec<String>,
        /// The program's words.
        program: Vec<String>,
    },
}

/// The keys of a field.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FieldKeys {
    #[serde(default, deserialize_with = "pairs")]
    words: Vec<(String, String)>,
    palestra: Option<Numeral>,
    program: Option<Numeral>,
    #[serde(default, deserialize_with = "whole::<0, 1000, _, _>")]
    base: Option<u64>,
}

impl TryFrom<FieldKeys> for MoveField {
    type Error = &'static str;

    fn try_from(keys: FieldKeys) -> Result<MoveField, &'static str> {
        match keys {
            FieldKeys { words, palestra, program, base } if words.is_empty() => Ok(MoveField::Counted {
                palestra: palestra.unwrap_or_default(),
                program: program.unwrap_or_default(),
                base: base.unwrap_or(1),
            }),
            FieldKeys { words, palestra: None, program: None, base: None } => {
                let (palestra, program) = words.into_iter().unzip();
                Ok(MoveField::Words { palestra, program })
            }
            _ => Err("words, or palestra, program and base"),
        }
    }
}

/// How a counted field is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Numeral {
    /// With digits.
    #[default]
    Number,
    /// With letters: `a`, `b`, … `z`, `aa`.
    Letters,
}

impl MoveField {
    pub(crate) fn palestra_kind(&self) -> PlaceholderKind<'_> {
        match self {
            MoveField::Counted { palestra, .. } => palestra.kind(),
            MoveField::Words { palestra, .. } => PlaceholderKind::OneOf(palestra),
        }
    }

    pub(crate) fn program_kind(&self) -> PlaceholderKind<'_> {
        match self {
            MoveField::Counted { program, .. } => program.kind(),
            MoveField::Words { program, .. } => PlaceholderKind::OneOf(program),
        }
    }

    /// A word that stands for two others, so that one of them cannot be read back.
    pub(crate) fn repeated_word(&self) -> Option<&String> {
        match self {
            MoveField::Counted { .. } => None,
            MoveField::Words { palestra, program } => repeated(palestra).or_else(|| repeated(program)),
        }
    }

    /// Palestra's text in the program's notation; `None` where it is not valid.
    pub(crate) fn to_program(&self, text: &str) -> Option<String> {
        match self {
            MoveField::Counted { palestra, program, base } => {
                Some(program.write(palestra.read(text, 1)?, *base))
            }
            MoveField::Words { palestra, program } => program.get(position(palestra, text)?).cloned(),
        }
    }

    /// The program's text in Palestra's notation; `None` where it is not valid.
    pub(crate) fn to_palestra(&self, text: &str) -> Option<String> {
        match self {
            MoveField::Counted { palestra, program, base } => {
                Some(palestra.write(program.read(text, *base)?, 1))
            }
            MoveField::Words { palestra, program } => palestra.get(position(program, text)?).cloned(),
        }
    }
}

/// The first word that a list has twice.
fn repeated(words: &[String]) -> Option<&String> {
    words.iter().enumerate().find(|(i, word)| words[..*i].contains(word)).map(|(_, word)| word)
}

fn position(words: &[String], text: &str) -> Option<usize> {
    words.iter().position(|word| word == text)
}

impl Numeral {
    pub(crate) fn kind(self) -> PlaceholderKind<'static> {
        match self {
            Numeral::Number => PlaceholderKind::Number,
            Numeral::Letters => PlaceholderKind::Letters,
        }
    }

    /// The index, counted from 0.
    fn read(self, text: &str, base: u64) -> Option<u64> {
        match self {
            Numeral::Number => {
                text.parse::<u64>().ok().filter(|number| *number <= MAX_NUMBER)?.checked_sub(base)
            }
            Numeral::Letters => {
                let mut number = 0;
                for letter in text.bytes() {
                    number = number * 26 + u64::from(letter.checked_sub(b'a')?) + 1;
                    if letter > b'z' || number > MAX_NUMBER {
                        return None;
                    }
                }
                u64::checked_sub(number, 1)
            }
        }
    }

    /// The text of an index that is counted from 0.
    pub(crate) fn write(self, mut index: u64, base: u64) -> String {
        match self {
            Numeral::Number => (index + base).to_string(),
            Numeral::Letters => {
                let mut letters = Vec::new();
                loop {
                    letters.push(char::from(b'a' + (index % 26) as u8));
                    match index / 26 {
                        0 => break,
                        more => index = more - 1,
                    }
                }
                letters.iter().rev().collect()
            }
        }
    }
}

/// Largest number that is read: more than any board has rows or columns.
const MAX_NUMBER: u64 = 1_000_000;

#[cfg(test)]
mod tests {
    use super::*;

    fn check(field: &MoveField, palestra: &str, program: &str) {
        assert_eq!(field.to_program(palestra).as_deref(), Some(program));
        assert_eq!(field.to_palestra(program).as_deref(), Some(palestra));
    }

    #[test]
    fn fields_translate_both_ways() {
        let column = MoveField::Counted { palestra: Numeral::Letters, program: Numeral::Number, base: 1 };
        for (palestra, program) in
            [("a", "1"), ("z", "26"), ("aa", "27"), ("az", "52"), ("ba", "53"), ("zz", "702")]
        {
            check(&column, palestra, program);
        }
        let from_zero = MoveField::Counted { palestra: Numeral::Number, program: Numeral::Number, base: 0 };
        check(&from_zero, "1", "0");
        assert_eq!(from_zero.to_program("0"), None);
        assert_eq!(column.to_palestra("0"), None);
        assert_eq!(column.to_palestra("99999999999999999999"), None);
        let word = |word: &str| word.to_owned();
        let direction =
            MoveField::Words { palestra: vec![word("h"), word("v")], program: vec![word("0"), word("1")] };
        check(&direction, "v", "1");
        assert_eq!(direction.to_palestra("2"), None);
    }
}
