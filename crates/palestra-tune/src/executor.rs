//! The one way to run games: a batch goes in, its result comes out, whoever plays it.

use crate::{Batch, BatchResult};
use palestra_arena::{GameText, PlayerSpec, ProgressMonitor, SelfPlayGame, StartPoint, TestSuitePlan};
use palestra_core::InputError;
use std::error::Error;

/// Someone who plays batches.
pub trait Executor: Sync {
    /// Plays a batch of meetings.
    fn run(&self, batch: &Batch, desk: &ExecutionContext<'_>) -> Result<BatchResult, ExecutionError>;

    /// Plays games of one player against itself, one for each scene.
    fn self_play(
        &self,
        task: &SelfPlayTask,
        desk: &ExecutionContext<'_>,
    ) -> Result<Vec<SelfPlayGame>, ExecutionError>;

    /// For each candidate, the value of the best move and of its own at every position of an exam.
    fn run_test_suite(
        &self,
        task: &TestSuiteTask,
        desk: &ExecutionContext<'_>,
    ) -> Result<Vec<Vec<(f64, f64)>>, ExecutionError>;
}

/// Games of one player against itself.
#[derive(Clone, PartialEq, Debug, serde::Serialize)]
pub struct SelfPlayTask {
    /// The player without weights.
    pub template: String,
    /// Its weights.
    pub weights: Vec<f64>,
    /// Where.
    pub scenes: Vec<StartPoint>,
}

/// Candidates to be asked at positions of one game.
#[derive(Clone, PartialEq, Debug)]
pub struct TestSuiteTask {
    /// The game.
    pub game: String,
    /// The positions.
    pub plan: TestSuitePlan,
    /// The player without weights.
    pub template: String,
    /// The weights of each candidate.
    pub candidates: Vec<Vec<f64>>,
}

/// What an executor needs from those who ordered the work.
#[derive(Clone, Copy)]
pub struct ExecutionContext<'a> {
    /// Hears of progress, and may stop the work.
    pub progress: &'a dyn ProgressMonitor,
    /// What is known already, and where to write down the rest.
    pub batch_store: &'a dyn BatchStore,
    /// Gets every single game, where somebody wants them all.
    pub game_sink: Option<&'a dyn GameSink>,
}

impl ExecutionContext<'_> {
    /// Nobody watches, nothing is kept.
    pub const EMPTY: ExecutionContext<'static> =
        ExecutionContext { progress: &(), batch_store: &(), game_sink: None };
}

/// Where finished work is written down: what makes runs resumable.
pub trait BatchStore: Sync {
    /// The result of a batch that was finished earlier.
    fn finished(&self, key: &[u8; 32]) -> Result<Option<Vec<u8>>, BoxError>;

    /// Finished parts of a batch that was not: their numbers and results.
    fn units(&self, key: &[u8; 32]) -> Result<Vec<(u32, Vec<u8>)>, BoxError>;

    /// Whether it is time to write down what is finished.
    fn is_due(&self) -> bool;

    /// Keeps a finished part.
    fn keep_unit(&self, key: &[u8; 32], unit: u32, bytes: Vec<u8>, n_games: u64) -> Result<(), BoxError>;

    /// Keeps the result; the parts can go.
    fn finish(&self, key: &[u8; 32], bytes: Vec<u8>, n_games: u64) -> Result<(), BoxError>;
}

/// Something that went wrong outside: a full disk, say.
pub type BoxError = Box<dyn Error + Send + Sync>;

/// Keeps nothing.
impl BatchStore for () {
    fn finished(&self, _key: &[u8; 32]) -> Result<Option<Vec<u8>>, BoxError> {
        Ok(None)
    }

    fn units(&self, _key: &[u8; 32]) -> Result<Vec<(u32, Vec<u8>)>, BoxError> {
        Ok(Vec::new())
    }

    fn is_due(&self) -> bool {
        false
    }

    fn keep_unit(&self, _key: &[u8; 32], _unit: u32, _bytes: Vec<u8>, _n_games: u64) -> Result<(), BoxError> {
        Ok(())
    }

    fn finish(&self, _key: &[u8; 32], _bytes: Vec<u8>, _n_games: u64) -> Result<(), BoxError> {
        Ok(())
    }
}

/// Takes every game, in whatever order they end.
pub trait GameSink: Sync {
    /// One game of a batch.
    fn keep(&self, key: &[u8; 32], game: &RecordedGame<'_>) -> Result<(), BoxError>;
}

/// A game with all there is to know about it.
#[derive(Debug)]
pub struct RecordedGame<'a> {
    /// Its number in its batch.
    pub number: u64,
    /// Where it was played.
    pub start_point: &'a StartPoint,
    /// Between whom, the first side first.
    pub players: [&'a PlayerSpec; 2],
    /// What happened.
    pub text: GameText,
    /// How long it took, where there is a clock.
    pub time: Option<std::time::Duration>,
}

/// Why a batch has no result.
#[derive(Debug, thiserror::Error)]
pub enum ExecutionError {
    /// Something in it can not be understood.
    #[error(transparent)]
    Bad(#[from] InputError),
    /// Somebody called the work off.
    #[error("interrupted")]
    Stopped,
    /// Something outside went wrong.
    #[error("{0}")]
    Failed(BoxError),
}
