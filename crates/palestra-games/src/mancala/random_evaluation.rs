//! The course's weakest player with a search: two plies ahead, with values that mean nothing.

use super::rules::{Mancala, Ply, Position};
use palestra_core::{Game, Policy, Rng};
use rand::RngExt;

/// The policy `random-evaluation`: every position at the end of the search is worth 0 to 99 to the side to move
/// there, drawn anew each time.
pub(super) struct RandomEvaluation {
    replies: Vec<Ply>,
}

impl RandomEvaluation {
    pub(super) fn new() -> RandomEvaluation {
        RandomEvaluation { replies: Vec::new() }
    }

    /// What the rival, to move at `at`, can make of it. A pass is a ply like any other.
    fn rivals_best(&mut self, game: &Mancala, at: &Position, rng: &mut Rng) -> i32 {
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
            let value = -self.rivals_best(game, &after, rng);
            // The lowest of equals.
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
