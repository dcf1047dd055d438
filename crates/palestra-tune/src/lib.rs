//! Finding weights: what to optimize (objectives), how (methods), with how many games (budgets), and the engines
//! that play them.
//!
//! A method is asked for candidates and told how good they are; it never plays a game. An objective turns
//! candidates into a batch of games and the results into fitness. Batches are plain data: whoever runs one gets the
//! same result.

mod batch;
pub mod certify;
mod cohorts;
pub mod compare;
mod driver;
mod executor;
mod local;
mod method;
pub mod methods;
mod objective;
mod plan;
pub mod progress;
mod resolved_batch;
mod space;
mod start_points;
mod summary;
#[cfg(test)]
mod tests;

pub use batch::{Batch, BatchResult, MAX_MATCH_RESULTS, MatchResult, Schedule, ScheduledMatch, TuningPoints};
pub use driver::{GenerationReport, TrainingObserver, TrainingResult, TuningDriver, open_optimizer};
pub use executor::{
    BatchStore, BoxError, ExecutionContext, ExecutionError, Executor, GameSink, RecordedGame, SelfPlayTask,
    TestSuiteTask,
};
pub use local::LocalExecutor;
pub use method::{
    CandidateFitness, CandidateSet, HallOfFameEntry, Optimizer, OptimizerReply, OptimizerRequest,
    OptimizerSetup, Recommendation,
};
pub use objective::{FitnessCalculator, Objective};
pub use palestra_arena::{SelfPlayGame, SelfPlayPosition, StartPoint};
pub use palestra_settings::{Setting, Settings, SourceLocation};
pub use plan::{
    OBJECTIVES, PlayerLookup, RefreshPolicy, TestPlan, TuningBudget, TuningPlan, TuningResolver, parse_count,
    parse_seconds,
};
pub use space::{Space, angle, mean_direction, normalized};
pub use start_points::{OpeningSplit, StartPointSampler, TuningBoards};
pub use summary::{GridSummary, MAX_LISTED_POINTS};
