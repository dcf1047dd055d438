//! The protocols that programs speak. A new protocol is a file here and a line in [`PROTOCOLS`].

#[cfg(test)]
mod double;
mod gtp;
mod info;
mod kaggle;
pub(crate) mod line;
mod reading;
mod spec;
#[cfg(test)]
mod tests_gtp;
#[cfg(test)]
mod tests_ugi;
mod ugi;

pub use gtp::Gtp;
pub use line::{LineProtocol, LineRules};
pub use spec::{LoadedProtocol, ProtocolSpec};
pub use ugi::{Dialect, Ugi};

use crate::protocol::Protocol;
use palestra_core::InputError;
use std::fmt;
use std::sync::Arc;

/// An entry of the list of protocols.
#[derive(Debug)]
pub struct ProtocolInfo {
    /// Its name in player strings and plans.
    pub name: &'static str,
    /// The programs that it is for, in one phrase.
    pub about: &'static str,
    /// Where it is implemented.
    pub source: ProtocolSource,
}

/// Where a protocol is implemented.
#[derive(Debug)]
pub enum ProtocolSource {
    /// In code.
    Code(fn() -> Box<dyn ProtocolKind>),
    /// In the text of a file that describes lines.
    Lines(&'static str),
    /// In such a file of the user, named after a colon.
    File,
}

/// All protocols; the first is the default.
pub static PROTOCOLS: &[ProtocolInfo] =
    &[ugi::UGI, ugi::UCI, gtp::INFO, line::LADRILLOS_INFO, line::CONECTA_C_INFO, kaggle::INFO, line::INFO];

impl ProtocolInfo {
    /// How it is written: `gtp`, `line:FILE.toml`.
    #[must_use]
    pub fn syntax(&self) -> String {
        let file = if matches!(self.source, ProtocolSource::File) { ":FILE.toml" } else { "" };
        format!("{}{file}", self.name)
    }
}

/// A protocol that can open dialogues with any number of programs. What most protocols have in common is a default.
pub trait ProtocolKind: fmt::Debug + Send + Sync {
    /// A new dialogue with one program, which sets these options.
    fn speak(&self, options: &[(String, String)]) -> Box<dyn Protocol>;

    /// Checks that it can express a game.
    fn check(&self, _game: &str) -> Result<(), InputError> {
        Ok(())
    }

    /// Whether a game may start with an opening, which the program did not play.
    fn takes_openings(&self) -> bool {
        true
    }

    /// Whether a game may start from a setup.
    fn takes_setups(&self) -> bool {
        false
    }

    /// Whether programs have options.
    fn has_options(&self) -> bool {
        false
    }

    /// Whether `go infinite` starts a search that `stop` ends, as in UGI.
    fn has_stop(&self) -> bool {
        false
    }

    /// Whether the program is started only at its first turn. It then gets the lines about the game and the moves
    /// before.
    fn starts_late(&self) -> bool {
        false
    }

    /// The command that starts a program.
    fn command_words(&self, words: &[String]) -> Vec<String> {
        words.to_vec()
    }

    /// The rules of a protocol of lines.
    fn line_rules(&self) -> Option<&Arc<LineRules>> {
        None
    }
}
