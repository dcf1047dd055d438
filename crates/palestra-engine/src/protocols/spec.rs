//! Protocols by name.

use super::line::{CONECTA_C, LADRILLOS, LineProtocol, LineRules};
use super::{Dialect, Gtp, KAGGLE_SHIM, Ugi};
use crate::clock::TimeControl;
use crate::protocol::Protocol;
use palestra_core::{InputError, Side};
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

/// A protocol, as written: `ugi`, `uci`, `gtp`, `ladrillos`, `conecta-c`, `kaggle` or `line:FILE.toml`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum ProtocolSpec {
    /// The Universal Game Interface.
    #[default]
    Ugi,
    /// The Universal Chess Interface.
    Uci,
    /// The Go Text Protocol, version 2.
    Gtp,
    /// The Ladrillos course's judge.
    Ladrillos,
    /// The Connect-C course's judge.
    ConectaC,
    /// A Python function as Kaggle wants it, behind a program of ours that speaks UGI.
    Kaggle,
    /// Lines as a file describes them.
    Line(PathBuf),
}

/// The protocols that need no file.
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
    /// Reads what the protocol needs: its file, where it has one.
    pub fn load(&self) -> Result<LoadedProtocol, InputError> {
        let rules = |text: &str, name: &str| {
            LineRules::read(text, name).map(|rules| ProtocolKind::Line(Arc::new(rules)))
        };
        let manner = match self {
            ProtocolSpec::Ugi | ProtocolSpec::Kaggle => ProtocolKind::Ugi(&Dialect::UGI),
            ProtocolSpec::Uci => ProtocolKind::Ugi(&Dialect::UCI),
            ProtocolSpec::Gtp => ProtocolKind::Gtp,
            ProtocolSpec::Ladrillos => rules(LADRILLOS, "ladrillos")?,
            ProtocolSpec::ConectaC => rules(CONECTA_C, "conecta-c")?,
            ProtocolSpec::Line(file) => {
                let name = file.display().to_string();
                let text = std::fs::read_to_string(file).map_err(|error| {
                    InputError::new("protocol", &name, format!("a file that can be read: {error}"))
                })?;
                rules(&text, &name)?
            }
        };
        Ok(LoadedProtocol { spec: self.clone(), manner })
    }
}

/// A protocol with everything it needs, ready to talk to any number of programs.
#[derive(Clone, Debug)]
pub struct LoadedProtocol {
    spec: ProtocolSpec,
    manner: ProtocolKind,
}

#[derive(Clone, Debug)]
enum ProtocolKind {
    Ugi(&'static Dialect),
    Gtp,
    Line(Arc<LineRules>),
}

impl LoadedProtocol {
    /// How it is written.
    #[must_use]
    pub fn spec(&self) -> &ProtocolSpec {
        &self.spec
    }

    /// A conversation with one program, whose options are to be set like this.
    #[must_use]
    pub fn speak(&self, options: &[(String, String)]) -> Box<dyn Protocol> {
        match &self.manner {
            ProtocolKind::Ugi(dialect) => Box::new(Ugi::new(dialect, options)),
            ProtocolKind::Gtp => Box::new(Gtp::new()),
            ProtocolKind::Line(rules) => Box::new(LineProtocol::new(rules)),
        }
    }

    /// Looks whether it can be spoken about a game, before anybody starts a program: whether it has words for the game,
    /// for moves played before the players take over, and for options.
    pub fn check(
        &self,
        game: &str,
        has_opening: bool,
        options: &[(String, String)],
    ) -> Result<(), InputError> {
        let place = || format!("protocol {}", self.spec);
        if let ProtocolKind::Line(rules) = &self.manner {
            rules.values(game, Side::First)?;
            if has_opening {
                return Err(InputError::new(
                    place(),
                    game,
                    "able to begin with an opening: use openings of 0 moves",
                ));
            }
        }
        let is_two_lines =
            |(name, value): &&(String, String)| format!("{name}{value}").contains(char::is_control);
        if let Some((name, _)) = options.iter().find(is_two_lines) {
            return Err(InputError::new(place(), name, "an option on one line, without control characters"));
        }
        match (&self.manner, options.first()) {
            (ProtocolKind::Ugi(_), _) | (_, None) => Ok(()),
            (_, Some((name, _))) => Err(InputError::new(place(), name, "an option: this protocol has none")),
        }
    }

    /// The command that starts a program with these words: a Kaggle agent is a file of Python, perhaps with an
    /// interpreter before it, and needs somebody to speak for it.
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

    /// Whether one process can play one game after the other.
    #[must_use]
    pub fn reuses_process(&self) -> bool {
        self.speak(&[]).reuses_process()
    }

    /// Whether a game may begin with moves that the program did not play.
    #[must_use]
    pub fn takes_openings(&self) -> bool {
        !matches!(self.manner, ProtocolKind::Line(_))
    }

    /// Whether the program is started only when its first turn comes. It is then opened, told of the game, and told of
    /// the moves before.
    #[must_use]
    pub fn starts_late(&self) -> bool {
        matches!(&self.manner, ProtocolKind::Line(rules) if rules.starts_late)
    }

    /// The clock that the protocol's own judge gives, where it has one.
    #[must_use]
    pub fn clock(&self) -> Option<TimeControl> {
        match &self.manner {
            ProtocolKind::Line(rules) => rules.clock,
            _ => None,
        }
    }

    /// The rules of its lines, where it is made of lines.
    #[must_use]
    pub fn line_rules(&self) -> Option<&Arc<LineRules>> {
        match &self.manner {
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
        assert!(bad("").contains("nothing there"));
    }

    fn check(protocol: &str, game: &str, has_opening: bool, expected: Result<(), &str>) {
        let language = protocol.parse::<ProtocolSpec>().unwrap().load().unwrap();
        match (language.check(game, has_opening, &[]), expected) {
            (Ok(()), Ok(())) => {}
            (Err(bad), Err(words)) => assert!(bad.to_string().contains(words), "{bad}"),
            (got, _) => panic!("{protocol} {game}: {got:?}"),
        }
    }

    #[test]
    fn plans_are_checked() {
        check("ugi", "mancala:uam", true, Ok(()));
        check("ladrillos", "ladrillos:11", false, Ok(()));
        check("ladrillos", "ladrillos:11", true, Err("able to begin with an opening"));
        check("ladrillos", "connect:7x6x4", false, Err("a game of the protocol ladrillos (ladrillos:{n})"));
        check("conecta-c", "connect:7x6x4", false, Ok(()));
        check("conecta-c", "connect:7x6x4x12", false, Ok(()));
        check("conecta-c", "ladrillos:9", false, Err("a game of the protocol conecta-c"));
        let language = ProtocolSpec::Gtp.load().unwrap();
        assert!(language.check("go", false, &[("a".to_owned(), "b".to_owned())]).is_err());
        let option = [("a".to_owned(), "b\nquit".to_owned())];
        assert!(ProtocolSpec::Ugi.load().unwrap().check("go", false, &option).is_err());
        let missing = ProtocolSpec::Line("no/such/file.toml".into()).load().unwrap_err().to_string();
        assert!(missing.contains("no/such/file.toml"), "{missing}");
    }

    #[test]
    fn what_the_judges_do() {
        let ladrillos = ProtocolSpec::Ladrillos.load().unwrap();
        assert!(!ladrillos.reuses_process() && ladrillos.starts_late() && !ladrillos.takes_openings());
        assert_eq!(ladrillos.clock().unwrap().to_string(), "2400");
        let conecta = ProtocolSpec::ConectaC.load().unwrap();
        assert!(conecta.reuses_process() && !conecta.starts_late() && conecta.clock().is_none());
        assert!(ProtocolSpec::Ugi.load().unwrap().takes_openings());
    }
}
