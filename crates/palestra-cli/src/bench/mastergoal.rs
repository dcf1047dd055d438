//! Mastergoal: generation of complete turns, and greedy games.

use super::greedy::{board_start, play, winner_of};
use super::{BenchCase, BenchPass};
use crate::games;
use palestra_core::{Seed, print_weights};
use rand::RngExt;

const fn turns(
    name: &'static str,
    about: &'static str,
    target: Option<f64>,
    run: fn() -> BenchPass,
) -> BenchCase {
    BenchCase { name, about, unit: "turns", target, peers: &[], is_long: false, run }
}

pub(super) const TURNS_1: BenchCase =
    turns("mastergoal-1", "complete turns found, mastergoal:1, positions of random games", None, || {
        find_turns("mastergoal:1", 400, 40)
    });

pub(super) const TURNS_2: BenchCase =
    turns("mastergoal-2", "complete turns found, mastergoal:2, positions of random games", None, || {
        find_turns("mastergoal:2", 200, 20)
    });

pub(super) const TURNS_2_1: BenchCase =
    turns("mastergoal-2+1", "complete turns found, mastergoal:2+1, positions of random games", None, || {
        find_turns("mastergoal:2+1", 100, 10)
    });

pub(super) const TURNS_3: BenchCase =
    turns("mastergoal-3", "complete turns found, mastergoal:3, positions of random games", Some(1e6), || {
        find_turns("mastergoal:3", 50, 10)
    });

pub(super) const GREEDY_1: BenchCase = BenchCase {
    name: "mastergoal-greedy-1",
    about: "greedy games of drawn weights, evaluation level1, mastergoal:1",
    unit: "games",
    target: None,
    peers: &[],
    is_long: false,
    run: || play_drawn("mastergoal:1", "level1", 4_000),
};

pub(super) const GREEDY_3: BenchCase = BenchCase {
    name: "mastergoal-greedy-3",
    about: "greedy games of drawn weights, evaluation level3, mastergoal:3",
    unit: "games",
    target: None,
    peers: &[],
    is_long: false,
    run: || play_drawn("mastergoal:3", "level3", 100),
};

/// Lists the turns of every position of `n_games` random games, `times` times.
fn find_turns(board: &str, n_games: u64, times: u32) -> BenchPass {
    let counts = games().open(board).expect("a level").move_lists(n_games, times, Seed(1));
    BenchPass { units: counts.moves, signature: counts.digest }
}

/// Plays greedy players with weights drawn from -100 to 100, as in the first generation of the study.
fn play_drawn(board: &str, features: &str, n_games: u64) -> BenchPass {
    let game = games().open(board).expect("a level");
    let start = board_start(board);
    let n_weights = game.tunable_player(&format!("greedy/{features}")).expect("an evaluation").names.len();
    let mut rng = Seed(1).rng();
    let mut draw = || (0..n_weights).map(|_| rng.random_range(-100.0..100.0)).collect::<Vec<f64>>();
    let [a, b] = [(); 2].map(|()| {
        let text = format!("greedy/{features}/{}", print_weights(&draw()));
        game.player(&text).expect("a player")
    });
    let mut any_match = game.new_match([a.into(), b.into()]);
    let mut signature = Seed(0);
    for i in 0..n_games {
        any_match.reweigh((i % 2) as usize, &draw());
        let plies = play(any_match.as_mut(), &start, 0).plies;
        signature = signature.child(winner_of(any_match.as_ref()) << 32 | u64::from(plies));
    }
    BenchPass { units: n_games, signature: signature.0 }
}
