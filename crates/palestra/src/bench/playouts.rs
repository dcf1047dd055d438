//! Random games, and move counting on the board of Connect 4.

use super::{Case, Peer, Work};
use palestra_core::{Family, GameVisitor, Playable, Seed, Side, count_sequences, playout};
use palestra_games::connect::ConnectFamily;

pub(super) const PLAYOUTS: Case = Case {
    name: "playouts",
    about: "random games of Connect 4 from the empty board",
    unit: "games",
    target: Some(4e6),
    peers: &[
        Peer { name: "board-game-rs", rate: 2.82e6 },
        Peer { name: "OpenSpiel C++", rate: 0.19e6 },
        Peer { name: "OpenSpiel Python", rate: 0.039e6 },
    ],
    is_long: false,
    run: || ConnectFamily::open("7x6x4", PlayRandom { n_games: 1_000_000 }).expect("connect 4"),
};

pub(super) const PERFT: Case = Case {
    name: "perft",
    about: "move sequences of Connect 4 to depth 9",
    unit: "leaves",
    target: None,
    peers: &[Peer { name: "minimax-rs", rate: 439e6 }, Peer { name: "board-game-rs", rate: 291e6 }],
    is_long: false,
    run: || ConnectFamily::open("7x6x4", CountMoves { depth: 9 }).expect("connect 4"),
};

pub(super) struct PlayRandom {
    pub(super) n_games: u64,
}

impl GameVisitor for PlayRandom {
    type Out = Work;

    fn visit<G: Playable>(self, game: G) -> Work {
        let mut rng = Seed(1).rng();
        let mut scratch = Vec::new();
        let mut tally = [0u64; 4];
        let start = game.start();
        for _ in 0..self.n_games {
            let (ending, plies) = playout(&game, &mut start.clone(), &mut rng, &mut scratch);
            tally[ending.winner.map_or(2, Side::index)] += 1;
            tally[3] += u64::from(plies);
        }
        let signature = tally.iter().fold(Seed(0), |signature, &count| signature.child(count)).0;
        Work { units: self.n_games, signature }
    }
}

struct CountMoves {
    depth: u32,
}

impl GameVisitor for CountMoves {
    type Out = Work;

    fn visit<G: Playable>(self, game: G) -> Work {
        let counts = count_sequences(&game, &game.start(), self.depth);
        let leaves = counts.last().copied().unwrap_or(0);
        Work { units: leaves, signature: leaves }
    }
}
