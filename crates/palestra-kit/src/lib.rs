//! The conformance kit: what every family of games must pass.
//!
//! [`check_laws`], [`check_counts`] and [`check_recordings`] open every sample of a family and hold it to the laws of
//! [`palestra_core::conformance`], to its known counts and to its recorded games. They compile the game, its
//! evaluations and nothing of any search.
//!
//! ```
//! use palestra_kit::{TestEffort, check_counts, check_laws, check_recordings};
//! # fn family<F: palestra_core::Family>() {
//! check_laws::<F>(TestEffort::Usual).unwrap();
//! check_counts::<F>(TestEffort::Usual).unwrap();
//! check_recordings::<F>().unwrap();
//! # }
//! ```

mod counts;
mod laws;
mod recordings;

pub use counts::check_counts;
pub use laws::{Law, check_boards, check_law, check_laws};
pub use recordings::{check_recordings, record_playthroughs};

use palestra_core::{Family, GameVisitor, InputError};

/// How much is looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TestEffort {
    /// Seconds: what one waits for after every change.
    Usual,
    /// Minutes: more games, deeper counts.
    Thorough,
}

/// Opens the game that a string of this family names.
fn open<F: Family, V: GameVisitor>(text: &str, visitor: V) -> Result<V::Out, InputError> {
    let (name, parameters) = text.split_once(':').unwrap_or((text, ""));
    if name != F::INFO.name {
        return Err(InputError::new("game", text, format!("a game of {}", F::INFO.name)));
    }
    F::open(parameters, visitor)
}
