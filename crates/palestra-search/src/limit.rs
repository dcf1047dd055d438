//! Limits of a search: depth, nodes and time.

use std::sync::OnceLock;
use std::time::Duration;

/// Returns the time since some fixed moment.
pub type TimeSource = fn() -> Duration;

static CLOCK: OnceLock<TimeSource> = OnceLock::new();

/// Gives searches a clock; this crate reads none itself. Later calls have no effect.
pub fn set_clock(clock: TimeSource) {
    let _ = CLOCK.set(clock);
}

/// Whether [`set_clock`] was called, so that time limits can be used.
pub fn has_clock() -> bool {
    CLOCK.get().is_some()
}

/// Limits of a search for one move. With limits of depth and nodes a search is repeatable; with a time limit it is not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchLimit {
    /// Maximum depth in plies.
    pub depth: u32,
    /// Number of positions after which the best move so far is played.
    pub nodes: Option<u64>,
    /// Time after which the best move so far is played.
    pub time: Option<Duration>,
}

/// Measures elapsed time, if there is a clock.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch {
    start: Option<Duration>,
}

impl Stopwatch {
    /// Starts measuring.
    pub fn start() -> Stopwatch {
        Stopwatch { start: CLOCK.get().map(|clock| clock()) }
    }

    /// Time since the start; `None` without a clock.
    pub fn elapsed(&self) -> Option<Duration> {
        CLOCK.get()?().checked_sub(self.start?)
    }

    /// `n` per elapsed second.
    pub(crate) fn rate(&self, n: u64) -> Option<u64> {
        let seconds = self.elapsed()?.as_secs_f64();
        (seconds > 0.0).then(|| (n as f64 / seconds) as u64)
    }
}

/// The limits of a search in progress.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SearchBudget {
    nodes: u64,
    deadline: Option<Duration>,
    n_checks: u32,
}

/// Calls of [`SearchBudget::is_spent`] per reading of the clock.
const CHECKS_PER_CLOCK_READ: u32 = 8;
/// With a time limit, a search checks its budget once per this number of positions.
const NODES_PER_CHECK: u64 = 16;

impl SearchBudget {
    /// A budget without limits.
    pub(crate) const UNLIMITED: SearchBudget = SearchBudget { nodes: u64::MAX, deadline: None, n_checks: 0 };

    /// Starts the clock of a limit.
    pub(crate) fn start(limit: &SearchLimit) -> SearchBudget {
        let deadline = limit.time.and_then(|time| Some(CLOCK.get()?() + time));
        SearchBudget { nodes: limit.nodes.unwrap_or(u64::MAX), deadline, n_checks: 0 }
    }

    /// Whether the budget is used up after `nodes` positions.
    #[inline]
    pub(crate) fn is_spent(&mut self, nodes: u64) -> bool {
        self.n_checks = (self.n_checks + 1) % CHECKS_PER_CLOCK_READ;
        nodes >= self.nodes || self.n_checks == 0 && self.is_late()
    }

    /// The number of positions at which to check again, after a check at `nodes` positions.
    pub(crate) fn next_check_at(&self, nodes: u64) -> u64 {
        if self.deadline.is_some() { self.nodes.min(nodes + NODES_PER_CHECK) } else { self.nodes }
    }

    #[cold]
    fn is_late(&self) -> bool {
        self.deadline.is_some_and(|deadline| CLOCK.get().is_some_and(|clock| clock() >= deadline))
    }
}
