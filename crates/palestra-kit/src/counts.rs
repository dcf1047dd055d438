//! Perft: known counts of move sequences.

use crate::{TestEffort, open};
use palestra_core::conformance::{PerftCase, check_perft, perft_cases};
use palestra_core::{Family, GameVisitor, InputError, Playable};

/// Compares the counts in a family's `perft.txt`; returns the number of depths compared.
pub fn check_counts<F: Family>(effort: TestEffort) -> Result<usize, String> {
    let max_sequences = match effort {
        TestEffort::Usual => 1_000_000,
        TestEffort::Thorough => 300_000_000,
    };
    let mut n_depths = 0;
    for case in perft_cases(F::INFO.perft) {
        let counted = open::<F, _>(case.game, PerftCheck { case, max_sequences }).and_then(|counted| counted);
        n_depths += counted.map_err(|bad| bad.to_string())?;
    }
    if n_depths == 0 {
        return Err(format!("{} has no known perft counts", F::INFO.name));
    }
    Ok(n_depths)
}

struct PerftCheck<'a> {
    case: PerftCase<'a>,
    max_sequences: u64,
}

impl GameVisitor for PerftCheck<'_> {
    type Out = Result<usize, InputError>;

    fn visit<G: Playable>(self, game: G) -> Self::Out {
        check_perft(&game, self.case, self.max_sequences)
    }
}
