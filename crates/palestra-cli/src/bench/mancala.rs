//! The course's games of Mancala: two of its players at its depth, each player first once; and random games of Kalah.

use super::greedy::{board_start, play, winner_of};
use super::playouts::play_random;
use super::{BenchCase, BenchPass, PeerRate};
use crate::games;
use palestra_core::Seed;

pub(super) const MANCALA: BenchCase = BenchCase {
    name: "mancala",
    about: "regular against bueno at depth 2, both sides, 20000 times, mancala:uam",
    unit: "games",
    target: Some(100.0 * 635.0),
    peers: &[PeerRate { name: "the course's engine", rate: 635.0 }],
    is_long: false,
    run: || play_course(["minimax:depth=2/regular", "minimax:depth=2/bueno"], 20_000),
};

pub(super) const KALAH: BenchCase = BenchCase {
    name: "kalah-playouts",
    about: "random games of kalah:6x4 from the start",
    unit: "games",
    target: None,
    peers: &[],
    is_long: false,
    run: || play_random("kalah:6x4", 300_000),
};

fn play_course(players: [&str; 2], times: u64) -> BenchPass {
    const BOARD: &str = "mancala:uam";
    let game = games().open(BOARD).expect("the course's game");
    let start = board_start(BOARD);
    let [a, b] = players.map(|player| game.player(player).expect("a player"));
    let mut any_match = game.new_match([a.into(), b.into()]);
    let mut signature = Seed(0);
    for _ in 0..times {
        for opener in [0, 1] {
            let plies = u64::from(play(any_match.as_mut(), &start, opener).plies);
            let margin = any_match.ending().map_or(0, |ending| u64::from(ending.margin));
            signature = signature.child(winner_of(any_match.as_ref()) << 48 | margin << 32 | plies);
        }
    }
    BenchPass { units: 2 * times, signature: signature.0 }
}
