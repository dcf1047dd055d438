//! The commands of `palestra`, for whatever games a program has.
//!
//! A program is three lines around a list of games:
//!
//! ```no_run
//! use palestra_arena::{Catalog, CatalogEntry};
//! use palestra_games::connect::ConnectFamily;
//! use std::process::ExitCode;
//!
//! static GAMES: Catalog = Catalog::new(&[CatalogEntry::of::<ConnectFamily>()]);
//!
//! fn main() -> ExitCode {
//!     palestra_cli::main(&GAMES, env!("CARGO_PKG_VERSION"))
//! }
//! ```
//!
//! This crate knows no game: a change in one compiles the game, its searches and three lines again, and nothing here.
#![allow(clippy::disallowed_methods, reason = "the commands are where clock, files and arguments are read")]

pub mod bench;
mod cli;

pub use cli::main;

use palestra_arena::Catalog;
use std::sync::OnceLock;

/// The games of this program, told once at its start.
static GAMES: OnceLock<&'static Catalog> = OnceLock::new();

/// Says which games there are. The first word counts: a program has one list.
pub fn set_games(games: &'static Catalog) {
    let _ = GAMES.set(games);
}

/// The games of this program.
pub(crate) fn games() -> &'static Catalog {
    #[cfg(test)]
    set_games(&palestra_registry::GAMES);
    GAMES.get().expect("a program says at its start which games it has")
}
