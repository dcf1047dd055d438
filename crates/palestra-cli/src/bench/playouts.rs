//! Random games, and move counting on the board of Connect 4.

use super::{BenchCase, BenchPass, PeerRate};
use crate::games;
use palestra_arena::PlayoutCounts;
use palestra_core::Seed;

pub(super) const PLAYOUTS: BenchCase = BenchCase {
    name: "playouts",
    about: "random games of Connect 4 from the empty board",
    unit: "games",
    target: Some(4e6),
    peers: &[
        PeerRate { name: "board-game-rs", rate: 2.82e6 },
        PeerRate { name: "OpenSpiel C++", rate: 0.19e6 },
        PeerRate { name: "OpenSpiel Python", rate: 0.039e6 },
    ],
    is_long: false,
    run: || play_random("connect4", 1_000_000),
};

pub(super) const PERFT: BenchCase = BenchCase {
    name: "perft",
    about: "move sequences of Connect 4 to depth 9",
    unit: "leaves",
    target: None,
    peers: &[PeerRate { name: "minimax-rs", rate: 439e6 }, PeerRate { name: "board-game-rs", rate: 291e6 }],
    is_long: false,
    run: || count_sequences("connect4", 9),
};

pub(super) fn play_random(game: &str, n_games: u64) -> BenchPass {
    let counts = games().open(game).expect("a game").playouts(n_games, Seed(1));
    let PlayoutCounts { first_wins, second_wins, draws, plies } = counts;
    let signature = [first_wins, second_wins, draws, plies].into_iter().fold(Seed(0), Seed::child);
    BenchPass { units: n_games, signature: signature.0 }
}

fn count_sequences(game: &str, depth: u32) -> BenchPass {
    let session = games().open(game).expect("a game").session(None, "-").expect("the start");
    let leaves = session.count_sequences(depth).last().copied().unwrap_or(0);
    BenchPass { units: leaves, signature: leaves }
}
