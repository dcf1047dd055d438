//! The games of the Connect-4 study: weights 4,4,1,2 against 1,1,1,1, each player first once, at a fixed depth. The
//! node totals equal those of the study, so that the signature is known beforehand.

use super::{BenchCase, BenchPass, PeerRate};
use crate::games;
use palestra_core::Seed;

pub(super) const ALPHABETA: BenchCase = BenchCase {
    name: "alphabeta",
    about: "plain alpha-beta, depth 5, evaluation threes: the study's two games, 40 times",
    unit: "nodes",
    target: Some(60e6),
    peers: &[
        PeerRate { name: "the study's Java", rate: 0.315e6 },
        PeerRate { name: "OpenSpiel C++ (no evaluation)", rate: 6.0e6 },
        PeerRate { name: "minimax-rs Negamax", rate: 38.2e6 },
    ],
    is_long: false,
    run: || play_study("alphabeta:depth=5,root=full", 40),
};

pub(super) const MINIMAX: BenchCase = BenchCase {
    name: "minimax",
    about: "plain minimax, depth 5, evaluation threes: the study's two games, 8 times",
    unit: "nodes",
    target: None,
    peers: &[],
    is_long: false,
    run: || play_study("minimax:depth=5", 8),
};

fn play_study(search: &str, times: u32) -> BenchPass {
    let game = games().open("connect4").expect("connect 4");
    let mut players = ["4,4,1,2", "1,1,1,1"].map(|weights| {
        let text = format!("{search}/threes/{weights}");
        game.text_player(&game.player(&text).expect("a player"))
    });
    let mut units = 0;
    let mut signature = Seed(0);
    for _ in 0..times {
        for opener in [0, 1] {
            players.iter_mut().for_each(|player| player.begin(None, "-").expect("the start"));
            // The sides alternate.
            for ply in 0.. {
                let Some(answer) = players[(ply % 2) ^ opener].choose(Seed(0)) else { break };
                units += answer.nodes;
                signature = signature.child(answer.nodes);
                players.iter_mut().for_each(|player| player.observe(&answer.mv).expect("a legal move"));
            }
        }
    }
    BenchPass { units, signature: signature.0 }
}
