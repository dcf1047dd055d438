//! Tournament plans: the file that lists players, boards, formats, limits and the rules for forfeits.

mod keys;
mod open;
mod players;
mod print;
mod read;
mod resolver;
mod stage;
#[cfg(test)]
mod tests;

pub use keys::{PlanKeys, StageKeys};
pub use players::{GridPlan, LaunchPolicy, PlayerPlan, PlayerSource};
pub use resolver::TournamentResolver;
pub use stage::{SeedingOrder, StagePlan};

use crate::standings::{MarkThreshold, TieBreak};
use palestra_arena::LATE_PERCENT;
use palestra_settings::{KeyRename, Parsed, one_or_many, whole};
use serde::{Deserialize, Deserializer};

const fn renamed(section: &'static str, old: &'static str, new: &'static str) -> KeyRename {
    KeyRename { section, old, new }
}

/// Keys of a tournament plan that version 0.0 called otherwise.
pub const OLD_KEYS: [KeyRename; 10] = [
    renamed("", "margin-ms", "margin_ms"),
    renamed("", "tie-breaks", "tie_breaks"),
    renamed("", "opening-plies", "opening_plies"),
    renamed("", "games", "pairs"),
    renamed("stage", "opening-plies", "opening_plies"),
    renamed("stage", "games", "pairs"),
    renamed("confinement", "memory-mb", "memory_mb"),
    renamed("confinement", "cpu-seconds", "cpu_seconds"),
    renamed("confinement", "file-mb", "file_mb"),
    renamed("confinement", "open-files", "open_files"),
];

/// Default of [`TournamentPlan::archive_mb`]: programs of students are smaller, and the store stays small.
pub(crate) const ARCHIVE_MB: u64 = 64;

/// A tournament plan with every name resolved. `Display` prints the complete plan file; reading it gives the same plan.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TournamentPlan {
    /// Name of the event.
    pub name: String,
    /// Seed of everything random in the event.
    #[serde(deserialize_with = "whole::<0, { u64::MAX >> 11 }, _, _>")]
    pub seed: u64,
    /// The clock as text, which this crate does not parse; `None` if the plan has none.
    pub clock: Option<String>,
    /// Milliseconds by which a move may exceed the clock before it is a time forfeit.
    #[serde(deserialize_with = "whole::<0, 600_000, _, _>")]
    pub margin_ms: u64,
    /// Share of late moves, in percent, above which a program loses a game; 100 is never.
    #[serde(deserialize_with = "whole::<0, 100, _, _>")]
    pub late_percent: u32,
    /// Largest size of the files of a program, in MiB, with which they are archived in the store; 0 archives none.
    #[serde(deserialize_with = "whole::<0, 1024, _, _>")]
    pub archive_mb: u64,
    /// Maximum number of concurrent games; `None` leaves it to the number of cores.
    #[serde(deserialize_with = "some_positive::<100_000, _, _>")]
    pub concurrency: Option<u32>,
    /// Whether every game is pinned to its own cores.
    pub pin: bool,
    /// When programs are started; a player can override it.
    pub start: LaunchPolicy,
    /// The interpreter of Kaggle agents that name none of their own; `None` is `python3`.
    pub kaggle_python: Option<String>,
    /// Whether an event with forfeits counts as failed.
    pub strict: bool,
    /// Number of forfeits after which a player is quarantined; `None` is never.
    #[serde(deserialize_with = "some_positive::<1_000_000, _, _>")]
    pub quarantine: Option<u32>,
    /// Tie-breaks for equal points, in order.
    #[serde(deserialize_with = "tie_breaks")]
    pub tie_breaks: Vec<TieBreak>,
    /// Resource limits of programs.
    #[serde(rename = "confinement")]
    pub program_limits: ProgramLimits,
    /// Thresholds for grades.
    #[serde(skip)]
    pub marks: Vec<MarkThreshold>,
    /// The stages in order; most events have one.
    #[serde(skip)]
    pub stages: Vec<StagePlan>,
    /// Players that are listed one by one: `[[player]]`.
    #[serde(skip)]
    pub players: Vec<PlayerPlan>,
    /// Grids of players: every vector of weights of a grid is a player.
    #[serde(skip)]
    pub grids: Vec<GridPlan>,
    /// Patterns of program folders: `submissions/*`. The caller expands them.
    #[serde(skip)]
    pub patterns: Vec<String>,
    /// A CSV file that says whose these folders are. The caller reads it.
    pub roster: Option<String>,
}

impl Default for TournamentPlan {
    fn default() -> TournamentPlan {
        TournamentPlan {
            name: "event".to_owned(),
            seed: 1,
            clock: None,
            margin_ms: 200,
            late_percent: LATE_PERCENT,
            archive_mb: ARCHIVE_MB,
            concurrency: None,
            pin: false,
            start: LaunchPolicy::Once,
            kaggle_python: None,
            strict: false,
            quarantine: Some(3),
            tie_breaks: vec![
                TieBreak::Direct,
                TieBreak::SonnebornBerger,
                TieBreak::Buchholz,
                TieBreak::Rating,
            ],
            program_limits: ProgramLimits::default(),
            marks: Vec::new(),
            stages: Vec::new(),
            players: Vec::new(),
            grids: Vec::new(),
            patterns: Vec::new(),
            roster: None,
        }
    }
}

/// A whole number up to `HIGH`; 0 is no value.
fn some_positive<'de, const HIGH: u64, T, D>(deserializer: D) -> Result<Option<T>, D::Error>
where
    T: palestra_settings::FromNumber<u64> + Default + PartialEq,
    D: Deserializer<'de>,
{
    whole::<0, HIGH, T, D>(deserializer).map(|number| Some(number).filter(|number| *number != T::default()))
}

fn tie_breaks<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<TieBreak>, D::Error> {
    Ok(one_or_many(deserializer)?.into_iter().map(|tie: Parsed<TieBreak>| tie.0).collect())
}

/// Resource limits of a program. The engine runner enforces them; this crate only reads and prints them.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ProgramLimits {
    /// Total memory, in millions of bytes.
    #[serde(deserialize_with = "whole::<1, { 1 << 30 }, _, _>")]
    pub memory_mb: u64,
    /// Maximum number of processes. Threads are limited together, at eight for each allowed process.
    #[serde(deserialize_with = "whole::<1, { 1 << 20 }, _, _>")]
    pub processes: u64,
    /// CPU time of a process in seconds; `None` is no limit other than the clock.
    #[serde(deserialize_with = "some_positive::<{ 1 << 30 }, _, _>")]
    pub cpu_seconds: Option<u64>,
    /// Maximum size of a file that it writes, in millions of bytes.
    #[serde(deserialize_with = "whole::<0, { 1 << 30 }, _, _>")]
    pub file_mb: u64,
    /// Maximum number of open files.
    #[serde(deserialize_with = "whole::<8, { 1 << 20 }, _, _>")]
    pub open_files: u64,
    /// Files and folders that every program can read besides its own.
    #[serde(deserialize_with = "one_or_many")]
    pub read: Vec<String>,
    /// Whether programs run without a sandbox.
    pub unconfined: bool,
    /// Whether programs run where the kernel lacks a part of the sandbox, with the parts that it has.
    pub confine_as_possible: bool,
}

impl Default for ProgramLimits {
    fn default() -> ProgramLimits {
        ProgramLimits {
            memory_mb: 1024,
            processes: 32,
            cpu_seconds: None,
            file_mb: 64,
            open_files: 256,
            read: Vec::new(),
            unconfined: false,
            confine_as_possible: false,
        }
    }
}
