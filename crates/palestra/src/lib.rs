//! Palestra as a library: what a game in a crate of its own needs.
//!
//! [`main`] is the whole program for a catalog of games: all commands, tournaments and the page. [`core`] has the traits
//! of games and evaluations, [`arena`] the catalog, [`kit`] the conformance tests. With the feature `games`, which is on
//! by default, [`games`] has the shipped games; without it they are not compiled. `docs/your-own-game.md` goes through
//! an example, which is the crate `examples/own-game`.
//!
//! ```
//! use palestra::arena::{Catalog, CatalogEntry};
//! use palestra::core::Side;
//! use palestra::kit::{TestEffort, check_boards};
//! use palestra_games::kalah::KalahFamily;
//! use std::process::ExitCode;
//!
//! static GAMES: Catalog = Catalog::new(&[CatalogEntry::of::<KalahFamily>()]);
//!
//! /// The `main` of a program with this game.
//! fn start() -> ExitCode {
//!     palestra::main(&GAMES)
//! }
//!
//! // Its game by name, and the conformance tests of its family.
//! let session = GAMES.open("kalah:4x3")?.session(None, "")?;
//! assert_eq!((session.to_move(), session.legal().len()), (Side::First, 4));
//! assert_eq!(check_boards::<KalahFamily>("kalah:2x2\nkalah:4x3\n")?, 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub use palestra_arena as arena;
pub use palestra_core as core;
pub use palestra_kit as kit;
#[cfg(feature = "games")]
pub use palestra_registry as games;

use palestra_arena::Catalog;
use std::process::ExitCode;

/// Version, commit and target.
pub const VERSION: &str =
    concat!(env!("CARGO_PKG_VERSION"), " (", env!("PALESTRA_COMMIT"), ", ", env!("PALESTRA_TARGET"), ")");

/// Runs a program with these games on the arguments of the process.
pub fn main(games: &'static Catalog) -> ExitCode {
    palestra_cli::main(games, VERSION)
}
