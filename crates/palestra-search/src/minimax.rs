//! Plain minimax: every position to a fixed depth, in the game's move order. What every other search is
//! held to.

use crate::count::{LevelCount, Levels};
use crate::search::{Found, Rated, Search, best};
use palestra_core::{Endings, Evaluator, Game, Side, Step, Ties};

/// Looks `depth` plies ahead, the root move included, and leaves nothing out.
#[derive(Clone, Debug)]
pub struct Minimax<M> {
    depth: u32,
    ties: Option<Ties>,
    /// One stack for the moves of the whole line.
    moves: Vec<M>,
    rated: Vec<Rated<M>>,
    nodes: u64,
    count: Levels,
}

impl<M: Copy> Minimax<M> {
    /// `ties` overrides the evaluation's own way of breaking ties. `depth` is at least 1.
    pub fn new(depth: u32, ties: Option<Ties>) -> Minimax<M> {
        assert!(depth > 0, "a search looks at least one ply ahead");
        Minimax { depth, ties, moves: Vec::new(), rated: Vec::new(), nodes: 0, count: Levels::default() }
    }

    /// The value of the position after a move, which is the first of `depth` plies still to be looked at.
    #[inline]
    fn child<G, E>(
        &mut self,
        look: Look<'_, G, E>,
        at: &G::Position,
        memo: &E::Memo,
        mv: M,
        depth: u32,
    ) -> f64
    where
        G: Game<Move = M>,
        E: Evaluator<G>,
    {
        if depth == 1 {
            self.count.visit(self.depth, 0);
            return look.leaf(at, memo, mv);
        }
        let mut after = at.clone();
        look.game.play(&mut after, mv);
        match look.ended(&Step { at, mv, after: &after }, memo) {
            Some(value) => {
                self.count.visit(self.depth - depth + 1, 0);
                value
            }
            None => self.value(look, &after, &look.advanced(at, memo, mv), depth - 1),
        }
    }

    /// The value of `at`, which has not ended, looking `depth` plies ahead; `depth` is at least 1.
    fn value<G, E>(&mut self, look: Look<'_, G, E>, at: &G::Position, memo: &E::Memo, depth: u32) -> f64
    where
        G: Game<Move = M>,
        E: Evaluator<G>,
    {
        let Look { game, view, .. } = look;
        let is_max = game.to_move(at) == view;
        let from = self.moves.len();
        game.moves(at, &mut self.moves);
        let mut best = if is_max { f64::NEG_INFINITY } else { f64::INFINITY };
        let n_children = (self.moves.len() - from) as u64;
        let mut take = |value: f64| best = if is_max { best.max(value) } else { best.min(value) };
        if depth == 1 {
            // Most positions are leaves: in a loop of their own, what they share is worked out once.
            for &mv in &self.moves[from..] {
                take(look.leaf(at, memo, mv));
            }
            self.count.visit_leaves(self.depth, n_children);
        } else {
            for i in from..self.moves.len() {
                take(self.child(look, at, memo, self.moves[i], depth));
            }
        }
        self.nodes += n_children;
        self.count.visit(self.depth - depth, n_children);
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
    /// What ended games are worth to the evaluator.
    pub(crate) endings: Endings,
}

impl<G, E> Clone for Look<'_, G, E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G, E> Copy for Look<'_, G, E> {}

impl<'a, G: Game, E: Evaluator<G>> Look<'a, G, E> {
    /// The side to move at `at` looks ahead.
    pub(crate) fn new(game: &'a G, evaluator: &'a E, at: &G::Position) -> Look<'a, G, E> {
        Look { game, evaluator, view: game.to_move(at), endings: evaluator.convention().endings }
    }

    /// The memo after a move.
    #[inline]
    pub(crate) fn advanced(&self, at: &G::Position, memo: &E::Memo, mv: G::Move) -> E::Memo {
        let mut memo = memo.clone();
        self.evaluator.advance(self.game, &mut memo, at, mv);
        memo
    }

    /// The value after a move that ends the game; `memo` is that of the position before it.
    #[inline]
    pub(crate) fn ended(&self, step: &Step<'_, G>, memo: &E::Memo) -> Option<f64> {
        self.game.ending(step.after).map(|ending| match self.endings {
            Endings::Worth(win) | Endings::WorthAhead(win) => ending.worth(win, self.view),
            Endings::AsEvaluated => self.evaluator.child_value(self.game, step, memo, self.view),
        })
    }

    /// The value after a move that nothing is looked at behind.
    #[inline(always)]
    pub(crate) fn leaf(&self, at: &G::Position, memo: &E::Memo, mv: G::Move) -> f64 {
        // Made in place: a position returned by value is copied while its parts are still being written.
        let mut after = at.clone();
        self.game.play(&mut after, mv);
        let step = Step { at, mv, after: &after };
        match self.endings {
            Endings::Worth(win) | Endings::WorthAhead(win) => match self.game.ending(&after) {
                Some(ending) => ending.worth(win, self.view),
                None => self.evaluator.child_value(self.game, &step, memo, self.view),
            },
            Endings::AsEvaluated => self.evaluator.child_value(self.game, &step, memo, self.view),
        }
    }
}

impl<G: Game, E: Evaluator<G>> Search<G, E> for Minimax<G::Move> {
    fn find(&mut self, game: &G, evaluator: &E, at: &G::Position, memo: &E::Memo) -> Found<G::Move> {
        let look = Look::new(game, evaluator, at);
        self.nodes = 0;
        self.count.clear();
        self.rated.clear();
        self.moves.clear();
        game.moves(at, &mut self.moves);
        for i in 0..self.moves.len() {
            let mv = self.moves[i];
            let value = self.child(look, at, memo, mv, self.depth);
            self.rated.push(Rated { mv, value });
        }
        self.count.visit(0, self.rated.len() as u64);
        let Rated { mv, value } = best(&self.rated, self.ties.unwrap_or(evaluator.convention().ties));
        Found { mv, value, nodes: self.nodes, root_moves: self.rated.len() as u64 }
    }

    fn rated(&self) -> Vec<Rated<G::Move>> {
        self.rated.clone()
    }

    fn count_levels(&mut self) {
        self.count = Levels::counting();
    }

    fn levels(&self) -> &[LevelCount] {
        self.count.levels()
    }
}
