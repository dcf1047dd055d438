//! `cargo xtask check GAME` and `cargo xtask run GAME …`: the edit-test loop of one game.

use crate::new_game::game_folders;
use crate::tools::{cargo, root, typed, works};
use anyhow::{Context, Result};
use std::fmt;
use std::process::{Command, ExitCode};

/// A text that is no game's name.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct UnknownGame {
    found: String,
    known: Vec<String>,
}

impl fmt::Display for UnknownGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "game: {:?} is not a folder of the games ({})", self.found, self.known.join(", "))
    }
}

impl std::error::Error for UnknownGame {}

/// Compiles the games without optimization for their own tests: that takes two seconds instead of twenty after a
/// change, and the tests run a second longer. The kit plays too many games for that.
const UNOPTIMIZED: &str = "profile.dev.package.palestra-games.opt-level=0";

/// The tests in the game's own folder, then the kit.
pub(crate) fn run(game: &str) -> Result<ExitCode> {
    known(game)?;
    let own = ["--config", UNOPTIMIZED, "--package", "palestra-games", "--lib"];
    let kit = ["--package", "palestra-kit", "--test", "kit"];
    // Everything of a game is in a module of its name: its own tests and those of the kit.
    let module = format!("{game}::");
    let has_nextest = works(cargo().args(["nextest", "--version"]));
    for words in [&own[..], &kit] {
        let mut command = cargo();
        command.env("PALESTRA_GAME", game);
        if has_nextest {
            command.args(["nextest", "run"]).args(words).arg(&module);
        } else {
            command.args(["test"]).args(words).args(["--", &module]);
        }
        let code = finish(command)?;
        if code != ExitCode::SUCCESS {
            return Ok(code);
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Any command of the program, built with this game alone.
pub(crate) fn run_program(game: &str, words: &[&str]) -> Result<ExitCode> {
    known(game)?;
    let mut command = cargo();
    command.env("PALESTRA_GAME", game).args(["run", "--package", "palestra-one", "--"]).args(words);
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
    let status = command.status().with_context(|| format!("cannot start {}", typed(&command)))?;
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
