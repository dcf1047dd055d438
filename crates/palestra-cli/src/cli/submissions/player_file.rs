//! `player.toml`, the file of a submission that says how it is started.

use super::bad;
use palestra_core::InputError;
use palestra_engine::{ProcessLifetime, ProgramSpec, ProtocolSpec};
use palestra_settings::{Document, one_or_many, parsed};
use palestra_tournament::LaunchPolicy;
use serde::{Deserialize, Deserializer};
use std::path::Path;

/// Name of the file.
pub(super) const PLAYER_FILE: &str = "player.toml";

/// The keys of the file.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct PlayerKeys {
    /// Accepted in files of earlier versions, and not used.
    name: Option<String>,
    #[serde(deserialize_with = "one_or_many")]
    command: Vec<String>,
    #[serde(deserialize_with = "one_or_many")]
    compile: Vec<String>,
    #[serde(deserialize_with = "some_protocol")]
    protocol: Option<ProtocolSpec>,
    python: Option<String>,
    start: LaunchPolicy,
}

fn some_protocol<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<ProtocolSpec>, D::Error> {
    parsed(deserializer).map(Some)
}

/// The program of the file, and the name in it, which is not used.
pub(super) fn read_player_file(path: &Path) -> Result<(ProgramSpec, Option<String>), InputError> {
    let (file, keys) = read(path)?;
    let mut program = program(&keys.command)?
        .ok_or_else(|| file.missing("command", "a program: command = [\"python3\", \"bot.py\"]"))?;
    program.protocol = keys.protocol.unwrap_or(program.protocol);
    program.python = keys.python;
    if program.python.is_some() && program.load().is_err() {
        let reason = "only a Kaggle agent has it, whose command is its file alone";
        return Err(file.place_of("python").not_allowed(reason));
    }
    if keys.start == LaunchPolicy::Game {
        program.start = ProcessLifetime::PerGame;
    }
    Ok((program, keys.name))
}

/// The command that compiles the submission, if the file has one.
pub(super) fn read_compile_command(path: &Path) -> Result<Option<Vec<String>>, InputError> {
    let (_, keys) = read(path)?;
    Ok(program(&keys.compile)?.map(|program| program.words))
}

fn read(path: &Path) -> Result<(Document, PlayerKeys), InputError> {
    let text =
        std::fs::read_to_string(path).map_err(|error| bad(path, &format!("a readable file ({error})")))?;
    let file = Document::parse(&text, &path.display().to_string())?;
    let keys = file.read()?;
    Ok((file, keys))
}

/// A program and its arguments: a list, or one line.
fn program(words: &[String]) -> Result<Option<ProgramSpec>, InputError> {
    match words {
        [] => Ok(None),
        [line] => Ok(Some(format!("cmd:{line}").parse()?)),
        arguments => Ok(Some(ProgramSpec::new(arguments.to_vec()))),
    }
}
