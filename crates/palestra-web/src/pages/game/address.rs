//! Addresses that lead to a game and to its parts.

use super::LINE;
use std::fmt::Write;

/// Where a game is found.
#[derive(Clone, Debug)]
pub(super) enum GameUrl {
    /// In the store, by its number.
    Stored(i64),
    /// Nowhere: all of it stands in the query.
    Line {
        /// What the query says of it, names and values.
        query: Vec<(&'static str, String)>,
    },
}

impl GameUrl {
    /// The path of its page.
    pub(super) fn path(&self) -> String {
        match self {
            GameUrl::Stored(id) => format!("/game/{id}"),
            GameUrl::Line { .. } => "/game".to_owned(),
        }
    }

    /// What a form has to repeat so that it comes back to the same game.
    pub(super) fn query(&self) -> &[(&'static str, String)] {
        match self {
            GameUrl::Stored(_) => &[],
            GameUrl::Line { query } => query,
        }
    }

    /// The page of it, up to where further parts of the query go: `/game/7?`.
    pub(super) fn open(&self) -> String {
        format!("{}?{}", self.path(), self.repeated())
    }

    /// The page at a ply.
    pub(super) fn at(&self, ply: usize) -> String {
        format!("{}ply={ply}", self.open())
    }

    /// A part of it, up to where further parts of the query go: `/game/7/explain?`.
    pub(super) fn part(&self, name: &str) -> String {
        match self {
            GameUrl::Stored(id) => format!("/game/{id}/{name}?"),
            GameUrl::Line { .. } => format!("/game/{LINE}/{name}?{}", self.repeated()),
        }
    }

    fn repeated(&self) -> String {
        self.query().iter().fold(String::new(), |mut text, (name, value)| {
            let _ = write!(text, "{name}={}&", encoded(value));
            text
        })
    }
}

/// A text as it may stand in a path or a query.
pub(super) fn encoded(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => {
                encoded.push(char::from(byte));
            }
            _ => {
                let _ = write!(encoded, "%{byte:02X}");
            }
        }
    }
    encoded
}
