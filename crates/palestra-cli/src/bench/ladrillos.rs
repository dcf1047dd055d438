//! Greedy games of the Ladrillos study: genotypes of whole numbers from 0 to 5, drawn as for its Swiss tournaments, on
//! the board of its Masters tournament.

use super::greedy::{board_start, play, winner_of};
use super::{BenchCase, BenchPass, PeerRate};
use crate::games;
use palestra_core::{Rng, Seed, print_weights};
use rand::RngExt;

pub(super) const GREEDY: BenchCase = BenchCase {
    name: "greedy-ladrillos",
    about: "greedy games, 1000 drawn pairs of genotypes × 2 sides, evaluation islands, ladrillos:11",
    unit: "games",
    target: Some(2_000.0),
    peers: &[
        PeerRate { name: "the study's program through its judge", rate: 34.0 },
        PeerRate { name: "an incremental C++ version", rate: 650.0 },
    ],
    is_long: false,
    run: || play_pairs("ladrillos:11", 1000),
};

fn draw_weights(rng: &mut Rng) -> [f64; 5] {
    std::array::from_fn(|_| f64::from(rng.random_range(0..=5u8)))
}

fn play_pairs(board: &str, n_pairs: u64) -> BenchPass {
    let game = games().open(board).expect("a board of the study");
    let start = board_start(board);
    let mut rng = Seed(2024).rng();
    let [a, b] = [(); 2].map(|()| {
        let text = format!("greedy/islands/{}", print_weights(&draw_weights(&mut rng)));
        game.player(&text).expect("a player")
    });
    let mut any_match = game.new_match([a.into(), b.into()]);
    let mut signature = Seed(0);
    for _ in 0..n_pairs {
        (0..2).for_each(|player| any_match.reweigh(player, &draw_weights(&mut rng)));
        for first in [0, 1] {
            let plies = u64::from(play(any_match.as_mut(), &start, first).plies);
            let margin = any_match.ending().map_or(0, |ending| u64::from(ending.margin));
            signature = signature.child(winner_of(any_match.as_ref()) << 48 | plies << 32 | margin);
        }
    }
    BenchPass { units: 2 * n_pairs, signature: signature.0 }
}
