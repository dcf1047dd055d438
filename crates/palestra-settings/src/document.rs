//! A parsed file or section: its keys and values in order, each with its place.

use crate::error::ReadError;
use crate::location_index::LocationIndex;
use crate::place::{Place, Placed, SourceLocation};
use crate::reader::ValueReader;
use palestra_core::InputError;
use serde::de::{Deserialize, DeserializeSeed};
use std::fmt;
use std::marker::PhantomData;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A file or a section of it. [`Document::read`] fills a struct from it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Document {
    /// Where it stands.
    pub place: Place,
    pub(crate) entries: Vec<Entry>,
    /// Keys that were taken out, for the list of known ones in errors.
    taken: Vec<String>,
}

/// A key with its value.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Entry {
    pub(crate) key: String,
    pub(crate) key_location: SourceLocation,
    pub(crate) value: Value,
    pub(crate) location: SourceLocation,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Value {
    Text(String),
    Number(f64),
    Flag(bool),
    List(Vec<(Value, SourceLocation)>),
    Table(Vec<Entry>),
    /// A date or a time. No plan has one; kept for the error message.
    Date(String),
}

impl Document {
    /// Parses a whole file; `name` is used in messages.
    pub fn parse(text: &str, name: &str) -> Result<Document, InputError> {
        let index = LocationIndex::new(text);
        let table = DeTable::parse(text).map_err(|error| {
            let location = index.of(error.span().map_or(0, |span| span.start));
            let found = error.span().and_then(|span| text.get(span)).unwrap_or_default();
            let expected = format!("TOML: {}", error.message().replace('\n', " "));
            InputError::new(name, found, expected).at(location)
        })?;
        let location = Some(SourceLocation { line: 1, column: 1 });
        let place = Place { key: String::new(), container: name.to_owned(), location };
        Ok(Document { place, entries: entries_of(table.get_ref(), &index), taken: Vec::new() })
    }

    /// A section without keys, for values that come from options.
    #[must_use]
    pub fn empty(place: Place) -> Document {
        Document { place, ..Document::default() }
    }

    /// Replaces or adds a value: `seed`, or `method.population` for a key of a section. A value that is not TOML is
    /// taken as a string.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), InputError> {
        let read = DeTable::parse(value_line(value, &mut String::new())).ok().and_then(|table| {
            let mut entries = entries_of(table.get_ref(), &LocationIndex::new(""));
            entries.pop().filter(|entry| entries.is_empty() && entry.key == "value")
        });
        let value = read.map_or_else(|| Value::Text(value.to_owned()), |entry| entry.value.unplaced());
        set_in(&mut self.entries, &self.place, key, value)
    }

    /// The place of the file or section.
    #[must_use]
    pub fn place(&self) -> &Place {
        &self.place
    }

    /// Replaces or adds a string.
    pub fn set_text(&mut self, key: &str, text: &str) -> Result<(), InputError> {
        set_in(&mut self.entries, &self.place, key, Value::Text(text.to_owned()))
    }

    /// Whether a key is there.
    #[must_use]
    pub fn has(&self, key: &str) -> bool {
        self.entries.iter().any(|entry| entry.key == key)
    }

    /// Key and location of a value; the location of the section where the key is missing.
    #[must_use]
    pub fn place_of(&self, key: &str) -> Place {
        let entry = self.entries.iter().find(|entry| entry.key == key);
        let location = entry.map(|entry| entry.location).or(self.place.location);
        Place { key: key.to_owned(), container: self.place.section_name(), location }
    }

    /// An error about the value of a key.
    #[must_use]
    pub fn invalid(&self, key: &str, expected: impl Into<String>) -> InputError {
        let found = self.entries.iter().find(|entry| entry.key == key).map(|entry| entry.value.to_string());
        self.place_of(key).invalid_value(&found.unwrap_or_default(), expected)
    }

    /// An error about a missing key.
    #[must_use]
    pub fn missing(&self, key: &str, expected: impl Into<String>) -> InputError {
        self.place.missing(key, expected)
    }

    /// Reads a struct from all keys.
    pub fn read<'de, T: Deserialize<'de>>(&'de self) -> Result<T, InputError> {
        let reader = ValueReader::of_section(&self.entries, self.place.clone(), &self.taken);
        T::deserialize(reader).map_err(ReadError::into_input_error)
    }

    /// Takes a key out and reads its value.
    pub fn take<T: for<'de> Deserialize<'de>>(&mut self, key: &str) -> Result<Option<T>, InputError> {
        self.take_seed(key, PhantomData)
    }

    /// Takes a key out and reads its value with a seed, such as [`within`](crate::within) bounds.
    pub fn take_seed<T>(
        &mut self,
        key: &str,
        seed: impl for<'de> DeserializeSeed<'de, Value = T>,
    ) -> Result<Option<T>, InputError> {
        let place = self.place_of(key);
        let Some(entry) = self.take_entry(key) else { return Ok(None) };
        let found = entry.value.to_string();
        let read = seed.deserialize(ValueReader::new(&entry.value, place.clone()));
        read.map(Some).map_err(|error| error.at_value(&place, &found).into_input_error())
    }

    /// Takes out a section whose struct is known only later, or its name alone: `method = "ga"`, or `[method]` with
    /// `name = "ga"`. Returns the name, where one is given, and the other keys.
    pub fn take_named(&mut self, key: &str) -> Result<(Option<Placed<String>>, Document), InputError> {
        let place = self.place_of(key);
        let section = |entries| Document { place: place.clone(), entries, taken: Vec::new() };
        match self.take_entry(key).map(|entry| entry.value) {
            None => Ok((None, section(Vec::new()))),
            Some(Value::Text(value)) => {
                Ok((Some(Placed { value, place: place.clone() }), section(Vec::new())))
            }
            Some(Value::Table(entries)) => {
                let mut section = section(entries);
                let name: Option<Placed<String>> = section.take("name")?;
                // The name stands for the whole section.
                let named = |name: Placed<String>| {
                    let location = name.place.location;
                    Placed { value: name.value, place: Place { location, ..place.clone() } }
                };
                Ok((name.map(named), section))
            }
            Some(other) => {
                Err(place.invalid_value(&other.to_string(), format!("a name or a section [{key}]")))
            }
        }
    }

    /// Takes out the sections `[[key]]`, in the order of the file.
    pub fn take_sections(&mut self, key: &str) -> Result<Vec<Document>, InputError> {
        let place = self.place_of(key);
        let expected = || format!("one or more sections [[{key}]]");
        let items = match self.take_entry(key).map(|entry| entry.value) {
            None => return Ok(Vec::new()),
            Some(Value::List(items)) => items,
            Some(other) => return Err(place.invalid_value(&other.to_string(), expected())),
        };
        let section = |(item, location)| {
            let place = Place { location: Some(location), ..place.clone() };
            match item {
                Value::Table(entries) => Ok(Document { place, entries, taken: Vec::new() }),
                other => Err(place.invalid_value(&other.to_string(), expected())),
            }
        };
        items.into_iter().map(section).collect()
    }

    /// Takes some keys out, to read them as a struct of their own.
    pub fn take_keys(&mut self, keys: &[&str]) -> Document {
        self.taken.extend(keys.iter().map(|key| (*key).to_owned()));
        let (entries, rest) = std::mem::take(&mut self.entries)
            .into_iter()
            .partition(|entry| keys.contains(&entry.key.as_str()));
        self.entries = rest;
        Document { place: self.place.clone(), entries, taken: Vec::new() }
    }

    fn take_entry(&mut self, key: &str) -> Option<Entry> {
        self.taken.push(key.to_owned());
        let i = self.entries.iter().position(|entry| entry.key == key)?;
        Some(self.entries.remove(i))
    }

    /// The keys with their values, as TOML.
    #[must_use]
    pub fn to_toml(&self) -> String {
        self.entries.iter().map(|entry| format!("{} = {}\n", entry.key, toml_value(&entry.value))).collect()
    }
}

fn value_line<'a>(value: &str, line: &'a mut String) -> &'a str {
    *line = format!("value = {value}");
    line
}

fn set_in(entries: &mut Vec<Entry>, place: &Place, key: &str, value: Value) -> Result<(), InputError> {
    let nowhere = SourceLocation::default();
    let (key, rest) = match key.split_once('.') {
        Some((section, rest)) => (section, Some(rest)),
        None => (key, None),
    };
    let i = entries.iter().position(|entry| entry.key == key).unwrap_or_else(|| {
        let value = Value::Table(Vec::new());
        entries.push(Entry { key: key.to_owned(), key_location: nowhere, value, location: nowhere });
        entries.len() - 1
    });
    let entry = &mut entries[i];
    let Some(rest) = rest else {
        (entry.value, entry.location, entry.key_location) = (value, nowhere, nowhere);
        return Ok(());
    };
    let place = place.of_key(key, entry.location);
    match &mut entry.value {
        Value::Table(inner) => set_in(inner, &place, rest, value),
        other => {
            Err(place.invalid_value(&other.to_string(), format!("a section [{key}], to set {key}.{rest}")))
        }
    }
}

fn entries_of(table: &DeTable<'_>, index: &LocationIndex<'_>) -> Vec<Entry> {
    let entry = |(key, value): (&Spanned<_>, &Spanned<DeValue<'_>>)| Entry {
        key: AsRef::<str>::as_ref(key.get_ref()).to_owned(),
        key_location: index.of(key.span().start),
        value: Value::of(value.get_ref(), index),
        location: index.of(value.span().start),
    };
    let mut entries: Vec<Entry> = table.iter().map(entry).collect();
    entries.sort_by_key(|entry| (entry.key_location.line, entry.key_location.column));
    entries
}

impl Value {
    fn of(value: &DeValue<'_>, index: &LocationIndex<'_>) -> Value {
        match value {
            DeValue::String(value) => Value::Text(value.as_ref().to_owned()),
            DeValue::Integer(value) => {
                let digits = i64::from_str_radix(value.as_str(), value.radix());
                Value::Number(digits.map_or(f64::INFINITY, |whole| whole as f64))
            }
            DeValue::Float(value) => Value::Number(value.as_str().parse().unwrap_or(f64::NAN)),
            DeValue::Boolean(value) => Value::Flag(*value),
            DeValue::Datetime(value) => Value::Date(value.to_string()),
            DeValue::Array(items) => {
                let item = |item: &Spanned<DeValue<'_>>| {
                    (Value::of(item.get_ref(), index), index.of(item.span().start))
                };
                Value::List(items.iter().map(item).collect())
            }
            DeValue::Table(table) => Value::Table(entries_of(table, index)),
        }
    }

    /// The value without locations: it does not come from the file.
    fn unplaced(mut self) -> Value {
        match &mut self {
            Value::List(items) => items.iter_mut().for_each(|(item, location)| {
                *location = SourceLocation::default();
                *item = item.clone().unplaced();
            }),
            Value::Table(entries) => entries.iter_mut().for_each(|entry| {
                (entry.location, entry.key_location) = Default::default();
                entry.value = entry.value.clone().unplaced();
            }),
            _ => {}
        }
        self
    }
}

/// A value as TOML.
fn toml_value(value: &Value) -> String {
    match value {
        Value::Text(text) => format!("{text:?}"),
        Value::Number(number) if number.fract() == 0.0 && number.abs() < 1e15 => {
            format!("{}", *number as i64)
        }
        Value::Number(number) => format!("{number:?}"),
        Value::List(items) => {
            format!("[{}]", items.iter().map(|(item, _)| toml_value(item)).collect::<Vec<_>>().join(", "))
        }
        Value::Table(entries) => {
            let entry = |entry: &Entry| format!("{} = {}", entry.key, toml_value(&entry.value));
            format!("{{ {} }}", entries.iter().map(entry).collect::<Vec<_>>().join(", "))
        }
        other => other.to_string(),
    }
}

/// As in a message: without quotation marks.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let join = |items: Vec<String>| items.join(", ");
        match self {
            Value::Text(text) | Value::Date(text) => f.write_str(text),
            Value::Number(number) => number.fmt(f),
            Value::Flag(flag) => flag.fmt(f),
            Value::List(items) => {
                write!(f, "[{}]", join(items.iter().map(|(item, _)| item.to_string()).collect()))
            }
            Value::Table(entries) => {
                write!(f, "{{ {} }}", join(entries.iter().map(|entry| entry.key.clone()).collect()))
            }
        }
    }
}
