//! Players and their text specs, games between them, and what the results mean.
//!
//! A game of whatever type becomes a [`AnyGame`], which the terminal, the page and the store can hold
//! without knowing it. Inside, everything is generic: one dynamic call a move, none a node.
//!
//! ```
//! use palestra_arena::{Catalog, Entry, MatchPlan};
//! use palestra_core::Seed;
//! use palestra_games::connect::ConnectFamily;
//!
//! static GAMES: Catalog = Catalog::new(&[Entry::of::<ConnectFamily>()]);
//! let game = GAMES.open("connect4").unwrap();
//! let plan = MatchPlan::new(["grid-5", "random"], 20, Seed(1));
//! let record = game.run_match(&plan, &()).unwrap();
//! assert_eq!(record.n_games(), 20);
//! assert!(record.wins > record.losses);
//! ```

mod accuracy;
mod any;
mod build;
mod catalog;
mod duel;
mod explain;
mod judge;
mod matches;
mod opening;
mod perfect;
mod player;
mod referee;
mod session;
mod show;
mod spec;
pub mod stats;
#[cfg(test)]
mod tests;
mod tree;

pub use accuracy::{AccuracyPlan, AccuracyRecord, PlayerAccuracy};
pub use any::{AnyGame, EvaluationTexts};
pub use build::build;
pub use catalog::{Catalog, Entry};
pub use duel::{Duel, duel_of};
pub use explain::{Explained, MoveReason};
pub use judge::Judge;
pub use matches::{MatchPlan, MatchRecord, Watch};
pub use player::{Choice, Player, Turn};
pub use referee::{Played, play_game};
pub use session::{Answer, Session};
pub use show::{Ended, FeatureRows, Score, Shown};
pub use spec::{NOISE, PERFECT, POLICIES, PlayerKind, PlayerSpec};
pub use tree::{Tree, TreeLevel};
