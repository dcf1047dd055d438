//! Keys and values of a plan file, each with its line and column.
//!
//! A reader takes the keys it knows from [`Settings`]; [`Settings::finish`] reports a key that was not taken, with the
//! nearest known one. Values given on the command line (`--set KEY=VALUE`) replace those of the file before it is read.
//!
//! ```
//! use palestra_settings::Settings;
//!
//! let text = "seed = 7\n\n[method]\nname = \"ga\"\nsigma = 2\n";
//! let mut plan = Settings::parse(text, "plan.toml")?;
//! plan.set("method.population", "50")?;
//! assert_eq!(plan.integer("seed", 1, 0..=100)?, 7);
//! let mut method = plan.table("method")?;
//! assert_eq!(method.choice("name", "cmaes", &["cmaes", "ga"])?, "ga");
//! assert_eq!(method.integer("population", 20, 2..=1000)?, 50);
//! let error = method.number("sigma", 1.0, 0.0..=1.0).unwrap_err();
//! assert_eq!(
//!     error.to_string(),
//!     "invalid value \"2\" for sigma in [method] of plan.toml (line 5, column 9): expected a number from 0 to 1"
//! );
//! plan.finish()?;
//! # Ok::<(), palestra_core::InputError>(())
//! ```

mod old_keys;
#[cfg(test)]
mod tests;

pub use old_keys::{KeyRename, old_spelling};

use palestra_core::{InputError, nearest_name};
use std::fmt;
use std::ops::RangeInclusive;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A place in a file, counted from 1; line 0 is a value from the command line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SourceLocation {
    /// Line number.
    pub line: usize,
    /// Character of that line.
    pub column: usize,
}

impl SourceLocation {
    fn of(text: &str, byte: usize) -> SourceLocation {
        let before = text.get(..byte).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |i| i + 1);
        SourceLocation {
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
        }
    }
}

impl fmt::Display for SourceLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => f.write_str("given with --set"),
            line => write!(f, "line {line}, column {}", self.column),
        }
    }
}

/// A value of a plan file.
#[derive(Clone, PartialEq, Debug)]
pub enum Setting {
    /// A string in quotation marks.
    Text(String),
    /// A number, with or without a fraction.
    Number(f64),
    /// `true` or `false`.
    Flag(bool),
    /// `[1, 2]`.
    List(Vec<(Setting, SourceLocation)>),
    /// `{ a = 1 }`, or a section.
    Table(Settings),
    /// A date or a time. No plan has one; kept for the error message.
    Date(String),
}

/// Keys and values of a file or a section. A reader takes the keys it knows; one that remains is an error.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Settings {
    /// The file or section, for messages: `plan.toml`, `[method] of plan.toml`.
    name: String,
    place: SourceLocation,
    entries: Vec<Entry>,
    /// Keys that a reader asked for, present or not: the expected ones.
    known: Vec<String>,
}

#[derive(Clone, PartialEq, Debug)]
struct Entry {
    key: String,
    key_place: SourceLocation,
    value: Setting,
    place: SourceLocation,
    taken: bool,
}

impl Settings {
    /// Parses a whole file; `name` is used in messages.
    pub fn parse(text: &str, name: &str) -> Result<Settings, InputError> {
        let table = DeTable::parse(text).map_err(|error| {
            let place = SourceLocation::of(text, error.span().map_or(0, |span| span.start));
            let found = error.span().and_then(|span| text.get(span)).unwrap_or_default();
            let expected = format!("TOML: {}", error.message().replace('\n', " "));
            InputError::new(name, found, expected).at(place)
        })?;
        Ok(Settings::of(table.get_ref(), text, name, SourceLocation { line: 1, column: 1 }))
    }

    fn of(table: &DeTable<'_>, text: &str, name: &str, place: SourceLocation) -> Settings {
        let entry = |(key, value): (&Spanned<_>, &Spanned<DeValue<'_>>)| {
            let key_text: &str = AsRef::<str>::as_ref(key.get_ref());
            let place = SourceLocation::of(text, value.span().start);
            let value = setting(value.get_ref(), text, name, key_text, place);
            let key_place = SourceLocation::of(text, key.span().start);
            Entry { key: key_text.to_owned(), key_place, value, place, taken: false }
        };
        let mut entries: Vec<Entry> = table.iter().map(entry).collect();
        entries.sort_by_key(|entry| (entry.key_place.line, entry.key_place.column));
        Settings { name: name.to_owned(), place, entries, known: Vec::new() }
    }

    /// Replaces or adds a value: `seed`, or `method.population` for a key of a section. A value that is not TOML is
    /// taken as a string.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), InputError> {
        let nowhere = SourceLocation::default();
        let Some((section, key)) = key.split_once('.') else {
            let read = Settings::parse(&format!("value = {value}"), "").ok();
            let read =
                read.and_then(|mut read| Some(read.take("value")?.0).filter(|_| read.finish().is_ok()));
            self.put(key, read.unwrap_or_else(|| Setting::Text(value.to_owned())));
            return Ok(());
        };
        let mut inner = match self.entries.iter().find(|entry| entry.key == section) {
            Some(Entry { value: Setting::Table(table), .. }) => table.clone(),
            Some(entry) => {
                let expected = format!("a section [{section}], to set {section}.{key}");
                return Err(self.invalid_value(section, entry.place, &entry.value.to_string(), expected));
            }
            None => Settings {
                name: format!("[{section}] of {}", self.name),
                place: nowhere,
                ..Settings::default()
            },
        };
        inner.set(key, value)?;
        self.put(section, Setting::Table(inner));
        Ok(())
    }

    fn put(&mut self, key: &str, value: Setting) {
        let nowhere = SourceLocation::default();
        match self.entries.iter_mut().find(|entry| entry.key == key) {
            Some(entry) if matches!(value, Setting::Table(_)) => entry.value = value,
            Some(entry) => (entry.value, entry.place, entry.key_place) = (value, nowhere, nowhere),
            None => self.entries.push(Entry {
                key: key.to_owned(),
                key_place: nowhere,
                value,
                place: nowhere,
                taken: false,
            }),
        }
    }

    /// Takes the value of a key, where there is one.
    pub fn take(&mut self, key: &str) -> Option<(Setting, SourceLocation)> {
        self.known.push(key.to_owned());
        let entry = self.entries.iter_mut().find(|entry| entry.key == key)?;
        entry.taken = true;
        Some((entry.value.clone(), entry.place))
    }

    /// Whether a key is there; it still has to be taken.
    pub fn has(&self, key: &str) -> bool {
        self.entries.iter().any(|entry| entry.key == key)
    }

    /// The keys that were not taken yet, in the order of the file: for sections whose keys are names.
    pub fn keys(&self) -> Vec<String> {
        self.entries.iter().filter(|entry| !entry.taken).map(|entry| entry.key.clone()).collect()
    }

    /// Location of a key's value; that of the section where the key is missing.
    pub fn location_of(&self, key: &str) -> SourceLocation {
        self.entries.iter().find(|entry| entry.key == key).map_or(self.place, |entry| entry.place)
    }

    /// An error about the value of `key` at `place`.
    pub fn invalid_value(
        &self,
        key: &str,
        place: SourceLocation,
        found: &str,
        expected: impl Into<String>,
    ) -> InputError {
        InputError::new(format!("{key} in {}", self.name), found, expected).at(place)
    }

    /// An error of another parser about the value of `key`, with the key and its location in the file.
    pub fn error_in_value(&self, key: &str, place: SourceLocation, bad: InputError) -> InputError {
        let outer = format!("{key} in {}", self.name);
        // The key of the other parser is kept where it says more, as `size of "toy:99"` does.
        bad.map_key(|inner| if inner == key { outer } else { format!("{outer}, {inner}") }).at(place)
    }

    /// An error about a missing key.
    pub fn missing(&self, key: &str, expected: impl Into<String>) -> InputError {
        InputError::new(format!("{key} in {}", self.name), "", expected).at(self.place)
    }

    /// An error about a key that contradicts another one.
    pub fn not_allowed(&self, key: &str, reason: impl Into<String>) -> InputError {
        InputError::not_allowed(format!("{key} in {}", self.name), reason).at(self.location_of(key))
    }

    /// A number within bounds; `default` where the key is missing.
    pub fn number(
        &mut self,
        key: &str,
        default: f64,
        bounds: RangeInclusive<f64>,
    ) -> Result<f64, InputError> {
        let Some((value, place)) = self.take(key) else { return Ok(default) };
        match value {
            Setting::Number(number) if bounds.contains(&number) => Ok(number),
            other => {
                let expected = format!("a number from {} to {}", bounds.start(), bounds.end());
                Err(self.invalid_value(key, place, &other.to_string(), expected))
            }
        }
    }

    /// A whole number within bounds; `default` where the key is missing.
    pub fn integer(
        &mut self,
        key: &str,
        default: u64,
        bounds: RangeInclusive<u64>,
    ) -> Result<u64, InputError> {
        let Some((value, place)) = self.take(key) else { return Ok(default) };
        match value {
            Setting::Number(number)
                if number.fract() == 0.0 && number >= 0.0 && bounds.contains(&(number as u64)) =>
            {
                Ok(number as u64)
            }
            other => {
                let expected = format!("a whole number from {} to {}", bounds.start(), bounds.end());
                Err(self.invalid_value(key, place, &other.to_string(), expected))
            }
        }
    }

    /// `true` or `false`; `default` where the key is missing.
    pub fn flag(&mut self, key: &str, default: bool) -> Result<bool, InputError> {
        match self.take(key) {
            None => Ok(default),
            Some((Setting::Flag(flag), _)) => Ok(flag),
            Some((other, place)) => Err(self.invalid_value(key, place, &other.to_string(), "true or false")),
        }
    }

    /// A string with its location.
    pub fn text(&mut self, key: &str) -> Result<Option<(String, SourceLocation)>, InputError> {
        match self.take(key) {
            None => Ok(None),
            Some((Setting::Text(text), place)) => Ok(Some((text, place))),
            Some((other, place)) => {
                Err(self.invalid_value(key, place, &other.to_string(), "a string in quotation marks"))
            }
        }
    }

    /// One of the listed names; `default` where the key is missing.
    pub fn choice(
        &mut self,
        key: &str,
        default: &'static str,
        choices: &[&'static str],
    ) -> Result<&'static str, InputError> {
        let Some((text, place)) = self.text(key)? else { return Ok(default) };
        choices.iter().copied().find(|choice| *choice == text).ok_or_else(|| {
            let expected = format!("one of {}", choices.join(", "));
            let nearest = nearest_name(&text, choices.iter().copied());
            self.invalid_value(key, place, &text, expected).with_nearest(nearest)
        })
    }

    /// A list of numbers; a single number is a list of one.
    pub fn numbers(&mut self, key: &str) -> Result<Option<Vec<f64>>, InputError> {
        let Some((value, place)) = self.take(key) else { return Ok(None) };
        let items = match value {
            Setting::List(items) => items,
            Setting::Number(_) => vec![(value, place)],
            other => return Err(self.invalid_value(key, place, &other.to_string(), "a list of numbers")),
        };
        let number = |(item, place): (Setting, SourceLocation)| match item {
            Setting::Number(number) if number.is_finite() => Ok(number),
            other => Err(self.invalid_value(key, place, &other.to_string(), "a finite number")),
        };
        items.into_iter().map(number).collect::<Result<Vec<f64>, InputError>>().map(Some)
    }

    /// A list of strings with their locations; a single string is a list of one.
    pub fn texts(&mut self, key: &str) -> Result<Option<Vec<(String, SourceLocation)>>, InputError> {
        let Some((value, place)) = self.take(key) else { return Ok(None) };
        let items = match value {
            Setting::List(items) => items,
            Setting::Text(_) => vec![(value, place)],
            other => return Err(self.invalid_value(key, place, &other.to_string(), "a list of strings")),
        };
        let text = |(item, place): (Setting, SourceLocation)| match item {
            Setting::Text(text) => Ok((text, place)),
            other => Err(self.invalid_value(key, place, &other.to_string(), "a string in quotation marks")),
        };
        items.into_iter().map(text).collect::<Result<Vec<_>, InputError>>().map(Some)
    }

    /// A section; an empty one where the key is missing.
    pub fn table(&mut self, key: &str) -> Result<Settings, InputError> {
        match self.take(key) {
            None => Ok(Settings {
                name: format!("[{key}] of {}", self.name),
                place: self.place,
                ..Settings::default()
            }),
            Some((Setting::Table(table), _)) => Ok(table),
            Some((other, place)) => {
                Err(self.invalid_value(key, place, &other.to_string(), format!("a section [{key}]")))
            }
        }
    }

    /// Sections of the same name, `[[key]]`, in the order of the file; none where the key is missing.
    pub fn tables(&mut self, key: &str) -> Result<Vec<Settings>, InputError> {
        let expected = || format!("one or more sections [[{key}]]");
        let items = match self.take(key) {
            None => return Ok(Vec::new()),
            Some((Setting::List(items), _)) => items,
            Some((other, place)) => {
                return Err(self.invalid_value(key, place, &other.to_string(), expected()));
            }
        };
        let table = |(item, place): (Setting, SourceLocation)| match item {
            Setting::Table(table) => Ok(table),
            other => Err(self.invalid_value(key, place, &other.to_string(), expected())),
        };
        items.into_iter().map(table).collect()
    }

    /// The keys that were not taken, with their values, as TOML.
    pub fn to_toml(&self) -> String {
        let line = |entry: &Entry| format!("{} = {}\n", entry.key, toml_value(&entry.value));
        self.entries.iter().filter(|entry| !entry.taken).map(line).collect()
    }

    /// Fails if a key was not taken.
    pub fn finish(&self) -> Result<(), InputError> {
        let Some(entry) = self.entries.iter().find(|entry| !entry.taken) else { return Ok(()) };
        let known = self.known.iter().map(String::as_str);
        Err(InputError::unknown_key(&self.name, &entry.key, known).at(entry.key_place))
    }
}

fn setting(value: &DeValue<'_>, text: &str, name: &str, key: &str, place: SourceLocation) -> Setting {
    match value {
        DeValue::String(value) => Setting::Text(value.as_ref().to_owned()),
        DeValue::Integer(value) => {
            let digits = i64::from_str_radix(value.as_str(), value.radix());
            Setting::Number(digits.map_or(f64::INFINITY, |whole| whole as f64))
        }
        DeValue::Float(value) => Setting::Number(value.as_str().parse().unwrap_or(f64::NAN)),
        DeValue::Boolean(value) => Setting::Flag(*value),
        DeValue::Datetime(value) => Setting::Date(value.to_string()),
        DeValue::Array(items) => {
            let item = |item: &Spanned<DeValue<'_>>| {
                let place = SourceLocation::of(text, item.span().start);
                (setting(item.get_ref(), text, name, key, place), place)
            };
            Setting::List(items.iter().map(item).collect())
        }
        DeValue::Table(table) => {
            Setting::Table(Settings::of(table, text, &format!("[{key}] of {name}"), place))
        }
    }
}

/// A value as TOML.
fn toml_value(value: &Setting) -> String {
    match value {
        Setting::Text(text) => format!("{text:?}"),
        Setting::Number(number) if number.fract() == 0.0 && number.abs() < 1e15 => {
            format!("{}", *number as i64)
        }
        Setting::Number(number) => format!("{number:?}"),
        Setting::List(items) => {
            format!("[{}]", items.iter().map(|(item, _)| toml_value(item)).collect::<Vec<_>>().join(", "))
        }
        Setting::Table(table) => {
            let entry = |entry: &Entry| format!("{} = {}", entry.key, toml_value(&entry.value));
            format!("{{ {} }}", table.entries.iter().map(entry).collect::<Vec<_>>().join(", "))
        }
        other => other.to_string(),
    }
}

/// As in a message: without quotation marks.
impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Setting::Text(text) | Setting::Date(text) => f.write_str(text),
            Setting::Number(number) => number.fmt(f),
            Setting::Flag(flag) => flag.fmt(f),
            Setting::List(items) => {
                f.write_str("[")?;
                for (i, (item, _)) in items.iter().enumerate() {
                    write!(f, "{}{item}", if i == 0 { "" } else { ", " })?;
                }
                f.write_str("]")
            }
            Setting::Table(table) => {
                let keys: Vec<&str> = table.entries.iter().map(|entry| entry.key.as_str()).collect();
                write!(f, "{{ {} }}", keys.join(", "))
            }
        }
    }
}
