//! URLs of a game and of its parts.

use super::LINE;
use crate::url::encoded;
use std::fmt::Write;

/// Where a game comes from.
#[derive(Clone, Debug)]
pub(super) enum GameUrl {
    /// The store, by number.
    Stored(i64),
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
            GameUrl::Line { .. } => "/game".to_owned(),
        }
    }

    /// The parameters that a form must repeat to lead to the same game.
    pub(super) fn query(&self) -> &[(&'static str, String)] {
        match self {
            GameUrl::Stored(_) => &[],
            GameUrl::Line { query } => query,
        }
    }

    /// Its page, ready for further parameters: `/game/7?`.
    pub(super) fn open(&self) -> String {
        format!("{}?{}", self.path(), self.repeated())
    }

    /// Its page at a ply.
    pub(super) fn at(&self, ply: usize) -> String {
        format!("{}ply={ply}", self.open())
    }

    /// A part of it, ready for further parameters: `/game/7/explain?`.
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
