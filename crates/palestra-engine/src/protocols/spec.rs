//! A protocol by its name, and with its file read.

use super::moves::{MappedProtocol, MoveMap};
use super::{LineRules, PROTOCOLS, ProtocolInfo, ProtocolKind, ProtocolSource};
use crate::protocol::Protocol;
use palestra_core::InputError;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

/// A protocol by its name in [`PROTOCOLS`]: `ugi`, `gtp`, `line:FILE.toml`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProtocolSpec {
    name: &'static str,
    file: Option<PathBuf>,
}

impl Default for ProtocolSpec {
    fn default() -> ProtocolSpec {
        ProtocolSpec { name: PROTOCOLS[0].name, file: None }
    }
}

impl fmt::Display for ProtocolSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)?;
        self.file.as_ref().map_or(Ok(()), |file| write!(f, ":{}", file.display()))
    }
}

impl FromStr for ProtocolSpec {
    type Err = InputError;

    fn from_str(text: &str) -> Result<ProtocolSpec, InputError> {
        let (name, file) = text.split_once(':').map_or((text, None), |(name, file)| (name, Some(file)));
        let is_named = |info: &&ProtocolInfo| {
            info.name == name && file.is_some() == matches!(info.source, ProtocolSource::File)
        };
        let info = PROTOCOLS.iter().find(is_named).ok_or_else(|| {
            let known: Vec<String> = PROTOCOLS.iter().map(ProtocolInfo::syntax).collect();
            InputError::unknown("protocol", text, "a known protocol", known.iter().map(String::as_str))
        })?;
        if file == Some("") {
            let expected = format!("a file: {}", info.syntax());
            return Err(InputError::new(format!("protocol \"{text}\""), "", expected));
        }
        Ok(ProtocolSpec { name: info.name, file: file.map(PathBuf::from) })
    }
}

impl ProtocolSpec {
    /// Reads the file of the protocol, where it has one.
    pub fn load(&self) -> Result<LoadedProtocol, InputError> {
        let rules = |text: &str, name: &str| Ok(Box::new(Arc::new(LineRules::read(text, name)?)) as Box<_>);
        let info = PROTOCOLS.iter().find(|info| info.name == self.name).unwrap_or(&PROTOCOLS[0]);
        let kind: Box<dyn ProtocolKind> = match (&info.source, &self.file) {
            (ProtocolSource::Code(kind), _) => kind(),
            (ProtocolSource::Lines(text), _) => rules(text, self.name)?,
            (ProtocolSource::File, file) => {
                let file = file.as_deref().unwrap_or("".as_ref());
                let name = file.display().to_string();
                let text = std::fs::read_to_string(file).map_err(|error| {
                    InputError::new("protocol", &name, format!("a readable file ({error})"))
                })?;
                rules(&text, &name)?
            }
        };
        Ok(LoadedProtocol { spec: self.clone(), kind, moves: None })
    }
}

/// A protocol with its file read.
#[derive(Debug)]
pub struct LoadedProtocol {
    /// Its name.
    pub spec: ProtocolSpec,
    /// How it speaks with programs.
    pub kind: Box<dyn ProtocolKind>,
    /// The notation of the program, where it has one of its own.
    pub moves: Option<Arc<MoveMap>>,
}

impl LoadedProtocol {
    /// A dialogue with one program, which sets these options.
    #[must_use]
    pub fn speak(&self, options: &[(String, String)]) -> Box<dyn Protocol> {
        let mapped = self.moves.as_ref().and_then(|moves| {
            Some(Box::new(MappedProtocol::new(moves, self.kind.speak_mapped(options)?)) as Box<dyn Protocol>)
        });
        mapped.unwrap_or_else(|| self.kind.speak(options))
    }

    /// Notices about old keys of the protocol's file.
    #[must_use]
    pub fn notices(&self) -> &[String] {
        self.kind.line_rules().map_or(&[], |rules| &rules.notices)
    }

    /// Checks, before a program is started, that the protocol can express the game, the moves of an opening and the
    /// options.
    pub fn check(
        &self,
        game: &str,
        has_opening: bool,
        options: &[(String, String)],
    ) -> Result<(), InputError> {
        self.kind.check(game)?;
        if let Some(moves) = &self.moves {
            moves.check(game)?;
        }
        if has_opening && !self.kind.takes_openings() {
            let reason = format!("the protocol {} cannot send an opening of {game}; use 0", self.spec);
            return Err(InputError::not_allowed("opening_plies", reason));
        }
        let has_control =
            |(name, value): &&(String, String)| format!("{name}{value}").contains(char::is_control);
        if let Some((name, _)) = options.iter().find(has_control) {
            let expected = "a name and a value without control characters";
            return Err(InputError::new(format!("option of protocol {}", self.spec), name, expected));
        }
        match options.first() {
            Some((name, _)) if !self.kind.has_options() => {
                let reason = format!("the protocol {} has no options", self.spec);
                Err(InputError::not_allowed(format!("option.{name}"), reason))
            }
            _ => Ok(()),
        }
    }

    /// Checks that a game can begin with a setup, or with moves that the program did not play.
    pub fn check_start(&self, has_setup: bool, has_moves: bool) -> Result<(), InputError> {
        let what = match () {
            () if has_setup && !self.kind.takes_setups() => "set up a position",
            () if has_setup && self.moves.as_ref().is_some_and(|moves| moves.needs_history()) => {
                let reason = "the move map counts the moves before, and a setup has none";
                return Err(InputError::not_allowed("a position other than the game's start", reason));
            }
            () if has_moves && !self.kind.takes_openings() => "send moves that were played before",
            () => return Ok(()),
        };
        let reason = format!("the protocol {} cannot {what}", self.spec);
        Err(InputError::not_allowed("a position other than the game's start", reason))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(protocol: &str) -> Result<LoadedProtocol, InputError> {
        protocol.parse::<ProtocolSpec>()?.load()
    }

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
        let loaded = load(protocol).unwrap();
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
        let loaded = load("gtp").unwrap();
        let bad = loaded.check("go", false, &[("a".to_owned(), "b".to_owned())]).unwrap_err();
        assert_eq!(bad.to_string(), "option.a cannot be used here: the protocol gtp has no options");
        let option = [("a".to_owned(), "b\nquit".to_owned())];
        assert!(load("ugi").unwrap().check("go", false, &option).is_err());
        let missing = load("line:no/such/file.toml").unwrap_err().to_string();
        assert!(missing.contains("no/such/file.toml"), "{missing}");
    }

    #[test]
    fn positions_that_can_be_sent() {
        for (protocol, setup, moves) in [
            ("ugi", true, true),
            ("uci", true, true),
            ("gtp", false, true),
            ("kaggle", false, true),
            ("conecta-c", false, false),
        ] {
            let loaded = load(protocol).unwrap();
            assert_eq!(loaded.check_start(true, false).is_ok(), setup, "{protocol}");
            assert_eq!(loaded.check_start(false, true).is_ok(), moves, "{protocol}");
            assert!(loaded.check_start(false, false).is_ok(), "{protocol}");
        }
    }

    #[test]
    fn properties_of_the_judges() {
        let ladrillos = load("ladrillos").unwrap().kind;
        let late = ladrillos.starts_late() && !ladrillos.takes_openings();
        assert!(late && !ladrillos.speak(&[]).reuses_process());
        assert_eq!(ladrillos.line_rules().unwrap().clock.unwrap().to_string(), "2400");
        let conecta = load("conecta-c").unwrap().kind;
        assert!(conecta.speak(&[]).reuses_process() && !conecta.starts_late());
        assert!(conecta.line_rules().unwrap().clock.is_none());
        assert!(load("ugi").unwrap().kind.takes_openings());
    }

    /// The tables of the docs have every entry of the list.
    #[test]
    fn entries_of_the_list() {
        let [protocols, programs] = ["protocols", "enter-your-program"].map(|page| {
            let path = format!("{}/../../docs/{page}.md", env!("CARGO_MANIFEST_DIR"));
            std::fs::read_to_string(path).unwrap()
        });
        for info in PROTOCOLS {
            let row = format!("\n| `{}` | ", info.syntax());
            assert!(protocols.contains(&format!("{row}{} |", info.about)), "{}", info.name);
            assert!(programs.contains(&row), "{}", info.name);
            if !matches!(info.source, ProtocolSource::File) {
                load(info.name).unwrap();
            }
        }
    }
}
