//! Tournament plans: the file that lists players, boards, formats, limits and the rules for forfeits.

mod open;
mod players;
mod print;
mod read;
mod resolver;
mod stage;
#[cfg(test)]
mod tests;

pub use players::{GridPlan, LaunchPolicy, PlayerPlan, PlayerSource};
pub use read::OLD_KEYS;
pub use resolver::TournamentResolver;
pub use stage::{SeedingOrder, StagePlan};

use crate::standings::{MarkThreshold, TieBreak};
use palestra_settings::SourceLocation;

/// A tournament plan with every name resolved. `Display` prints the complete plan file; reading it gives the same plan.
#[derive(Clone, Debug)]
pub struct TournamentPlan {
    /// Name of the event.
    pub name: String,
    /// Seed of everything random in the event.
    pub seed: u64,
    /// The clock as text, which this crate does not parse; `None` if the plan has none.
    pub clock: Option<(String, SourceLocation)>,
    /// Milliseconds by which a move may exceed the clock before it is a time forfeit.
    pub margin_ms: u64,
    /// Maximum number of concurrent games; `None` leaves it to the number of cores.
    pub concurrency: Option<u32>,
    /// Whether every game is pinned to its own cores.
    pub pin: bool,
    /// When programs are started; a player can override it.
    pub start: LaunchPolicy,
    /// Whether an event with forfeits counts as failed.
    pub strict: bool,
    /// Number of forfeits after which a player is quarantined; `None` is never.
    pub quarantine: Option<u32>,
    /// Tie-breaks for equal points, in order.
    pub tie_breaks: Vec<TieBreak>,
    /// Resource limits of programs.
    pub program_limits: ProgramLimits,
    /// Thresholds for grades.
    pub marks: Vec<MarkThreshold>,
    /// The stages in order; most events have one.
    pub stages: Vec<StagePlan>,
    /// Players that are listed one by one: `[[player]]`.
    pub players: Vec<PlayerPlan>,
    /// Grids of players: every vector of weights of a grid is a player.
    pub grids: Vec<GridPlan>,
    /// Patterns of program folders: `submissions/*`. The caller expands them.
    pub patterns: Vec<(String, SourceLocation)>,
}

/// Resource limits of a program. The engine runner enforces them; this crate only reads and prints them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProgramLimits {
    /// Total memory, in millions of bytes.
    pub memory_mb: u64,
    /// Maximum number of processes. Threads are limited together, at eight for each allowed process.
    pub processes: u64,
    /// CPU time of a process in seconds; `None` is no limit other than the clock.
    pub cpu_seconds: Option<u64>,
    /// Maximum size of a file that it writes, in millions of bytes.
    pub file_mb: u64,
    /// Maximum number of open files.
    pub open_files: u64,
    /// Whether programs run without a sandbox.
    pub unconfined: bool,
}

impl Default for ProgramLimits {
    fn default() -> ProgramLimits {
        ProgramLimits {
            memory_mb: 1024,
            processes: 32,
            cpu_seconds: None,
            file_mb: 64,
            open_files: 256,
            unconfined: false,
        }
    }
}
