//! One ply: the child with the best evaluation, and nothing else.

use crate::search::{Found, Rated, Search, best_index};
use palestra_core::{Children, Endings, Evaluator, Game, Ties};

/// Plays the move whose position evaluates best.
#[derive(Clone, Debug)]
pub struct Greedy<M> {
    ties: Option<Ties>,
    moves: Vec<M>,
    children: Children,
}

impl<M> Greedy<M> {
    /// `ties` overrides the evaluation's own way of breaking ties.
    pub fn new(ties: Option<Ties>) -> Greedy<M> {
        Greedy { ties, moves: Vec::new(), children: Children::default() }
    }

    /// Gives the moves that end the game what a won game is worth.
    fn settle<G: Game<Move = M>>(&mut self, game: &G, at: &G::Position, win: f64)
    where
        M: Copy,
    {
        let view = game.to_move(at);
        for (value, &mv) in self.children.values.iter_mut().zip(&self.moves) {
            let mut after = at.clone();
            game.play(&mut after, mv);
            if let Some(ending) = game.ending(&after) {
                *value = ending.worth(win, view);
            }
        }
    }
}

impl<G: Game, E: Evaluator<G>> Search<G, E> for Greedy<G::Move> {
    #[inline]
    fn find(&mut self, game: &G, evaluator: &E, at: &G::Position, memo: &E::Memo) -> Found<G::Move> {
        self.moves.clear();
        game.moves(at, &mut self.moves);
        evaluator.child_values(game, at, memo, game.to_move(at), &self.moves, &mut self.children);
        let convention = evaluator.convention();
        if let Endings::Worth(win) = convention.endings {
            self.settle(game, at, win);
        }
        let ties = self.ties.unwrap_or(convention.ties);
        let best = best_index(&self.children.values, ties);
        let (mv, value) = (self.moves[best], self.children.values[best]);
        Found { mv, value, nodes: 0, root_moves: self.moves.len() as u64 }
    }

    fn rated(&self) -> Vec<Rated<G::Move>> {
        self.moves.iter().zip(&self.children.values).map(|(&mv, &value)| Rated { mv, value }).collect()
    }
}
