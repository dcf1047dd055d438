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
mod cohort;
mod duel;
mod exam;
mod explain;
mod formula;
mod judge;
mod ladder;
mod matches;
mod mover;
mod opening;
mod perfect;
mod player;
mod referee;
mod scene;
mod self_play;
mod session;
mod show;
mod spec;
mod table;
mod tree;
mod value;
mod workload;

pub use accuracy::{AccuracyPlan, AccuracyRecord, PlayerAccuracy};
pub use any::{AnyGame, EvaluationTexts};
pub use catalog::{Catalog, Entry};
pub use cohort::{
    AnyCohort, Cohort, Decision, GamePoints, Gauntlet, Limit, Region, Sensitivity, WeightBox, WeightMap,
    WeightRange, can_meet_cohort, cohort_of,
};
pub use duel::{Duel, duel_of};
pub use exam::{Exam, ExamPlan};
pub use explain::{Explained, MoveReason};
pub use formula::Formula;
pub use judge::Judge;
pub use matches::{MatchPlan, MatchRecord, Watch};
pub use mover::Mover;
pub use palestra_stats as stats;
pub use player::{Choice, Player, Turn};
pub use referee::{Played, play_game};
pub use scene::{OneResult, Scene};
pub use self_play::{Moment, Trace};
pub use session::{Answer, Session};
pub use show::{Ended, FeatureRows, Score, Shown};
pub use spec::{DICE, NOISE, PERFECT, POLICIES, PlayerKind, PlayerSpec};
pub use table::{GameText, Table};
pub use tree::{Tree, TreeLevel};
pub use workload::{MoveCounts, PlayoutCounts, multiply_chain};
