//! A move map by its name: one of the list, or a file.

use super::MoveMap;
use palestra_core::InputError;
use std::fmt;
use std::str::FromStr;

/// An entry of the list of move maps.
#[derive(Debug)]
pub struct MoveMapInfo {
    /// Its name in player strings.
    pub name: &'static str,
    /// The text of its file.
    text: &'static str,
}

/// All move maps that need no file.
pub static MOVE_MAPS: &[MoveMapInfo] = &[MoveMapInfo { name: "cfour", text: include_str!("cfour.toml") }];

/// A move map by its name in [`MOVE_MAPS`], or by its file: `cfour`, `my/moves.toml`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveMapSpec(String);

impl FromStr for MoveMapSpec {
    type Err = InputError;

    fn from_str(text: &str) -> Result<MoveMapSpec, InputError> {
        if text.ends_with(".toml") || MOVE_MAPS.iter().any(|info| info.name == text) {
            return Ok(MoveMapSpec(text.to_owned()));
        }
        let names = MOVE_MAPS.iter().map(|info| info.name);
        Err(InputError::unknown("moves", text, "a move map or a file FILE.toml", names))
    }
}

impl fmt::Display for MoveMapSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl MoveMapSpec {
    /// Reads the map.
    pub fn load(&self) -> Result<MoveMap, InputError> {
        if let Some(info) = MOVE_MAPS.iter().find(|info| info.name == self.0) {
            return MoveMap::read(info.text, info.name);
        }
        let text = std::fs::read_to_string(&self.0)
            .map_err(|error| InputError::new("moves", &self.0, format!("a readable file ({error})")))?;
        MoveMap::read(&text, &self.0)
    }
}
