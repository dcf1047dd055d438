//! Greedy games of the Ladrillos study: genotypes of whole numbers from 0 to 5, as its Swiss tournaments drew
//! them, on the board of its Masters.

use super::{Case, Peer, Work};
use palestra_arena::{PlayerSpec, duel_of};
use palestra_core::{Family, GameVisitor, Playable, Rng, Seed, Side, print_weights};
use palestra_games::ladrillos::LadrillosFamily;
use rand::RngExt;

pub(super) const GREEDY: Case = Case {
    name: "greedy-ladrillos",
    about: "greedy games, 1000 drawn pairs of genotypes × 2 sides, evaluation islands, ladrillos:11",
    unit: "games",
    target: Some(2_000.0),
    peers: &[
        Peer { name: "the study's program through its judge", rate: 34.0 },
        Peer { name: "an incremental C++ version", rate: 650.0 },
    ],
    is_long: false,
    run: || LadrillosFamily::open("11", PlayPairs { n_pairs: 1000 }).expect("a board of the study"),
};

struct PlayPairs {
    n_pairs: usize,
}

fn draw_weights(rng: &mut Rng) -> [f64; 5] {
    std::array::from_fn(|_| f64::from(rng.random_range(0..=5u8)))
}

impl GameVisitor for PlayPairs {
    type Out = Work;

    fn visit<G: Playable>(self, game: G) -> Work {
        let mut rng = Seed(2024).rng();
        let players = [(); 2].map(|()| {
            let text = format!("greedy/islands/{}", print_weights(&draw_weights(&mut rng)));
            PlayerSpec::parse(&text, &game, &LadrillosFamily::INFO).expect("a player")
        });
        let [a, b] = &players;
        let mut duel = duel_of(&game, [a, b]).expect("both greedy");
        let mut work = Work { units: 0, signature: 0 };
        let mut signature = Seed(0);
        let mut played = Vec::new();
        let start = game.start();
        for _ in 0..self.n_pairs {
            (0..2).for_each(|player| duel.reweigh(player, &draw_weights(&mut rng)));
            for first in [0, 1] {
                played.clear();
                let ending = duel.play(&game, &start, first, &mut played);
                let winner = ending.winner.map_or(2, Side::index) as u64;
                let plies = played.len() as u64;
                signature = signature.child(winner << 48 | plies << 32 | u64::from(ending.margin));
                work.units += 1;
            }
        }
        work.signature = signature.0;
        work
    }
}
