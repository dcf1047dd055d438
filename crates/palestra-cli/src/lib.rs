//! The command line of `palestra`, for any catalog of games.
//!
//! [`main`] parses the arguments of the process, runs one command and returns its exit code. The commands play, tune,
//! compare and analyze players, run tournaments and studies, and serve the web page; each is a module of `cli`. Results
//! go to standard output, as text or with `--json` as one JSON object per line; progress and errors go to standard
//! error, an error always as one line.
//!
//! The crate depends on no game: a program hands in its catalog, so that a change of a game recompiles that game, its
//! searches and the program's few lines, and nothing here. [`mod@bench`] has the benchmarks of `palestra bench` for other
//! programs, which call [`set_games`] first.
//!
//! ```
//! use palestra_arena::{Catalog, CatalogEntry};
//! use palestra_cli::bench::CASES;
//! use palestra_games::connect::ConnectFamily;
//! use std::process::ExitCode;
//!
//! static GAMES: Catalog = Catalog::new(&[CatalogEntry::of::<ConnectFamily>()]);
//!
//! /// The whole `main` of a program with these games.
//! fn start() -> ExitCode {
//!     palestra_cli::main(&GAMES, env!("CARGO_PKG_VERSION"))
//! }
//!
//! // Commands find games by name in the catalog: `start()` for `palestra show connect4 4455` does this.
//! let game = GAMES.open("connect4")?;
//! let session = game.session(None, "4455")?;
//! assert_eq!(game.name(), "connect:7x6x4");
//! assert_eq!(session.legal(), ["1", "2", "3", "4", "5", "6", "7"]);
//!
//! // A program that runs benchmarks itself registers its games first.
//! palestra_cli::set_games(&GAMES);
//! let perft = CASES.iter().find(|case| case.name == "perft").expect("a benchmark of that name");
//! assert_eq!((perft.unit, perft.is_long), ("leaves", false));
//! # Ok::<(), palestra_core::InputError>(())
//! ```
#![allow(clippy::disallowed_methods, reason = "the commands are where clock, files and arguments are read")]

pub mod bench;
mod cli;

pub use cli::main;

use palestra_arena::Catalog;
use std::sync::OnceLock;

/// The games of this program, set once at its start.
static GAMES: OnceLock<&'static Catalog> = OnceLock::new();

/// Sets the games of this program. Only the first call has an effect: a program has one catalog.
pub fn set_games(games: &'static Catalog) {
    let _ = GAMES.set(games);
}

/// The games of this program.
pub(crate) fn games() -> &'static Catalog {
    #[cfg(test)]
    set_games(&palestra_registry::GAMES);
    GAMES.get().expect("a program calls set_games at its start")
}
