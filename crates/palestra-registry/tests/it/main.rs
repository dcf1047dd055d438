//! Tests of the arena with all registered games. They are in this crate, because here every search is already compiled
//! for every board.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod cohorts;
mod players;
mod weights;

use palestra_arena::{AnyGame, PlayerSpec};
use palestra_core::{Ending, Seed};

/// A finished game of two players.
struct PlainGame {
    /// The moves of both players, without the opening.
    moves: Vec<String>,
    ending: Ending,
}

/// Plays a game without any shared state: each player chooses move by move. Player `first` (0 or 1) begins.
fn plain_game(
    game: &dyn AnyGame,
    players: [&PlayerSpec; 2],
    opening: &str,
    first: usize,
    seed: Seed,
) -> PlainGame {
    let mut session = game.session(None, opening).unwrap();
    let n_opening = session.played().len();
    let mut seats = [0, 1].map(|i| game.text_player(players[(first + i) % 2]));
    seats.iter_mut().for_each(|seat| seat.begin(None, opening).unwrap());
    for ply in 0.. {
        if let Some(ending) = session.ending() {
            return PlainGame { moves: session.played().split_off(n_opening), ending };
        }
        let answer = seats[session.to_move().index()].choose(seed.child(ply)).unwrap();
        session.play(&answer.mv).unwrap();
        seats.iter_mut().for_each(|seat| seat.observe(&answer.mv).unwrap());
    }
    unreachable!("games end")
}
