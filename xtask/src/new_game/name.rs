//! Names of games.

use super::plan::SKELETON;
use std::fmt;

/// A name that can be a folder, a module and the start of a game string.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Name(String);

/// An invalid name of a game, and what was expected.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct BadName {
    found: String,
    expected: &'static str,
}

impl fmt::Display for BadName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "invalid value {:?} for NAME: expected {}", self.found, self.expected)
    }
}

impl std::error::Error for BadName {}

/// Keywords and reserved words of Rust.
const KEYWORDS: &str = include_str!("keywords.txt");

impl Name {
    /// Parses a name; `known` are the names of existing games.
    pub(crate) fn parse(text: &str, known: &[String]) -> Result<Name, BadName> {
        let bad = |expected| Err(BadName { found: text.to_owned(), expected });
        let is_word = text.starts_with(|first: char| first.is_ascii_lowercase())
            && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
        if !is_word || text.ends_with('_') || text.contains("__") {
            return bad("a lower-case word: a letter a to z, then letters, digits and single _ between them");
        }
        if KEYWORDS.lines().any(|word| word == text) {
            return bad("a name that is not a keyword of Rust");
        }
        if text == "bin" || SKELETON.iter().any(|(file, _)| file.strip_suffix(".rs") == Some(text)) {
            return bad("a name that no source file or folder has");
        }
        if known.iter().any(|name| name == text) {
            return bad("a name that no game or alias has");
        }
        Ok(Name(text.to_owned()))
    }

    /// The error that the name is in use.
    pub(super) fn taken(&self, expected: &'static str) -> BadName {
        BadName { found: self.0.clone(), expected }
    }

    /// The name as a type: `TicTac` for `tic_tac`.
    pub(crate) fn camel(&self) -> String {
        self.0.split('_').map(capitalized).collect()
    }

    /// The name as a title: `Tic tac` for `tic_tac`.
    pub(crate) fn title(&self) -> String {
        capitalized(&self.0.replace('_', " "))
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

fn capitalized(word: &str) -> String {
    let mut chars = word.chars();
    let first = chars.next().map(|c| c.to_ascii_uppercase());
    first.into_iter().chain(chars).collect()
}
