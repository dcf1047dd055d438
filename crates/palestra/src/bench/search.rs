//! The Connect-4 study's own games: weights 4,4,1,2 against 1,1,1,1, each opening once, at a fixed depth.
//! The node totals are the study's to the last one, so the signature is known beforehand.

use super::{Case, Peer, Work};
use palestra_arena::{PlayerSpec, Turn, build};
use palestra_core::{Family, GameVisitor, Playable, Seed};
use palestra_games::connect::ConnectFamily;

pub(super) const ALPHABETA: Case = Case {
    name: "alphabeta",
    about: "plain alpha-beta, depth 5, evaluation threes: the study's two games, 40 times",
    unit: "nodes",
    target: Some(60e6),
    peers: &[
        Peer { name: "the study's Java", rate: 0.315e6 },
        Peer { name: "OpenSpiel C++ (no evaluation)", rate: 6.0e6 },
        Peer { name: "minimax-rs Negamax", rate: 38.2e6 },
    ],
    is_long: false,
    run: || {
        ConnectFamily::open("7x6x4", PlayStudy { search: "alphabeta:depth=5", times: 40 }).expect("connect 4")
    },
};

pub(super) const MINIMAX: Case = Case {
    name: "minimax",
    about: "plain minimax, depth 5, evaluation threes: the study's two games, 8 times",
    unit: "nodes",
    target: None,
    peers: &[],
    is_long: false,
    run: || {
        ConnectFamily::open("7x6x4", PlayStudy { search: "minimax:depth=5", times: 8 }).expect("connect 4")
    },
};

struct PlayStudy {
    search: &'static str,
    times: u32,
}

impl GameVisitor for PlayStudy {
    type Out = Work;

    fn visit<G: Playable>(self, game: G) -> Work {
        let mut players = ["4,4,1,2", "1,1,1,1"].map(|weights| {
            let text = format!("{}/threes/{weights}", self.search);
            build(&game, &PlayerSpec::parse(&text, &game, &ConnectFamily::INFO).expect("a player"))
        });
        let mut units = 0;
        let mut signature = Seed(0);
        let mut moves = Vec::new();
        for _ in 0..self.times {
            for opener in [0, 1] {
                let mut at = game.start();
                while game.ending(&at).is_none() {
                    moves.clear();
                    game.moves(&at, &mut moves);
                    let player = &mut players[game.to_move(&at).index() ^ opener];
                    player.begin(&game, &at);
                    let choice = player.choose(&Turn { game: &game, at: &at, moves: &moves, seed: Seed(0) });
                    units += choice.nodes;
                    signature = signature.child(choice.nodes);
                    game.play(&mut at, choice.mv);
                }
            }
        }
        Work { units, signature: signature.0 }
    }
}
