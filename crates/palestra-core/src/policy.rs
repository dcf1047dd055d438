//! Ways to choose a move that need no search and no evaluation.

use crate::{Game, Rng};
use rand::RngExt;

/// Chooses a move from the position alone, with the dice of this ply.
pub trait Policy<G: Game>: Send {
    /// A legal move of `at`, which has not ended. `moves` are all of them, in the game's order.
    fn choose(&mut self, game: &G, at: &G::Position, moves: &[G::Move], rng: &mut Rng) -> G::Move;

    /// Whether it may choose differently with other dice.
    fn is_stochastic(&self) -> bool;
}

/// Any legal move, all equally likely.
#[derive(Clone, Copy, Debug)]
pub struct RandomPolicy;

impl<G: Game> Policy<G> for RandomPolicy {
    fn choose(&mut self, _game: &G, _at: &G::Position, moves: &[G::Move], rng: &mut Rng) -> G::Move {
        moves[rng.random_range(0..moves.len())]
    }

    fn is_stochastic(&self) -> bool {
        true
    }
}

/// Always the first legal move.
#[derive(Clone, Copy, Debug)]
pub struct FirstPolicy;

impl<G: Game> Policy<G> for FirstPolicy {
    fn choose(&mut self, _game: &G, _at: &G::Position, moves: &[G::Move], _rng: &mut Rng) -> G::Move {
        moves[0]
    }

    fn is_stochastic(&self) -> bool {
        false
    }
}

/// Always the last legal move.
#[derive(Clone, Copy, Debug)]
pub struct LastPolicy;

impl<G: Game> Policy<G> for LastPolicy {
    fn choose(&mut self, _game: &G, _at: &G::Position, moves: &[G::Move], _rng: &mut Rng) -> G::Move {
        moves[moves.len() - 1]
    }

    fn is_stochastic(&self) -> bool {
        false
    }
}
