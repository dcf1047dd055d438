//! Test suites: positions in which the value of every move is known.

use crate::build::build;
use crate::fault::FaultKind;
use crate::oracle::{DeepOracle, Oracle, exact_move_value};
use crate::player::TurnContext;
use crate::runner::play_until_it_counts;
use crate::seat::{ExternalPlayer, PlayError, VoidGame};
use crate::spec::{PlayerKind, PlayerSpec};
use crate::start_point::FixedStart;
use palestra_core::{FamilyInfo, InputError, Playable, Progress, Rng, Seed};
use palestra_search::SearchSpec;
use palestra_search::exact::{Solver, solver};
use rand::RngExt;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};

/// Number, source and effort of the positions of a test suite.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TestSuitePlan {
    /// Number of positions.
    pub n_positions: u32,
    /// Seed of the positions, and of stochastic players.
    pub seed: u64,
    /// Node limit of the exact search; positions that need more are left out.
    pub exact_nodes: u64,
    /// Nodes per move of the deep search, where the game cannot be solved.
    pub deep_nodes: u64,
    /// First ply of a game from which positions are taken; 0 is the start.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub from_ply: u32,
}

/// `from_ply` is not written when 0, so that plans older than the field keep their text.
fn is_zero(ply: &u32) -> bool {
    *ply == 0
}

/// Positions with known move values, on which any number of players can be tested.
pub trait TestSuite: Send + Sync {
    /// Whether the move values are exact.
    fn is_exact(&self) -> bool;

    /// Number of positions; fewer than planned where not enough were found.
    fn n_positions(&self) -> usize;

    /// For every position, the value of the best move and of the move that `player` chooses. Positions at which the
    /// progress stopped it are left out.
    fn answers(&self, player: &PlayerSpec, progress: &Progress) -> Vec<(f64, f64)>;

    /// The same for a program, which gets the moves from the start of the game to each position. Where it has no move,
    /// there is the reason. Positions that it was not asked because the progress stopped are left out.
    fn answers_of_program(
        &self,
        player: &dyn ExternalPlayer,
        progress: &Progress,
    ) -> Result<Vec<ProgramAnswer>, VoidGame>;
}

/// The value of the best move, and of the move that a program chose; or the kind of failure, or `resignation`.
pub type ProgramAnswer = (f64, Result<f64, String>);

/// A position with the value of each legal move, for the side that makes it.
struct TestPosition<G: Playable> {
    /// The moves of a game that lead to it.
    line: Vec<G::Move>,
    at: G::Position,
    moves: Vec<G::Move>,
    values: Vec<f64>,
}

/// Attempts to find one position before it is given up.
const ATTEMPTS: u64 = 300;

/// Table size of the exact search of one position.
const TABLE_BYTES: usize = 1 << 26;

/// [`TestSuite`] for any game type.
pub(crate) struct ErasedTestSuite<G: Playable> {
    game: G,
    seed: Seed,
    exact: bool,
    positions: Vec<TestPosition<G>>,
}

impl<G: Playable> ErasedTestSuite<G> {
    /// Draws the positions and values their moves, on rayon's threads.
    pub(crate) fn draw(
        game: &G,
        family: &'static FamilyInfo,
        plan: &TestSuitePlan,
        progress: &Progress,
    ) -> Result<ErasedTestSuite<G>, InputError> {
        let own = PlayerSpec::parse(&game.opponent(), game, family)?;
        let sampler = PositionSampler {
            game,
            plan,
            player: greedy_player(&own),
            own,
            values: ValueSource::of(game, progress),
        };
        let positions: Vec<Option<TestPosition<G>>> = (0..u64::from(plan.n_positions))
            .into_par_iter()
            .map(|i| {
                let position = sampler.draw(Seed(plan.seed).child(i), progress);
                progress.add(1);
                position
            })
            .collect();
        let positions = positions.into_iter().flatten().collect();
        let exact = !matches!(sampler.values, ValueSource::DeepSearch);
        Ok(ErasedTestSuite { game: game.clone(), seed: Seed(plan.seed), exact, positions })
    }

    /// An error where no position was found: players cannot be compared then.
    pub(crate) fn with_positions(
        self,
        plan: &TestSuitePlan,
        progress: &Progress,
    ) -> Result<ErasedTestSuite<G>, InputError> {
        if !self.positions.is_empty() || progress.is_stopped() {
            return Ok(self);
        }
        let expected = "a smaller number: no position was found from there on whose moves differ in value, in 300 \
                        games for each";
        Err(InputError::new("from_ply", plan.from_ply.to_string(), expected))
    }
}

impl<G: Playable> TestSuite for ErasedTestSuite<G> {
    fn is_exact(&self) -> bool {
        self.exact
    }

    fn n_positions(&self) -> usize {
        self.positions.len()
    }

    fn answers(&self, player: &PlayerSpec, progress: &Progress) -> Vec<(f64, f64)> {
        let answers: Vec<Option<(f64, f64)>> = self
            .positions
            .par_iter()
            .enumerate()
            .map_init(
                || build(&self.game, player),
                |player, (i, position)| {
                    if progress.is_stopped() {
                        return None;
                    }
                    let TestPosition { at, moves, values, .. } = position;
                    player.begin(&self.game, at);
                    let seed = self.seed.child(i as u64).child(u64::MAX);
                    let mv = player.choose(&TurnContext { game: &self.game, at, moves, seed }).mv;
                    let chosen = moves.iter().position(|other| *other == mv).map_or(f64::MIN, |i| values[i]);
                    let best = values.iter().copied().fold(f64::MIN, f64::max);
                    (!progress.is_stopped()).then_some((best, chosen))
                },
            )
            .collect();
        answers.into_iter().flatten().collect()
    }

    fn answers_of_program(
        &self,
        player: &dyn ExternalPlayer,
        progress: &Progress,
    ) -> Result<Vec<ProgramAnswer>, VoidGame> {
        let ask = |position: &TestPosition<G>| {
            let TestPosition { line, at, moves, values } = position;
            let start =
                FixedStart { start: self.game.start(), is_setup: false, moves: line.clone(), at: at.clone() };
            let asked = || match start.ask(&self.game, player) {
                Ok(Some(choice)) => {
                    let i = moves.iter().position(|other| *other == choice.mv);
                    Ok(i.map(|i| values[i]).ok_or_else(|| FaultKind::Illegal.name().to_owned()))
                }
                Ok(None) => Ok(Err("resignation".to_owned())),
                Err(PlayError::Fault(fault)) => Ok(Err(fault.kind.name().to_owned())),
                Err(PlayError::Internal(why)) => Err(VoidGame(why)),
            };
            let voided = |_: &VoidGame| match progress.is_stopped() {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            };
            if progress.is_stopped() {
                return Ok(None);
            }
            let best = values.iter().copied().fold(f64::MIN, f64::max);
            Ok(play_until_it_counts(asked, voided)?.map(|chosen| (best, chosen)))
        };
        let answers = self.positions.par_iter().map(ask).collect::<Result<Vec<_>, VoidGame>>()?;
        Ok(answers.into_iter().flatten().collect())
    }
}

/// A greedy player with the same evaluation, so that the positions resemble those of real games.
fn greedy_player(own: &PlayerSpec) -> PlayerSpec {
    let kind = match &own.kind {
        PlayerKind::Search { evaluation, weights, .. } => PlayerKind::Search {
            search: SearchSpec::greedy(),
            evaluation: evaluation.clone(),
            weights: weights.clone(),
        },
        other => other.clone(),
    };
    PlayerSpec { name: None, kind }
}

/// Where the values of moves come from.
enum ValueSource<G: Playable> {
    /// All positions of the game are solved at once.
    Whole(Mutex<Box<dyn Solver<G>>>),
    /// Each position is solved separately.
    Each,
    /// A deep search, for a game without a solver.
    DeepSearch,
}

impl<G: Playable> ValueSource<G> {
    /// Solves the whole game here, with all threads, before the threads that draw positions share the solver.
    fn of(game: &G, progress: &Progress) -> ValueSource<G> {
        let Some(mut solver) = solver(game, TABLE_BYTES, rayon::current_num_threads()) else {
            return ValueSource::DeepSearch;
        };
        let is_solved =
            solver.solves_all_positions() && solver.value(game, &game.start(), &progress.part()).is_ok();
        if is_solved { ValueSource::Whole(Mutex::new(solver)) } else { ValueSource::Each }
    }
}

struct PositionSampler<'a, G: Playable> {
    game: &'a G,
    plan: &'a TestSuitePlan,
    player: PlayerSpec,
    own: PlayerSpec,
    values: ValueSource<G>,
}

impl<G: Playable> PositionSampler<'_, G> {
    /// Draws a position in which moves differ in value.
    fn draw(&self, seed: Seed, progress: &Progress) -> Option<TestPosition<G>> {
        (0..ATTEMPTS).find_map(|attempt| {
            if progress.is_stopped() {
                return None;
            }
            let mut rng = seed.child(attempt).rng();
            let (positions, mut line) = self.sample_game(&mut rng);
            let from_ply = self.plan.from_ply as usize;
            let ply = from_ply + random_index(positions.len().checked_sub(from_ply)?, &mut rng)?;
            let at = positions[ply].clone();
            line.truncate(ply);
            let mut moves = Vec::new();
            self.game.moves(&at, &mut moves);
            if moves.len() < 2 {
                return None;
            }
            let values = self.move_values(&at, &moves, progress)?;
            let differ = values.iter().any(|value| *value != values[0]);
            differ.then_some(TestPosition { line, at, moves, values })
        })
    }

    /// The positions and moves of a game in which one move of three is random and the others are greedy.
    fn sample_game(&self, rng: &mut Rng) -> (Vec<G::Position>, Vec<G::Move>) {
        let mut player = build(self.game, &self.player);
        let mut at = self.game.start();
        player.begin(self.game, &at);
        let (mut positions, mut line) = (Vec::new(), Vec::new());
        let mut moves = Vec::new();
        loop {
            moves.clear();
            self.game.moves(&at, &mut moves);
            if moves.is_empty() {
                return (positions, line);
            }
            positions.push(at.clone());
            let mv = if rng.random_range(0..3) == 0 {
                moves[rng.random_range(0..moves.len())]
            } else {
                player.choose(&TurnContext { game: self.game, at: &at, moves: &moves, seed: Seed(0) }).mv
            };
            player.observe(self.game, &at, mv);
            self.game.play(&mut at, mv);
            line.push(mv);
        }
    }

    /// The value of each move; `None` where the search stops at its limit.
    fn move_values(&self, at: &G::Position, moves: &[G::Move], progress: &Progress) -> Option<Vec<f64>> {
        let exact = |solver: &mut dyn Solver<G>, progress: &Progress| {
            let at = self.game.unclocked(at);
            moves.iter().map(|&mv| exact_move_value(self.game, solver, &at, mv, progress).ok()).collect()
        };
        match &self.values {
            ValueSource::Whole(solver) => {
                let mut solver = solver.lock().unwrap_or_else(PoisonError::into_inner);
                exact(&mut **solver, &progress.part())
            }
            ValueSource::Each => {
                let mut solver = solver(self.game, TABLE_BYTES, 1)?;
                let is_in_reach = solver.in_reach(self.game, at);
                is_in_reach
                    .then(|| exact(&mut *solver, &progress.part().with_limit(self.plan.exact_nodes)))?
            }
            ValueSource::DeepSearch => {
                let mut deep = DeepOracle::new(self.game, at, self.own.clone(), self.plan.deep_nodes);
                (0..moves.len()).map(|i| deep.move_value(i, &progress.part()).ok()).collect()
            }
        }
    }
}

/// One of `n` indices, all equally likely; `None` where there are none.
fn random_index(n: usize, rng: &mut Rng) -> Option<usize> {
    (n > 0).then(|| rng.random_range(0..n))
}
