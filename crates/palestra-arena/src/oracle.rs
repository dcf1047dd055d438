//! What every move of a position is worth, exactly or by a deep look.

use crate::build::build;
use crate::player::TurnContext;
use crate::spec::{PlayerKind, PlayerSpec};
use palestra_core::{
    EvaluationVisitor, Evaluator, FeatureSet, Game, Linear, ParametricEvaluator, Playable, Seed,
    TerminalValue, WIN,
};
use palestra_search::SearchSpec;
use palestra_search::exact::{Solver, SolverProgress, Unsolved, solver};
use std::io;

/// Someone who knows what the moves of one position are worth to the side that makes them.
pub trait Oracle: Send {
    /// Whether its values are exact, and not just what a search thinks.
    fn is_exact(&self) -> bool;

    /// Whether the values are a matter of minutes rather than days.
    fn in_reach(&self) -> bool;

    /// What the position is worth to the side to move.
    fn value(&mut self, course: &SolverProgress) -> Result<f64, Unsolved>;

    /// What the legal move of this number is worth.
    fn move_value(&mut self, i: usize, course: &SolverProgress) -> Result<f64, Unsolved>;

    /// The moves it expects after the legal move of this number, that one first.
    fn pv(&mut self, i: usize, course: &SolverProgress) -> Result<Vec<String>, Unsolved>;

    /// Writes down what it knows, for another to go on from.
    fn save(&self, out: &mut dyn io::Write) -> io::Result<()>;

    /// Learns what another wrote down.
    fn load(&mut self, from: &mut dyn io::Read) -> io::Result<()>;
}

/// By solving the game.
pub(crate) struct ExactOracle<G: Playable> {
    game: G,
    at: G::Position,
    moves: Vec<G::Move>,
    solver: Box<dyn Solver<G>>,
}

impl<G: Playable> ExactOracle<G> {
    /// `None` where nobody has written down how this game is solved.
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
        course: &SolverProgress,
    ) -> Result<Option<G::Move>, Unsolved> {
        let mut moves = Vec::new();
        self.game.moves(at, &mut moves);
        first_optimal_move(&self.game, &mut *self.solver, at, &moves, value, course)
    }
}

/// What a move is worth to the side that makes it.
pub(crate) fn exact_move_value<G: Playable>(
    game: &G,
    solver: &mut dyn Solver<G>,
    at: &G::Position,
    mv: G::Move,
    course: &SolverProgress,
) -> Result<f64, Unsolved> {
    let mut after = at.clone();
    game.play(&mut after, mv);
    let value = solver.value(game, &after, course)?;
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
    course: &SolverProgress,
) -> Result<Option<G::Move>, Unsolved> {
    for &mv in moves {
        let mut after = at.clone();
        game.play(&mut after, mv);
        let again = game.to_move(&after) == game.to_move(at);
        // The move keeps the value unless what follows is worth less to this side.
        let bound = solver.needed(value, again);
        let reaches = solver.reaches(game, &after, bound, course)?;
        if reaches == again {
            return Ok(Some(mv));
        }
    }
    Ok(None)
}

/// Lines are cut after so many moves.
const LONGEST_LINE: usize = 100;

impl<G: Playable> Oracle for ExactOracle<G> {
    fn is_exact(&self) -> bool {
        true
    }

    fn in_reach(&self) -> bool {
        self.solver.in_reach(&self.game, &self.at)
    }

    fn value(&mut self, course: &SolverProgress) -> Result<f64, Unsolved> {
        self.solver.value(&self.game, &self.at, course).map(f64::from)
    }

    fn move_value(&mut self, i: usize, course: &SolverProgress) -> Result<f64, Unsolved> {
        exact_move_value(&self.game, &mut *self.solver, &self.at, self.moves[i], course)
    }

    fn pv(&mut self, i: usize, course: &SolverProgress) -> Result<Vec<String>, Unsolved> {
        let mut next = Some(self.moves[i]);
        let mut at = self.at.clone();
        let mut line = Vec::new();
        while let Some(mv) = next
            && line.len() < LONGEST_LINE
        {
            line.push(mv.to_string());
            at = self.after(&at, mv);
            let value = self.solver.value(&self.game, &at, course)?;
            next = self.best(&at, value, course)?;
        }
        Ok(line)
    }

    fn save(&self, out: &mut dyn io::Write) -> io::Result<()> {
        self.solver.save(out)
    }

    fn load(&mut self, from: &mut dyn io::Read) -> io::Result<()> {
        self.solver.load(from)
    }
}

/// By a deep look at the position after each move. Values are in the units of an evaluation.
pub(crate) struct DeepOracle<G: Playable> {
    game: G,
    at: G::Position,
    moves: Vec<G::Move>,
    spec: PlayerSpec,
    /// What its search makes of a won game; `None` where the finished board is evaluated like any other.
    win: Option<f64>,
    /// Value and line of each move, once looked at.
    found: Vec<Option<(f64, Vec<String>)>>,
}

impl<G: Playable> DeepOracle<G> {
    /// With the evaluation and weights of a player, and so many positions a move.
    pub(crate) fn new(game: &G, at: &G::Position, player: PlayerSpec, nodes: u64) -> DeepOracle<G> {
        let search = format!("ab:nodes={nodes}");
        let search = SearchSpec::parse(&search, &search).expect("a search everybody has");
        let kind = match player.kind {
            PlayerKind::Search { evaluation, weights, .. } => {
                PlayerKind::Search { search, evaluation, weights }
            }
            other => other,
        };
        let mut moves = Vec::new();
        game.moves(at, &mut moves);
        let found = vec![None; moves.len()];
        let (win, _) = evaluated(game, at, &kind);
        DeepOracle {
            game: game.clone(),
            at: at.clone(),
            moves,
            spec: PlayerSpec { name: None, kind },
            win,
            found,
        }
    }

    fn look(&self, i: usize, course: &SolverProgress) -> (f64, Vec<String>) {
        let side = self.game.to_move(&self.at);
        let mut after = self.at.clone();
        self.game.play(&mut after, self.moves[i]);
        let mut line = vec![self.moves[i].to_string()];
        if let Some(ending) = self.game.ending(&after) {
            let value = match self.win {
                Some(_) => ending.value(WIN, side),
                None if self.game.to_move(&after) == side => evaluated(&self.game, &after, &self.spec.kind).1,
                None => -evaluated(&self.game, &after, &self.spec.kind).1,
            };
            return (value, line);
        }
        let mut moves = Vec::new();
        self.game.moves(&after, &mut moves);
        let mut player = build(&self.game, &self.spec);
        player.begin(&self.game, &after);
        let choice =
            player.choose(&TurnContext { game: &self.game, at: &after, moves: &moves, seed: Seed(0) });
        course.add_nodes(choice.nodes + choice.root_moves);
        match player.report() {
            Some(report) => line.extend(report.pv.iter().map(ToString::to_string)),
            None => line.push(choice.mv.to_string()),
        }
        // A win is a win, whatever its evaluation calls it.
        let value = match choice.value.unwrap_or_default() {
            value if self.win.is_some_and(|win| value.abs() >= win) => WIN.copysign(value),
            value => value,
        };
        (if self.game.to_move(&after) == side { value } else { -value }, line)
    }

    fn found(&mut self, i: usize, course: &SolverProgress) -> Result<&(f64, Vec<String>), Unsolved> {
        if course.is_stopped() {
            return Err(Unsolved::Stopped);
        }
        if self.found[i].is_none() {
            self.found[i] = Some(self.look(i, course));
        }
        Ok(self.found[i].as_ref().expect("just found"))
    }
}

/// What a player's evaluation makes of a won game, unless of its board, and of a position for the side to move.
fn evaluated<G: Playable>(game: &G, at: &G::Position, kind: &PlayerKind) -> (Option<f64>, f64) {
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
        let memo = evaluator.begin(self.game, self.at);
        (win, evaluator.value(self.game, self.at, &memo, self.game.to_move(self.at)))
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

    fn value(&mut self, course: &SolverProgress) -> Result<f64, Unsolved> {
        let values = (0..self.moves.len()).map(|i| self.move_value(i, course));
        values.collect::<Result<Vec<f64>, _>>().map(|values| values.into_iter().fold(f64::MIN, f64::max))
    }

    fn move_value(&mut self, i: usize, course: &SolverProgress) -> Result<f64, Unsolved> {
        self.found(i, course).map(|found| found.0)
    }

    fn pv(&mut self, i: usize, course: &SolverProgress) -> Result<Vec<String>, Unsolved> {
        self.found(i, course).map(|found| found.1.clone())
    }

    /// What it finds is quickly found again.
    fn save(&self, _out: &mut dyn io::Write) -> io::Result<()> {
        Ok(())
    }

    fn load(&mut self, _from: &mut dyn io::Read) -> io::Result<()> {
        Ok(())
    }
}
