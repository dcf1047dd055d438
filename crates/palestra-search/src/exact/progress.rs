//! How far a solution has come.

use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU32, AtomicU64, Ordering::Relaxed};

/// What those who wait for a solution may see of it, and their way to call it off.
#[derive(Debug, Default)]
pub struct SolverProgress {
    nodes: AtomicU64,
    /// Of the question being asked, in millionths.
    part: AtomicU32,
    low: AtomicI32,
    high: AtomicI32,
    stop: AtomicBool,
    /// Nodes after which it stops by itself, 0 for never.
    limit: u64,
}

impl SolverProgress {
    /// A solution that is called off after about so many nodes.
    pub fn with_limit(nodes: u64) -> SolverProgress {
        SolverProgress { limit: nodes, ..SolverProgress::default() }
    }

    /// Positions looked at so far.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }

    /// How much of the tree near the root has been dealt with, from 0 to 1. A value takes several such trees, each
    /// with bounds closer to each other.
    pub fn fraction_done(&self) -> f64 {
        f64::from(self.part.load(Relaxed)) / 1e6
    }

    /// Between what the value lies, so far.
    pub fn bounds(&self) -> (i32, i32) {
        (self.low.load(Relaxed), self.high.load(Relaxed))
    }

    /// Asks the search to stop.
    pub fn cancel(&self) {
        self.stop.store(true, Relaxed);
    }

    /// Whether the search is to stop.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed) || self.limit > 0 && self.nodes() >= self.limit
    }

    /// Says that so many more positions were looked at.
    pub fn add_nodes(&self, nodes: u64) {
        self.nodes.fetch_add(nodes, Relaxed);
    }

    pub(super) fn set_fraction(&self, part: f64) {
        self.part.store((part * 1e6) as u32, Relaxed);
    }

    pub(super) fn set_bounds(&self, low: i32, high: i32) {
        self.low.store(low, Relaxed);
        self.high.store(high, Relaxed);
    }
}
