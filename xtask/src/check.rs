//! `cargo xtask check GAME` and `cargo xtask run GAME …`: the edit-test loop of one game.

use crate::new_game::game_folders;
use crate::tools::{cargo, command_line, root, works};
use anyhow::{Context, Result};
use std::fmt;
use std::process::{Command, ExitCode};

/// A name that is not that of a game.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct UnknownGame {
    found: String,
    known: Vec<String>,
}

impl fmt::Display for UnknownGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "invalid value {:?} for GAME: expected one of {}", self.found, self.known.join(", "))
    }
}

impl std::error::Error for UnknownGame {}

/// Compiles the games without optimization for their own tests: two seconds instead of twenty after a change, while the
/// tests take a second longer. The kit plays too many games for that.
const UNOPTIMIZED: &str = "profile.dev.package.palestra-games.opt-level=0";

/// Runs the tests of the game's folder, then the conformance kit.
pub(crate) fn run(game: &str) -> Result<ExitCode> {
    known(game)?;
    let own = ["--config", UNOPTIMIZED, "--package", "palestra-games", "--lib"];
    let kit = ["--package", "palestra-kit", "--test", "kit"];
    // The game's own tests and those of the kit are in modules with the game's name.
    let module = format!("{game}::");
    let has_nextest = works(cargo().args(["nextest", "--version"]));
    for args in [&own[..], &kit] {
        let mut command = cargo();
        command.env("PALESTRA_GAME", game);
        if has_nextest {
            command.args(["nextest", "run"]).args(args).arg(&module);
        } else {
            command.args(["test"]).args(args).args(["--", &module]);
        }
        let code = finish(command)?;
        if code != ExitCode::SUCCESS {
            return Ok(code);
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Runs a command of the program that is built with this game alone.
pub(crate) fn run_program(game: &str, args: &[&str]) -> Result<ExitCode> {
    known(game)?;
    let mut command = cargo();
    command.env("PALESTRA_GAME", game).args(["run", "--package", "palestra-one", "--"]).args(args);
    finish(command)
}

fn known(game: &str) -> Result<()> {
    let known = game_folders(&root())?;
    if known.iter().any(|name| name == game) {
        return Ok(());
    }
    Err(UnknownGame { found: game.to_owned(), known }.into())
}

fn finish(mut command: Command) -> Result<ExitCode> {
    let status = command.status().with_context(|| format!("cannot start {}", command_line(&command)))?;
    let code = status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1);
    Ok(ExitCode::from(code))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_folders() {
        assert!(known("connect").is_ok());
        let error = known("conect").unwrap_err().to_string();
        assert!(error.contains("\"conect\"") && error.contains("connect, kalah"), "{error}");
    }
}
