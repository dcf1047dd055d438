//! Finding weights: what to optimize (objectives), how (methods), with how many games (budgets), and the engines
//! that play them.
//!
//! A method is asked for candidates and told how good they are; it never plays a game. An objective turns
//! candidates into a batch of games and the results into fitness. Batches are plain data: whoever runs one gets the
//! same result.

mod method;
pub mod methods;
mod settings;
mod space;

pub use method::{Answer, Candidates, Finalist, Method, Moment, Question, Rating, Setup, Trace};
pub use settings::{Place, Setting, Settings};
pub use space::{Space, angle, mean_direction, normalized};
