//! Tournaments: plans, formats, pairings, standings, and the driver that plays them.
//!
//! A [`Format`] decides who meets next, a [`GameRunner`] plays the games, a [`GameStore`] keeps their records, and
//! [`Standings`] are a fold of these records. [`TournamentDriver`] connects the four and resumes an interrupted event:
//! it looks every game up by its [`GameKey`] before it is played.
//!
//! Nothing here plays a game, reads a file or looks at a clock. The same plan and the same games therefore give the
//! same table, for any number of concurrent games and any number of interruptions.
//!
//! A round robin of three players, with made-up results in the place of a `GameRunner`:
//!
//! ```
//! use palestra_arena::{GameRecord, PointSystem};
//! use palestra_core::{Seed, Side};
//! use palestra_tournament::formats::{FormatSetup, FormatValues, format_named};
//! use palestra_tournament::{
//!     Entrant, StageBoards, Standings, StandingsInput, StartSchedule, TieBreak, TournamentResults,
//! };
//! use std::sync::Arc;
//!
//! let entrants = ["ana", "luis", "eva"].map(|name| Entrant { name: name.to_owned(), ..Entrant::default() });
//! let boards = StageBoards::Listed(vec!["connect:7x6x4".to_owned()]);
//! let points = PointSystem::default();
//! let mut format = (format_named("round-robin").unwrap().open)(FormatSetup {
//!     field: vec![0, 1, 2],
//!     ladder: Vec::new(),
//!     starts: StartSchedule::plain(boards, 4, 1, Seed(1)),
//!     points,
//!     values: FormatValues::default(),
//!     stage: 0,
//!     seed: Seed(2),
//! });
//!
//! let mut results = TournamentResults::new(entrants.len(), None);
//! let round = format.next(&results, true);
//! assert_eq!(round.pairings.len(), 3);
//! for pairing in round.pairings {
//!     // `players[0]` has the first side in game 0 and the second side in game 1, and wins both.
//!     let record = |game_index: usize| GameRecord {
//!         winner: Some(Side::BOTH[game_index]),
//!         margin_points: 1.0,
//!         reason: "line".to_owned(),
//!         plies: 20,
//!         ..GameRecord::default()
//!     };
//!     let games = [0, 1].map(|game_index| Some(Arc::new(record(game_index))));
//!     results.add(pairing, games);
//! }
//! assert!(format.next(&results, true).pairings.is_empty(), "one cycle is all");
//!
//! let standings = Standings::of(
//!     &results,
//!     &StandingsInput {
//!         entrants: &entrants,
//!         field: &[0, 1, 2],
//!         stage: 0,
//!         points: &points,
//!         tie_breaks: &TieBreak::ALL,
//!         placing: None,
//!         rate: false,
//!     },
//! );
//! let table: Vec<(&str, f64)> =
//!     standings.rows.iter().map(|row| (standings.names[row.player].as_str(), row.points)).collect();
//! assert_eq!(table, [("ana", 4.0), ("luis", 2.0), ("eva", 0.0)]);
//! ```

mod driver;
mod entrant;
mod evidence;
mod format;
pub mod formats;
mod key;
mod pairing;
mod plan;
mod results;
mod runner;
mod standings;
mod starts;

pub use driver::{TournamentDriver, TournamentEnd, TournamentObserver, TournamentStatus};
pub use entrant::{Entrant, Student};
pub use format::{Format, Placing};
pub use key::{GameConditions, GameKey};
pub use pairing::{Bye, Pairing, Pairings, ScheduledGame};
pub use palestra_arena::PointSystem;
pub use plan::{
    GridPlan, LaunchPolicy, OLD_KEYS, PlanKeys, PlayerPlan, PlayerSource, ProgramLimits, SeedingOrder,
    StageKeys, StagePlan, TournamentPlan, TournamentResolver,
};
pub use results::{CountedGame, PairResult, TournamentResults};
pub use runner::{GameRunner, GameStore, ResultSink, TournamentError};
pub use standings::{
    EarnedMark, HeadToHead, MarkThreshold, PlayerStanding, Ranking, RankingCriteria, Standings,
    StandingsInput, TieBreak, WinDrawLoss,
};
pub use starts::{StageBoards, StartSchedule};
