//! Players and their text specs, games between them, and what the results mean.
//!
//! A game of whatever type becomes a [`AnyGame`], which the terminal, the page and the store can hold
//! without knowing it. Inside, everything is generic: one dynamic call a move, none a node.
//!
//! ```
//! use palestra_arena::{Catalog, CatalogEntry, MatchPlan};
//! use palestra_core::Seed;
//! use palestra_games::connect::ConnectFamily;
//!
//! static GAMES: Catalog = Catalog::new(&[CatalogEntry::of::<ConnectFamily>()]);
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
mod explain;
mod greedy_match;
mod ladder;
mod match_runner;
mod matches;
mod opening;
mod oracle;
mod perfect;
mod player;
mod referee;
mod self_play;
mod session;
mod show;
mod spec;
mod start_point;
mod test_suite;
mod text_player;
mod tree;
mod tunable_player;
mod value;
mod workload;

pub use accuracy::{AccuracyPlan, AccuracyRecord, PlayerAccuracy};
pub use any::{AnyGame, EvaluationTexts};
pub use catalog::{Catalog, CatalogEntry};
pub use cohort::{
    AnyCohort, Cohort, Decision, GamePoints, GauntletSpec, Sensitivity, WeightBox, WeightLimit, WeightMap,
    WeightRange, WeightRegion, can_meet_cohort, cohort_of,
};
pub use explain::{ExplainedPosition, MoveReason};
pub use greedy_match::{GreedyMatch, greedy_match_of};
pub use match_runner::{AnyMatch, GameText};
pub use matches::{MatchPlan, MatchRecord, ProgressMonitor};
pub use oracle::Oracle;
pub use palestra_stats as stats;
pub use player::{MoveChoice, Player, TurnContext};
pub use referee::{CompletedGame, play_game};
pub use self_play::{SelfPlayGame, SelfPlayPosition};
pub use session::{ChoiceText, Session};
pub use show::{EndingText, FeatureRows, PositionSummary, Score};
pub use spec::{DICE, NOISE, PERFECT, POLICIES, PlayerKind, PlayerSpec};
pub use start_point::{GameResult, StartPoint};
pub use test_suite::{TestSuite, TestSuitePlan};
pub use text_player::TextPlayer;
pub use tree::{SearchTree, TreeLevel};
pub use tunable_player::TunablePlayer;
pub use workload::{MoveCounts, PlayoutCounts, multiply_chain};
