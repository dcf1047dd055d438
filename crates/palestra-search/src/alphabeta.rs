//! Plain alpha-beta, as the Connect-4 study ran it: fixed depth, the game's move order, no table.
//!
//! Every root move is searched with the full window from a lost to a won game. Below, values are fail-soft
//! and the cut is tested before each child. It chooses what minimax chooses and looks at fewer positions, as
//! long as no evaluation goes beyond the value of a won game; the study did not clamp them, and neither do we.

use crate::minimax::Look;
use crate::search::{Found, Rated, Search, best};
use palestra_core::{Evaluator, Game, Step, Ties};

/// Looks `depth` plies ahead, the root move included, and leaves out what cannot matter.
#[derive(Clone, Debug)]
pub struct AlphaBeta<M> {
    depth: u32,
    ties: Option<Ties>,
    /// One stack for the moves of the whole line.
    moves: Vec<M>,
    rated: Vec<Rated<M>>,
    nodes: u64,
}

impl<M: Copy> AlphaBeta<M> {
    /// `ties` overrides the evaluation's own way of breaking ties. `depth` is at least 1.
    pub fn new(depth: u32, ties: Option<Ties>) -> AlphaBeta<M> {
        assert!(depth > 0, "a search looks at least one ply ahead");
        AlphaBeta { depth, ties, moves: Vec::new(), rated: Vec::new(), nodes: 0 }
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
        window: [f64; 2],
    ) -> f64
    where
        G: Game<Move = M>,
        E: Evaluator<G>,
    {
        if depth == 1 {
            return look.leaf(at, memo, mv);
        }
        let mut after = at.clone();
        look.game.play(&mut after, mv);
        match look.ended(&Step { at, mv, after: &after }, memo) {
            Some(value) => value,
            None => self.value(look, &after, &look.advanced(at, memo, mv), depth - 1, window),
        }
    }

    /// The value of `at`, which has not ended, looking `depth` plies ahead; `depth` is at least 1.
    fn value<G, E>(
        &mut self,
        look: Look<'_, G, E>,
        at: &G::Position,
        memo: &E::Memo,
        depth: u32,
        window: [f64; 2],
    ) -> f64
    where
        G: Game<Move = M>,
        E: Evaluator<G>,
    {
        let Look { game, view, .. } = look;
        let is_max = game.to_move(at) == view;
        let from = self.moves.len();
        game.moves(at, &mut self.moves);
        let mut node = Node { is_max, best: if is_max { f64::NEG_INFINITY } else { f64::INFINITY }, window };
        if depth == 1 {
            // Most positions are leaves: a loop of their own spares them the call.
            let mut n_leaves = 0;
            for &mv in &self.moves[from..] {
                if node.is_cut() {
                    break;
                }
                n_leaves += 1;
                node.take(look.leaf(at, memo, mv));
            }
            self.nodes += n_leaves;
        } else {
            for i in from..self.moves.len() {
                if node.is_cut() {
                    break;
                }
                self.nodes += 1;
                node.take(self.child(look, at, memo, self.moves[i], depth, node.window));
            }
        }
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

impl<G: Game, E: Evaluator<G>> Search<G, E> for AlphaBeta<G::Move> {
    fn find(&mut self, game: &G, evaluator: &E, at: &G::Position, memo: &E::Memo) -> Found<G::Move> {
        let look = Look { game, evaluator, view: game.to_move(at) };
        let win = evaluator.convention().endings.bound();
        self.nodes = 0;
        self.rated.clear();
        self.moves.clear();
        game.moves(at, &mut self.moves);
        for i in 0..self.moves.len() {
            let mv = self.moves[i];
            let value = self.child(look, at, memo, mv, self.depth, [-win, win]);
            self.rated.push(Rated { mv, value });
        }
        let Rated { mv, value } = best(&self.rated, self.ties.unwrap_or(evaluator.convention().ties));
        Found { mv, value, nodes: self.nodes, root_moves: self.rated.len() as u64 }
    }

    fn rated(&self) -> Vec<Rated<G::Move>> {
        self.rated.clone()
    }
}
