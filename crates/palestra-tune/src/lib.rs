//! Tunes the weights of a player: a plan names the player, the boards, an objective, a method and a budget, and
//! [`TuningDriver`] runs it.
//!
//! An [`Optimizer`] proposes candidates and receives their fitness; it never plays a game. An [`Objective`] turns
//! candidates into a [`Batch`] of games, and the results into fitness. An [`Executor`] plays batches; a batch is plain
//! data, and its result does not depend on the executor, the number of threads or an interruption.
//!
//! The module [`progress`] tests whether training made progress, [`compare`] compares methods by the games they need,
//! and [`certify`] proves an upper bound on the score of any weights. This crate reads no file and no clock: the caller
//! passes the text of the plan, and a [`BatchStore`] where results are to be kept.
//!
//! ```
//! use palestra_core::Progress;
//! use palestra_registry::GAMES;
//! use palestra_settings::Document;
//! use palestra_tune::{ExecutionContext, LocalExecutor, TuningDriver, TuningPlan, TuningResolver};
//!
//! let text = r#"
//! game = "connect:4x4x3"
//! player = "greedy/lines"
//! opening_plies = 2
//! objective = { name = "gauntlet", opponents = ["random", "first"] }
//! method = { name = "random", points = 8 }
//! budget = { games = 500 }
//! "#;
//! let lookup = |player: &str| Ok(player.to_owned());
//! let resolver = TuningResolver { catalog: &GAMES, lookup: &lookup, methods: &[] };
//! let plan = TuningPlan::read(Document::parse(text, "plan.toml")?, &resolver)?;
//!
//! let executor = LocalExecutor::new(&GAMES, true);
//! let driver = TuningDriver::new(&plan, &GAMES, &executor)?;
//! let result = driver.train(&ExecutionContext::new(&Progress::default()), &mut ())?;
//! assert!(result.n_games > 0 && result.n_games <= 500);
//! let best = &result.recommendations[0];
//! assert_eq!(best.weights.len(), plan.space.n());
//! # Ok::<(), palestra_tune::ExecutionError>(())
//! ```

mod batch;
pub mod certify;
mod cohorts;
pub mod compare;
mod driver;
#[cfg(test)]
mod driver_tests;
mod executor;
mod fold;
mod keys;
mod local;
mod method;
pub mod methods;
mod objective;
mod plan;
mod programs;
pub mod progress;
mod resolved_batch;
mod size;
#[cfg(test)]
mod size_tests;
mod space;
mod start_points;
mod summary;
#[cfg(test)]
mod tests;

pub use batch::{Batch, BatchResult, MAX_MATCH_RESULTS, MatchResult, Schedule, ScheduledMatch};
pub use driver::{GenerationReport, TrainingObserver, TrainingResult, TuningDriver, open_optimizer};
pub use executor::{
    BatchStore, BoxError, ExecutionContext, ExecutionError, Executor, GameSink, RecordedGame, SelfPlayTask,
    TestSuiteTask,
};
pub use local::{LocalExecutor, OpponentProgram};
pub use method::{
    CandidateFitness, CandidateSet, HallOfFameEntry, Optimizer, OptimizerReply, OptimizerRequest,
    OptimizerSetup, Recommendation,
};
pub use objective::{FitnessCalculator, OBJECTIVES, Objective, ParasiteSettings};
pub use palestra_arena::{PointSystem, SelfPlayGame, SelfPlayPosition, StartPoint};
pub use plan::{
    MAX_OPENING_PLIES, MAX_PAIRS, MAX_SEED, OLD_KEYS, PlayerLookup, RefreshPolicy, TestKeys, TestPlan,
    TuningBudget, TuningKeys, TuningPlan, TuningPlanFile, TuningResolver,
};
pub use programs::ProgramConditions;
pub use size::{RequestSize, RequestSizes, TrainingSize, check_budget, check_size, training_size};
pub use space::{Space, angle, mean_direction, normalized};
pub use start_points::{OpeningSplit, StartPointDraw, StartPointSampler, TuningBoards};
pub use summary::{GridSummary, MAX_LISTED_POINTS};
