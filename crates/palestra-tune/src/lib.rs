//! Finding weights: what to optimize (objectives), how (methods), with how many games (budgets), and the engines
//! that play them.
//!
//! A method is asked for candidates and told how good they are; it never plays a game. An objective turns
//! candidates into a batch of games and the results into fitness. Batches are plain data: whoever runs one gets the
//! same result.

mod batch;
pub mod certify;
pub mod compare;
mod driver;
mod executor;
mod resolved_batch;
mod local;
mod method;
pub mod methods;
mod objective;
mod plan;
pub mod progress;
mod start_points;
mod space;
mod summary;
#[cfg(test)]
mod tests;
mod cohorts;

pub use batch::{Batch, BatchResult, MAX_MATCH_RESULTS, ScheduledMatch, MatchResult, TuningPoints, Schedule};
pub use driver::{TuningDriver, GenerationReport, TrainingObserver, TrainingResult, open_optimizer};
pub use executor::{ExecutionContext, TestSuiteTask, Executor, BoxError, GameSink, RecordedGame, BatchStore, SelfPlayTask, ExecutionError};
pub use local::LocalExecutor;
pub use method::{OptimizerReply, CandidateSet, Recommendation, HallOfFameEntry, Optimizer, OptimizerRequest, CandidateFitness, OptimizerSetup};
pub use objective::{Objective, FitnessCalculator};
pub use palestra_arena::{SelfPlayPosition, StartPoint, SelfPlayGame};
pub use palestra_settings::{SourceLocation, Setting, Settings};
pub use plan::{TuningBudget, RefreshPolicy, PlayerLookup, OBJECTIVES, TuningResolver, TuningPlan, TestPlan, parse_count, parse_seconds};
pub use start_points::{TuningBoards, OpeningSplit, StartPointSampler};
pub use space::{Space, angle, mean_direction, normalized};
pub use summary::{GridSummary, MAX_LISTED_POINTS};
