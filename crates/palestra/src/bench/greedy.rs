//! Greedy games of the Connect-C study: players drawn from its grid against its nine rivals, both sides,
//! on its three boards, counting as its program counted.

use super::{Case, Peer, Work};
use palestra_arena::{PlayerSpec, duel_of};
use palestra_core::{Family, GameVisitor, Playable, Rng, Seed, Side, named_players, print_weights};
use palestra_games::connect::ConnectFamily;
use rand::RngExt;

const OUTER: [f64; 9] = [-1000.0, -500.0, -100.0, -10.0, 0.0, 10.0, 100.0, 500.0, 1000.0];
const INNER: [f64; 9] = [-150.0, -80.0, -10.0, -2.0, 0.0, 2.0, 10.0, 80.0, 150.0];

pub(super) const GREEDY_SMALL: Case = Case {
    name: "greedy-6x7",
    about: "greedy games, 1000 grid players × 9 rivals × 2 sides, connect:6x7x4",
    unit: "games",
    target: Some(25.0 * 20_600.0),
    peers: &[Peer { name: "the study's C++", rate: 20_634.0 }],
    is_long: false,
    run: || games("6x7x4", 1000),
};

pub(super) const GREEDY_MIDDLE: Case = Case {
    name: "greedy-8x9",
    about: "greedy games, 1000 grid players × 9 rivals × 2 sides, connect:8x9x5",
    unit: "games",
    target: Some(25.0 * 8_600.0),
    peers: &[Peer { name: "the study's C++", rate: 8_642.0 }],
    is_long: false,
    run: || games("8x9x5", 1000),
};

pub(super) const GREEDY_LARGE: Case = Case {
    name: "greedy-14x14",
    about: "greedy games, 500 grid players × 9 rivals × 2 sides, connect:14x14x7",
    unit: "games",
    target: Some(25.0 * 1_700.0),
    peers: &[Peer { name: "the study's C++", rate: 1_713.0 }],
    is_long: false,
    run: || games("14x14x7", 500),
};

fn games(size: &str, n_players: usize) -> Work {
    ConnectFamily::open(size, PlayGrid { n_players }).expect("a board of the study")
}

struct PlayGrid {
    n_players: usize,
}

fn draw_weights(rng: &mut Rng) -> [f64; 6] {
    std::array::from_fn(|i| if i < 2 { OUTER } else { INNER }[rng.random_range(0..9)])
}

impl GameVisitor for PlayGrid {
    type Out = Work;

    fn visit<G: Playable>(self, game: G) -> Work {
        let spec = |text: &str| PlayerSpec::parse(text, &game, &ConnectFamily::INFO).expect("a player");
        let rivals =
            named_players(ConnectFamily::INFO.players).filter(|player| player.name.starts_with("rival-"));
        let mut work = Work { units: 0, signature: 0 };
        let mut signature = Seed(0);
        let mut played = Vec::new();
        let start = game.start();
        for rival in rivals {
            let mut rng = Seed(2024).rng();
            let newcomer = spec(&format!("greedy/lines-coded/{}", print_weights(&draw_weights(&mut rng))));
            let mut duel = duel_of(&game, [&newcomer, &spec(rival.name)]).expect("both greedy");
            for _ in 0..self.n_players {
                duel.reweigh(0, &draw_weights(&mut rng));
                for first in [0, 1] {
                    played.clear();
                    let ending = duel.play(&game, &start, first, &mut played);
                    let winner = ending.winner.map_or(2, Side::index) as u64;
                    signature = signature.child(winner << 32 | played.len() as u64);
                    work.units += 1;
                }
            }
        }
        work.signature = signature.0;
        work
    }
}
