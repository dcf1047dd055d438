//! The course's games of Mancala: two of its players at its depth, each opening once; and random games of Kalah.

use super::playouts::PlayRandom;
use super::{Case, Peer, Work};
use palestra_arena::{Player, PlayerSpec, build, play_game};
use palestra_core::{Family, GameVisitor, Playable, Seed, Side};
use palestra_games::kalah::KalahFamily;
use palestra_games::mancala::MancalaFamily;

pub(super) const MANCALA: Case = Case {
    name: "mancala",
    about: "regular against bueno at depth 2, both seatings, 20000 times, mancala:uam",
    unit: "games",
    target: Some(100.0 * 635.0),
    peers: &[Peer { name: "the course's engine", rate: 635.0 }],
    is_long: false,
    run: || {
        let players = ["minimax:depth=2/regular", "minimax:depth=2/bueno"];
        MancalaFamily::open("uam", PlayCourse { players, times: 20_000 }).expect("the course's game")
    },
};

pub(super) const KALAH: Case = Case {
    name: "kalah-playouts",
    about: "random games of kalah:6x4 from the start",
    unit: "games",
    target: None,
    peers: &[],
    is_long: false,
    run: || KalahFamily::open("6x4", PlayRandom { n_games: 300_000 }).expect("kalah"),
};

struct PlayCourse {
    players: [&'static str; 2],
    times: u64,
}

impl GameVisitor for PlayCourse {
    type Out = Work;

    fn visit<G: Playable>(self, game: G) -> Work {
        let [mut a, mut b] = self.players.map(|player| {
            build(&game, &PlayerSpec::parse(player, &game, &MancalaFamily::INFO).expect("a player"))
        });
        let start = game.start();
        let mut signature = Seed(0);
        for _ in 0..self.times {
            for opener in [0, 1] {
                let seats: [&mut dyn Player<G>; 2] =
                    if opener == 0 { [a.as_mut(), b.as_mut()] } else { [b.as_mut(), a.as_mut()] };
                let played = play_game(&game, &start, seats, Seed(0));
                let winner = played.ending.winner.map_or(2, Side::index) as u64;
                let margin = u64::from(played.ending.margin);
                signature = signature.child(winner << 48 | margin << 32 | played.moves.len() as u64);
            }
        }
        Work { units: 2 * self.times, signature: signature.0 }
    }
}
