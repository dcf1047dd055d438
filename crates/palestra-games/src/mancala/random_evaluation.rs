//! The course's weakest searching player: two plies deep, with random values.

use super::rules::{Mancala, Ply, Position};
use palestra_core::{Game, Policy, Rng};
use rand::RngExt;

/// The policy `random-evaluation`: every leaf of the search gets a new random value from 0 to 99 for the side to move
/// there.
pub(super) struct RandomEvaluation {
    replies: Vec<Ply>,
}

impl RandomEvaluation {
    pub(super) fn new() -> RandomEvaluation {
        RandomEvaluation { replies: Vec::new() }
    }

    /// The best value for the opponent, who is to move at `at`. A pass is a ply like any other.
    fn best_reply(&mut self, game: &Mancala, at: &Position, rng: &mut Rng) -> i32 {
        self.replies.clear();
        game.moves(at, &mut self.replies);
        let replies = self.replies.iter().map(|_| -draw(rng));
        replies.max().unwrap_or_else(|| draw(rng))
    }
}

fn draw(rng: &mut Rng) -> i32 {
    rng.random_range(0..100)
}

impl Policy<Mancala> for RandomEvaluation {
    fn choose(&mut self, game: &Mancala, at: &Position, moves: &[Ply], rng: &mut Rng) -> Ply {
        let at = game.unclocked(at);
        let mut best = (i32::MIN, moves[0]);
        for &mv in moves {
            let mut after = Position::clone(&at);
            game.play(&mut after, mv);
            let value = -self.best_reply(game, &after, rng);
            // The first of equal moves.
            if value > best.0 {
                best = (value, mv);
            }
        }
        best.1
    }

    fn is_stochastic(&self) -> bool {
        true
    }
}
