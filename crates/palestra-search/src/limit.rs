//! Limits of a search: depth, nodes, time, and the cancel flag of the process.

use palestra_core::CancelFlag;
use std::sync::OnceLock;
use std::time::Duration;

/// Returns the time since some fixed moment.
pub type TimeSource = fn() -> Duration;

static CLOCK: OnceLock<TimeSource> = OnceLock::new();

/// Gives searches a clock; this crate reads none itself. Later calls have no effect.
pub fn set_clock(clock: TimeSource) {
    let _ = CLOCK.set(clock);
}

static CANCEL_FLAG: OnceLock<CancelFlag> = OnceLock::new();

/// Gives searches a flag that ends them all, such as that of Ctrl-C. A search that it ends returns a legal move of no
/// worth: its caller looks at the same flag and drops the game. Later calls have no effect.
pub fn set_cancel_flag(flag: &CancelFlag) {
    let _ = CANCEL_FLAG.set(flag.clone());
}

/// The flag of [`set_cancel_flag`]; one that is never set where there is none.
pub fn cancel_flag() -> CancelFlag {
    CANCEL_FLAG.get().cloned().unwrap_or_default()
}

#[inline]
fn is_canceled() -> bool {
    CANCEL_FLAG.get().is_some_and(CancelFlag::is_canceled)
}

/// A search looks at the cancel flag once per this number of positions: a few milliseconds.
const NODES_PER_LOOK: u64 = 4096;

/// The cancel flag, looked at by node count, for searches without other limits.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CancelCheck {
    next: u64,
    is_canceled: bool,
}

impl CancelCheck {
    /// Whether the search is canceled after `nodes` positions; the flag is looked at now and then.
    #[inline(always)]
    pub(crate) fn is_canceled(&mut self, nodes: u64) -> bool {
        if nodes >= self.next {
            self.look(nodes);
        }
        self.is_canceled
    }

    #[cold]
    fn look(&mut self, nodes: u64) {
        self.next = nodes + NODES_PER_LOOK;
        self.is_canceled = is_canceled();
    }
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

    /// Whether the budget is used up after `nodes` positions, or the search is canceled.
    #[inline]
    pub(crate) fn is_spent(&mut self, nodes: u64) -> bool {
        self.n_checks = (self.n_checks + 1) % CHECKS_PER_CLOCK_READ;
        nodes >= self.nodes || is_canceled() || self.n_checks == 0 && self.is_late()
    }

    /// The number of positions at which to check again, after a check at `nodes` positions.
    pub(crate) fn next_check_at(&self, nodes: u64) -> u64 {
        let step = if self.deadline.is_some() { NODES_PER_CHECK } else { NODES_PER_LOOK };
        self.nodes.min(nodes + step)
    }

    #[cold]
    fn is_late(&self) -> bool {
        self.deadline.is_some_and(|deadline| CLOCK.get().is_some_and(|clock| clock() >= deadline))
    }
}
