//! All commands of `palestra`, with one game. `cargo xtask run GAME COMMAND …` builds this program for a game and runs
//! the command.
//!
//! Compiling every search for every board and evaluation takes long; this program compiles them for one game only.

#[allow(unused_imports, reason = "without a game there is no entry")]
use palestra_arena::{Catalog, CatalogEntry};
use std::process::ExitCode;

static GAMES: Catalog = Catalog::new(include!(concat!(env!("OUT_DIR"), "/games.rs")));

fn main() -> ExitCode {
    palestra_cli::main(&GAMES, concat!(env!("CARGO_PKG_VERSION"), " (development build of one game)"))
}
