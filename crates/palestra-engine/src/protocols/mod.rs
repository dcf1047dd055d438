//! The protocols that programs speak. A new protocol is a file here and a line in [`PROTOCOLS`].

#[cfg(test)]
mod double;
mod gtp;
mod info;
mod kaggle;
mod kgp;
pub(crate) mod line;
pub(crate) mod moves;
mod reading;
mod spec;
#[cfg(test)]
mod tests_gtp;
#[cfg(test)]
mod tests_ugi;
mod ugi;

pub(crate) use reading::out_of_turn;

pub use gtp::Gtp;
pub use line::{LineProtocol, LineRules};
pub use moves::{MOVE_MAPS, MoveMap, MoveMapInfo, MoveMapSpec};
pub use spec::{LoadedProtocol, ProtocolSpec};
pub use ugi::{Dialect, Ugi};

use crate::process::ExitRequest;
use crate::protocol::Protocol;
use palestra_arena::Fault;
use palestra_core::InputError;
use std::fmt;
use std::path::Path;
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
pub static PROTOCOLS: &[ProtocolInfo] = &[
    ugi::UGI,
    ugi::UCI,
    gtp::INFO,
    line::LADRILLOS_INFO,
    line::CONECTA_C_INFO,
    line::COMP2230_INFO,
    line::MANCHESTER_INFO,
    kgp::INFO,
    kaggle::INFO,
    line::INFO,
];

impl ProtocolInfo {
    /// How it is written: `gtp`, `line:FILE.toml`.
    #[must_use]
    pub fn syntax(&self) -> String {
        let file = if matches!(self.source, ProtocolSource::File) { ":FILE.toml" } else { "" };
        format!("{}{file}", self.name)
    }
}

/// The answer that a line asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Awaited {
    /// The beginnings of its first word; empty for a move and for no answer.
    words: &'static [&'static str],
    /// Whether it is a move.
    pub(crate) is_move: bool,
    /// Whether any line is the answer.
    pub(crate) is_any: bool,
    /// The word of the line after which the last answer counts, where a program may send several.
    pub(crate) end_word: Option<&'static str>,
    /// Whether it ends with an empty line.
    pub(crate) has_end_line: bool,
    /// Whether only the recording tells that an answer was awaited.
    pub(crate) is_recorded: bool,
}

impl Awaited {
    /// No answer.
    pub const NOTHING: Awaited = Awaited {
        words: &[],
        is_move: false,
        is_any: false,
        end_word: None,
        has_end_line: false,
        is_recorded: false,
    };
    /// A line with a move.
    pub const MOVE: Awaited = Awaited { is_move: true, ..Awaited::NOTHING };

    /// Any line that is not empty.
    pub const ANY: Awaited = Awaited { is_any: true, ..Awaited::NOTHING };

    /// A line that begins with one of these words.
    #[must_use]
    pub const fn line(words: &'static [&'static str]) -> Awaited {
        Awaited { words, ..Awaited::NOTHING }
    }

    pub(crate) fn is_awaited(&self) -> bool {
        self.is_move || self.is_any || !self.words.is_empty()
    }

    pub(crate) fn is_answer(&self, line: &str) -> bool {
        let Some(first) = line.split_whitespace().next() else { return false };
        self.is_any
            || self.words.iter().any(|word| match self.has_end_line {
                true => first.starts_with(word),
                false => first == *word,
            })
    }
}

/// A protocol that can open dialogues with any number of programs. What most protocols have in common is a default.
pub trait ProtocolKind: fmt::Debug + Send + Sync {
    /// A new dialogue with one program, which sets these options.
    fn speak(&self, options: &[(String, String)]) -> Box<dyn Protocol>;

    /// The answer that a line asks for which was sent to a program.
    fn awaited(&self, sent: &str) -> Awaited;

    /// The move in an answer; `None` for a line that is no answer to a request for a move.
    fn read_move(&self, line: &str) -> Option<Result<String, Fault>>;

    /// The same where a move map translates it.
    fn read_mapped_move(&self, line: &str) -> Option<Result<String, Fault>> {
        self.read_move(line)
    }

    /// Whether each request for a move comes with the whole game, so that the program need not keep the position.
    fn repeats_game(&self) -> bool {
        false
    }

    /// A dialogue for a program with its own notation of moves, which a move map translates; `None` where the protocol
    /// has a notation itself.
    fn speak_mapped(&self, _options: &[(String, String)]) -> Option<Box<dyn Protocol>> {
        None
    }

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

    /// Whether programs are Python files, for which an interpreter may be chosen.
    fn is_run_by_python(&self) -> bool {
        false
    }

    /// Where programs expect their own folder, besides its own path.
    fn folder_alias(&self) -> Option<&'static Path> {
        None
    }

    /// The command that starts a program, with the interpreter that was chosen for it.
    fn command_words(&self, words: &[String], _python: Option<&str>) -> Vec<String> {
        words.to_vec()
    }

    /// How a program is asked to exit, after the last line.
    fn exit_request(&self) -> ExitRequest {
        ExitRequest::InputClosed
    }

    /// The rules of a protocol of lines.
    fn line_rules(&self) -> Option<&Arc<LineRules>> {
        None
    }
}
