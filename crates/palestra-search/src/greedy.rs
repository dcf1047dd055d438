//! One ply: the child with the best evaluation, and nothing else. A won game counts for what the evaluation
//! makes of it, no more: only a weight makes a greedy player take its win.

use crate::search::{Found, Rated, Search, best_index};
use palestra_core::{Children, Evaluator, Game, Ties};

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
}

impl<G: Game, E: Evaluator<G>> Search<G, E> for Greedy<G::Move> {
    #[inline]
    fn find(&mut self, game: &G, evaluator: &E, at: &G::Position, memo: &E::Memo) -> Found<G::Move> {
        self.moves.clear();
        game.moves(at, &mut self.moves);
        evaluator.child_values(game, at, memo, game.to_move(at), &self.moves, &mut self.children);
        let ties = self.ties.unwrap_or(evaluator.convention().ties);
        let best = best_index(&self.children.values, ties);
        let (mv, value) = (self.moves[best], self.children.values[best]);
        Found { mv, value, nodes: 0, root_moves: self.moves.len() as u64 }
    }

    fn rated(&self) -> Vec<Rated<G::Move>> {
        self.moves.iter().zip(&self.children.values).map(|(&mv, &value)| Rated { mv, value }).collect()
    }
}
