//! Shared state of the threads of one search, besides the table.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// With several threads, each updates the shared node count once per this number of positions.
pub(super) const NODES_PER_UPDATE: u64 = 64;

/// Node count and stop flag of the threads that search together.
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

    /// Adds the nodes of one thread; returns the nodes of all threads.
    pub(super) fn add(&self, nodes: u64) -> u64 {
        self.nodes.fetch_add(nodes, Relaxed) + nodes
    }

    /// Whether the first thread has finished.
    pub(super) fn is_done(&self) -> bool {
        self.is_done.load(Relaxed)
    }

    /// A guard that stops all threads when it is dropped, also on a panic.
    pub(super) fn stop_on_drop(&self) -> StopGuard<'_> {
        StopGuard(self)
    }
}

/// Sets the stop flag when it is dropped.
pub(super) struct StopGuard<'a>(&'a SearchThreads);

impl Drop for StopGuard<'_> {
    fn drop(&mut self) {
        self.0.is_done.store(true, Relaxed);
    }
}
