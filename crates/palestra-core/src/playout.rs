//! Random playouts.

use crate::{Ending, Game, Rng};

/// Plays random moves until the game ends. Returns the ending and the number of plies played. `scratch` is the caller's
/// buffer.
#[inline]
pub fn playout<G: Game>(
    game: &G,
    at: &mut G::Position,
    rng: &mut Rng,
    scratch: &mut Vec<G::Move>,
) -> (Ending, u32) {
    let mut plies = 0;
    while let Some(mv) = game.random_move(at, rng, scratch) {
        game.play(at, mv);
        plies += 1;
    }
    (game.ending(at).expect("a game without a move has ended"), plies)
}
