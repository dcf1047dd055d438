//! What the threads of one search tell each other beside the table.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// With several threads, each tells the others how it goes once in so many positions.
pub(super) const NODES_PER_UPDATE: u64 = 64;

/// The threads that search together.
#[derive(Debug)]
pub(super) struct SearchThreads {
    pub(super) n_threads: usize,
    nodes: AtomicU64,
    is_done: AtomicBool,
}

impl SearchThreads {
    pub(super) fn new(n_threads: usize) -> SearchThreads {
        SearchThreads { n_threads, nodes: AtomicU64::new(0), is_done: AtomicBool::new(false) }
    }

    /// Adds positions that one thread has looked at; says how many all of them have.
    pub(super) fn add(&self, nodes: u64) -> u64 {
        self.nodes.fetch_add(nodes, Relaxed) + nodes
    }

    /// Whether the thread that decides has decided.
    pub(super) fn is_done(&self) -> bool {
        self.is_done.load(Relaxed)
    }

    /// Sends everybody home when it is dropped, whatever happened before.
    pub(super) fn stop_on_drop(&self) -> StopGuard<'_> {
        StopGuard(self)
    }
}

/// Ends the work of a crew when it goes away.
pub(super) struct StopGuard<'a>(&'a SearchThreads);

impl Drop for StopGuard<'_> {
    fn drop(&mut self) {
        self.0.is_done.store(true, Relaxed);
    }
}
