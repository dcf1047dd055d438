//! Where a value stands, and the errors that name it.

use crate::document::Value;
use crate::error::ReadError;
use crate::reader::ValueReader;
use palestra_core::InputError;
use serde::de::{Deserialize, Deserializer, Error as _, SeqAccess, Visitor};
use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;

/// A place in a file, counted from 1; line 0 is a value from the command line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SourceLocation {
    /// Line number.
    pub line: usize,
    /// Character of that line.
    pub column: usize,
}

impl fmt::Display for SourceLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => f.write_str("given with --set"),
            line => write!(f, "line {line}, column {}", self.column),
        }
    }
}

/// Key and location of a value: of a key of a file, or of an option.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Place {
    /// The key, or the option: `sigma`, `--budget`; empty for a whole file.
    pub key: String,
    /// The file or section of the key: `plan.toml`, `[method] of plan.toml`; empty for an option.
    pub container: String,
    /// Where it stands in a file.
    pub location: Option<SourceLocation>,
}

impl Place {
    /// The place of an option.
    #[must_use]
    pub fn option(name: &str) -> Place {
        Place { key: name.to_owned(), ..Place::default() }
    }

    /// The place of a key of the section that stands here.
    #[must_use]
    pub fn of_key(&self, key: &str, location: SourceLocation) -> Place {
        Place { key: key.to_owned(), container: self.section_name(), location: Some(location) }
    }

    /// Name of the section that stands here: `[method] of plan.toml`; that of a file is its own.
    #[must_use]
    pub fn section_name(&self) -> String {
        match (self.key.is_empty(), self.container.is_empty()) {
            (true, _) => self.container.clone(),
            (_, true) => self.key.clone(),
            _ => format!("[{}] of {}", self.key, self.container),
        }
    }

    fn full_key(&self) -> String {
        match (self.key.is_empty(), self.container.is_empty()) {
            (true, _) => self.container.clone(),
            (_, true) => self.key.clone(),
            _ => format!("{} in {}", self.key, self.container),
        }
    }

    /// An error with this location.
    #[must_use]
    pub fn locate(&self, error: InputError) -> InputError {
        match self.location {
            Some(location) => error.at(location),
            None => error,
        }
    }

    /// An error about the value that stands here.
    #[must_use]
    pub fn invalid_value(&self, found: &str, expected: impl Into<String>) -> InputError {
        self.locate(InputError::new(self.full_key(), found, expected))
    }

    /// An error of another parser about the value that stands here.
    #[must_use]
    pub fn error_in_value(&self, bad: InputError) -> InputError {
        let outer = self.full_key();
        // The key of the other parser is kept where it says more, as `size of "toy:99"` does.
        self.locate(bad.map_key(|inner| match inner {
            "" => outer,
            inner if inner == self.key => outer,
            inner => format!("{outer}, {inner}"),
        }))
    }

    /// An error about a key that the section here lacks.
    #[must_use]
    pub fn missing(&self, key: &str, expected: impl Into<String>) -> InputError {
        self.locate(InputError::new(format!("{key} in {}", self.section_name()), "", expected))
    }

    /// An error about a key or option that contradicts another one.
    #[must_use]
    pub fn not_allowed(&self, reason: impl Into<String>) -> InputError {
        self.locate(InputError::not_allowed(self.full_key(), reason))
    }
}

/// A value with its place, for errors that are found after reading. Derefs to the value.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Placed<T> {
    /// The value.
    pub value: T,
    /// Where it stands.
    pub place: Place,
}

/// The name that makes [`reader`](crate::reader) hand out the place of a value before it.
pub(crate) const PLACED: &str = "$palestra::Placed";

impl<T> Placed<T> {
    /// A value that comes from an option.
    pub fn option(value: T, name: &str) -> Placed<T> {
        Placed { value, place: Place::option(name) }
    }

    /// Another value at the same place.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Placed<U> {
        Placed { value: change(self.value), place: self.place }
    }
}

impl<T: fmt::Display> Placed<T> {
    /// An error about the value.
    pub fn invalid(&self, expected: impl Into<String>) -> InputError {
        self.place.invalid_value(&self.value.to_string(), expected)
    }
}

impl Placed<String> {
    /// Reads the text as a plan does, such as the name of an enum's variant.
    pub fn read<T: for<'de> Deserialize<'de>>(&self) -> Result<T, InputError> {
        let text = Value::Text(self.value.clone());
        T::deserialize(ValueReader::new(&text, self.place.clone())).map_err(ReadError::into_input_error)
    }
}

impl<T> Deref for Placed<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Placed<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Placed<T>, D::Error> {
        deserializer.deserialize_tuple_struct(PLACED, 5, PlacedVisitor(PhantomData))
    }
}

struct PlacedVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for PlacedVisitor<T> {
    type Value = Placed<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value with its place")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut parts: A) -> Result<Placed<T>, A::Error> {
        let incomplete = || A::Error::custom("a value without its place");
        let key = parts.next_element()?.ok_or_else(incomplete)?;
        let container = parts.next_element()?.ok_or_else(incomplete)?;
        let line = parts.next_element()?.ok_or_else(incomplete)?;
        let column = parts.next_element()?.ok_or_else(incomplete)?;
        let value = parts.next_element()?.ok_or_else(incomplete)?;
        let location = Some(SourceLocation { line, column });
        Ok(Placed { value, place: Place { key, container, location } })
    }
}
