//! Collections of random boards: those of the Connect-C study's genetic algorithm.

use palestra_core::{BoardPool, Rng};
use rand::RngExt;
use std::ops::RangeInclusive;

pub(super) const POOLS: &[BoardPool] = &[
    BoardPool {
        name: "study",
        about: "as drawn by the Connect-C study's program: N = 10 to 14 rows, 3N/4+1 to 3N/2 columns, a run from one third to two thirds of the smaller side",
        draw: |rng| {
            let [n, m, run] = board(rng, 10..=14);
            format!("connect:{m}x{n}x{run}")
        },
    },
    BoardPool {
        name: "report",
        about: "as described in the study's report: N = 10 to 14 columns, 3N/4+1 to 3N/2 rows, the run as in study",
        draw: |rng| {
            let [n, m, run] = board(rng, 10..=14);
            format!("connect:{n}x{m}x{run}")
        },
    },
    BoardPool {
        name: "study-large",
        about: "like study, with 10 to 21 rows; the study went up to 25 rows, whose boards have up to 37 columns",
        draw: |rng| {
            let [n, m, run] = board(rng, 10..=21);
            format!("connect:{m}x{n}x{run}")
        },
    },
];

/// Draws N, M and the run as the study did: each uniform within its bounds, which are rounded down.
fn board(rng: &mut Rng, n: RangeInclusive<u32>) -> [u32; 3] {
    let n = rng.random_range(n);
    let m = rng.random_range(3 * n / 4 + 1..=3 * n / 2);
    let smaller = n.min(m);
    let run = rng.random_range(smaller / 3 + 1..=2 * smaller / 3 + 1);
    [n, m, run]
}

#[cfg(test)]
mod tests {
    use super::*;
    use palestra_core::Seed;
    use std::collections::BTreeSet;

    #[test]
    fn draws_cover_the_bounds() {
        let mut rng = Seed(1).rng();
        let boards: BTreeSet<[u32; 3]> = (0..20_000).map(|_| board(&mut rng, 10..=14)).collect();
        let range = |i: usize| {
            let values = || boards.iter().map(|board| board[i]);
            (values().min().unwrap(), values().max().unwrap())
        };
        assert_eq!([range(0), range(1), range(2)], [(10, 14), (8, 21), (3, 10)]);
        // Rows 14: columns 11 to 21; the run of 14x14 from 5 to 10.
        assert!(
            boards.contains(&[14, 21, 5])
                && boards.contains(&[14, 14, 10])
                && !boards.contains(&[14, 14, 11])
        );
    }
}
