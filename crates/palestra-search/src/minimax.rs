//! Plain minimax: every position to a fixed depth, in the game's move order. The reference for tests of all other
//! searches.

use crate::count::{LevelCount, LevelCounter};
use crate::limit::CancelCheck;
use crate::search::{ScoredMove, Search, SearchResult, best};
use crate::spec::{
    DEPTH, GivenParameters, MoveLimits, ParameterWriter, SearchCost, SearchInfo, SearchParameters, TIES,
    TO_THE_END,
};
use palestra_core::{Evaluator, Game, InputError, Side, TerminalValue, TieRule, Transition};

/// Searches `depth` plies, including the root move, without pruning.
#[derive(Clone, Debug)]
pub struct Minimax<M> {
    depth: u32,
    ties: Option<TieRule>,
    /// The moves of all positions of the current line, as one stack.
    moves: Vec<M>,
    scored: Vec<ScoredMove<M>>,
    nodes: u64,
    cancel_check: CancelCheck,
    count: LevelCounter,
}

impl<M: Copy> Minimax<M> {
    /// `ties` overrides the evaluation's tie rule. Panics if `depth` is 0.
    pub fn new(depth: u32, ties: Option<TieRule>) -> Minimax<M> {
        assert!(depth > 0, "the depth is at least 1");
        Minimax {
            depth,
            ties,
            moves: Vec::new(),
            scored: Vec::new(),
            nodes: 0,
            cancel_check: CancelCheck::default(),
            count: LevelCounter::default(),
        }
    }

    /// The value of the position after `mv`; `depth` counts the plies left, including `mv`.
    #[inline]
    fn child<G, E>(
        &mut self,
        context: SearchContext<'_, G, E>,
        at: &G::Position,
        accumulator: &E::Accumulator,
        mv: M,
        depth: u32,
    ) -> f64
    where
        G: Game<Move = M>,
        E: Evaluator<G>,
    {
        if depth == 1 {
            self.count.visit(self.depth, 0);
            return context.leaf(at, accumulator, mv);
        }
        if self.cancel_check.is_canceled(self.nodes) {
            return 0.0;
        }
        let mut after = at.clone();
        context.game.play(&mut after, mv);
        match context.terminal_value(&Transition { at, mv, after: &after }, accumulator) {
            Some(value) => {
                self.count.visit(self.depth - depth + 1, 0);
                value
            }
            None => self.value(context, &after, &context.advanced(at, accumulator, mv), depth - 1),
        }
    }

    /// The value of `at`, which has not ended, at `depth` plies; `depth` is at least 1.
    fn value<G, E>(
        &mut self,
        context: SearchContext<'_, G, E>,
        at: &G::Position,
        accumulator: &E::Accumulator,
        depth: u32,
    ) -> f64
    where
        G: Game<Move = M>,
        E: Evaluator<G>,
    {
        let SearchContext { game, view, .. } = context;
        let is_max = game.to_move(at) == view;
        let from = self.moves.len();
        game.moves(at, &mut self.moves);
        let mut best = if is_max { f64::NEG_INFINITY } else { f64::INFINITY };
        let n_children = (self.moves.len() - from) as u64;
        let mut take = |value: f64| best = if is_max { best.max(value) } else { best.min(value) };
        if depth == 1 {
            // Most positions are leaves: a separate loop computes what they share once.
            for &mv in &self.moves[from..] {
                take(context.leaf(at, accumulator, mv));
            }
            self.count.visit_leaves(self.depth, n_children);
        } else {
            for i in from..self.moves.len() {
                take(self.child(context, at, accumulator, self.moves[i], depth));
            }
        }
        self.nodes += n_children;
        self.count.visit(self.depth - depth, n_children);
        self.moves.truncate(from);
        best
    }
}

/// What is constant during one search.
pub(crate) struct SearchContext<'a, G, E> {
    pub(crate) game: &'a G,
    pub(crate) evaluator: &'a E,
    /// The side to move at the root; all values are for it.
    pub(crate) view: Side,
    /// Value of ended games.
    pub(crate) endings: TerminalValue,
}

impl<G, E> Clone for SearchContext<'_, G, E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G, E> Copy for SearchContext<'_, G, E> {}

impl<'a, G: Game, E: Evaluator<G>> SearchContext<'a, G, E> {
    /// The context of a search from `at`.
    pub(crate) fn new(game: &'a G, evaluator: &'a E, at: &G::Position) -> SearchContext<'a, G, E> {
        SearchContext { game, evaluator, view: game.to_move(at), endings: evaluator.convention().endings }
    }

    /// The accumulator after a move.
    #[inline]
    pub(crate) fn advanced(
        &self,
        at: &G::Position,
        accumulator: &E::Accumulator,
        mv: G::Move,
    ) -> E::Accumulator {
        let mut accumulator = accumulator.clone();
        self.evaluator.advance(self.game, &mut accumulator, at, mv);
        accumulator
    }

    /// The value after a move that ends the game, else `None`; `accumulator` is that of the position before the move.
    #[inline]
    pub(crate) fn terminal_value(
        &self,
        step: &Transition<'_, G>,
        accumulator: &E::Accumulator,
    ) -> Option<f64> {
        self.game.ending(step.after).map(|ending| match self.endings {
            TerminalValue::Always(win) | TerminalValue::SearchOnly(win) => ending.value(win, self.view),
            TerminalValue::AsEvaluated => self.evaluator.child_value(self.game, step, accumulator, self.view),
        })
    }

    /// The value of the position after `mv`, a leaf of the search.
    #[inline(always)]
    pub(crate) fn leaf(&self, at: &G::Position, accumulator: &E::Accumulator, mv: G::Move) -> f64 {
        // Built in place: a function that returns the position would copy it.
        let mut after = at.clone();
        self.game.play(&mut after, mv);
        let step = Transition { at, mv, after: &after };
        match self.endings {
            TerminalValue::Always(win) | TerminalValue::SearchOnly(win) => match self.game.ending(&after) {
                Some(ending) => ending.value(win, self.view),
                None => self.evaluator.child_value(self.game, &step, accumulator, self.view),
            },
            TerminalValue::AsEvaluated => {
                self.evaluator.child_value(self.game, &step, accumulator, self.view)
            }
        }
    }
}

impl<G: Game, E: Evaluator<G>> Search<G, E> for Minimax<G::Move> {
    fn find(
        &mut self,
        game: &G,
        evaluator: &E,
        at: &G::Position,
        accumulator: &E::Accumulator,
    ) -> SearchResult<G::Move> {
        let context = SearchContext::new(game, evaluator, at);
        self.nodes = 0;
        self.cancel_check = CancelCheck::default();
        self.count.clear();
        self.scored.clear();
        self.moves.clear();
        game.moves(at, &mut self.moves);
        for i in 0..self.moves.len() {
            let mv = self.moves[i];
            let value = self.child(context, at, accumulator, mv, self.depth);
            self.scored.push(ScoredMove { mv, value });
        }
        self.count.visit(0, self.scored.len() as u64);
        let ScoredMove { mv, value } = best(&self.scored, self.ties.unwrap_or(evaluator.convention().ties));
        SearchResult { mv, value, nodes: self.nodes, root_moves: self.scored.len() as u64 }
    }

    fn scored_moves(&self) -> Vec<ScoredMove<G::Move>> {
        self.scored.clone()
    }

    fn count_levels(&mut self) {
        self.count = LevelCounter::counting();
    }

    fn levels(&self) -> &[LevelCount] {
        self.count.levels()
    }
}

/// Parameters of [`Minimax`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MinimaxSpec {
    /// Depth in plies.
    pub depth: u32,
    /// Overrides the evaluation's tie rule.
    pub ties: Option<TieRule>,
}

impl SearchParameters for MinimaxSpec {
    const INFO: SearchInfo =
        SearchInfo { name: "minimax", about: "plain minimax to a fixed depth", parameters: &[DEPTH, TIES] };

    fn read(given: &GivenParameters<'_>) -> Result<MinimaxSpec, InputError> {
        Ok(MinimaxSpec { depth: given.depth()?, ties: given.ties()? })
    }

    fn write(&self, out: &mut ParameterWriter) {
        out.add_unless(DEPTH.key, self.depth, TO_THE_END);
        out.add_ties(self.ties);
    }

    fn open<G: Game, E: Evaluator<G>>(&self) -> Box<dyn Search<G, E>> {
        Box::new(Minimax::new(self.depth, self.ties))
    }

    fn cost(&self, n_moves: f64) -> SearchCost {
        SearchCost::plain(n_moves.powf(f64::from(self.depth)), None)
    }

    fn is_function_of_position(&self) -> bool {
        true
    }

    fn ties(&self) -> Option<TieRule> {
        self.ties
    }

    fn limited(&self, limits: &MoveLimits) -> MinimaxSpec {
        MinimaxSpec { depth: limits.depth.unwrap_or(self.depth), ..self.clone() }
    }
}
