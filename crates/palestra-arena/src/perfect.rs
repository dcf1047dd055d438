//! The player `perfect`, which plays by exact values.

use crate::oracle::first_optimal_move;
use crate::player::{MoveChoice, Player, TurnContext};
use palestra_core::{Playable, Progress};
use palestra_search::exact::{Solver, Unsolved, solver};
use palestra_search::{ScoredMove, SearchReport, cancel_flag};

/// Plays the first move that keeps the exact value of the position; lets `fallback` choose where the position cannot
/// be solved.
pub(crate) struct PerfectPlayer<G: Playable> {
    solver: Box<dyn Solver<G>>,
    fallback: Box<dyn Player<G>>,
    /// The last choice, if it was exact.
    last: Option<ScoredMove<G::Move>>,
}

impl<G: Playable> PerfectPlayer<G> {
    /// `bytes` is the size of the solver's table. `None` for a game without a solver.
    pub(crate) fn new(game: &G, bytes: usize, fallback: Box<dyn Player<G>>) -> Option<PerfectPlayer<G>> {
        Some(PerfectPlayer { solver: solver(game, bytes, 1)?, fallback, last: None })
    }

    fn solve(&mut self, turn: &TurnContext<'_, G>) -> Result<MoveChoice<G::Move>, Unsolved> {
        let TurnContext { game, at, moves, .. } = *turn;
        let at = game.unclocked(at);
        if !self.solver.in_reach(game, &at) {
            return Err(Unsolved::TooLarge);
        }
        let progress = Progress::new(cancel_flag());
        let value = self.solver.value(game, &at, &progress)?;
        let best = first_optimal_move(game, &mut *self.solver, &at, moves, value, &progress)?;
        let mv = best.expect("a position that has not ended has a best move");
        Ok(MoveChoice {
            mv,
            value: Some(f64::from(value)),
            nodes: progress.done(),
            root_moves: moves.len() as u64,
        })
    }
}

impl<G: Playable> Player<G> for PerfectPlayer<G> {
    fn begin(&mut self, game: &G, at: &G::Position) {
        self.fallback.begin(game, at);
    }

    fn observe(&mut self, game: &G, at: &G::Position, mv: G::Move) {
        self.fallback.observe(game, at, mv);
    }

    fn choose(&mut self, turn: &TurnContext<'_, G>) -> MoveChoice<G::Move> {
        let solved = self.solve(turn);
        self.last =
            solved.as_ref().ok().and_then(|choice| Some(ScoredMove { mv: choice.mv, value: choice.value? }));
        solved.unwrap_or_else(|_| self.fallback.choose(turn))
    }

    fn is_stochastic(&self) -> bool {
        self.fallback.is_stochastic()
    }

    /// Only the chosen move has a known value; the moves before it are known to be worse, the later ones are not
    /// searched.
    fn scored_moves(&self) -> Vec<ScoredMove<G::Move>> {
        self.last.map_or_else(|| self.fallback.scored_moves(), |scored| vec![scored])
    }

    fn report(&self) -> Option<SearchReport<G::Move>> {
        if self.last.is_some() { None } else { self.fallback.report() }
    }
}
