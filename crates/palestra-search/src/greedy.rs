//! One ply: the child with the best evaluation, and nothing else. A won game counts for what the evaluation
//! makes of it, no more: only a weight makes a greedy player take its win.

use crate::search::{Found, Rated, Search, best};
use palestra_core::{Children, Evaluator, Game, Ties};

/// Plays the move whose position evaluates best.
#[derive(Clone, Debug)]
pub struct Greedy<M> {
    ties: Option<Ties>,
    moves: Vec<M>,
    children: Children,
    rated: Vec<Rated<M>>,
}

impl<M> Greedy<M> {
    /// `ties` overrides the evaluation's own way of breaking ties.
    pub fn new(ties: Option<Ties>) -> Greedy<M> {
        Greedy { ties, moves: Vec::new(), children: Children::default(), rated: Vec::new() }
    }
}

impl<G: Game, E: Evaluator<G>> Search<G, E> for Greedy<G::Move> {
    #[inline]
    fn find(&mut self, game: &G, evaluator: &E, at: &G::Position, memo: &E::Memo) -> Found<G::Move> {
        self.moves.clear();
        game.moves(at, &mut self.moves);
        evaluator.child_values(game, at, memo, game.to_move(at), &self.moves, &mut self.children);
        self.rated.clear();
        let values = &self.children.values;
        self.rated.extend(self.moves.iter().zip(values).map(|(&mv, &value)| Rated { mv, value }));
        let Rated { mv, value } = best(&self.rated, self.ties.unwrap_or(evaluator.convention().ties));
        Found { mv, value, nodes: 0, root_moves: self.rated.len() as u64 }
    }

    fn rated(&self) -> &[Rated<G::Move>] {
        &self.rated
    }
}
