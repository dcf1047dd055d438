//! Conformance tests that every family of games must pass.
//!
//! [`check_laws`] plays random games on every sample of a family and checks the laws of
//! [`palestra_core::conformance`]. [`check_counts`] compares perft counts with the family's `perft.txt`, and
//! [`check_recordings`] compares recorded games with its `playthroughs.txt`.
//!
//! The checks compile the game and its evaluations, but no search, so they are the quickest tests while a game is being
//! written. The integration test of this crate runs them for every folder of `palestra-games`; with the environment
//! variable `PALESTRA_GAME` set, for one game only.
//!
//! ```
//! use palestra_games::connect::ConnectFamily;
//! use palestra_kit::{check_boards, check_recordings, record_playthroughs};
//!
//! // All laws on two boards, given as game strings, with a few random games each.
//! let boards = "# Small boards.\nconnect:3x3x3\nconnect:5x4x3\n";
//! assert_eq!(check_boards::<ConnectFamily>(boards)?, 2);
//!
//! // Recorded games: every board, setup, key, move list and feature is still the same.
//! let n_recorded = check_recordings::<ConnectFamily>()?;
//! assert!(n_recorded > 0);
//! assert!(record_playthroughs::<ConnectFamily>()?.starts_with("=== connect:"));
//!
//! // A violation is an error message that names the board.
//! let error = check_boards::<ConnectFamily>("kalah:6x4").unwrap_err();
//! assert_eq!(error, "invalid value \"kalah:6x4\" for game: expected a game of connect");
//! # Ok::<(), String>(())
//! ```

mod counts;
mod laws;
mod recordings;

pub use counts::check_counts;
pub use laws::{Law, check_boards, check_law, check_laws};
pub use recordings::{check_recordings, record_playthroughs};

use palestra_core::{Family, GameVisitor, InputError};

/// How thorough the checks are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TestEffort {
    /// Takes seconds, for every change.
    Usual,
    /// Takes minutes: more games, deeper counts.
    Thorough,
}

/// Opens a game of this family from its game string.
fn open<F: Family, V: GameVisitor>(text: &str, visitor: V) -> Result<V::Out, InputError> {
    let (name, parameters) = text.split_once(':').unwrap_or((text, ""));
    if name != F::INFO.name {
        return Err(InputError::new("game", text, format!("a game of {}", F::INFO.name)));
    }
    F::open(parameters, visitor)
}
