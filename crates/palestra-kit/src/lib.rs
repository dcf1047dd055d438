//! Conformance tests that every family of games must pass.
//!
//! [`check_laws`] plays random games on every sample of a family and checks the laws of
//! [`palestra_core::conformance`]. [`check_counts`] compares perft counts with the family's `perft.txt`, and
//! [`check_recordings`] compares recorded games with its `playthroughs.txt`.
//!
//! [`check_family`] runs all of them, and lists texts without a Spanish translation: a game in a crate of its own calls
//! it in a test.
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
mod translations;

pub use counts::check_counts;
pub use laws::{Law, check_boards, check_law, check_laws};
pub use recordings::{check_recordings, record_playthroughs};
pub use translations::untranslated;

use palestra_core::{Family, GameVisitor, InputError};

/// How thorough the checks are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TestEffort {
    /// Takes seconds, for every change.
    Usual,
    /// Takes minutes: more games, deeper counts.
    Thorough,
}

/// What [`check_family`] checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KitReport {
    /// Boards on which all laws hold.
    pub n_samples: usize,
    /// Depths whose perft counts are as expected.
    pub n_counts: usize,
    /// Recorded games that are still played the same.
    pub n_recordings: usize,
    /// Texts that the Spanish page shows in English.
    pub untranslated: Vec<&'static str>,
}

/// Runs the whole kit on one family: the test of a game in a crate of its own.
///
/// ```
/// use palestra_games::ladrillos::LadrillosFamily;
/// use palestra_kit::{TestEffort, check_family};
///
/// let report = check_family::<LadrillosFamily>(TestEffort::Usual)?;
/// assert!(report.n_samples > 0 && report.n_counts > 0 && report.n_recordings > 0);
/// assert_eq!(report.untranslated, [""; 0]);
/// # Ok::<(), String>(())
/// ```
pub fn check_family<F: Family>(effort: TestEffort) -> Result<KitReport, String> {
    check_laws::<F>(effort)?;
    Ok(KitReport {
        n_samples: F::INFO.samples.len(),
        n_counts: check_counts::<F>(effort)?,
        n_recordings: check_recordings::<F>()?,
        untranslated: untranslated::<F>()?,
    })
}

/// Opens a game of this family from its game string.
fn open<F: Family, V: GameVisitor>(text: &str, visitor: V) -> Result<V::Out, InputError> {
    let (name, parameters) = text.split_once(':').unwrap_or((text, ""));
    if name != F::INFO.name {
        return Err(InputError::new("game", text, format!("a game of {}", F::INFO.name)));
    }
    F::open(parameters, visitor)
}
