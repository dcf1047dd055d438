//! One move of the searches that choose their own depth: `ab` on three games, `mcts` on one.

use super::{BenchCase, BenchPass, PeerRate};
use crate::games;
use palestra_core::Seed;

pub(super) const CONNECT: BenchCase = BenchCase {
    name: "ab",
    about: "ab to depth 14 from the empty board of Connect 4, evaluation threes, table of up to 64 MB",
    unit: "nodes",
    target: Some(12e6),
    peers: &[PeerRate { name: "minimax-rs, best mode, 6.2 M nodes in 0.59 s", rate: 10.5e6 }],
    is_long: false,
    run: connect_to_depth_14,
};

pub(super) const CONNECT_DEPTH: BenchCase = BenchCase {
    name: "ab-depth-14",
    about: "the same, counted in whole searches; the target is half a second each",
    unit: "searches",
    target: Some(2.0),
    peers: &[PeerRate { name: "minimax-rs, best mode", rate: 1.0 / 0.59 }],
    is_long: false,
    run: || BenchPass { units: 1, ..connect_to_depth_14() },
};

pub(super) const LADRILLOS: BenchCase = BenchCase {
    name: "ab-ladrillos",
    about: "ab over 1000000 positions from the empty board of ladrillos:11, evaluation islands",
    unit: "nodes",
    target: Some(1e6),
    peers: &[],
    is_long: false,
    run: || choose("ladrillos:11", "ab:nodes=1000000/islands/3,2,5,3,4"),
};

pub(super) const MASTERGOAL: BenchCase = BenchCase {
    name: "ab-mastergoal-3",
    about: "ab over 300000 positions from kick-off of mastergoal:3, evaluation level3",
    unit: "nodes",
    target: None,
    peers: &[],
    is_long: false,
    run: || {
        let weights = "10,-2,-1,-1,1,0,0,0,0,2,1,1,-1,0,0,0,0,0,0,5,0,0,0,0";
        choose("mastergoal:3", &format!("ab:nodes=300000/level3/{weights}"))
    },
};

pub(super) const PLAYOUTS: BenchCase = BenchCase {
    name: "mcts",
    about: "mcts with 100000 random playouts from the empty board of Connect 4",
    unit: "playouts",
    target: Some(1.5e6),
    peers: &[],
    is_long: false,
    run: || choose("connect4", "mcts:playouts=100000"),
};

fn connect_to_depth_14() -> BenchPass {
    choose("connect4", "ab:depth=14,memory=64/threes/4,4,1,2")
}

/// A new player's choice of the first move of a game.
fn choose(game: &str, player: &str) -> BenchPass {
    let game = games().open(game).expect("a game");
    let mut searcher = game.text_player(&game.player(player).expect("a player"));
    let answer = searcher.choose(Seed(0)).expect("a game that has begun has a move");
    let value = answer.value.unwrap_or_default();
    BenchPass { units: answer.nodes, signature: Seed(answer.nodes).child(value.to_bits()).0 }
}
