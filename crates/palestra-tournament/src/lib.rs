//! Events: plans, formats, pairings, standings, and the driver that plays them.
//!
//! A [`Format`] says who meets next, a [`GameRunner`] plays the games, a [`GameStore`] keeps them, and standings are a
//! fold of the kept games. Nothing here plays a game, reads a file or looks at a clock, so the same plan and games give
//! the same table, however many games were played at a time and however often the event was interrupted.
//!
//! ```
//! use palestra_core::Seed;
//! use palestra_tournament::formats::{FormatOptions, FormatSetup, format_named};
//! use palestra_tournament::{StageBoards, PointSystem, TournamentResults, StartSchedule};
//!
//! let boards = StageBoards::Listed(vec!["connect:7x6x4".to_owned()]);
//! let setup = FormatSetup {
//!     field: (0..4).collect(),
//!     ladder: Vec::new(),
//!     starts: StartSchedule::plain(boards, 4, 1, Seed(1)),
//!     points: PointSystem::default(),
//!     options: FormatOptions::default(),
//!     stage: 0,
//!     seed: Seed(2),
//! };
//! let mut format = (format_named("round-robin").unwrap().open)(setup);
//! let round = format.next(&TournamentResults::new(4, None), true);
//! let players: Vec<[usize; 2]> = round.pairings.iter().map(|pairing| pairing.players).collect();
//! assert_eq!(players, [[0, 3], [1, 2], [1, 3], [0, 2], [2, 3], [0, 1]]);
//! ```

mod driver;
mod entrant;
mod evidence;
mod format;
pub mod formats;
mod key;
mod pairing;
mod plan;
mod points;
mod record;
mod results;
mod runner;
mod standings;
mod starts;

pub use driver::{TournamentDriver, TournamentEnd, TournamentProgress, TournamentStatus};
pub use entrant::Entrant;
pub use format::{Format, Placing};
pub use key::{GameConditions, GameKey};
pub use pairing::{Bye, Pairing, Pairings, ScheduledGame};
pub use plan::{
    GridPlan, LaunchPolicy, PlayerPlan, PlayerSource, ProgramLimits, SeedingOrder, StagePlan, TournamentPlan,
    TournamentResolver,
};
pub use points::PointSystem;
pub use record::{Forfeit, GameRecord, Transcript};
pub use results::{CountedGame, PairResult, TournamentResults};
pub use runner::{FinishedGame, GameRunner, GameStore, ResultSink, TournamentError};
pub use standings::{
    EarnedMark, HeadToHead, MarkThreshold, PlayerStanding, Ranking, RankingCriteria, Standings,
    StandingsInput, TieBreak, WinDrawLoss,
};
pub use starts::{StageBoards, StartSchedule};
