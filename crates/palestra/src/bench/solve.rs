//! Exact solutions, on one thread. A pass that finds other values than the known ones has another signature.

use super::{Case, Peer, Work};
use palestra_core::{Family, GameVisitor, Playable, Seed};
use palestra_games::connect::ConnectFamily;
use palestra_games::kalah::KalahFamily;
use palestra_games::ladrillos::LadrillosFamily;
use palestra_search::exact::{Course, solver};

/// Positions of random play that always blocks, where nobody can win at once: 50 each with 10, 14, 18, 22, 26 and 30
/// stones, and their values.
const QUIET: &str = include_str!("quiet.txt");

pub(super) const CONNECT_QUIET: Case = Case {
    name: "solve-quiet",
    about: "Connect 4: 300 quiet positions of 10 to 30 stones solved, each with an empty table",
    unit: "positions",
    target: Some(2.0 * 300.0 / 25.5),
    peers: &[Peer { name: "Pons' solver, 300 positions of this kind", rate: 300.0 / 25.5 }],
    is_long: true,
    run: || ConnectFamily::open("7x6x4", SolveEach { lines: QUIET, bytes: 1 << 28 }).expect("connect 4"),
};

pub(super) const CONNECT_LATE: Case = Case {
    name: "solve-late",
    about: "Connect 4: the 200 of these positions with 18 stones and more",
    unit: "positions",
    target: None,
    peers: &[Peer { name: "Pons' solver, 200 positions of this kind", rate: 200.0 / 0.279 }],
    is_long: false,
    run: || {
        let late = QUIET.match_indices('\n').nth(99).map_or(QUIET, |(end, _)| &QUIET[end + 1..]);
        ConnectFamily::open("7x6x4", SolveEach { lines: late, bytes: 1 << 28 }).expect("connect 4")
    },
};

pub(super) const CONNECT_EMPTY: Case = Case {
    name: "solve-connect4",
    about: "Connect 4 from the empty board, no book, 4 GiB",
    unit: "solutions",
    target: Some(1.0 / 250.0),
    peers: &[Peer { name: "Pons' solver", rate: 1.0 / 434.0 }],
    is_long: true,
    run: || ConnectFamily::open("7x6x4", SolveEach { lines: "- 1\n", bytes: 1 << 32 }).expect("connect 4"),
};

pub(super) const LADRILLOS_5: Case = Case {
    name: "solve-ladrillos",
    about: "Ladrillos with 5 rows from the start",
    unit: "solutions",
    target: Some(5.0),
    peers: &[Peer { name: "the study (wall)", rate: 1.0 / 7800.0 }],
    is_long: false,
    run: || LadrillosFamily::open("5", SolveEach { lines: "- 32\n", bytes: 1 << 28 }).expect("5 rows"),
};

pub(super) const LADRILLOS_6: Case = Case {
    name: "solve-ladrillos-6",
    about: "Ladrillos with 6 rows from the start, 2 GiB",
    unit: "solutions",
    target: Some(1.0 / 600.0),
    peers: &[],
    is_long: true,
    run: || LadrillosFamily::open("6", SolveEach { lines: "- 0\n", bytes: 1 << 31 }).expect("6 rows"),
};

pub(super) const KALAH_4: Case = Case {
    name: "solve-kalah",
    about: "Kalah with 4 holes and 4 seeds from the start",
    unit: "solutions",
    target: None,
    peers: &[],
    is_long: false,
    run: || KalahFamily::open("4x4", SolveEach { lines: "- 2\n", bytes: 1 << 28 }).expect("4 holes"),
};

pub(super) const KALAH_6: Case = Case {
    name: "solve-kalah-6x4",
    about: "Kalah with 6 holes and 4 seeds from the start, 4 GiB",
    unit: "solutions",
    target: Some(1.0 / 600.0),
    peers: &[],
    is_long: true,
    run: || KalahFamily::open("6x4", SolveEach { lines: "- 8\n", bytes: 1 << 32 }).expect("6 holes"),
};

/// Lines of moves and values; every one solved anew.
struct SolveEach {
    lines: &'static str,
    bytes: usize,
}

impl GameVisitor for SolveEach {
    type Out = Work;

    fn visit<G: Playable>(self, game: G) -> Work {
        let mut units = 0;
        let mut signature = Seed(0);
        for line in self.lines.lines() {
            let (moves, known) = line.split_once(' ').expect("moves and a value");
            let (at, _) = game.play_list(&game.start(), moves).expect("legal moves");
            let mut solver = solver(&game, self.bytes, 1).expect("a game that can be solved");
            let course = Course::default();
            let value = solver.value(&game, &at, &course).expect("nobody stops it");
            let is_right = known.parse() == Ok(value);
            signature = signature.child(course.nodes()).child(u64::from(is_right));
            units += 1;
        }
        Work { units, signature: signature.0 }
    }
}
