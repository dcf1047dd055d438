//! The records of the store, as plain data.

use palestra_arena::GameRecord;
use palestra_core::Side;
use serde::Serialize;

/// The number of a run in its store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct RunId(pub i64);

/// The key of a batch or game: the hash of everything that its result depends on.
pub type ContentKey = [u8; 32];

/// The state of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RunState {
    /// A process works on it.
    Running,
    /// No process works on it, and it is not done: the same command resumes it.
    Interrupted,
    /// It has an outcome.
    Done,
    /// It ended with an error; it can be run again.
    Failed,
}

impl RunState {
    /// All states.
    pub const ALL: [Self; 4] = [Self::Running, Self::Interrupted, Self::Done, Self::Failed];

    /// The stored name of the state.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Interrupted => "interrupted",
            Self::Done => "done",
            Self::Failed => "failed",
        }
    }
}

/// The data of a run to be created.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewRun {
    /// The beginning of its name: `cmaes-connect4` becomes `cmaes-connect4-1`, then `-2`.
    pub stem: String,
    /// The command that made it: `tune`, `tournament`.
    pub kind: String,
    /// The complete effective configuration as TOML: a command with an equal plan finds this run again.
    pub plan: String,
    /// The same plan as an earlier version wrote it, if that differs: a run stored with it is the same run.
    pub old_plan: Option<String>,
    /// The seed of everything random in the run.
    pub seed: u64,
    /// The version of the program that plays its games.
    pub version: String,
    /// Names of the weights that are tuned; empty if they have none.
    pub weights: Vec<String>,
}

impl NewRun {
    /// The key by which the run is found again: see [`plan_key`](crate::plan_key).
    #[must_use]
    pub fn plan_key(&self) -> String {
        crate::plan_key(&self.plan, &self.version)
    }

    /// Whether a stored run has this plan, in the present spelling or that of an earlier version.
    #[must_use]
    pub fn has_plan_of(&self, run: &Run) -> bool {
        run.plan == self.plan || Some(&run.plan) == self.old_plan.as_ref()
    }

    /// The key that an earlier version gave the same run; [`NewRun::plan_key`] if there is none.
    #[must_use]
    pub fn old_plan_key(&self) -> String {
        crate::plan_key(self.old_plan.as_ref().unwrap_or(&self.plan), &self.version)
    }
}

/// A run, without its generations, candidates and games.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Run {
    /// Its number in the store.
    pub id: RunId,
    /// Its name in the store.
    pub name: String,
    /// The command that made it: `tune`, `tournament`.
    pub kind: String,
    /// The effective configuration, as TOML.
    pub plan: String,
    /// The key by which the run is found again.
    pub plan_key: String,
    /// The seed of everything random in the run.
    pub seed: u64,
    /// The version of the program that played its games.
    pub version: String,
    /// Names of the weights that are tuned.
    pub weights: Vec<String>,
    /// Its state; a run whose process was killed is interrupted.
    pub state: RunState,
    /// When it was created: RFC 3339, UTC.
    pub created: String,
    /// When it last changed: RFC 3339, UTC.
    pub updated: String,
    /// Total working time in seconds, without interruptions.
    pub seconds: f64,
    /// Number of finished games.
    pub n_games: u64,
    /// The outcome of a finished run, as JSON.
    pub outcome: Option<String>,
}

/// A run for lists, without its plan and its outcome, which can be long.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RunSummary {
    /// Its number in the store.
    #[serde(skip)]
    pub id: RunId,
    /// Its name in the store.
    #[serde(rename = "run")]
    pub name: String,
    /// The command that made it: `tune`, `tournament`.
    pub kind: String,
    /// The seed of everything random in the run.
    pub seed: u64,
    /// Its state; a run whose process was killed is interrupted.
    pub state: RunState,
    /// When it was created: RFC 3339, UTC.
    pub created: String,
    /// When it last changed: RFC 3339, UTC.
    pub updated: String,
    /// Total working time in seconds, without interruptions.
    pub seconds: f64,
    /// Number of finished games.
    #[serde(rename = "games")]
    pub n_games: u64,
}

impl Run {
    /// The run without its plan and its outcome.
    #[must_use]
    pub fn summary(&self) -> RunSummary {
        RunSummary {
            id: self.id,
            name: self.name.clone(),
            kind: self.kind.clone(),
            seed: self.seed,
            state: self.state,
            created: self.created.clone(),
            updated: self.updated.clone(),
            seconds: self.seconds,
            n_games: self.n_games,
        }
    }
}

/// The live status of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StoredStatus {
    /// When it was set: RFC 3339, UTC.
    pub updated: String,
    /// The status, as JSON.
    pub what: String,
}

/// One generation of a run, without its candidates.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StoredGeneration {
    /// Its number, from 0.
    pub number: u32,
    /// Number of games that the run had played at the end of the generation.
    pub n_games: u64,
    /// The best fitness.
    pub best: f64,
    /// The mean fitness.
    pub mean: f64,
    /// The worst fitness.
    pub worst: f64,
    /// Number of the best candidate.
    pub best_number: u32,
    /// Mean angle of the candidates to their mean direction, in degrees.
    pub spread: f64,
    /// Angle between the leaders of this and the previous generation, in degrees.
    pub angle: f64,
    /// Metrics of the optimizer, as JSON. They contain no times, so that an interrupted run gives the same metrics.
    pub metrics: String,
}

/// A candidate of a generation; its number is its index in the list.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Candidate {
    /// The weights.
    pub weights: Vec<f64>,
    /// Their fitness.
    pub fitness: f64,
}

/// An entry of the hall of fame.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StoredHallEntry {
    /// Its number in the hall of fame; a later entry with the same number replaces the earlier one.
    pub number: u32,
    /// The generation that it comes from.
    pub generation: u32,
    /// Why it is in the hall of fame.
    pub label: String,
    /// The weights.
    pub weights: Vec<f64>,
    /// Their fitness when the entry was made.
    pub fitness: f64,
}

/// One game: its record, and what it was played with.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredGame {
    /// The game family; a player is the same player on every board of it.
    pub family: String,
    /// The canonical name of the game.
    pub game: String,
    /// The canonical string of the first player.
    pub first: String,
    /// The canonical string of the second player.
    pub second: String,
    /// The start position, if it is not the usual one.
    pub setup: Option<String>,
    /// The seed of the game.
    pub seed: u64,
    /// Moves and result. Event points, times of sides, forfeits and evidence are stored for games of events only.
    pub record: GameRecord,
}

/// A game of an event.
#[derive(Clone, Debug, PartialEq)]
pub struct EventGame {
    /// Its number in the store, which is assigned when it is inserted: in the order in which games ended.
    pub id: i64,
    /// The key by which it is found again: the hash of everything that it depends on.
    pub key: ContentKey,
    /// The game.
    pub game: StoredGame,
    /// Its place in the event.
    pub place: EventPlace,
}

impl EventGame {
    /// Its number by its content: the same in every store and for any order in which games end.
    #[must_use]
    pub fn number(&self) -> i64 {
        FIRST_NUMBER + (leading(&self.key) >> NUMBER_SHIFT) as i64
    }
}

/// Numbers by content begin here, above all numbers in a store, and below 2⁵³, to which JSON readers are exact.
pub(crate) const FIRST_NUMBER: i64 = 1 << 52;

/// The bits of the first eight bytes of a key that a number leaves out.
const NUMBER_SHIFT: u32 = 12;

/// The keys of the games with a number by content: from the first, and below the second.
pub(crate) fn keys_of_number(number: i64) -> [Vec<u8>; 2] {
    let leading = |number: i64| ((number - FIRST_NUMBER) as u64) << NUMBER_SHIFT;
    let end = match number + 1 < 2 * FIRST_NUMBER {
        true => leading(number + 1).to_be_bytes().to_vec(),
        // Longer than a key, and so after all of them.
        false => vec![u8::MAX; size_of::<ContentKey>() + 1],
    };
    [leading(number).to_be_bytes().to_vec(), end]
}

fn leading(key: &ContentKey) -> u64 {
    let bytes = key.first_chunk().expect("a key has more than eight bytes");
    u64::from_be_bytes(*bytes)
}

/// The place of a game in its event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventPlace {
    /// Its round, from 0.
    pub round: u32,
    /// The name of the first player in the event.
    pub first: String,
    /// The name of the second player in the event.
    pub second: String,
}

impl EventPlace {
    /// The name of the player on a side.
    #[must_use]
    pub fn name(&self, side: Side) -> &str {
        match side {
            Side::First => &self.first,
            Side::Second => &self.second,
        }
    }
}

/// A game of the store with all its data.
#[derive(Clone, Debug, PartialEq)]
pub struct GameDetails {
    /// Its number in the store.
    pub id: i64,
    /// The run that it belongs to; `None` for a game without a run.
    pub run: Option<RunId>,
    /// The game.
    pub game: StoredGame,
    /// The place of a game of an event.
    pub event: Option<EventPlace>,
}

/// A filter for games of an event; the default passes all games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EventFilter<'a> {
    /// Name of a player, on either side.
    pub player: Option<&'a str>,
    /// Name of its opponent.
    pub opponent: Option<&'a str>,
    /// The round, from 0.
    pub round: Option<u32>,
    /// Whether to pass only forfeited games.
    pub failed: bool,
}

/// A named player: what `@name` stands for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Champion {
    /// The name, without `@`.
    pub name: String,
    /// The game it plays.
    pub game: String,
    /// The canonical player string.
    pub player: String,
    /// The run that found it; `None` if it was deleted.
    pub run: Option<RunId>,
    /// The verdict of its test, as JSON.
    pub verdict: String,
    /// When it was saved: RFC 3339, UTC. Set by the store.
    pub created: String,
}
