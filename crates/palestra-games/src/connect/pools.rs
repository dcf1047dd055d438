//! Collections of random boards: those of the Connect-C study's genetic algorithm.

use palestra_core::BoardPool;
use std::ops::RangeInclusive;

pub(super) const POOLS: &[BoardPool] = &[
    BoardPool {
        name: "study",
        about: "as drawn by the Connect-C study's program: N = 10 to 14 rows, 3N/4+1 to 3N/2 columns, a run from one third to two thirds of the smaller side",
        board: |choose| {
            let [n, m, run] = board(choose, 10..=14);
            format!("connect:{m}x{n}x{run}")
        },
    },
    BoardPool {
        name: "report",
        about: "as described in the study's report: N = 10 to 14 columns, 3N/4+1 to 3N/2 rows, the run as in study",
        board: |choose| {
            let [n, m, run] = board(choose, 10..=14);
            format!("connect:{n}x{m}x{run}")
        },
    },
    BoardPool {
        name: "study-large",
        about: "like study, with 10 to 21 rows; the study went up to 25 rows, whose boards have up to 37 columns",
        board: |choose| {
            let [n, m, run] = board(choose, 10..=21);
            format!("connect:{m}x{n}x{run}")
        },
    },
];

/// Chooses N, M and the run as the study did: each uniform within its bounds, which are rounded down.
fn board(choose: &mut dyn FnMut(RangeInclusive<u32>) -> u32, n: RangeInclusive<u32>) -> [u32; 3] {
    let n = choose(n);
    let m = choose(3 * n / 4 + 1..=3 * n / 2);
    let smaller = n.min(m);
    let run = choose(smaller / 3 + 1..=2 * smaller / 3 + 1);
    [n, m, run]
}

#[cfg(test)]
mod tests {
    use super::*;
    use palestra_core::Seed;
    use std::collections::BTreeSet;

    #[test]
    fn boards_cover_the_bounds() {
        let numbers = |board: &String| -> Vec<u32> {
            board["connect:".len()..].split('x').map(|number| number.parse().unwrap()).collect()
        };
        let boards: BTreeSet<Vec<u32>> = POOLS[1].boards().iter().map(numbers).collect();
        let range = |i: usize| {
            let values = || boards.iter().map(|board| board[i]);
            (values().min().unwrap(), values().max().unwrap())
        };
        assert_eq!([range(0), range(1), range(2)], [(10, 14), (8, 21), (3, 10)]);
        // Rows 14: columns 11 to 21; the run of 14x14 from 5 to 10.
        let has = |board: [u32; 3]| boards.contains(&board[..]);
        assert!(has([14, 21, 5]) && has([14, 14, 10]) && !has([14, 14, 11]));
    }

    #[test]
    fn draws_are_boards_of_the_pool() {
        for pool in POOLS {
            let boards = pool.boards();
            let mut rng = Seed(1).rng();
            let drawn: BTreeSet<String> = (0..20_000).map(|_| pool.draw(&mut rng)).collect();
            assert_eq!(drawn, boards, "{}", pool.name);
        }
    }

    /// Events in stores have these boards.
    #[test]
    fn draws_never_change() {
        assert_eq!(POOLS[0].samples()[..3], ["connect:13x11x6", "connect:10x11x4", "connect:16x13x8"]);
    }
}
