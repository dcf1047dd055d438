//! Plain alpha-beta, as the Connect-4 study ran it: fixed depth, the game's move order, no table.
//!
//! Every root move is searched with the full window from a lost to a won game. Below, values are fail-soft
//! and the cut is tested before each child. It chooses what minimax chooses and looks at fewer positions.

use crate::minimax::Look;
use crate::search::{Found, Rated, Search, best};
use palestra_core::{Evaluator, Game, Ties};

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

    fn value<G, E>(
        &mut self,
        look: Look<'_, G, E>,
        at: &G::Position,
        memo: &E::Memo,
        depth: u32,
        mut alpha: f64,
        mut beta: f64,
    ) -> f64
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
            if alpha >= beta {
                break;
            }
            let (after, memo) = look.child(at, memo, self.moves[i]);
            self.nodes += 1;
            let value = self.value(look, &after, &memo, depth - 1, alpha, beta);
            if is_max {
                best = best.max(value);
                alpha = alpha.max(value);
            } else {
                best = best.min(value);
                beta = beta.min(value);
            }
        }
        self.moves.truncate(from);
        best
    }
}

impl<G: Game, E: Evaluator<G>> Search<G, E> for AlphaBeta<G::Move> {
    fn find(&mut self, game: &G, evaluator: &E, at: &G::Position, memo: &E::Memo) -> Found<G::Move> {
        let look = Look { game, evaluator, view: game.to_move(at) };
        let win = evaluator.convention().win;
        self.nodes = 0;
        self.rated.clear();
        self.moves.clear();
        game.moves(at, &mut self.moves);
        for i in 0..self.moves.len() {
            let mv = self.moves[i];
            let (after, memo) = look.child(at, memo, mv);
            let value = self.value(look, &after, &memo, self.depth - 1, -win, win);
            self.rated.push(Rated { mv, value });
        }
        let Rated { mv, value } = best(&self.rated, self.ties.unwrap_or(evaluator.convention().ties));
        Found { mv, value, nodes: self.nodes, root_moves: self.rated.len() as u64 }
    }

    fn rated(&self) -> &[Rated<G::Move>] {
        &self.rated
    }
}
