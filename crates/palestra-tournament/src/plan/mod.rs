//! An event as a file: who takes part, where, in which format, and what happens to whoever fails.

mod open;
mod players;
mod print;
mod read;
mod resolver;
mod stage;
#[cfg(test)]
mod tests;

pub use players::{GridPlan, LaunchPolicy, PlayerPlan, PlayerSource};
pub use resolver::TournamentResolver;
pub use stage::{SeedingOrder, StagePlan};

use crate::standings::{MarkThreshold, TieBreak};
use palestra_settings::SourceLocation;

/// An event with every name resolved. Displays as the file that describes it in full; reading that file gives the same plan.
#[derive(Clone, Debug)]
pub struct TournamentPlan {
    /// What people call it.
    pub name: String,
    /// All dice come from here.
    pub seed: u64,
    /// The clock, as text: this crate does not know how to read it. `None` where nobody said.
    pub clock: Option<(String, SourceLocation)>,
    /// How much later an answer may come before it is late.
    pub margin_ms: u64,
    /// Games played at a time; `None` leaves it to the machine.
    pub concurrency: Option<u32>,
    /// Whether every game gets cores of its own.
    pub pin: bool,
    /// When programs are started, unless a player says otherwise.
    pub start: LaunchPolicy,
    /// Whether an event that ends with forfeits has failed.
    pub strict: bool,
    /// After how many forfeits a player is quarantined; `None` is never.
    pub quarantine: Option<u32>,
    /// What decides where points are equal, in order.
    pub tie_breaks: Vec<TieBreak>,
    /// What programs may use.
    pub program_limits: ProgramLimits,
    /// Thresholds for marks.
    pub marks: Vec<MarkThreshold>,
    /// The stages; most events have one.
    pub stages: Vec<StagePlan>,
    /// Players that are listed one by one.
    pub players: Vec<PlayerPlan>,
    /// Players that are listed all at once: every vector of weights of a grid.
    pub grids: Vec<GridPlan>,
    /// Folders of programs: `submissions/*`. Whoever reads folders expands them.
    pub patterns: Vec<(String, SourceLocation)>,
}

/// What a program may use. Plain numbers: whoever starts programs knows how to hold them to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProgramLimits {
    /// Memory in all, in millions of bytes.
    pub memory_mb: u64,
    /// Processes at a time; each may have eight threads, and lend what it does not need to the others.
    pub processes: u64,
    /// Processor time of a process, in seconds; `None` leaves it to the clock.
    pub cpu_seconds: Option<u64>,
    /// The largest file it may write, in millions of bytes.
    pub file_mb: u64,
    /// Files it may have open.
    pub open_files: u64,
    /// Whether programs are not confined at all.
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
