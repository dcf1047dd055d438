//! Greedy games of the Connect-C study: players drawn from its grid against its nine opponents, both sides, on its
//! three boards, with features counted as its program counted them.

use super::{BenchCase, BenchPass, PeerRate};
use crate::games;
use palestra_arena::{AnyMatch, GameResult, StartPoint};
use palestra_core::{Rng, Seed, Side, named_players, print_weights};
use rand::RngExt;

const OUTER: [f64; 9] = [-1000.0, -500.0, -100.0, -10.0, 0.0, 10.0, 100.0, 500.0, 1000.0];
const INNER: [f64; 9] = [-150.0, -80.0, -10.0, -2.0, 0.0, 2.0, 10.0, 80.0, 150.0];

pub(super) const GREEDY_SMALL: BenchCase = BenchCase {
    name: "greedy-6x7",
    about: "greedy games, 1000 grid players × 9 opponents × 2 sides, connect:6x7x4",
    unit: "games",
    target: Some(25.0 * 20_600.0),
    peers: &[PeerRate { name: "the study's C++", rate: 20_634.0 }],
    is_long: false,
    run: || play_grid("connect:6x7x4", 1000),
};

pub(super) const GREEDY_MIDDLE: BenchCase = BenchCase {
    name: "greedy-8x9",
    about: "greedy games, 1000 grid players × 9 opponents × 2 sides, connect:8x9x5",
    unit: "games",
    target: Some(25.0 * 8_600.0),
    peers: &[PeerRate { name: "the study's C++", rate: 8_642.0 }],
    is_long: false,
    run: || play_grid("connect:8x9x5", 1000),
};

pub(super) const GREEDY_LARGE: BenchCase = BenchCase {
    name: "greedy-14x14",
    about: "greedy games, 500 grid players × 9 opponents × 2 sides, connect:14x14x7",
    unit: "games",
    target: Some(25.0 * 1_700.0),
    peers: &[PeerRate { name: "the study's C++", rate: 1_713.0 }],
    is_long: false,
    run: || play_grid("connect:14x14x7", 500),
};

fn draw_weights(rng: &mut Rng) -> [f64; 6] {
    std::array::from_fn(|i| if i < 2 { OUTER } else { INNER }[rng.random_range(0..9)])
}

fn play_grid(board: &str, n_players: usize) -> BenchPass {
    let game = games().open(board).expect("a board of the study");
    let start = board_start(board);
    let spec = |text: &str| game.player(text).expect("a player");
    let opponents = named_players(game.family().players).filter(|player| player.name.starts_with("rival-"));
    let mut units = 0;
    let mut signature = Seed(0);
    for opponent in opponents {
        let mut rng = Seed(2024).rng();
        let candidate = spec(&format!("greedy/lines-coded/{}", print_weights(&draw_weights(&mut rng))));
        let mut any_match = game.new_match([candidate.into(), spec(opponent.name).into()]);
        for _ in 0..n_players {
            any_match.reweigh(0, &draw_weights(&mut rng));
            for first in [0, 1] {
                let plies = play(any_match.as_mut(), &start, first).plies;
                signature = signature.child(winner_of(any_match.as_ref()) << 32 | u64::from(plies));
                units += 1;
            }
        }
    }
    BenchPass { units, signature: signature.0 }
}

/// The start of a board. The players are deterministic, so that the seed does not matter.
pub(super) fn board_start(board: &str) -> StartPoint {
    StartPoint { game: board.to_owned(), opening_plies: 0, seed: 0 }
}

/// Plays a game of built-in players.
pub(super) fn play(any_match: &mut dyn AnyMatch, start: &StartPoint, first: usize) -> GameResult {
    any_match.play(start, first).expect("a game of built-in players is never void")
}

/// The winner of the last game: 0 for the first side, 1 for the second, 2 for a draw.
pub(super) fn winner_of(any_match: &dyn AnyMatch) -> u64 {
    let ending = any_match.ending().expect("a game was played");
    ending.winner.map_or(2, Side::index) as u64
}
