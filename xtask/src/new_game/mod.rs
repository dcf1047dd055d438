//! `cargo xtask new-game NAME`: creates a small playable game as a template, registered and passing the conformance
//! kit.

mod check;
mod name;
mod plan;
#[cfg(test)]
mod tests;

pub(crate) use check::run as check;
pub(crate) use name::BadName;

use crate::tools::root;
use anyhow::{Context, Result};
use name::Name;
use plan::{GAMES, Plan, REGISTRY};
use std::path::Path;
use std::process::ExitCode;

pub(crate) fn run(text: &str) -> Result<ExitCode> {
    let name = Name::parse(text, &known_names(&root())?)?;
    Plan::new(&root(), &name)?.write()?;
    println!("{}", next_steps(&name));
    Ok(ExitCode::SUCCESS)
}

/// The existing families and their aliases, read from the sources without compiling them.
fn known_names(root: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for game in game_folders(root)? {
        let path = root.join(GAMES).join(&game).join("mod.rs");
        let text =
            std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        names.push(game);
        names.extend(aliases(&text));
    }
    Ok(names)
}

/// The existing games: the folders of `palestra-games`, sorted.
pub(crate) fn game_folders(root: &Path) -> Result<Vec<String>> {
    let entries = std::fs::read_dir(root.join(GAMES)).with_context(|| format!("cannot read {GAMES}"))?;
    let folders = entries.filter_map(Result::ok).filter(|entry| entry.path().is_dir());
    let mut names: Vec<String> = folders.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort();
    Ok(names)
}

/// The first string of each pair in `aliases: &[("connect4", "connect:7x6x4")]`.
fn aliases(text: &str) -> Vec<String> {
    let list = text.split_once("aliases: &[").and_then(|(_, rest)| rest.split_once(']'));
    let pairs = list.map_or("", |(list, _)| list).split('(').skip(1);
    pairs.filter_map(|pair| pair.split('"').nth(1)).map(str::to_owned).collect()
}

fn next_steps(name: &Name) -> String {
    let folder = format!("{GAMES}/{name}");
    format!(
        "\
created {folder}
added `pub mod {name};` to {GAMES}/lib.rs
added the entry of {camel}Family to {REGISTRY}

It is a complete game of counters that passes the conformance kit. Replace its parts:
  rules.rs                        position, moves, endings
  text.rs                         game strings, setups, the board as a grid
  features.rs                     features of evaluations
  mod.rs                          title, parameters, samples, evaluations, opponent
  tests.rs, perft.txt             known games and counts
  rules.txt, notation.txt, players.txt, README.md
                                  documentation

Then:
  cargo xtask check {name}        run the kit and the game's own tests
  PALESTRA_BLESS=1 cargo xtask check {name}
                                  record a game with your rules; read it
  cargo xtask run {name} play {name}
                                  run any command with this game alone
  INSTA_UPDATE=always cargo test -p palestra --test it cli
                                  update the snapshots of the lists of games and players
  cargo xtask test                run all checks

Step by step: docs/adding-a-game.md.",
        camel = name.camel()
    )
}
