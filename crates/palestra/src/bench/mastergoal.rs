//! Mastergoal: complete turns found, and greedy games.

use super::{Case, Work};
use palestra_arena::{PlayerSpec, duel_of};
use palestra_core::{Family, GameVisitor, Playable, Seed, Side, print_weights};
use palestra_games::mastergoal::MastergoalFamily;
use rand::RngExt;

const fn turns(name: &'static str, about: &'static str, target: Option<f64>, run: fn() -> Work) -> Case {
    Case { name, about, unit: "turns", target, peers: &[], is_long: false, run }
}

pub(super) const TURNS_1: Case =
    turns("mastergoal-1", "complete turns found, mastergoal:1, positions of random games", None, || {
        find_turns("1", 400, 40)
    });

pub(super) const TURNS_2: Case =
    turns("mastergoal-2", "complete turns found, mastergoal:2, positions of random games", None, || {
        find_turns("2", 200, 20)
    });

pub(super) const TURNS_2_1: Case =
    turns("mastergoal-2+1", "complete turns found, mastergoal:2+1, positions of random games", None, || {
        find_turns("2+1", 100, 10)
    });

pub(super) const TURNS_3: Case =
    turns("mastergoal-3", "complete turns found, mastergoal:3, positions of random games", Some(1e6), || {
        find_turns("3", 50, 10)
    });

pub(super) const GREEDY_1: Case = Case {
    name: "mastergoal-greedy-1",
    about: "greedy games of drawn weights, evaluation level1, mastergoal:1",
    unit: "games",
    target: None,
    peers: &[],
    is_long: false,
    run: || play_drawn("1", "level1", 4_000),
};

pub(super) const GREEDY_3: Case = Case {
    name: "mastergoal-greedy-3",
    about: "greedy games of drawn weights, evaluation level3, mastergoal:3",
    unit: "games",
    target: None,
    peers: &[],
    is_long: false,
    run: || play_drawn("3", "level3", 100),
};

fn find_turns(level: &str, n_games: u64, times: u32) -> Work {
    MastergoalFamily::open(level, FindTurns { n_games, times }).expect("a level")
}

fn play_drawn(level: &str, features: &'static str, n_games: u64) -> Work {
    MastergoalFamily::open(level, PlayDrawn { features, n_games }).expect("a level")
}

/// Finds the turns of every position of so many random games, so many times over.
struct FindTurns {
    n_games: u64,
    times: u32,
}

impl GameVisitor for FindTurns {
    type Out = Work;

    fn visit<G: Playable>(self, game: G) -> Work {
        let mut positions = Vec::new();
        let mut moves = Vec::new();
        for i in 0..self.n_games {
            let mut rng = Seed(1).child(i).rng();
            let mut at = game.start();
            while let Some(mv) = game.random_move(&at, &mut rng, &mut moves) {
                positions.push(at.clone());
                game.play(&mut at, mv);
            }
        }
        let mut units = 0;
        let mut signature = Seed(0);
        for _ in 0..self.times {
            for at in &positions {
                moves.clear();
                game.moves(at, &mut moves);
                units += moves.len() as u64;
                signature = signature.child(moves.len() as u64);
            }
        }
        Work { units, signature: signature.0 }
    }
}

/// Plays greedy players with weights drawn from -100 to 100, as the study's first generation had them.
struct PlayDrawn {
    features: &'static str,
    n_games: u64,
}

impl GameVisitor for PlayDrawn {
    type Out = Work;

    fn visit<G: Playable>(self, game: G) -> Work {
        let mut rng = Seed(1).rng();
        let n_weights = if self.features == "level1" { 8 } else { 24 };
        let mut draw = || (0..n_weights).map(|_| rng.random_range(-100.0..100.0)).collect::<Vec<f64>>();
        let spec = |weights: &[f64]| {
            let text = format!("greedy/{}/{}", self.features, print_weights(weights));
            PlayerSpec::parse(&text, &game, &MastergoalFamily::INFO).expect("a player")
        };
        let mut duel = duel_of(&game, [&spec(&draw()), &spec(&draw())]).expect("both greedy");
        let mut signature = Seed(0);
        let mut played = Vec::new();
        let start = game.start();
        for i in 0..self.n_games {
            duel.reweigh((i % 2) as usize, &draw());
            played.clear();
            let ending = duel.play(&game, &start, 0, &mut played);
            let winner = ending.winner.map_or(2, Side::index) as u64;
            signature = signature.child(winner << 32 | played.len() as u64);
        }
        Work { units: self.n_games, signature: signature.0 }
    }
}
