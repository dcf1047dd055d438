//! Policies: players that choose a move without search or evaluation.

use crate::{Game, Rng};
use rand::RngExt;

/// Chooses a move from the position and random numbers.
pub trait Policy<G: Game>: Send {
    /// Chooses one of `moves`, which are all legal moves of `at` in the game's order; `at` has not ended.
    fn choose(&mut self, game: &G, at: &G::Position, moves: &[G::Move], rng: &mut Rng) -> G::Move;

    /// Whether it may choose differently with another seed.
    fn is_stochastic(&self) -> bool;
}

/// Chooses every legal move with equal probability.
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

/// Chooses the first legal move.
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

/// Chooses the last legal move.
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
