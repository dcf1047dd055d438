//! The error of the reader: what serde reports, until the reader adds key and place.

use crate::document::Entry;
use crate::place::Place;
use palestra_core::{InputError, InputProblem, nearest_name};
use serde::de::{self, Expected, Unexpected};
use std::fmt;

/// An error while a document is read. [`Document::read`](crate::Document::read) returns it as an [`InputError`].
#[derive(Debug)]
pub struct ReadError(Problem);

#[derive(Debug)]
enum Problem {
    /// About a value, without its place.
    Value(Box<InputError>),
    UnknownVariant {
        found: String,
        expected: &'static [&'static str],
    },
    /// About a key of a section, without the section.
    UnknownKey {
        found: String,
        expected: &'static [&'static str],
    },
    MissingKey(&'static str),
    DuplicateKey(&'static str),
    /// Complete.
    Placed(Box<InputError>),
}

impl ReadError {
    /// The error as it is shown; one that nothing placed has only its text.
    pub(crate) fn into_input_error(self) -> InputError {
        match self.in_section(&Place::default(), &[], &[]).at_value(&Place::default(), "").0 {
            Problem::Placed(error) | Problem::Value(error) => *error,
            other => InputError::new("", format!("{other:?}"), "a plan"),
        }
    }

    /// The error about the value `found` at a place.
    pub(crate) fn at_value(self, place: &Place, found: &str) -> ReadError {
        let placed = match self.0 {
            Problem::Value(mut bad) => {
                if let InputProblem::Value { found: inner, .. } = &mut bad.problem
                    && inner.is_empty()
                {
                    *inner = found.into();
                }
                place.error_in_value(*bad)
            }
            Problem::UnknownVariant { found, expected } => {
                let nearest = nearest_name(&found, expected.iter().copied());
                let expected = format!("one of {}", expected.join(", "));
                place.invalid_value(&found, expected).with_nearest(nearest)
            }
            other => return ReadError(other),
        };
        ReadError::placed(placed)
    }

    /// The error about the name of a variant; `kind` is what all of them are: `an objective`.
    pub(crate) fn at_variant(self, place: &Place, kind: &str) -> ReadError {
        match self.0 {
            Problem::UnknownVariant { found, expected } if kind.contains(' ') => {
                let nearest = nearest_name(&found, expected.iter().copied());
                let expected = format!("{kind} ({})", expected.join(", "));
                ReadError::placed(place.invalid_value(&found, expected).with_nearest(nearest))
            }
            _ => self,
        }
    }

    /// The error about a key that a section has too much, lacks or has twice; `taken` are keys that were read before
    /// the others.
    pub(crate) fn in_section(self, section: &Place, entries: &[Entry], taken: &[String]) -> ReadError {
        match self.0 {
            Problem::UnknownKey { found, expected } => {
                let known = taken.iter().map(String::as_str).chain(expected.iter().copied());
                let error = InputError::unknown_key(section.section_name(), &found, known);
                let entry = entries.iter().find(|entry| entry.key == found);
                ReadError::placed(match entry {
                    Some(entry) => error.at(entry.key_location),
                    None => error,
                })
            }
            Problem::MissingKey(key) => ReadError::placed(section.missing(key, "a value")),
            Problem::DuplicateKey(key) => {
                let key = Place { key: key.to_owned(), container: section.section_name(), ..section.clone() };
                ReadError::placed(key.not_allowed("it is given twice, under two of its names"))
            }
            _ => self,
        }
    }

    pub(crate) fn placed(error: InputError) -> ReadError {
        ReadError(Problem::Placed(Box::new(error)))
    }

    fn value(expected: String) -> ReadError {
        ReadError(Problem::Value(Box::new(InputError::new("", "", expected))))
    }
}

/// What serde expects, in the words of the messages.
fn phrase(expected: &dyn Expected) -> String {
    match expected.to_string().as_str() {
        "a string" | "a borrowed string" => "a string in quotation marks".to_owned(),
        "a boolean" => "true or false".to_owned(),
        "f32" | "f64" => "a number".to_owned(),
        "u8" | "u16" | "u32" | "u64" | "usize" => "a whole number of at least 0".to_owned(),
        "i8" | "i16" | "i32" | "i64" | "isize" => "a whole number".to_owned(),
        "a sequence" => "a list".to_owned(),
        "a map" => "a section".to_owned(),
        other => other.to_owned(),
    }
}

impl de::Error for ReadError {
    fn custom<T: fmt::Display>(message: T) -> ReadError {
        let text = message.to_string();
        match decoded(&text) {
            Some(bad) => ReadError(Problem::Value(Box::new(bad))),
            None => ReadError::value(text),
        }
    }

    fn invalid_type(_: Unexpected<'_>, expected: &dyn Expected) -> ReadError {
        ReadError::value(phrase(expected))
    }

    fn invalid_value(_: Unexpected<'_>, expected: &dyn Expected) -> ReadError {
        ReadError::value(phrase(expected))
    }

    fn invalid_length(_: usize, expected: &dyn Expected) -> ReadError {
        ReadError::value(phrase(expected))
    }

    fn unknown_variant(found: &str, expected: &'static [&'static str]) -> ReadError {
        ReadError(Problem::UnknownVariant { found: found.to_owned(), expected })
    }

    fn unknown_field(found: &str, expected: &'static [&'static str]) -> ReadError {
        ReadError(Problem::UnknownKey { found: found.to_owned(), expected })
    }

    fn missing_field(field: &'static str) -> ReadError {
        ReadError(Problem::MissingKey(field))
    }

    fn duplicate_field(field: &'static str) -> ReadError {
        ReadError(Problem::DuplicateKey(field))
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Problem::Placed(error) | Problem::Value(error) => error.fmt(f),
            other => write!(f, "{other:?}"),
        }
    }
}

impl std::error::Error for ReadError {}

/// Stands between the parts of an error that travels through serde, which takes only text.
const SEPARATOR: char = '\u{1f}';

/// The error of a parser, for a `Deserialize` of one's own: the reader adds key and place to it.
pub fn refuse<E: de::Error>(bad: InputError) -> E {
    let (kind, found, expected, nearest) = match &bad.problem {
        InputProblem::Value { found, expected, nearest } => ('v', &**found, expected, nearest.as_deref()),
        InputProblem::Key { found, expected, nearest } => ('k', &**found, expected, nearest.as_deref()),
        InputProblem::NotAllowed(reason) => ('n', "", reason, None),
    };
    let (key, nearest) = (&bad.key, nearest.unwrap_or_default());
    E::custom(format_args!(
        "{SEPARATOR}{kind}{SEPARATOR}{key}{SEPARATOR}{nearest}{SEPARATOR}{expected}{SEPARATOR}{found}"
    ))
}

fn decoded(text: &str) -> Option<InputError> {
    let mut parts = text.strip_prefix(SEPARATOR)?.splitn(5, SEPARATOR);
    let [kind, key, nearest, expected, found] = std::array::from_fn(|_| parts.next().unwrap_or_default());
    let nearest = Some(nearest).filter(|nearest| !nearest.is_empty());
    Some(match kind {
        "v" => InputError::new(key, found, expected).with_nearest(nearest),
        "k" => {
            let problem = InputProblem::Key {
                found: found.into(),
                expected: expected.into(),
                nearest: nearest.map(Into::into),
            };
            InputError { key: key.to_owned(), location: None, problem }
        }
        _ => InputError::not_allowed(key, expected),
    })
}
