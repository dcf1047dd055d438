//! Exact solutions on one thread. A pass with a wrong value has another signature.

use super::{BenchCase, BenchPass, PeerRate};
use crate::games;
use palestra_core::{Progress, Seed};

/// Positions of random play that blocks every threat, without a winning move: 50 each with 10, 14, 18, 22, 26 and 30
/// stones, and their values.
const QUIET: &str = include_str!("quiet.txt");

pub(super) const CONNECT_QUIET: BenchCase = BenchCase {
    name: "solve-quiet",
    about: "Connect 4: 300 quiet positions of 10 to 30 stones solved, each with an empty table",
    unit: "positions",
    target: Some(2.0 * 300.0 / 25.5),
    peers: &[
        PeerRate { name: "Pons' solver, 300 positions of this kind", rate: 300.0 / 25.5 },
        PeerRate { name: "BitBully 0.0.79, these positions", rate: 300.0 / 11.41 },
    ],
    is_long: true,
    run: || solve_each("connect4", QUIET, 1 << 28),
};

pub(super) const CONNECT_LATE: BenchCase = BenchCase {
    name: "solve-late",
    about: "Connect 4: the 200 of these positions with 18 stones and more",
    unit: "positions",
    target: None,
    peers: &[PeerRate { name: "Pons' solver, 200 positions of this kind", rate: 200.0 / 0.279 }],
    is_long: false,
    run: || {
        let late = QUIET.match_indices('\n').nth(99).map_or(QUIET, |(end, _)| &QUIET[end + 1..]);
        solve_each("connect4", late, 1 << 28)
    },
};

pub(super) const CONNECT_EMPTY: BenchCase = BenchCase {
    name: "solve-connect4",
    about: "Connect 4 from the empty board, no book, 4 GiB",
    unit: "solutions",
    target: Some(1.0 / 250.0),
    peers: &[
        PeerRate { name: "Pons' solver", rate: 1.0 / 434.0 },
        PeerRate { name: "BitBully 0.0.79, on a busy machine", rate: 1.0 / 293.0 },
    ],
    is_long: true,
    run: || solve_each("connect4", "- 1\n", 1 << 32),
};

pub(super) const LADRILLOS_5: BenchCase = BenchCase {
    name: "solve-ladrillos",
    about: "Ladrillos with 5 rows from the start",
    unit: "solutions",
    target: Some(5.0),
    peers: &[PeerRate { name: "the study (wall)", rate: 1.0 / 7800.0 }],
    is_long: false,
    run: || solve_each("ladrillos:5", "- 32\n", 1 << 28),
};

pub(super) const LADRILLOS_6: BenchCase = BenchCase {
    name: "solve-ladrillos-6",
    about: "Ladrillos with 6 rows from the start, 2 GiB",
    unit: "solutions",
    target: Some(1.0 / 600.0),
    peers: &[],
    is_long: true,
    run: || solve_each("ladrillos:6", "- 0\n", 1 << 31),
};

pub(super) const KALAH_4: BenchCase = BenchCase {
    name: "solve-kalah",
    about: "Kalah with 4 holes and 4 seeds from the start",
    unit: "solutions",
    target: None,
    peers: &[],
    is_long: false,
    run: || solve_each("kalah:4x4", "- 2\n", 1 << 28),
};

pub(super) const KALAH_6: BenchCase = BenchCase {
    name: "solve-kalah-6x4",
    about: "Kalah with 6 holes and 4 seeds from the start, 4 GiB",
    unit: "solutions",
    target: Some(1.0 / 600.0),
    peers: &[],
    is_long: true,
    run: || solve_each("kalah:6x4", "- 8\n", 1 << 32),
};

/// Solves every line of moves with an empty table, and compares the value.
fn solve_each(game: &str, lines: &str, bytes: usize) -> BenchPass {
    let game = games().open(game).expect("a game");
    let mut units = 0;
    let mut signature = Seed(0);
    for line in lines.lines() {
        let (moves, expected) = line.split_once(' ').expect("moves and a value");
        let session = game.session(None, moves).expect("legal moves");
        let mut oracle = session.exact_oracle(bytes, 1).expect("a game that can be solved");
        let progress = Progress::default();
        let value = oracle.value(&progress).expect("a solve without a cancel flag finishes");
        let is_right = expected.parse() == Ok(value);
        signature = signature.child(progress.done()).child(u64::from(is_right));
        units += 1;
    }
    BenchPass { units, signature: signature.0 }
}
