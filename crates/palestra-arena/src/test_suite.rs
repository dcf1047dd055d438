//! Positions with what every move is worth, for players to be asked at.

use crate::build::build;
use crate::matches::ProgressMonitor;
use crate::oracle::{DeepOracle, Oracle, exact_move_value};
use crate::player::TurnContext;
use crate::spec::{PlayerKind, PlayerSpec};
use palestra_core::{FamilyInfo, InputError, Playable, Rng, Seed};
use palestra_search::SearchSpec;
use palestra_search::exact::{Solver, SolverProgress, solver};
use rand::RngExt;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::sync::{Mutex, PoisonError};

/// Which positions.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TestSuitePlan {
    /// How many.
    pub n_positions: u32,
    /// Positions and dice come from here.
    pub seed: u64,
    /// Positions are left out that take the exact search more nodes than this.
    pub exact_nodes: u64,
    /// Nodes a move where values can not be exact.
    pub deep_nodes: u64,
    /// Positions are taken from this ply on: the late ones of a game.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub from_ply: u32,
}

/// Plans that ask for all positions are written as they were before there was a choice.
fn is_zero(ply: &u32) -> bool {
    *ply == 0
}

/// Positions that are already judged; any number of players can be asked.
pub trait TestSuite: Send + Sync {
    /// Whether moves were judged exactly.
    fn is_exact(&self) -> bool;

    /// How many positions there are; less than planned where not enough were found.
    fn n_positions(&self) -> usize;

    /// For every position, the value of the best move and of the one that this player of the same game chooses.
    fn answers(&self, player: &PlayerSpec) -> Vec<(f64, f64)>;
}

/// A position with what its moves are worth.
struct TestPosition<G: Playable> {
    at: G::Position,
    moves: Vec<G::Move>,
    values: Vec<f64>,
}

/// Attempts to find one more position before it is given up.
const ATTEMPTS: u64 = 300;

/// Room for what the exact search of one position knows.
const TABLE_BYTES: usize = 1 << 26;

/// The one implementation.
pub(crate) struct ErasedTestSuite<G: Playable> {
    game: G,
    seed: Seed,
    exact: bool,
    questions: Vec<TestPosition<G>>,
}

impl<G: Playable> ErasedTestSuite<G> {
    /// Draws and judges the positions, shared among rayon's threads.
    pub(crate) fn draw(
        game: &G,
        family: &'static FamilyInfo,
        plan: &TestSuitePlan,
        watch: &dyn ProgressMonitor,
    ) -> Result<ErasedTestSuite<G>, InputError> {
        let own = PlayerSpec::parse(&game.opponent(), game, family)?;
        let examiner =
            PositionSampler { game, plan, walker: walker(&own), own, values: ValueSource::of(game) };
        let questions: Vec<Option<TestPosition<G>>> = (0..u64::from(plan.n_positions))
            .into_par_iter()
            .map(|i| {
                let question = examiner.draw(Seed(plan.seed).child(i), watch);
                watch.advance(1);
                question
            })
            .collect();
        let questions = questions.into_iter().flatten().collect();
        let exact = !matches!(examiner.values, ValueSource::Guessed);
        Ok(ErasedTestSuite { game: game.clone(), seed: Seed(plan.seed), exact, questions })
    }
}

impl<G: Playable> TestSuite for ErasedTestSuite<G> {
    fn is_exact(&self) -> bool {
        self.exact
    }

    fn n_positions(&self) -> usize {
        self.questions.len()
    }

    fn answers(&self, player: &PlayerSpec) -> Vec<(f64, f64)> {
        self.questions
            .par_iter()
            .enumerate()
            .map_init(
                || build(&self.game, player),
                |player, (i, question)| {
                    let TestPosition { at, moves, values } = question;
                    player.begin(&self.game, at);
                    let seed = self.seed.child(i as u64).child(u64::MAX);
                    let mv = player.choose(&TurnContext { game: &self.game, at, moves, seed }).mv;
                    let chosen = moves.iter().position(|other| *other == mv).map_or(f64::MIN, |i| values[i]);
                    (values.iter().copied().fold(f64::MIN, f64::max), chosen)
                },
            )
            .collect()
    }
}

/// Looks one ply ahead with a player's evaluation: positions should look like somebody played there.
fn walker(own: &PlayerSpec) -> PlayerSpec {
    let kind = match &own.kind {
        PlayerKind::Search { evaluation, weights, .. } => PlayerKind::Search {
            search: SearchSpec::parse("greedy", "greedy").expect("a search everybody has"),
            evaluation: evaluation.clone(),
            weights: weights.clone(),
        },
        other => other.clone(),
    };
    PlayerSpec { name: None, kind }
}

/// Where the values of moves come from.
enum ValueSource<G: Playable> {
    /// All positions of the game are solved together.
    Whole(Mutex<Box<dyn Solver<G>>>),
    /// Every position is solved by itself.
    Each,
    /// Nobody knows how to solve this game.
    Guessed,
}

impl<G: Playable> ValueSource<G> {
    /// A whole game is solved here, before threads that share it wait for each other.
    fn of(game: &G) -> ValueSource<G> {
        let Some(mut solver) = solver(game, TABLE_BYTES, rayon::current_num_threads()) else {
            return ValueSource::Guessed;
        };
        let is_solved = solver.solves_all_positions()
            && solver.value(game, &game.start(), &SolverProgress::default()).is_ok();
        if is_solved { ValueSource::Whole(Mutex::new(solver)) } else { ValueSource::Each }
    }
}

struct PositionSampler<'a, G: Playable> {
    game: &'a G,
    plan: &'a TestSuitePlan,
    walker: PlayerSpec,
    own: PlayerSpec,
    values: ValueSource<G>,
}

impl<G: Playable> PositionSampler<'_, G> {
    /// A position where moves differ in worth.
    fn draw(&self, seed: Seed, watch: &dyn ProgressMonitor) -> Option<TestPosition<G>> {
        (0..ATTEMPTS).find_map(|attempt| {
            if watch.should_stop() {
                return None;
            }
            let mut rng = seed.child(attempt).rng();
            let line = self.walk(&mut rng);
            let at = game_position(line.get(self.plan.from_ply as usize..)?, &mut rng)?;
            let mut moves = Vec::new();
            self.game.moves(&at, &mut moves);
            if moves.len() < 2 {
                return None;
            }
            let values = self.judge(&at, &moves)?;
            let differ = values.iter().any(|value| *value != values[0]);
            differ.then_some(TestPosition { at, moves, values })
        })
    }

    /// A game in which one move of three is random and the others are the best at a glance.
    fn walk(&self, rng: &mut Rng) -> Vec<G::Position> {
        let mut player = build(self.game, &self.walker);
        let mut at = self.game.start();
        player.begin(self.game, &at);
        let mut line = Vec::new();
        let mut moves = Vec::new();
        loop {
            moves.clear();
            self.game.moves(&at, &mut moves);
            if moves.is_empty() {
                return line;
            }
            line.push(at.clone());
            let mv = if rng.random_range(0..3) == 0 {
                moves[rng.random_range(0..moves.len())]
            } else {
                player.choose(&TurnContext { game: self.game, at: &at, moves: &moves, seed: Seed(0) }).mv
            };
            player.observe(self.game, &at, mv);
            self.game.play(&mut at, mv);
        }
    }

    fn judge(&self, at: &G::Position, moves: &[G::Move]) -> Option<Vec<f64>> {
        let exactly = |solver: &mut dyn Solver<G>, course: &SolverProgress| {
            let at = self.game.unclocked(at);
            moves.iter().map(|&mv| exact_move_value(self.game, solver, &at, mv, course).ok()).collect()
        };
        match &self.values {
            ValueSource::Whole(solver) => {
                let mut solver = solver.lock().unwrap_or_else(PoisonError::into_inner);
                exactly(&mut **solver, &SolverProgress::default())
            }
            ValueSource::Each => {
                let mut solver = solver(self.game, TABLE_BYTES, 1)?;
                let is_in_reach = solver.in_reach(self.game, at);
                is_in_reach
                    .then(|| exactly(&mut *solver, &SolverProgress::with_limit(self.plan.exact_nodes)))?
            }
            ValueSource::Guessed => {
                let mut deep = DeepOracle::new(self.game, at, self.own.clone(), self.plan.deep_nodes);
                (0..moves.len()).map(|i| deep.move_value(i, &SolverProgress::default()).ok()).collect()
            }
        }
    }
}

/// One of the positions of a line, all equally likely.
fn game_position<P: Clone>(line: &[P], rng: &mut Rng) -> Option<P> {
    if line.is_empty() { None } else { Some(line[rng.random_range(0..line.len())].clone()) }
}
