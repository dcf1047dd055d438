//! Players from text, games and matches between them, and analysis of positions and weights.
//!
//! A [`Catalog`] opens a game from its text as an [`AnyGame`], which the terminal, the page and the store use without
//! knowing its type. Behind that trait everything is generic over the game: there are a few dynamic calls per move and
//! none per node of a search. A player is a [`PlayerSpec`], read from text such as `greedy/threes/4,4,1,2`.
//!
//! With a game and players one can run a match ([`MatchPlan`]), play and explain a game in progress ([`Session`]),
//! value moves exactly or by deep search ([`Oracle`]), test players on positions with known move values
//! ([`TestSuite`]), play thousands of greedy players at once ([`Cohort`]) and study how far weights may move
//! ([`Sensitivity`], [`WeightMap`]). All randomness comes from seeds: except for players with a time
//! limit, the same plan gives the same result on any number of threads.
//!
//! ```
//! use palestra_arena::{Catalog, CatalogEntry, MatchPlan};
//! use palestra_core::{InputError, Progress, Seed};
//! use palestra_games::connect::ConnectFamily;
//!
//! static GAMES: Catalog = Catalog::new(&[CatalogEntry::of::<ConnectFamily>()]);
//! let game = GAMES.open("connect4")?;
//! assert_eq!(game.name(), "connect:7x6x4");
//!
//! // A match: pairs of games with sides swapped.
//! let plan = MatchPlan::builtin(game.as_ref(), ["grid-5", "random"], 20, Seed(1))?;
//! let record = game.run_match(&plan, &Progress::default()).expect("a match of built-in players");
//! assert_eq!(record.n_games, 20);
//! assert!(record.wins > record.losses);
//!
//! // A game in progress, in which a player is asked for its move.
//! let mut session = game.session(None, "4 4 3")?;
//! let choice = session.ask(&game.player("alphabeta:depth=4/threes/4,4,1,2")?, Seed(1))?;
//! session.play(&choice.mv)?;
//! assert_eq!(session.played().len(), 4);
//! # Ok::<(), InputError>(())
//! ```

mod accuracy;
mod any;
mod build;
mod catalog;
mod clock;
mod cohort;
mod direction;
mod distinct;
mod explain;
mod fault;
mod greedy_match;
mod ladder;
mod match_runner;
mod matches;
mod opening;
mod oracle;
mod perfect;
mod player;
mod points;
mod program;
mod record;
mod referee;
mod runner;
mod seat;
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
pub use clock::{AnswerTime, GameClock, LATE_PERCENT, LateMoves, MAX_GIVEN_BACK, TimeControl, late_detail};
pub use cohort::{
    AnyCohort, Cohort, Decision, GauntletSpec, Sensitivity, WeightLimit, WeightMap, WeightRange,
    WeightRegion, can_meet_cohort, cohort_of,
};
pub use direction::Direction;
pub use explain::{ExplainedPosition, MoveReason};
pub use fault::{Fault, FaultKind};
pub use greedy_match::{GreedyMatch, greedy_match_of};
pub use match_runner::AnyMatch;
pub use matches::{MatchError, MatchForfeit, MatchPlan, MatchRecord, ProgramGames};
pub use oracle::Oracle;
pub use palestra_search::{MoveLimits, key_spelling};
pub use palestra_stats as stats;
pub use player::{MoveChoice, Player, TurnContext};
pub use points::PointSystem;
pub use program::{program_name, set_program_name};
pub use record::{EngineLog, Forfeit, GameEvidence, GameRecord, LogLine, Speaker, TimeVerdict};
pub use runner::{play_until_it_counts, run_jobs};
pub use seat::{
    ExternalPlayer, GameSeat, MatchPlayer, MoveRequest, NewGame, ObservedMove, OpeningMove, PlayError,
    RESIGN, Reply, VoidGame, is_program_text,
};
pub use self_play::{SelfPlayGame, SelfPlayPosition};
pub use session::{ChoiceText, Session};
pub use show::{EndingText, FeatureRows, PositionSummary, Score};
pub use spec::{DICE, NOISE, PERFECT, POLICIES, PlayerKind, PlayerSpec};
pub use start_point::{GameResult, StartPoint};
pub use test_suite::{ProgramAnswer, TestSuite, TestSuitePlan};
pub use text_player::TextPlayer;
pub use tree::{SearchTree, TreeLevel};
pub use tunable_player::TunablePlayer;
pub use workload::{MoveCounts, PlayoutCounts, multiply_chain};
