//! Plain minimax: every position to a fixed depth, in the game's move order. What every other search is
//! held to.

use crate::search::{Found, Rated, Search, best};
use palestra_core::{Evaluator, Game, Side, Ties};

/// Looks `depth` plies ahead, the root move included, and leaves nothing out.
#[derive(Clone, Debug)]
pub struct Minimax<M> {
    depth: u32,
    ties: Option<Ties>,
    /// One stack for the moves of the whole line.
    moves: Vec<M>,
    rated: Vec<Rated<M>>,
    nodes: u64,
}

impl<M: Copy> Minimax<M> {
    /// `ties` overrides the evaluation's own way of breaking ties. `depth` is at least 1.
    pub fn new(depth: u32, ties: Option<Ties>) -> Minimax<M> {
        assert!(depth > 0, "a search looks at least one ply ahead");
        Minimax { depth, ties, moves: Vec::new(), rated: Vec::new(), nodes: 0 }
    }

    /// The value of `at` for `view`, `depth` plies deep.
    fn value<G, E>(&mut self, look: Look<'_, G, E>, at: &G::Position, memo: &E::Memo, depth: u32) -> f64
    where
        G: Game<Move = M>,
        E: Evaluator<G>,
    {
        let Look { game, evaluator, view } = look;
        if let Some(ending) = game.ending(at) {
            return evaluator.ended(&ending, view);
        }
        if depth == 0 {
            return evaluator.value(game, at, memo, view);
        }
        let is_max = game.to_move(at) == view;
        let from = self.moves.len();
        game.moves(at, &mut self.moves);
        let mut best = if is_max { f64::NEG_INFINITY } else { f64::INFINITY };
        for i in from..self.moves.len() {
            let (after, memo) = look.child(at, memo, self.moves[i]);
            self.nodes += 1;
            let value = self.value(look, &after, &memo, depth - 1);
            best = if is_max { best.max(value) } else { best.min(value) };
        }
        self.moves.truncate(from);
        best
    }
}

/// What stays the same throughout one search.
pub(crate) struct Look<'a, G, E> {
    pub(crate) game: &'a G,
    pub(crate) evaluator: &'a E,
    /// The side that is choosing; all values are for it.
    pub(crate) view: Side,
}

impl<G, E> Clone for Look<'_, G, E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G, E> Copy for Look<'_, G, E> {}

impl<G: Game, E: Evaluator<G>> Look<'_, G, E> {
    /// The position after a move, and its memo.
    #[inline]
    pub(crate) fn child(&self, at: &G::Position, memo: &E::Memo, mv: G::Move) -> (G::Position, E::Memo) {
        let mut memo = memo.clone();
        self.evaluator.advance(self.game, &mut memo, at, mv);
        let mut after = at.clone();
        self.game.play(&mut after, mv);
        (after, memo)
    }
}

impl<G: Game, E: Evaluator<G>> Search<G, E> for Minimax<G::Move> {
    fn find(&mut self, game: &G, evaluator: &E, at: &G::Position, memo: &E::Memo) -> Found<G::Move> {
        let look = Look { game, evaluator, view: game.to_move(at) };
        self.nodes = 0;
        self.rated.clear();
        self.moves.clear();
        game.moves(at, &mut self.moves);
        for i in 0..self.moves.len() {
            let mv = self.moves[i];
            let (after, memo) = look.child(at, memo, mv);
            let value = self.value(look, &after, &memo, self.depth - 1);
            self.rated.push(Rated { mv, value });
        }
        let Rated { mv, value } = best(&self.rated, self.ties.unwrap_or(evaluator.convention().ties));
        Found { mv, value, nodes: self.nodes, root_moves: self.rated.len() as u64 }
    }

    fn rated(&self) -> &[Rated<G::Move>] {
        &self.rated
    }
}
