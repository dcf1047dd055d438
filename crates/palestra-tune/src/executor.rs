//! The interface of executors, which play games: a batch goes in, its result comes out.

use crate::{Batch, BatchResult};
use palestra_arena::{GameRecord, MatchPlayer, SelfPlayGame, StartPoint, TestSuitePlan, VoidGame};
use palestra_core::{InputError, Progress};
use std::error::Error;

/// Plays batches.
pub trait Executor: Sync {
    /// Plays a batch of matches.
    fn run(&self, batch: &Batch, context: &ExecutionContext<'_>) -> Result<BatchResult, ExecutionError>;

    /// Plays games of one player against itself, one for each start point.
    fn self_play(
        &self,
        task: &SelfPlayTask,
        context: &ExecutionContext<'_>,
    ) -> Result<Vec<SelfPlayGame>, ExecutionError>;

    /// For each candidate and each position of a test suite: the value of the best move and of the move it chose.
    fn run_test_suite(
        &self,
        task: &TestSuiteTask,
        context: &ExecutionContext<'_>,
    ) -> Result<Vec<Vec<(f64, f64)>>, ExecutionError>;
}

/// Games of one player against itself.
#[derive(Clone, PartialEq, Debug, serde::Serialize)]
pub struct SelfPlayTask {
    /// The player without weights.
    pub template: String,
    /// Its weights.
    pub weights: Vec<f64>,
    /// The start point of each game.
    pub starts: Vec<StartPoint>,
}

/// Candidates that choose moves at the positions of a test suite.
#[derive(Clone, PartialEq, Debug)]
pub struct TestSuiteTask {
    /// The game, as text: `connect:7x6x4`.
    pub game: String,
    /// How the positions are drawn and judged.
    pub plan: TestSuitePlan,
    /// The player without weights.
    pub template: String,
    /// The weights of each candidate.
    pub candidates: Vec<Vec<f64>>,
}

/// What the caller gives to an executor: progress, store and game sink.
#[derive(Clone, Copy)]
pub struct ExecutionContext<'a> {
    /// Receives the number of finished games, and may stop the work.
    pub progress: &'a Progress,
    /// Holds finished work, and takes new results.
    pub batch_store: &'a dyn BatchStore,
    /// Receives every game. Where it is set, no games are shared in a cohort.
    pub game_sink: Option<&'a dyn GameSink>,
}

impl<'a> ExecutionContext<'a> {
    /// Progress alone: no store, no game sink.
    pub fn new(progress: &'a Progress) -> ExecutionContext<'a> {
        ExecutionContext { progress, batch_store: &(), game_sink: None }
    }
}

/// Stores finished work, so that an interrupted run can be resumed.
pub trait BatchStore: Sync {
    /// The stored result of a finished batch, if there is one.
    fn finished(&self, key: &[u8; 32]) -> Result<Option<Vec<u8>>, BoxError>;

    /// The stored parts of an unfinished batch: their numbers and results.
    fn units(&self, key: &[u8; 32]) -> Result<Vec<(u32, Vec<u8>)>, BoxError>;

    /// Whether finished parts should be stored now.
    fn is_due(&self) -> bool;

    /// Stores a finished part of `n_games` games.
    fn keep_unit(&self, key: &[u8; 32], unit: u32, bytes: Vec<u8>, n_games: u64) -> Result<(), BoxError>;

    /// Stores the result of a batch of `n_games` games; its parts are no longer needed.
    fn finish(&self, key: &[u8; 32], bytes: Vec<u8>, n_games: u64) -> Result<(), BoxError>;
}

/// An error from outside this crate, such as a full disk.
pub type BoxError = Box<dyn Error + Send + Sync>;

/// Stores nothing.
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

/// Receives every game, in the order in which games end, which may differ between runs.
pub trait GameSink: Sync {
    /// Takes one game of the batch with this key.
    fn keep(&self, key: &[u8; 32], game: &RecordedGame<'_>) -> Result<(), BoxError>;
}

/// A finished game with its players, start point and moves.
#[derive(Debug)]
pub struct RecordedGame<'a> {
    /// Its index in its batch.
    pub number: u64,
    /// Its start point.
    pub start_point: &'a StartPoint,
    /// Its players; the first one has the first side.
    pub players: [&'a MatchPlayer; 2],
    /// Moves, result and duration.
    pub record: GameRecord,
}

/// Why a batch has no result.
#[derive(Debug, thiserror::Error)]
pub enum ExecutionError {
    /// A name or text in it is invalid.
    #[error(transparent)]
    Bad(#[from] InputError),
    /// The work was canceled.
    #[error("interrupted")]
    Stopped,
    /// The store or the game sink failed.
    #[error("{0}")]
    Failed(BoxError),
}

/// A game with an external program was void again and again.
impl From<VoidGame> for ExecutionError {
    fn from(void: VoidGame) -> ExecutionError {
        ExecutionError::Failed(format!("a game cannot be played: {void}").into())
    }
}
