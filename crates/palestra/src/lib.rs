//! The `palestra` binary as a library, so that tests and benchmarks can call it.
//!
//! ```
//! let game = palestra::GAMES.open("connect4")?;
//! let session = game.session(None, "4455")?;
//! assert_eq!(session.legal().len(), 7);
//! # Ok::<(), palestra_core::BadText>(())
//! ```
#![allow(clippy::disallowed_methods, reason = "the binary is where clock, files and arguments are read")]

pub mod bench;
pub mod cli;

pub use palestra_registry::GAMES;
