//! Progress and cancellation of a solver.

use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU32, AtomicU64, Ordering::Relaxed};

/// Progress of a solver, shared with other threads, and its cancel flag.
#[derive(Debug, Default)]
pub struct SolverProgress {
    nodes: AtomicU64,
    /// Finished part of the current null-window search, in millionths.
    millionths: AtomicU32,
    low: AtomicI32,
    high: AtomicI32,
    stop: AtomicBool,
    /// Node limit; 0 for none.
    limit: u64,
}

impl SolverProgress {
    /// Progress with a limit: the solver stops after about `nodes` positions.
    pub fn with_limit(nodes: u64) -> SolverProgress {
        SolverProgress { limit: nodes, ..SolverProgress::default() }
    }

    /// Number of positions searched so far.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }

    /// Fraction of the current search that is done, from 0 to 1, measured near the root. A value takes several
    /// searches, each with closer bounds.
    pub fn fraction_done(&self) -> f64 {
        f64::from(self.millionths.load(Relaxed)) / 1e6
    }

    /// Lower and upper bound of the value so far.
    pub fn bounds(&self) -> (i32, i32) {
        (self.low.load(Relaxed), self.high.load(Relaxed))
    }

    /// Stops the search.
    pub fn cancel(&self) {
        self.stop.store(true, Relaxed);
    }

    /// Whether the search was cancelled or has reached its node limit.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed) || self.limit > 0 && self.nodes() >= self.limit
    }

    /// Adds to the number of positions searched.
    pub fn add_nodes(&self, nodes: u64) {
        self.nodes.fetch_add(nodes, Relaxed);
    }

    pub(super) fn set_fraction(&self, fraction: f64) {
        self.millionths.store((fraction * 1e6) as u32, Relaxed);
    }

    pub(super) fn set_bounds(&self, low: i32, high: i32) {
        self.low.store(low, Relaxed);
        self.high.store(high, Relaxed);
    }
}
