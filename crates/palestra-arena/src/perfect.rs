//! The perfect player.

use crate::oracle::first_optimal_move;
use crate::player::{MoveChoice, Player, TurnContext};
use palestra_core::Playable;
use palestra_search::exact::{Solver, SolverProgress, Unsolved, solver};
use palestra_search::{ScoredMove, SearchReport};

/// Plays the first move that keeps the exact value of the position; as another player does while that is out of
/// reach.
pub(crate) struct PerfectPlayer<G: Playable> {
    solver: Box<dyn Solver<G>>,
    before: Box<dyn Player<G>>,
    /// The last choice, if it was exact.
    last: Option<ScoredMove<G::Move>>,
}

impl<G: Playable> PerfectPlayer<G> {
    /// `None` where nobody has written down how this game is solved.
    pub(crate) fn new(game: &G, bytes: usize, before: Box<dyn Player<G>>) -> Option<PerfectPlayer<G>> {
        Some(PerfectPlayer { solver: solver(game, bytes, 1)?, before, last: None })
    }

    fn solve(&mut self, turn: &TurnContext<'_, G>) -> Result<MoveChoice<G::Move>, Unsolved> {
        let TurnContext { game, at, moves, .. } = *turn;
        let at = game.unclocked(at);
        if !self.solver.in_reach(game, &at) {
            return Err(Unsolved::TooLarge);
        }
        let course = SolverProgress::default();
        let value = self.solver.value(game, &at, &course)?;
        let best = first_optimal_move(game, &mut *self.solver, &at, moves, value, &course)?;
        let mv = best.expect("a position that has not ended has a best move");
        Ok(MoveChoice {
            mv,
            value: Some(f64::from(value)),
            nodes: course.nodes(),
            root_moves: moves.len() as u64,
        })
    }
}

impl<G: Playable> Player<G> for PerfectPlayer<G> {
    fn begin(&mut self, game: &G, at: &G::Position) {
        self.before.begin(game, at);
    }

    fn observe(&mut self, game: &G, at: &G::Position, mv: G::Move) {
        self.before.observe(game, at, mv);
    }

    fn choose(&mut self, turn: &TurnContext<'_, G>) -> MoveChoice<G::Move> {
        let solved = self.solve(turn);
        self.last =
            solved.as_ref().ok().and_then(|choice| Some(ScoredMove { mv: choice.mv, value: choice.value? }));
        solved.unwrap_or_else(|_| self.before.choose(turn))
    }

    fn is_stochastic(&self) -> bool {
        self.before.is_stochastic()
    }

    /// It knows the value of the move that it found; of the others only that none before it keeps that value.
    fn scored_moves(&self) -> Vec<ScoredMove<G::Move>> {
        self.last.map_or_else(|| self.before.scored_moves(), |rated| vec![rated])
    }

    fn report(&self) -> Option<SearchReport<G::Move>> {
        if self.last.is_some() { None } else { self.before.report() }
    }
}
