//! URLs of a game and of its parts.

use super::LINE;
use crate::url::encoded;
use std::fmt::Write;

/// Where a game comes from.
#[derive(Clone, Debug)]
pub(super) enum GameUrl {
    /// The store, by number.
    Stored(i64),
    /// A file of an exported site.
    File,
    /// The query.
    Line {
        /// Names and values of its parameters.
        query: Vec<(&'static str, String)>,
    },
}

impl GameUrl {
    /// The path of its page.
    pub(super) fn path(&self) -> String {
        match self {
            GameUrl::Stored(id) => format!("/game/{id}"),
            GameUrl::File => String::new(),
            GameUrl::Line { .. } => "/game".to_owned(),
        }
    }

    /// The parameters that a form must repeat to lead to the same game.
    pub(super) fn query(&self) -> &[(&'static str, String)] {
        match self {
            GameUrl::Stored(_) | GameUrl::File => &[],
            GameUrl::Line { query } => query,
        }
    }

    /// Its page up to the number of a ply: `/game/7?ply=`, or `#ply-` in a file.
    pub(super) fn open(&self) -> String {
        match self {
            GameUrl::File => "#ply-".to_owned(),
            GameUrl::Stored(_) | GameUrl::Line { .. } => format!("{}?{}ply=", self.path(), self.repeated()),
        }
    }

    /// Its page at a ply.
    pub(super) fn at(&self, ply: usize) -> String {
        format!("{}{ply}", self.open())
    }

    /// A part of it, ready for further parameters: `/game/7/explain?`.
    pub(super) fn part(&self, name: &str) -> String {
        match self {
            GameUrl::Stored(id) => format!("/game/{id}/{name}?"),
            GameUrl::File => String::new(),
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
