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
mod field;
mod local;
mod method;
pub mod methods;
mod objective;
mod plan;
pub mod progress;
mod scenes;
mod space;
mod summary;
#[cfg(test)]
mod tests;
mod together;

pub use batch::{Batch, BatchResult, MOST_MEETINGS, Match, Meeting, Points, Schedule};
pub use driver::{Driver, Generation, Observer, Training, open_method};
pub use executor::{Desk, Examination, Executor, Failure, GameKeeper, KeptGame, Ledger, SelfPlay, Trouble};
pub use local::Local;
pub use method::{Answer, Candidates, Finalist, HallEntry, Method, Question, Rating, Setup};
pub use objective::{Objective, Rater};
pub use palestra_arena::{SelfPlayPosition, StartPoint, SelfPlayGame};
pub use palestra_settings::{Place, Setting, Settings};
pub use plan::{Budget, Fresh, Lookup, OBJECTIVES, Outside, Plan, TestPlan, parse_count, parse_seconds};
pub use scenes::{Boards, Purpose, Stage};
pub use space::{Space, angle, mean_direction, normalized};
pub use summary::{GridSummary, REMEMBERED};
