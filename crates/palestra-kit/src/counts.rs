//! Known counts of move sequences.

use crate::{TestEffort, open};
use palestra_core::conformance::{PerftCase, check_perft, perft_cases};
use palestra_core::{Family, GameVisitor, InputError, Playable};

/// Compares the counts in a family's `perft.txt`; says how many depths.
pub fn check_counts<F: Family>(effort: TestEffort) -> Result<usize, String> {
    let most = match effort {
        TestEffort::Usual => 1_000_000,
        TestEffort::Thorough => 300_000_000,
    };
    let mut n_depths = 0;
    for case in perft_cases(F::INFO.perft) {
        let counted = open::<F, _>(case.game, PerftCheck { case, most }).and_then(|counted| counted);
        n_depths += counted.map_err(|bad| bad.to_string())?;
    }
    if n_depths == 0 {
        return Err(format!("{} has no known counts", F::INFO.name));
    }
    Ok(n_depths)
}

struct PerftCheck<'a> {
    case: PerftCase<'a>,
    most: u64,
}

impl GameVisitor for PerftCheck<'_> {
    type Out = Result<usize, InputError>;

    fn visit<G: Playable>(self, game: G) -> Self::Out {
        check_perft(&game, self.case, self.most)
    }
}
