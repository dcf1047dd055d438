//! Plain minimax: every position to a fixed depth, in the game's move order. What every other search is
//! held to.

use crate::count::{LevelCount, LevelCounter};
use crate::search::{ScoredMove, Search, SearchResult, best};
use palestra_core::{Evaluator, Game, Side, TerminalValue, TieRule, Transition};

/// Looks `depth` plies ahead, the root move included, and leaves nothing out.
#[derive(Clone, Debug)]
pub struct Minimax<M> {
    depth: u32,
    ties: Option<TieRule>,
    /// One stack for the moves of the whole line.
    moves: Vec<M>,
    rated: Vec<ScoredMove<M>>,
    nodes: u64,
    count: LevelCounter,
}

impl<M: Copy> Minimax<M> {
    /// `ties` overrides the evaluation's own way of breaking ties. `depth` is at least 1.
    pub fn new(depth: u32, ties: Option<TieRule>) -> Minimax<M> {
        assert!(depth > 0, "a search looks at least one ply ahead");
        Minimax {
            depth,
            ties,
            moves: Vec::new(),
            rated: Vec::new(),
            nodes: 0,
            count: LevelCounter::default(),
        }
    }

    /// The value of the position after a move, which is the first of `depth` plies still to be looked at.
    #[inline]
    fn child<G, E>(
        &mut self,
        look: SearchContext<'_, G, E>,
        at: &G::Position,
        memo: &E::Accumulator,
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
        match look.terminal_value(&Transition { at, mv, after: &after }, memo) {
            Some(value) => {
                self.count.visit(self.depth - depth + 1, 0);
                value
            }
            None => self.value(look, &after, &look.advanced(at, memo, mv), depth - 1),
        }
    }

    /// The value of `at`, which has not ended, looking `depth` plies ahead; `depth` is at least 1.
    fn value<G, E>(
        &mut self,
        look: SearchContext<'_, G, E>,
        at: &G::Position,
        memo: &E::Accumulator,
        depth: u32,
    ) -> f64
    where
        G: Game<Move = M>,
        E: Evaluator<G>,
    {
        let SearchContext { game, view, .. } = look;
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
pub(crate) struct SearchContext<'a, G, E> {
    pub(crate) game: &'a G,
    pub(crate) evaluator: &'a E,
    /// The side that is choosing; all values are for it.
    pub(crate) view: Side,
    /// What ended games are worth to the evaluator.
    pub(crate) endings: TerminalValue,
}

impl<G, E> Clone for SearchContext<'_, G, E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G, E> Copy for SearchContext<'_, G, E> {}

impl<'a, G: Game, E: Evaluator<G>> SearchContext<'a, G, E> {
    /// The side to move at `at` looks ahead.
    pub(crate) fn new(game: &'a G, evaluator: &'a E, at: &G::Position) -> SearchContext<'a, G, E> {
        SearchContext { game, evaluator, view: game.to_move(at), endings: evaluator.convention().endings }
    }

    /// The memo after a move.
    #[inline]
    pub(crate) fn advanced(&self, at: &G::Position, memo: &E::Accumulator, mv: G::Move) -> E::Accumulator {
        let mut memo = memo.clone();
        self.evaluator.advance(self.game, &mut memo, at, mv);
        memo
    }

    /// The value after a move that ends the game; `memo` is that of the position before it.
    #[inline]
    pub(crate) fn terminal_value(&self, step: &Transition<'_, G>, memo: &E::Accumulator) -> Option<f64> {
        self.game.ending(step.after).map(|ending| match self.endings {
            TerminalValue::Always(win) | TerminalValue::SearchOnly(win) => ending.value(win, self.view),
            TerminalValue::AsEvaluated => self.evaluator.child_value(self.game, step, memo, self.view),
        })
    }

    /// The value after a move that nothing is looked at behind.
    #[inline(always)]
    pub(crate) fn leaf(&self, at: &G::Position, memo: &E::Accumulator, mv: G::Move) -> f64 {
        // Made in place: a position returned by value is copied while its parts are still being written.
        let mut after = at.clone();
        self.game.play(&mut after, mv);
        let step = Transition { at, mv, after: &after };
        match self.endings {
            TerminalValue::Always(win) | TerminalValue::SearchOnly(win) => match self.game.ending(&after) {
                Some(ending) => ending.value(win, self.view),
                None => self.evaluator.child_value(self.game, &step, memo, self.view),
            },
            TerminalValue::AsEvaluated => self.evaluator.child_value(self.game, &step, memo, self.view),
        }
    }
}

impl<G: Game, E: Evaluator<G>> Search<G, E> for Minimax<G::Move> {
    fn find(
        &mut self,
        game: &G,
        evaluator: &E,
        at: &G::Position,
        memo: &E::Accumulator,
    ) -> SearchResult<G::Move> {
        let look = SearchContext::new(game, evaluator, at);
        self.nodes = 0;
        self.count.clear();
        self.rated.clear();
        self.moves.clear();
        game.moves(at, &mut self.moves);
        for i in 0..self.moves.len() {
            let mv = self.moves[i];
            let value = self.child(look, at, memo, mv, self.depth);
            self.rated.push(ScoredMove { mv, value });
        }
        self.count.visit(0, self.rated.len() as u64);
        let ScoredMove { mv, value } = best(&self.rated, self.ties.unwrap_or(evaluator.convention().ties));
        SearchResult { mv, value, nodes: self.nodes, root_moves: self.rated.len() as u64 }
    }

    fn scored_moves(&self) -> Vec<ScoredMove<G::Move>> {
        self.rated.clone()
    }

    fn count_levels(&mut self) {
        self.count = LevelCounter::counting();
    }

    fn levels(&self) -> &[LevelCount] {
        self.count.levels()
    }
}
