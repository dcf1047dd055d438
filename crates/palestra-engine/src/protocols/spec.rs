//! The names of protocols.

use super::line::{CONECTA_C, LADRILLOS, LineProtocol, LineRules};
use super::{Dialect, Gtp, KAGGLE_SHIM, Ugi};
use crate::clock::TimeControl;
use crate::protocol::Protocol;
use palestra_core::{InputError, Side};
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

/// A protocol by its name: `ugi`, `uci`, `gtp`, `ladrillos`, `conecta-c`, `kaggle` or `line:FILE.toml`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum ProtocolSpec {
    /// The Universal Game Interface.
    #[default]
    Ugi,
    /// The Universal Chess Interface.
    Uci,
    /// The Go Text Protocol, version 2.
    Gtp,
    /// The line protocol of the Ladrillos course's judge.
    Ladrillos,
    /// The line protocol of the Connect-C course's judge.
    ConectaC,
    /// A Kaggle agent, a Python function, run by [`KAGGLE_SHIM`], which speaks UGI.
    Kaggle,
    /// The line protocol that this file describes.
    Line(PathBuf),
}

/// The protocols that need no file, by name.
const NAMED: [(&str, ProtocolSpec); 6] = [
    ("ugi", ProtocolSpec::Ugi),
    ("uci", ProtocolSpec::Uci),
    ("gtp", ProtocolSpec::Gtp),
    ("ladrillos", ProtocolSpec::Ladrillos),
    ("conecta-c", ProtocolSpec::ConectaC),
    ("kaggle", ProtocolSpec::Kaggle),
];

impl fmt::Display for ProtocolSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self, NAMED.iter().find(|(_, spec)| spec == self)) {
            (_, Some((name, _))) => f.write_str(name),
            (ProtocolSpec::Line(file), None) => write!(f, "line:{}", file.display()),
            (other, None) => unreachable!("{other:?} has no name"),
        }
    }
}

impl FromStr for ProtocolSpec {
    type Err = InputError;

    fn from_str(text: &str) -> Result<ProtocolSpec, InputError> {
        if let Some(file) = text.strip_prefix("line:") {
            return match file {
                "" => Err(InputError::new(format!("protocol \"{text}\""), "", "a file: line:FILE.toml")),
                _ => Ok(ProtocolSpec::Line(file.into())),
            };
        }
        NAMED.iter().find(|(name, _)| *name == text).map(|(_, spec)| spec.clone()).ok_or_else(|| {
            let known = NAMED.iter().map(|(name, _)| *name).chain(["line:FILE.toml"]);
            InputError::unknown("protocol", text, "a known protocol", known)
        })
    }
}

impl ProtocolSpec {
    /// Reads the file of the protocol, where it has one.
    pub fn load(&self) -> Result<LoadedProtocol, InputError> {
        let rules = |text: &str, name: &str| {
            LineRules::read(text, name).map(|rules| ProtocolKind::Line(Arc::new(rules)))
        };
        let kind = match self {
            ProtocolSpec::Ugi | ProtocolSpec::Kaggle => ProtocolKind::Ugi(&Dialect::UGI),
            ProtocolSpec::Uci => ProtocolKind::Ugi(&Dialect::UCI),
            ProtocolSpec::Gtp => ProtocolKind::Gtp,
            ProtocolSpec::Ladrillos => rules(LADRILLOS, "ladrillos")?,
            ProtocolSpec::ConectaC => rules(CONECTA_C, "conecta-c")?,
            ProtocolSpec::Line(file) => {
                let name = file.display().to_string();
                let text = std::fs::read_to_string(file).map_err(|error| {
                    InputError::new("protocol", &name, format!("a readable file ({error})"))
                })?;
                rules(&text, &name)?
            }
        };
        Ok(LoadedProtocol { spec: self.clone(), kind })
    }
}

/// A protocol with its file read, which can open dialogues with any number of programs.
#[derive(Clone, Debug)]
pub struct LoadedProtocol {
    spec: ProtocolSpec,
    kind: ProtocolKind,
}

#[derive(Clone, Debug)]
enum ProtocolKind {
    Ugi(&'static Dialect),
    Gtp,
    Line(Arc<LineRules>),
}

impl LoadedProtocol {
    /// Notices about old keys of the protocol's file.
    #[must_use]
    pub fn notices(&self) -> &[String] {
        match &self.kind {
            ProtocolKind::Line(rules) => &rules.notices,
            _ => &[],
        }
    }

    /// Its name.
    #[must_use]
    pub fn spec(&self) -> &ProtocolSpec {
        &self.spec
    }

    /// A new dialogue with one program, which sets these options.
    #[must_use]
    pub fn speak(&self, options: &[(String, String)]) -> Box<dyn Protocol> {
        match &self.kind {
            ProtocolKind::Ugi(dialect) => Box::new(Ugi::new(dialect, options)),
            ProtocolKind::Gtp => Box::new(Gtp::new()),
            ProtocolKind::Line(rules) => Box::new(LineProtocol::new(rules)),
        }
    }

    /// Checks, before a program is started, that the protocol can express the game, the moves of an opening and the
    /// options.
    pub fn check(
        &self,
        game: &str,
        has_opening: bool,
        options: &[(String, String)],
    ) -> Result<(), InputError> {
        if let ProtocolKind::Line(rules) = &self.kind {
            rules.values(game, Side::First)?;
            if has_opening {
                let reason = format!("the protocol {} cannot send an opening of {game}; use 0", self.spec);
                return Err(InputError::not_allowed("opening_plies", reason));
            }
        }
        let has_control =
            |(name, value): &&(String, String)| format!("{name}{value}").contains(char::is_control);
        if let Some((name, _)) = options.iter().find(has_control) {
            let expected = "a name and a value without control characters";
            return Err(InputError::new(format!("option of protocol {}", self.spec), name, expected));
        }
        match (&self.kind, options.first()) {
            (ProtocolKind::Ugi(_), _) | (_, None) => Ok(()),
            (_, Some((name, _))) => {
                let reason = format!("the protocol {} has no options", self.spec);
                Err(InputError::not_allowed(format!("option.{name}"), reason))
            }
        }
    }

    /// The command that starts a program. A Kaggle agent is a Python file, with an optional interpreter before it, and
    /// is run by [`KAGGLE_SHIM`].
    #[must_use]
    pub fn command_words(&self, words: &[String]) -> Vec<String> {
        if self.spec != ProtocolSpec::Kaggle {
            return words.to_vec();
        }
        let (interpreter, agent) = match words {
            [agent] => ("python3", std::slice::from_ref(agent)),
            [interpreter, agent @ ..] => (interpreter.as_str(), agent),
            [] => ("python3", &[][..]),
        };
        let shim = [interpreter, "-c", KAGGLE_SHIM].map(str::to_owned);
        shim.into_iter().chain(agent.iter().cloned()).collect()
    }

    /// Whether one process can play several games.
    #[must_use]
    pub fn reuses_process(&self) -> bool {
        self.speak(&[]).reuses_process()
    }

    /// Whether a game may start with an opening, which the program did not play.
    #[must_use]
    pub fn takes_openings(&self) -> bool {
        !matches!(self.kind, ProtocolKind::Line(_))
    }

    /// Whether the program is started only at its first turn. It then gets the lines about the game and the moves
    /// before.
    #[must_use]
    pub fn starts_late(&self) -> bool {
        matches!(&self.kind, ProtocolKind::Line(rules) if rules.starts_late)
    }

    /// The time control of the protocol's own judge, where it has one.
    #[must_use]
    pub fn clock(&self) -> Option<TimeControl> {
        match &self.kind {
            ProtocolKind::Line(rules) => rules.clock,
            _ => None,
        }
    }

    /// The rules of a line protocol; `None` for other protocols.
    #[must_use]
    pub fn line_rules(&self) -> Option<&Arc<LineRules>> {
        match &self.kind {
            ProtocolKind::Line(rules) => Some(rules),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for text in ["ugi", "uci", "gtp", "ladrillos", "conecta-c", "kaggle", "line:my/bot.toml"] {
            assert_eq!(text.parse::<ProtocolSpec>().unwrap().to_string(), text);
        }
        let bad = |text: &str| text.parse::<ProtocolSpec>().unwrap_err().to_string();
        assert!(bad("ladrilos").contains("did you mean \"ladrillos\"?"));
        assert!(bad("line:").contains("a file"));
        assert!(bad("").contains("missing value for protocol"));
    }

    fn check(protocol: &str, game: &str, has_opening: bool, expected: Result<(), &str>) {
        let loaded = protocol.parse::<ProtocolSpec>().unwrap().load().unwrap();
        match (loaded.check(game, has_opening, &[]), expected) {
            (Ok(()), Ok(())) => {}
            (Err(bad), Err(part)) => assert!(bad.to_string().contains(part), "{bad}"),
            (got, _) => panic!("{protocol} {game}: {got:?}"),
        }
    }

    #[test]
    fn plans_are_checked() {
        check("ugi", "mancala:uam", true, Ok(()));
        check("ladrillos", "ladrillos:11", false, Ok(()));
        check("ladrillos", "ladrillos:11", true, Err("the protocol ladrillos cannot send an opening"));
        check("ladrillos", "connect:7x6x4", false, Err("a game of the protocol ladrillos (ladrillos:{n})"));
        check("conecta-c", "connect:7x6x4", false, Ok(()));
        check("conecta-c", "connect:7x6x4x12", false, Ok(()));
        check("conecta-c", "ladrillos:9", false, Err("a game of the protocol conecta-c"));
        let loaded = ProtocolSpec::Gtp.load().unwrap();
        let bad = loaded.check("go", false, &[("a".to_owned(), "b".to_owned())]).unwrap_err();
        assert_eq!(bad.to_string(), "option.a cannot be used here: the protocol gtp has no options");
        let option = [("a".to_owned(), "b\nquit".to_owned())];
        assert!(ProtocolSpec::Ugi.load().unwrap().check("go", false, &option).is_err());
        let missing = ProtocolSpec::Line("no/such/file.toml".into()).load().unwrap_err().to_string();
        assert!(missing.contains("no/such/file.toml"), "{missing}");
    }

    #[test]
    fn properties_of_the_judges() {
        let ladrillos = ProtocolSpec::Ladrillos.load().unwrap();
        assert!(!ladrillos.reuses_process() && ladrillos.starts_late() && !ladrillos.takes_openings());
        assert_eq!(ladrillos.clock().unwrap().to_string(), "2400");
        let conecta = ProtocolSpec::ConectaC.load().unwrap();
        assert!(conecta.reuses_process() && !conecta.starts_late() && conecta.clock().is_none());
        assert!(ProtocolSpec::Ugi.load().unwrap().takes_openings());
    }
}
