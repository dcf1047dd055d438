//! What a game may be called.

use super::plan::SKELETON;
use std::fmt;

/// A name that can be a folder, a module and the first word of a game string.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Name(String);

/// A text that cannot be a game's name, and what was expected instead.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct BadName {
    found: String,
    expected: &'static str,
}

impl fmt::Display for BadName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "name of the game: {:?} is not {}", self.found, self.expected)
    }
}

impl std::error::Error for BadName {}

/// Words that Rust keeps for itself, now or for later.
const KEYWORDS: [&str; 51] = [
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate", "do", "dyn",
    "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop",
    "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return", "self", "static",
    "struct", "super", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use", "virtual",
    "where", "while", "yield",
];

impl Name {
    /// Reads a name; `known` are the names that games have already.
    pub(crate) fn parse(text: &str, known: &[String]) -> Result<Name, BadName> {
        let bad = |expected| Err(BadName { found: text.to_owned(), expected });
        let is_word = text.starts_with(|first: char| first.is_ascii_lowercase())
            && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
        if !is_word || text.ends_with('_') || text.contains("__") {
            return bad("a lower-case word: a letter a to z, then letters, digits and single _ between them");
        }
        if KEYWORDS.contains(&text) {
            return bad("free: it is a keyword of Rust");
        }
        if text == "bin" || SKELETON.iter().any(|(file, _)| file.strip_suffix(".rs") == Some(text)) {
            return bad("free: a file or folder of the sources is always called that");
        }
        if known.iter().any(|name| name == text) {
            return bad("free: a game is called that already");
        }
        Ok(Name(text.to_owned()))
    }

    /// The complaint that something else bears the name.
    pub(super) fn taken(&self, expected: &'static str) -> BadName {
        BadName { found: self.0.clone(), expected }
    }

    /// As types are written: `tic_tac` is `TicTac`.
    pub(crate) fn camel(&self) -> String {
        self.0.split('_').map(capitalized).collect()
    }

    /// As a title begins: `tic_tac` is `Tic tac`.
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
    let mut letters = word.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}
