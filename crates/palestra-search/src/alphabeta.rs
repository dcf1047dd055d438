//! Plain alpha-beta: fixed depth, the game's move order, no table.
//!
//! With deep cuts it is the Connect-4 study's: every root move is searched with the full window from a lost to
//! a won game; below, values are fail-soft and the cut is tested before each child. With shallow cuts it is the
//! Ladrillos study's: each position starts from nothing and hands down its own best alone, the root as well.
//!
//! With a limit of time it looks one ply ahead, then two and so on, and plays what the last depth that it finished
//! says; nothing is carried over from one depth to the next.
//!
//! It chooses what minimax chooses and looks at fewer positions, as long as no evaluation goes beyond the value
//! of a won game; the Connect-4 study did not clamp them, and neither do we.

use crate::count::{LevelCount, LevelCounter};
use crate::limit::{SearchBudget, SearchLimit};
use crate::minimax::SearchContext;
use crate::search::{ScoredMove, Search, SearchResult, best};
use palestra_core::{Evaluator, Game, TieRule, Transition};
use std::time::Duration;

/// Which positions above may cut a position short.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cuts {
    /// All of them.
    Deep,
    /// The one right above.
    Shallow,
}

/// Looks `depth` plies ahead, the root move included, and leaves out what cannot matter.
#[derive(Clone, Debug)]
pub struct AlphaBeta<M> {
    depth: u32,
    cuts: Cuts,
    ties: Option<TieRule>,
    /// What a move may take.
    time: Option<Duration>,
    budget: SearchBudget,
    /// The time is up: values mean nothing any more.
    stopped: bool,
    /// One stack for the moves of the whole line.
    moves: Vec<M>,
    rated: Vec<ScoredMove<M>>,
    nodes: u64,
    count: LevelCounter,
}

impl<M: Copy> AlphaBeta<M> {
    /// `ties` overrides the evaluation's own way of breaking ties. `depth` is at least 1.
    pub fn new(depth: u32, cuts: Cuts, ties: Option<TieRule>) -> AlphaBeta<M> {
        assert!(depth > 0, "a search looks at least one ply ahead");
        AlphaBeta {
            depth,
            cuts,
            ties,
            time: None,
            budget: SearchBudget::UNLIMITED,
            stopped: false,
            moves: Vec::new(),
            rated: Vec::new(),
            nodes: 0,
            count: LevelCounter::default(),
        }
    }

    /// The same with so much time for a move, and no deeper than it says.
    #[must_use]
    pub fn within(mut self, time: Option<Duration>) -> AlphaBeta<M> {
        self.time = time;
        self
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
        window: [f64; 2],
    ) -> f64
    where
        G: Game<Move = M>,
        E: Evaluator<G>,
    {
        if depth == 1 {
            self.count.visit(self.depth, 0);
            return look.leaf(at, memo, mv);
        }
        if self.time.is_some() {
            self.stopped |= self.budget.is_spent(self.nodes);
            if self.stopped {
                return 0.0;
            }
        }
        let mut after = at.clone();
        look.game.play(&mut after, mv);
        match look.terminal_value(&Transition { at, mv, after: &after }, memo) {
            Some(value) => {
                self.count.visit(self.depth - depth + 1, 0);
                value
            }
            None => self.value(look, &after, &look.advanced(at, memo, mv), depth - 1, window),
        }
    }

    /// The value of `at`, which has not ended, looking `depth` plies ahead; `depth` is at least 1.
    fn value<G, E>(
        &mut self,
        look: SearchContext<'_, G, E>,
        at: &G::Position,
        memo: &E::Accumulator,
        depth: u32,
        window: [f64; 2],
    ) -> f64
    where
        G: Game<Move = M>,
        E: Evaluator<G>,
    {
        let SearchContext { game, view, .. } = look;
        let is_max = game.to_move(at) == view;
        let from = self.moves.len();
        game.moves(at, &mut self.moves);
        let mut node = Node { is_max, best: if is_max { f64::NEG_INFINITY } else { f64::INFINITY }, window };
        let mut n_children = 0;
        if depth == 1 {
            // Most positions are leaves: a loop of their own spares them the call.
            for &mv in &self.moves[from..] {
                if node.is_cut() {
                    break;
                }
                n_children += 1;
                node.take(look.leaf(at, memo, mv));
            }
            self.count.visit_leaves(self.depth, n_children);
        } else {
            for i in from..self.moves.len() {
                if node.is_cut() {
                    break;
                }
                n_children += 1;
                let window = node.handed_down(self.cuts);
                node.take(self.child(look, at, memo, self.moves[i], depth, window));
            }
        }
        self.nodes += n_children;
        self.count.visit(self.depth - depth, n_children);
        self.moves.truncate(from);
        node.best
    }
}

/// A position being searched: the best value so far, and the window in which values still matter.
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

    /// The window in which the values of children matter.
    #[inline(always)]
    fn handed_down(&self, cuts: Cuts) -> [f64; 2] {
        match cuts {
            Cuts::Deep => self.window,
            Cuts::Shallow if self.is_max => [self.best, f64::INFINITY],
            Cuts::Shallow => [f64::NEG_INFINITY, self.best],
        }
    }

    // Comparisons rather than `max` and `min`, which also look after NaN; no evaluation is one.
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
    /// Looks as deep as it is set to, from the root.
    fn pass<G, E>(
        &mut self,
        game: &G,
        evaluator: &E,
        at: &G::Position,
        memo: &E::Accumulator,
    ) -> SearchResult<M>
    where
        G: Game<Move = M>,
        E: Evaluator<G>,
    {
        let look = SearchContext::new(game, evaluator, at);
        let bound = match self.cuts {
            Cuts::Deep => evaluator.convention().endings.bound(),
            Cuts::Shallow => f64::INFINITY,
        };
        let ties = self.ties.unwrap_or(evaluator.convention().ties);
        self.nodes = 0;
        self.count.clear();
        self.rated.clear();
        self.moves.clear();
        game.moves(at, &mut self.moves);
        let mut window = [-bound, bound];
        let mut n_moves = 0;
        for i in 0..self.moves.len() {
            let mv = self.moves[i];
            let value = self.child(look, at, memo, mv, self.depth, window);
            n_moves += 1;
            // A value that does not beat the bound says only that the move is no better.
            if self.cuts == Cuts::Deep || value > window[0] || self.rated.is_empty() {
                self.rated.push(ScoredMove { mv, value });
            }
            if self.cuts == Cuts::Shallow && value >= window[0] {
                // Where the last of equals is played, an equal must still be told from a worse one.
                window[0] = if ties == TieRule::Last { value.next_down() } else { value };
            }
        }
        self.count.visit(0, n_moves);
        let ScoredMove { mv, value } = best(&self.rated, ties);
        SearchResult { mv, value, nodes: self.nodes, root_moves: n_moves }
    }

    /// Looks deeper and deeper while there is time.
    fn deepen<G, E>(
        &mut self,
        game: &G,
        evaluator: &E,
        at: &G::Position,
        memo: &E::Accumulator,
        time: Duration,
    ) -> SearchResult<M>
    where
        G: Game<Move = M>,
        E: Evaluator<G>,
    {
        let most = std::mem::replace(&mut self.depth, 1);
        self.stopped = false;
        let mut found = self.pass(game, evaluator, at, memo);
        let mut rated = self.rated.clone();
        let mut nodes = found.nodes;
        self.budget = SearchBudget::start(&SearchLimit { depth: most, nodes: None, time: Some(time) });
        while self.depth < most {
            self.depth += 1;
            let deeper = self.pass(game, evaluator, at, memo);
            nodes += deeper.nodes;
            // As many positions as before: there is nothing deeper.
            let is_all = deeper.nodes == found.nodes && self.depth > 2;
            if self.stopped {
                break;
            }
            rated.clone_from(&self.rated);
            found = deeper;
            if is_all {
                break;
            }
        }
        self.depth = most;
        self.rated = rated;
        SearchResult { nodes, ..found }
    }
}

impl<G: Game, E: Evaluator<G>> Search<G, E> for AlphaBeta<G::Move> {
    fn find(
        &mut self,
        game: &G,
        evaluator: &E,
        at: &G::Position,
        memo: &E::Accumulator,
    ) -> SearchResult<G::Move> {
        match self.time {
            None => self.pass(game, evaluator, at, memo),
            Some(time) => self.deepen(game, evaluator, at, memo, time),
        }
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
