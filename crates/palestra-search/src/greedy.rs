//! Greedy search: one ply, the child with the best evaluation.

use crate::search::{ScoredMove, Search, SearchResult, best_index};
use crate::spec::{GivenParameters, ParameterWriter, SearchCost, SearchInfo, SearchParameters, TIES};
use palestra_core::{ChildBuffers, Evaluator, Game, InputError, TerminalValue, TieRule};

/// Chooses the move to the position with the best evaluation.
#[derive(Clone, Debug)]
pub struct Greedy<M> {
    ties: Option<TieRule>,
    moves: Vec<M>,
    children: ChildBuffers,
}

impl<M> Greedy<M> {
    /// `ties` overrides the evaluation's tie rule.
    pub fn new(ties: Option<TieRule>) -> Greedy<M> {
        Greedy { ties, moves: Vec::new(), children: ChildBuffers::default() }
    }

    /// Replaces the values of moves that end the game by the value of the ending.
    fn score_terminals<G: Game<Move = M>>(&mut self, game: &G, at: &G::Position, win: f64)
    where
        M: Copy,
    {
        let view = game.to_move(at);
        for (value, &mv) in self.children.values.iter_mut().zip(&self.moves) {
            let mut after = at.clone();
            game.play(&mut after, mv);
            if let Some(ending) = game.ending(&after) {
                *value = ending.value(win, view);
            }
        }
    }
}

impl<G: Game, E: Evaluator<G>> Search<G, E> for Greedy<G::Move> {
    #[inline]
    fn find(
        &mut self,
        game: &G,
        evaluator: &E,
        at: &G::Position,
        accumulator: &E::Accumulator,
    ) -> SearchResult<G::Move> {
        self.moves.clear();
        game.moves(at, &mut self.moves);
        evaluator.child_values(game, at, accumulator, game.to_move(at), &self.moves, &mut self.children);
        let convention = evaluator.convention();
        if let TerminalValue::Always(win) = convention.endings {
            self.score_terminals(game, at, win);
        }
        let ties = self.ties.unwrap_or(convention.ties);
        let best = best_index(&self.children.values, ties);
        let (mv, value) = (self.moves[best], self.children.values[best]);
        SearchResult { mv, value, nodes: 0, root_moves: self.moves.len() as u64 }
    }

    fn scored_moves(&self) -> Vec<ScoredMove<G::Move>> {
        self.moves.iter().zip(&self.children.values).map(|(&mv, &value)| ScoredMove { mv, value }).collect()
    }
}

/// Parameters of [`Greedy`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GreedySpec {
    /// Overrides the evaluation's tie rule.
    pub ties: Option<TieRule>,
}

impl SearchParameters for GreedySpec {
    const INFO: SearchInfo = SearchInfo {
        name: "greedy",
        about: "plays the move to the position with the best evaluation, one ply deep",
        parameters: &[TIES],
    };

    fn read(given: &GivenParameters<'_>) -> Result<GreedySpec, InputError> {
        Ok(GreedySpec { ties: given.ties()? })
    }

    fn write(&self, out: &mut ParameterWriter) {
        out.add_ties(self.ties);
    }

    fn open<G: Game, E: Evaluator<G>>(&self) -> Box<dyn Search<G, E>> {
        Box::new(Greedy::new(self.ties))
    }

    fn cost(&self, n_moves: f64) -> SearchCost {
        SearchCost::plain(n_moves, None)
    }

    fn is_function_of_position(&self) -> bool {
        true
    }

    fn ties(&self) -> Option<TieRule> {
        self.ties
    }
}
