//! Plain alpha-beta: fixed depth, the game's move order, no table.
//!
//! Values are fail-soft, and the cutoff is tested before each child. The window of a root move begins at the best value
//! of those before it; of a move that does not exceed it only a bound is known, and it is left out of the scored moves.
//! [`Search::score_every_move`] searches them all with the whole window instead.
//!
//! With the full root window and deep cuts it is the search of the Connect-4 study: every root move is searched with
//! the window from a lost to a won game. With shallow cuts it is the search of the Ladrillos study: each position,
//! including the root, starts with an infinite window and passes only its own best value to its children.
//!
//! With a time limit it deepens iteratively and plays the move of the last depth that it finished; no information is
//! carried from one depth to the next.
//!
//! It chooses the same move as minimax, ties included, and searches fewer positions. Only in the Connect-4 study's form
//! this needs evaluations that stay below the value of a won game: that study did not clamp them.

use crate::count::{LevelCount, LevelCounter};
use crate::limit::{CancelCheck, SearchBudget, SearchLimit};
use crate::minimax::SearchContext;
use crate::search::{ScoredMove, Search, SearchResult, best};
use crate::spec::{
    DEPTH, GivenParameters, MoveLimits, ParameterWriter, SearchCost, SearchInfo, SearchParameters, TIES,
    TIME, TO_THE_END, optional,
};
use palestra_core::{Evaluator, Game, InputError, TerminalValue, TieRule, Transition, WIN};
use std::time::Duration;

/// Which ancestors' bounds may cut off a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cuts {
    /// Bounds of all ancestors.
    Deep,
    /// Bounds of the parent only.
    Shallow,
}

/// The window with which root moves are searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RootWindow {
    /// From the best value of the root moves searched before.
    Narrowed,
    /// The same for every root move, so that each has its exact value.
    Full,
}

/// Alpha-beta search of `depth` plies, including the root move.
#[derive(Clone, Debug)]
pub struct AlphaBeta<M> {
    depth: u32,
    cuts: Cuts,
    root: RootWindow,
    /// Whether no root move narrows the window, whatever `root` is.
    scores_every_move: bool,
    ties: Option<TieRule>,
    /// Time limit per move.
    time: Option<Duration>,
    budget: SearchBudget,
    /// Whether the time is up; from then on values are meaningless.
    stopped: bool,
    /// Whether the depth kept a line from being searched further.
    met_horizon: bool,
    /// The moves of all positions of the current line, as one stack.
    moves: Vec<M>,
    scored: Vec<ScoredMove<M>>,
    nodes: u64,
    cancel_check: CancelCheck,
    count: LevelCounter,
}

impl<M: Copy> AlphaBeta<M> {
    /// `ties` overrides the evaluation's tie rule. Panics if `depth` is 0.
    pub fn new(depth: u32, cuts: Cuts, root: RootWindow, ties: Option<TieRule>) -> AlphaBeta<M> {
        assert!(depth > 0, "the depth is at least 1");
        AlphaBeta {
            depth,
            cuts,
            root,
            scores_every_move: false,
            ties,
            time: None,
            budget: SearchBudget::UNLIMITED,
            stopped: false,
            met_horizon: false,
            moves: Vec::new(),
            scored: Vec::new(),
            nodes: 0,
            cancel_check: CancelCheck::default(),
            count: LevelCounter::default(),
        }
    }

    /// Sets a time limit per move; the depth remains the maximum.
    #[must_use]
    pub fn within(mut self, time: Option<Duration>) -> AlphaBeta<M> {
        self.time = time;
        self
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
        window: [f64; 2],
    ) -> f64
    where
        G: Game<Move = M>,
        E: Evaluator<G>,
    {
        if depth == 1 {
            self.met_horizon = true;
            self.count.visit(self.depth, 0);
            return context.leaf(at, accumulator, mv);
        }
        if self.time.is_some() {
            self.stopped |= self.budget.is_spent(self.nodes);
            if self.stopped {
                return 0.0;
            }
        } else if self.cancel_check.is_canceled(self.nodes) {
            return 0.0;
        }
        let mut after = at.clone();
        context.game.play(&mut after, mv);
        match context.terminal_value(&Transition { at, mv, after: &after }, accumulator) {
            Some(value) => {
                self.count.visit(self.depth - depth + 1, 0);
                value
            }
            None => self.value(context, &after, &context.advanced(at, accumulator, mv), depth - 1, window),
        }
    }

    /// The value of `at`, which has not ended, at `depth` plies; `depth` is at least 1.
    fn value<G, E>(
        &mut self,
        context: SearchContext<'_, G, E>,
        at: &G::Position,
        accumulator: &E::Accumulator,
        depth: u32,
        window: [f64; 2],
    ) -> f64
    where
        G: Game<Move = M>,
        E: Evaluator<G>,
    {
        let SearchContext { game, view, .. } = context;
        let is_max = game.to_move(at) == view;
        let from = self.moves.len();
        game.moves(at, &mut self.moves);
        let mut node = Node { is_max, best: if is_max { f64::NEG_INFINITY } else { f64::INFINITY }, window };
        let mut n_children = 0;
        if depth == 1 {
            self.met_horizon = true;
            // Most positions are leaves: a separate loop saves a call for each.
            for &mv in &self.moves[from..] {
                if node.is_cut() {
                    break;
                }
                n_children += 1;
                node.take(context.leaf(at, accumulator, mv));
            }
            self.count.visit_leaves(self.depth, n_children);
        } else {
            for i in from..self.moves.len() {
                if node.is_cut() {
                    break;
                }
                n_children += 1;
                let window = node.child_window(self.cuts);
                node.take(self.child(context, at, accumulator, self.moves[i], depth, window));
            }
        }
        self.nodes += n_children;
        self.count.visit(self.depth - depth, n_children);
        self.moves.truncate(from);
        node.best
    }
}

/// A position being searched: the best value so far and the current window.
struct Node {
    is_max: bool,
    best: f64,
    window: [f64; 2],
}

impl Node {
    #[inline(always)]
    fn is_cut(&self) -> bool {
        self.window[0] >= self.window[1]
    }

    /// The window for the children.
    #[inline(always)]
    fn child_window(&self, cuts: Cuts) -> [f64; 2] {
        match cuts {
            Cuts::Deep => self.window,
            Cuts::Shallow if self.is_max => [self.best, f64::INFINITY],
            Cuts::Shallow => [f64::NEG_INFINITY, self.best],
        }
    }

    // Comparisons rather than `max` and `min`, which also handle NaN; no evaluation is NaN.
    #[inline(always)]
    fn take(&mut self, value: f64) {
        let [alpha, beta] = &mut self.window;
        if self.is_max {
            self.best = if value > self.best { value } else { self.best };
            *alpha = if value > *alpha { value } else { *alpha };
        } else {
            self.best = if value < self.best { value } else { self.best };
            *beta = if value < *beta { value } else { *beta };
        }
    }
}

impl<M: Copy> AlphaBeta<M> {
    /// Searches the root to `self.depth`.
    fn search_depth<G, E>(
        &mut self,
        game: &G,
        evaluator: &E,
        at: &G::Position,
        accumulator: &E::Accumulator,
    ) -> SearchResult<M>
    where
        G: Game<Move = M>,
        E: Evaluator<G>,
    {
        let context = SearchContext::new(game, evaluator, at);
        let bound = self.bound(context.endings);
        let narrows = self.root == RootWindow::Narrowed && !self.scores_every_move;
        let ties = self.ties.unwrap_or(evaluator.convention().ties);
        self.nodes = 0;
        self.met_horizon = false;
        self.count.clear();
        self.scored.clear();
        self.moves.clear();
        game.moves(at, &mut self.moves);
        let mut window = [-bound, bound];
        let mut n_moves = 0;
        for i in 0..self.moves.len() {
            // Cut: a won game has been found, and the first of several is played.
            if window[0] >= window[1] {
                break;
            }
            let mv = self.moves[i];
            let value = self.child(context, at, accumulator, mv, self.depth, window);
            n_moves += 1;
            if !narrows {
                self.scored.push(ScoredMove { mv, value });
                continue;
            }
            // Any other value only shows that the move is no better than the best one, the last of the scored moves.
            if self.scored.last().is_none_or(|best| ties.prefers(value, best.value)) {
                self.scored.push(ScoredMove { mv, value });
                // Where the last of equals is played, the window must still separate an equal value from a worse one.
                let alpha = if ties == TieRule::Last { value.next_down() } else { value };
                window[0] = window[0].max(alpha);
            }
        }
        self.count.visit(0, n_moves);
        let ScoredMove { mv, value } = best(&self.scored, ties);
        SearchResult { mv, value, nodes: self.nodes, root_moves: n_moves }
    }

    /// The largest value of the root window.
    fn bound(&self, endings: TerminalValue) -> f64 {
        let won = endings.bound();
        match (self.cuts, self.root) {
            (Cuts::Deep, RootWindow::Full) => won,
            // No evaluation reaches this value, so that nothing is better than a won game.
            (Cuts::Deep, RootWindow::Narrowed) if won >= WIN => won,
            _ => f64::INFINITY,
        }
    }

    /// Iterative deepening until the time is up.
    fn deepen<G, E>(
        &mut self,
        game: &G,
        evaluator: &E,
        at: &G::Position,
        accumulator: &E::Accumulator,
        time: Duration,
    ) -> SearchResult<M>
    where
        G: Game<Move = M>,
        E: Evaluator<G>,
    {
        let max_depth = std::mem::replace(&mut self.depth, 1);
        self.stopped = false;
        let mut result = self.search_depth(game, evaluator, at, accumulator);
        let mut scored = self.scored.clone();
        let mut nodes = result.nodes;
        self.budget = SearchBudget::start(&SearchLimit { depth: max_depth, nodes: None, time: Some(time) });
        while self.depth < max_depth {
            self.depth += 1;
            let deeper = self.search_depth(game, evaluator, at, accumulator);
            nodes += deeper.nodes;
            if self.stopped {
                break;
            }
            scored.clone_from(&self.scored);
            result = deeper;
            // The whole tree has been searched.
            if !self.met_horizon {
                break;
            }
        }
        self.depth = max_depth;
        self.scored = scored;
        SearchResult { nodes, ..result }
    }
}

impl<G: Game, E: Evaluator<G>> Search<G, E> for AlphaBeta<G::Move> {
    fn find(
        &mut self,
        game: &G,
        evaluator: &E,
        at: &G::Position,
        accumulator: &E::Accumulator,
    ) -> SearchResult<G::Move> {
        self.cancel_check = CancelCheck::default();
        match self.time {
            None => self.search_depth(game, evaluator, at, accumulator),
            Some(time) => self.deepen(game, evaluator, at, accumulator, time),
        }
    }

    fn scored_moves(&self) -> Vec<ScoredMove<G::Move>> {
        self.scored.clone()
    }

    fn score_every_move(&mut self) {
        self.scores_every_move = true;
    }

    fn count_levels(&mut self) {
        self.count = LevelCounter::counting();
    }

    fn levels(&self) -> &[LevelCount] {
        self.count.levels()
    }
}

/// Parameters of [`AlphaBeta`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AlphaBetaSpec {
    /// Which bounds cut off.
    pub cuts: Cuts,
    /// Depth in plies.
    pub depth: u32,
    /// The window of root moves.
    pub root: RootWindow,
    /// Overrides the evaluation's tie rule.
    pub ties: Option<TieRule>,
    /// Time limit per move.
    pub time: Option<Duration>,
}

impl SearchParameters for AlphaBetaSpec {
    const INFO: SearchInfo = SearchInfo {
        name: "alphabeta",
        about: "plain alpha-beta to a fixed depth, moves in the game's order; with time=, iterative deepening until time is up",
        parameters: &[
            optional(
                "cuts",
                "which bounds cut off: deep (those of all ancestors, default) or shallow (those of the parent only)",
            ),
            DEPTH,
            optional(
                "root",
                "the window of each root move: narrowed by those before it (default), or full, with an exact value of each",
            ),
            TIES,
            TIME,
        ],
    };

    fn read(given: &GivenParameters<'_>) -> Result<AlphaBetaSpec, InputError> {
        let cuts = given.word("cuts", &[("deep", Cuts::Deep), ("shallow", Cuts::Shallow)])?;
        let root = given.word("root", &[("narrowed", RootWindow::Narrowed), ("full", RootWindow::Full)])?;
        let (depth, ties, time) = (given.depth()?, given.ties()?, given.time()?);
        let (cuts, root) = (cuts.unwrap_or(Cuts::Deep), root.unwrap_or(RootWindow::Narrowed));
        Ok(AlphaBetaSpec { cuts, depth, root, ties, time })
    }

    fn write(&self, out: &mut ParameterWriter) {
        if self.cuts == Cuts::Shallow {
            out.add("cuts", "shallow");
        }
        out.add_unless(DEPTH.key, self.depth, TO_THE_END);
        if self.root == RootWindow::Full {
            out.add("root", "full");
        }
        out.add_ties(self.ties);
        out.add_time(self.time);
    }

    fn open<G: Game, E: Evaluator<G>>(&self) -> Box<dyn Search<G, E>> {
        Box::new(AlphaBeta::new(self.depth, self.cuts, self.root, self.ties).within(self.time))
    }

    /// About b^(0.75 d) positions: 0.5 would be perfect move order, 1 no cuts.
    fn cost(&self, n_moves: f64) -> SearchCost {
        SearchCost::plain(n_moves.powf(0.75 * f64::from(self.depth)), self.time)
    }

    fn is_function_of_position(&self) -> bool {
        self.time.is_none()
    }

    fn ties(&self) -> Option<TieRule> {
        self.ties
    }

    fn limited(&self, limits: &MoveLimits) -> AlphaBetaSpec {
        let (depth, time) = (limits.depth.unwrap_or(self.depth), limits.time.or(self.time));
        AlphaBetaSpec { depth, time, ..self.clone() }
    }
}
