//! Tests of the arena with the games as they are registered: here every search is compiled for every board already.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod cohorts;
mod players;
mod weights;

use palestra_arena::{AnyGame, PlayerSpec};
use palestra_core::{Ending, Seed};

/// A game that two players have finished.
struct PlainGame {
    /// The players' moves.
    moves: Vec<String>,
    ending: Ending,
}

/// Plays a game the plain way: players choose move after move, and share nothing. Player `first` (0 or 1) begins.
fn plain_game(
    game: &dyn AnyGame,
    players: [&PlayerSpec; 2],
    opening: &str,
    first: usize,
    seed: Seed,
) -> PlainGame {
    let mut line = game.session(None, opening).unwrap();
    let n_before = line.played().len();
    let mut seats = [0, 1].map(|i| game.text_player(players[(first + i) % 2]));
    seats.iter_mut().for_each(|mover| mover.begin(None, opening).unwrap());
    for ply in 0.. {
        if let Some(ending) = line.ending() {
            return PlainGame { moves: line.played().split_off(n_before), ending };
        }
        let answer = seats[line.to_move().index()].choose(seed.child(ply)).unwrap();
        line.play(&answer.mv).unwrap();
        seats.iter_mut().for_each(|mover| mover.observe(&answer.mv).unwrap());
    }
    unreachable!("games end")
}
