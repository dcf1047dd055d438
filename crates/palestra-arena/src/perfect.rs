//! The perfect player.

use crate::judge::keeping;
use crate::player::{Choice, Player, Turn};
use palestra_core::Playable;
use palestra_search::exact::{SolverProgress, Solver, Unsolved, solver};
use palestra_search::{ScoredMove, SearchReport};

/// Plays the first move that keeps the exact value of the position; as another player does while that is out of
/// reach.
pub(crate) struct Perfect<G: Playable> {
    solver: Box<dyn Solver<G>>,
    before: Box<dyn Player<G>>,
    /// The last choice, if it was exact.
    last: Option<ScoredMove<G::Move>>,
}

impl<G: Playable> Perfect<G> {
    /// `None` where nobody has written down how this game is solved.
    pub(crate) fn new(game: &G, bytes: usize, before: Box<dyn Player<G>>) -> Option<Perfect<G>> {
        Some(Perfect { solver: solver(game, bytes, 1)?, before, last: None })
    }

    fn solve(&mut self, turn: &Turn<'_, G>) -> Result<Choice<G::Move>, Unsolved> {
        let Turn { game, at, moves, .. } = *turn;
        let at = game.unclocked(at);
        if !self.solver.in_reach(game, &at) {
            return Err(Unsolved::TooLarge);
        }
        let course = SolverProgress::default();
        let value = self.solver.value(game, &at, &course)?;
        let best = keeping(game, &mut *self.solver, &at, moves, value, &course)?;
        let mv = best.expect("a position that has not ended has a best move");
        Ok(Choice {
            mv,
            value: Some(f64::from(value)),
            nodes: course.nodes(),
            root_moves: moves.len() as u64,
        })
    }
}

impl<G: Playable> Player<G> for Perfect<G> {
    fn begin(&mut self, game: &G, at: &G::Position) {
        self.before.begin(game, at);
    }

    fn observe(&mut self, game: &G, at: &G::Position, mv: G::Move) {
        self.before.observe(game, at, mv);
    }

    fn choose(&mut self, turn: &Turn<'_, G>) -> Choice<G::Move> {
        let solved = self.solve(turn);
        self.last =
            solved.as_ref().ok().and_then(|choice| Some(ScoredMove { mv: choice.mv, value: choice.value? }));
        solved.unwrap_or_else(|_| self.before.choose(turn))
    }

    fn has_dice(&self) -> bool {
        self.before.has_dice()
    }

    /// It knows the value of the move that it found; of the others only that none before it keeps that value.
    fn rated(&self) -> Vec<ScoredMove<G::Move>> {
        self.last.map_or_else(|| self.before.rated(), |rated| vec![rated])
    }

    fn report(&self) -> Option<SearchReport<G::Move>> {
        if self.last.is_some() { None } else { self.before.report() }
    }
}
