//! What the store keeps, as plain data.

use serde::Serialize;

/// The number of a run in its store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct RunId(pub i64);

/// What names a batch of games: the hash of everything that its result depends on.
pub type ContentKey = [u8; 32];

/// How far a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RunState {
    /// A process works on it.
    Running,
    /// Nobody works on it, and it is not done: the same command goes on with it.
    Interrupted,
    /// It has an outcome.
    Done,
    /// It ended with an error; it can be tried again.
    Failed,
}

impl RunState {
    /// All states.
    pub const ALL: [Self; 4] = [Self::Running, Self::Interrupted, Self::Done, Self::Failed];

    /// The state as a word.
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

/// What a caller says about a run that does not exist yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewRun {
    /// The beginning of its name: `cmaes-connect4` becomes `cmaes-connect4-1`, then `-2`.
    pub stem: String,
    /// Which command made it.
    pub kind: String,
    /// The effective configuration, as TOML: all of it, since it says which run "the same command" means.
    pub plan: String,
    /// The seed of everything random in it.
    pub seed: u64,
    /// The version of the engine that plays its games.
    pub version: String,
    /// The names of the weights that are looked for; empty where they have none.
    pub weights: Vec<String>,
}

impl NewRun {
    /// What finds the run again: see [`plan_key`](crate::plan_key).
    #[must_use]
    pub fn plan_key(&self) -> String {
        crate::plan_key(&self.plan, &self.version)
    }
}

/// A run, without what it found on its way.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Run {
    /// Its number in the store.
    pub id: RunId,
    /// Its name in the store.
    pub name: String,
    /// Which command made it.
    pub kind: String,
    /// The effective configuration, as TOML.
    pub plan: String,
    /// What finds the run again.
    pub plan_key: String,
    /// The seed of everything random in it.
    pub seed: u64,
    /// The version of the engine that played its games.
    pub version: String,
    /// The names of the weights that are looked for.
    pub weights: Vec<String>,
    /// How far it is; a run whose process was killed is interrupted.
    pub state: RunState,
    /// When it began: RFC 3339, UTC.
    pub created: String,
    /// When it last changed: RFC 3339, UTC.
    pub updated: String,
    /// For how long it was worked on, all sittings together.
    pub seconds: f64,
    /// How many games were finished.
    pub n_games: u64,
    /// What came out, as JSON.
    pub outcome: Option<String>,
}

/// A run in a list, without its plan and its outcome, which can be long.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RunSummary {
    /// Its number in the store.
    pub id: RunId,
    /// Its name in the store.
    pub name: String,
    /// Which command made it.
    pub kind: String,
    /// The seed of everything random in it.
    pub seed: u64,
    /// How far it is; a run whose process was killed is interrupted.
    pub state: RunState,
    /// When it began: RFC 3339, UTC.
    pub created: String,
    /// When it last changed: RFC 3339, UTC.
    pub updated: String,
    /// For how long it was worked on, all sittings together.
    pub seconds: f64,
    /// How many games were finished.
    pub n_games: u64,
}

/// What a run is doing right now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StoredStatus {
    /// When it said so: RFC 3339, UTC.
    pub updated: String,
    /// What it said, as JSON.
    pub what: String,
}

/// One generation of a run, without its candidates.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StoredGeneration {
    /// Its number.
    pub number: u32,
    /// How many games the run had played at its end.
    pub n_games: u64,
    /// The best fitness.
    pub best: f64,
    /// The mean fitness.
    pub mean: f64,
    /// The worst fitness.
    pub worst: f64,
    /// Which candidate is the best.
    pub best_number: u32,
    /// How far apart the candidates are.
    pub spread: f64,
    /// How far the search turned since the generation before.
    pub angle: f64,
    /// What the method says of itself, as JSON; no times, for a run that was interrupted must tell the same.
    pub vitals: String,
}

/// One of a generation; its number is its place in the list.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Candidate {
    /// The weights.
    pub weights: Vec<f64>,
    /// What they were worth.
    pub fitness: f64,
}

/// One of the hall of fame.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StoredHallEntry {
    /// Its place in the hall; a later entry of the same number takes the place of the earlier one.
    pub number: u32,
    /// Where it comes from.
    pub generation: u32,
    /// What it is there for.
    pub label: String,
    /// The weights.
    pub weights: Vec<f64>,
    /// What they were worth then.
    pub fitness: f64,
}

/// Who won.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Winner {
    /// The first player.
    First,
    /// The second player.
    Second,
}

/// One game with its moves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StoredGame {
    /// The family of the game: players are the same players on every board of it.
    pub family: String,
    /// The game, as its name is written canonically.
    pub game: String,
    /// The first player, as written canonically.
    pub first: String,
    /// The second player.
    pub second: String,
    /// The position it began with, if not the usual one.
    pub setup: Option<String>,
    /// The moves before the players took over.
    pub opening: String,
    /// The players' moves.
    pub moves: String,
    /// Who won; nobody in a draw.
    pub winner: Option<Winner>,
    /// By how much; 0 where a game counts nothing.
    pub margin: u32,
    /// Why it ended.
    pub reason: String,
    /// How many moves were played, the opening included.
    pub plies: u32,
    /// The seed of its dice.
    pub seed: u64,
    /// How long it took, where somebody looked.
    pub microseconds: Option<u64>,
}

/// A game of an event.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EventGame {
    /// Its number in the store, which is given when it is written down.
    pub id: i64,
    /// What finds it again: the hash of everything that it depends on.
    #[serde(skip)]
    pub key: ContentKey,
    /// The game; where it was forfeited, `reason` names the fault and `winner` is the other side.
    pub game: StoredGame,
    /// Its round, from 0.
    pub round: u32,
    /// The name of the first player in the event.
    pub first: String,
    /// The name of the second player in the event.
    pub second: String,
    /// What the game itself gives the first player.
    pub points: f64,
    /// Milliseconds that each side used of its clock.
    pub milliseconds: [u64; 2],
    /// Who forfeited it.
    pub forfeit: Option<Winner>,
    /// By which kind of fault.
    pub fault: Option<String>,
    /// What exactly was seen.
    pub detail: Option<String>,
    /// Times, dialogue and the end of what was written to standard error, as JSON.
    pub evidence: Option<String>,
}

/// Any game of a store, with all that is known of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GameDetails {
    /// Its number in the store.
    pub id: i64,
    /// The run that it belongs to, where it belongs to one.
    pub run: Option<RunId>,
    /// The game.
    pub game: StoredGame,
    /// What is known of it besides, where it was played in an event.
    pub event: Option<EventGameDetails>,
}

/// What an event adds to a game: the same as in an [`EventGame`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EventGameDetails {
    /// Its round, from 0.
    pub round: u32,
    /// The name of the first player in the event.
    pub first: String,
    /// The name of the second player in the event.
    pub second: String,
    /// What the game itself gives the first player.
    pub points: f64,
    /// Milliseconds that each side used of its clock.
    pub milliseconds: [u64; 2],
    /// Who forfeited it.
    pub forfeit: Option<Winner>,
    /// By which kind of fault.
    pub fault: Option<String>,
    /// What exactly was seen.
    pub detail: Option<String>,
    /// Times, dialogue and the end of what was written to standard error, as JSON.
    pub evidence: Option<String>,
}

/// Which games of an event are meant; those of everybody, if nothing is said.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EventFilter<'a> {
    /// Who took part, on either side.
    pub player: Option<&'a str>,
    /// Who else took part.
    pub rival: Option<&'a str>,
    /// In which round, from 0.
    pub round: Option<u32>,
    /// Only games that somebody forfeited.
    pub failed: bool,
}

/// A player with a name: what `@name` stands for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Champion {
    /// The name, without `@`.
    pub name: String,
    /// The game it plays.
    pub game: String,
    /// The player, as written canonically.
    pub player: String,
    /// The run that found it, where it is still there.
    pub run: Option<RunId>,
    /// How well it was tested, as JSON.
    pub verdict: String,
    /// When it was saved: RFC 3339, UTC; the store fills it in.
    pub created: String,
}

impl Winner {
    /// The winner as a word.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Second => "second",
        }
    }
}
