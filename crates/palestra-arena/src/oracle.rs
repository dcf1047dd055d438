//! Oracles: the value of every move of a position, exact or by deep search.

use crate::build::build;
use crate::player::TurnContext;
use crate::spec::{PlayerKind, PlayerSpec};
use palestra_core::{
    EvaluationVisitor, Evaluator, FeatureSet, Game, Linear, ParametricEvaluator, Playable, Progress, Seed,
    TerminalValue, WIN,
};
use palestra_search::SearchSpec;
use palestra_search::exact::{Solver, Unsolved, solver};
use std::io;

/// Knows the values of the moves of one position, for the side that makes them.
pub trait Oracle: Send {
    /// Whether its values are exact, not estimates of a search.
    fn is_exact(&self) -> bool;

    /// Whether the values can be expected within minutes.
    fn in_reach(&self) -> bool;

    /// The value of the position for the side to move.
    fn value(&mut self, progress: &Progress) -> Result<f64, Unsolved>;

    /// The value of legal move `i`, for the side that makes it.
    fn move_value(&mut self, i: usize, progress: &Progress) -> Result<f64, Unsolved>;

    /// The principal variation that starts with legal move `i`.
    fn pv(&mut self, i: usize, progress: &Progress) -> Result<Vec<String>, Unsolved>;

    /// Writes the table of known values, for [`Oracle::load`].
    fn save(&self, out: &mut dyn io::Write) -> io::Result<()>;

    /// Reads a table that [`Oracle::save`] wrote.
    fn load(&mut self, from: &mut dyn io::Read) -> io::Result<()>;
}

/// Exact values, by solving the game.
pub(crate) struct ExactOracle<G: Playable> {
    game: G,
    at: G::Position,
    moves: Vec<G::Move>,
    solver: Box<dyn Solver<G>>,
}

impl<G: Playable> ExactOracle<G> {
    /// `bytes` is the size of the solver's table. `None` for a game without a solver.
    pub(crate) fn new(game: &G, at: &G::Position, bytes: usize, n_threads: usize) -> Option<ExactOracle<G>> {
        let solver = solver(game, bytes, n_threads)?;
        let at = game.unclocked(at).into_owned();
        let mut moves = Vec::new();
        game.moves(&at, &mut moves);
        Some(ExactOracle { game: game.clone(), at, moves, solver })
    }

    fn after(&self, at: &G::Position, mv: G::Move) -> G::Position {
        let mut after = at.clone();
        self.game.play(&mut after, mv);
        after
    }

    /// The first move, in the game's order, that keeps a position's value.
    fn best(
        &mut self,
        at: &G::Position,
        value: i32,
        progress: &Progress,
    ) -> Result<Option<G::Move>, Unsolved> {
        let mut moves = Vec::new();
        self.game.moves(at, &mut moves);
        first_optimal_move(&self.game, &mut *self.solver, at, &moves, value, progress)
    }
}

/// The value of a move for the side that makes it.
pub(crate) fn exact_move_value<G: Playable>(
    game: &G,
    solver: &mut dyn Solver<G>,
    at: &G::Position,
    mv: G::Move,
    progress: &Progress,
) -> Result<f64, Unsolved> {
    let mut after = at.clone();
    game.play(&mut after, mv);
    let value = solver.value(game, &after, progress)?;
    let again = game.to_move(&after) == game.to_move(at);
    Ok(f64::from(solver.backed_up(value, again)))
}

/// The first of the moves that keeps a position's value; `None` if there are none.
pub(crate) fn first_optimal_move<G: Playable>(
    game: &G,
    solver: &mut dyn Solver<G>,
    at: &G::Position,
    moves: &[G::Move],
    value: i32,
    progress: &Progress,
) -> Result<Option<G::Move>, Unsolved> {
    for &mv in moves {
        let mut after = at.clone();
        game.play(&mut after, mv);
        let again = game.to_move(&after) == game.to_move(at);
        // The move keeps the value unless the position after it has a lower value for this side.
        let bound = solver.needed(value, again);
        let reaches = solver.reaches(game, &after, bound, progress)?;
        if reaches == again {
            return Ok(Some(mv));
        }
    }
    Ok(None)
}

/// Maximum length of a principal variation, in moves.
const MAX_PV_LENGTH: usize = 100;

impl<G: Playable> Oracle for ExactOracle<G> {
    fn is_exact(&self) -> bool {
        true
    }

    fn in_reach(&self) -> bool {
        self.solver.in_reach(&self.game, &self.at)
    }

    fn value(&mut self, progress: &Progress) -> Result<f64, Unsolved> {
        self.solver.value(&self.game, &self.at, progress).map(f64::from)
    }

    fn move_value(&mut self, i: usize, progress: &Progress) -> Result<f64, Unsolved> {
        exact_move_value(&self.game, &mut *self.solver, &self.at, self.moves[i], progress)
    }

    fn pv(&mut self, i: usize, progress: &Progress) -> Result<Vec<String>, Unsolved> {
        let mut next = Some(self.moves[i]);
        let mut at = self.at.clone();
        let mut pv = Vec::new();
        while let Some(mv) = next
            && pv.len() < MAX_PV_LENGTH
        {
            pv.push(mv.to_string());
            at = self.after(&at, mv);
            let value = self.solver.value(&self.game, &at, progress)?;
            next = self.best(&at, value, progress)?;
        }
        Ok(pv)
    }

    fn save(&self, out: &mut dyn io::Write) -> io::Result<()> {
        self.solver.save(out)
    }

    fn load(&mut self, from: &mut dyn io::Read) -> io::Result<()> {
        self.solver.load(from)
    }
}

/// Estimated values, by a deep search of the position after each move, in the unit of an evaluation.
pub(crate) struct DeepOracle<G: Playable> {
    game: G,
    at: G::Position,
    moves: Vec<G::Move>,
    spec: PlayerSpec,
    /// Value of a won game in the search; `None` where ended positions are evaluated like any other.
    win: Option<f64>,
    /// Value and principal variation of each move that was searched.
    results: Vec<Option<(f64, Vec<String>)>>,
}

impl<G: Playable> DeepOracle<G> {
    /// Searches `nodes` positions per move, with the evaluation and weights of `player`.
    pub(crate) fn new(game: &G, at: &G::Position, player: PlayerSpec, nodes: u64) -> DeepOracle<G> {
        let search = SearchSpec::pvs_nodes(nodes);
        let kind = match player.kind {
            PlayerKind::Search { evaluation, weights, .. } => {
                PlayerKind::Search { search, evaluation, weights }
            }
            other => other,
        };
        let mut moves = Vec::new();
        game.moves(at, &mut moves);
        let results = vec![None; moves.len()];
        let (win, _) = win_and_value(game, at, &kind);
        DeepOracle {
            game: game.clone(),
            at: at.clone(),
            moves,
            spec: PlayerSpec { name: None, kind },
            win,
            results,
        }
    }

    /// Searches the position after legal move `i`.
    fn search(&self, i: usize, progress: &Progress) -> (f64, Vec<String>) {
        let side = self.game.to_move(&self.at);
        let mut after = self.at.clone();
        self.game.play(&mut after, self.moves[i]);
        let mut pv = vec![self.moves[i].to_string()];
        if let Some(ending) = self.game.ending(&after) {
            let value = match self.win {
                Some(_) => ending.value(WIN, side),
                None => {
                    let (_, value) = win_and_value(&self.game, &after, &self.spec.kind);
                    if self.game.to_move(&after) == side { value } else { -value }
                }
            };
            return (value, pv);
        }
        let mut moves = Vec::new();
        self.game.moves(&after, &mut moves);
        let mut player = build(&self.game, &self.spec);
        player.begin(&self.game, &after);
        let choice =
            player.choose(&TurnContext { game: &self.game, at: &after, moves: &moves, seed: Seed(0) });
        progress.add(choice.nodes + choice.root_moves);
        match player.report() {
            Some(report) => pv.extend(report.pv.iter().map(ToString::to_string)),
            None => pv.push(choice.mv.to_string()),
        }
        // Evaluations have different values for a won game; all become `WIN`.
        let value = match choice.value.unwrap_or_default() {
            value if self.win.is_some_and(|win| value.abs() >= win) => WIN.copysign(value),
            value => value,
        };
        (if self.game.to_move(&after) == side { value } else { -value }, pv)
    }

    /// The result for legal move `i`, searched on first use.
    fn result(&mut self, i: usize, progress: &Progress) -> Result<&(f64, Vec<String>), Unsolved> {
        if progress.is_stopped() {
            return Err(Unsolved::Stopped);
        }
        if self.results[i].is_none() {
            let found = self.search(i, progress);
            if progress.is_stopped() {
                return Err(Unsolved::Stopped);
            }
            self.results[i] = Some(found);
        }
        Ok(self.results[i].as_ref().expect("just searched"))
    }
}

/// A player's value of a won game (`None` where ended positions are evaluated) and its evaluation of `at` for the side
/// to move.
fn win_and_value<G: Playable>(game: &G, at: &G::Position, kind: &PlayerKind) -> (Option<f64>, f64) {
    let PlayerKind::Search { evaluation, weights, .. } = kind else {
        return (Some(WIN), 0.0);
    };
    game.evaluation(evaluation, ReadWinAndValue { game, at, weights }).unwrap_or((Some(WIN), 0.0))
}

struct ReadWinAndValue<'a, G: Game> {
    game: &'a G,
    at: &'a G::Position,
    weights: &'a [f64],
}

impl<G: Game> ReadWinAndValue<'_, G> {
    fn by<E: Evaluator<G>>(&self, evaluator: &E) -> (Option<f64>, f64) {
        let win = match evaluator.convention().endings {
            TerminalValue::Always(win) | TerminalValue::SearchOnly(win) => Some(win),
            TerminalValue::AsEvaluated => None,
        };
        let accumulator = evaluator.begin(self.game, self.at);
        (win, evaluator.value(self.game, self.at, &accumulator, self.game.to_move(self.at)))
    }
}

impl<G: Game> EvaluationVisitor<G> for ReadWinAndValue<'_, G> {
    type Out = (Option<f64>, f64);

    fn linear<F: FeatureSet<G> + 'static>(self, set: F) -> Self::Out {
        self.by(&Linear::new(set, self.weights))
    }

    fn other<T: ParametricEvaluator<G>>(self, template: T) -> Self::Out {
        self.by(&template.build(self.weights).expect("the spec was parsed with these weights"))
    }
}

impl<G: Playable> Oracle for DeepOracle<G> {
    fn is_exact(&self) -> bool {
        false
    }

    fn in_reach(&self) -> bool {
        true
    }

    fn value(&mut self, progress: &Progress) -> Result<f64, Unsolved> {
        let values = (0..self.moves.len()).map(|i| self.move_value(i, progress));
        values.collect::<Result<Vec<f64>, _>>().map(|values| values.into_iter().fold(f64::MIN, f64::max))
    }

    fn move_value(&mut self, i: usize, progress: &Progress) -> Result<f64, Unsolved> {
        self.result(i, progress).map(|result| result.0)
    }

    fn pv(&mut self, i: usize, progress: &Progress) -> Result<Vec<String>, Unsolved> {
        self.result(i, progress).map(|result| result.1.clone())
    }

    /// Saves nothing: the values are quickly computed again.
    fn save(&self, _out: &mut dyn io::Write) -> io::Result<()> {
        Ok(())
    }

    fn load(&mut self, _from: &mut dyn io::Read) -> io::Result<()> {
        Ok(())
    }
}
