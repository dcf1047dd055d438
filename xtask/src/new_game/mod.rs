//! `cargo xtask new-game NAME`: a small playable game for its author to replace, registered and passing the
//! conformance kit as it comes.

mod check;
mod name;
mod plan;
#[cfg(test)]
mod tests;

pub(crate) use check::run as check;
pub(crate) use name::BadName;

use crate::tools::{capture, cargo, root};
use anyhow::{Context, Result};
use name::Name;
use plan::{GAMES, Plan, REGISTRY};
use serde_json::Value;
use std::process::{ExitCode, Stdio};

pub(crate) fn run(text: &str) -> Result<ExitCode> {
    // What the text alone shows is said before anything is built.
    Name::parse(text, &[])?;
    let name = Name::parse(text, &known_names()?)?;
    Plan::new(&root(), &name)?.write()?;
    println!("{}", next_steps(&name));
    Ok(ExitCode::SUCCESS)
}

/// The families there are and their aliases, as the binary lists them.
fn known_names() -> Result<Vec<String>> {
    println!("asking the binary which games there are");
    let mut command = cargo();
    command.args(["run", "--quiet", "--package", "palestra", "--", "games", "--json"]);
    let (said, _) = capture(command.stderr(Stdio::inherit()))?;
    let mut names = Vec::new();
    for line in said.lines() {
        let family: Value = serde_json::from_str(line).with_context(|| format!("not JSON: {line}"))?;
        let name = family["name"].as_str().with_context(|| format!("a game without a name: {line}"))?;
        let aliases = family["aliases"].as_object().into_iter().flat_map(|aliases| aliases.keys().cloned());
        names.push(name.to_owned());
        names.extend(aliases);
    }
    Ok(names)
}

fn next_steps(name: &Name) -> String {
    let folder = format!("{GAMES}/{name}");
    format!(
        "\
made {folder}
added `pub mod {name};` to {GAMES}/lib.rs
added the entry of {camel}Family to {REGISTRY}

It is a complete game of counters that passes the conformance kit as it is. Make it yours:
  rules.rs                        position, moves, endings
  text.rs                         game strings, setups, the picture
  features.rs                     what an evaluation may look at
  mod.rs                          title, parameters, samples, evaluations, opponent
  tests.rs, perft.txt             known games and counts
  rules.txt, notation.txt, players.txt, README.md
                                  what people read

Then:
  PALESTRA_GAME={name} cargo test -p palestra --test it conformance
                                  the kit on your game alone
  PALESTRA_BLESS=1 PALESTRA_GAME={name} cargo test -p palestra --test it recorded
                                  records a game of your rules; read it
  INSTA_UPDATE=always cargo test -p palestra --test it cli
                                  accepts the lists of games and players, which got longer
  cargo xtask test                everything
  cargo run --release -- play {name}

docs/adding-a-game.md goes through it step by step.",
        camel = name.camel()
    )
}
