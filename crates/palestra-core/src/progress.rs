//! Progress of a piece of work: the threads that do it report here, and those that show it read here. It reads no
//! clock: times and speeds are the reader's.

use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A flag that cancels work; all clones share it.
#[derive(Clone, Debug, Default)]
pub struct CancelFlag(Arc<AtomicBool>);

impl CancelFlag {
    /// Cancels the work; returns whether it was canceled before.
    pub fn cancel(&self) -> bool {
        self.0.swap(true, Relaxed)
    }

    /// Whether the work was canceled.
    pub fn is_canceled(&self) -> bool {
        self.0.load(Relaxed)
    }
}

/// A part of the work that has its own number of units.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ProgressPhase {
    /// Its name, for the live status.
    pub name: &'static str,
    /// Number of units of the phase, where it is known or can be estimated.
    pub total: Option<u64>,
    /// Number of its present step, such as a generation, from 0.
    pub step: Option<u64>,
    /// Number of its steps, where it is planned.
    pub n_steps: Option<u64>,
    /// A remark on the present step.
    pub message: String,
}

/// Progress of a piece of work, its limits and its cancel flag.
///
/// A unit is what the worker counts: a game, a position, a node of a search.
#[derive(Debug, Default)]
pub struct Progress {
    cancel_flag: CancelFlag,
    is_time_over: AtomicBool,
    /// Largest number of units; 0 for no limit.
    limit: u64,
    done: AtomicU64,
    /// Finished part of a search whose number of units is unknown, in millionths.
    millionths: AtomicU32,
    low: AtomicI32,
    high: AtomicI32,
    phase: Mutex<ProgressPhase>,
}

impl Progress {
    /// Progress of work that this flag cancels.
    pub fn new(cancel_flag: CancelFlag) -> Progress {
        Progress { cancel_flag, ..Progress::default() }
    }

    /// Progress of a part of this work, counted separately and canceled together with it.
    pub fn part(&self) -> Progress {
        Progress::new(self.cancel_flag.clone())
    }

    /// The same with a limit: the work stops after about `limit` units.
    #[must_use]
    pub fn with_limit(self, limit: u64) -> Progress {
        Progress { limit, ..self }
    }

    /// The flag that cancels the work.
    pub fn cancel_flag(&self) -> &CancelFlag {
        &self.cancel_flag
    }

    /// Cancels the work.
    pub fn cancel(&self) {
        self.cancel_flag.cancel();
    }

    /// Whether the work was canceled or has reached its limit.
    pub fn is_stopped(&self) -> bool {
        self.cancel_flag.is_canceled() || self.limit > 0 && self.done() >= self.limit
    }

    /// Says that the time of the work is over: it ends as planned, with fewer units.
    pub fn end_time(&self) {
        self.is_time_over.store(true, Relaxed);
    }

    /// Whether there is time left, for plans that limit it.
    pub fn has_time(&self) -> bool {
        !self.is_time_over.load(Relaxed)
    }

    /// Begins a phase, with no units done.
    pub fn begin(&self, phase: ProgressPhase) {
        self.set_done(0);
        *self.lock() = phase;
    }

    /// The present phase.
    pub fn phase(&self) -> ProgressPhase {
        self.lock().clone()
    }

    /// Changes what is known of the present phase.
    pub fn update(&self, change: impl FnOnce(&mut ProgressPhase)) {
        change(&mut self.lock());
    }

    /// Reports that `n` more units are done.
    pub fn add(&self, n: u64) {
        self.done.fetch_add(n, Relaxed);
    }

    /// Sets the number of units that are done.
    pub fn set_done(&self, n: u64) {
        self.done.store(n, Relaxed);
    }

    /// Number of units of the phase that are done.
    pub fn done(&self) -> u64 {
        self.done.load(Relaxed)
    }

    /// Sets the finished part of a search, from 0 to 1.
    pub fn set_fraction(&self, fraction: f64) {
        self.millionths.store((fraction * 1e6) as u32, Relaxed);
    }

    /// Finished part of the present search, measured near its root. A value takes several searches, each with closer
    /// bounds.
    pub fn fraction(&self) -> f64 {
        f64::from(self.millionths.load(Relaxed)) / 1e6
    }

    /// Sets the bounds of the value that is searched.
    pub fn set_bounds(&self, low: i32, high: i32) {
        self.low.store(low, Relaxed);
        self.high.store(high, Relaxed);
    }

    /// Lower and upper bound of the value so far.
    pub fn bounds(&self) -> (i32, i32) {
        (self.low.load(Relaxed), self.high.load(Relaxed))
    }

    fn lock(&self) -> MutexGuard<'_, ProgressPhase> {
        // A phase is whole between any two statements.
        self.phase.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_canceled_with_the_whole_and_counted_separately() {
        let whole = Progress::default();
        let part = whole.part().with_limit(10);
        part.add(9);
        assert_eq!((whole.done(), part.done(), part.is_stopped()), (0, 9, false));
        part.add(1);
        assert!(part.is_stopped() && !whole.is_stopped(), "the limit is that of the part");
        let part = whole.part();
        assert!(!whole.cancel_flag().cancel() && whole.cancel_flag().cancel(), "canceled twice");
        assert!(part.is_stopped() && whole.is_stopped());
    }

    #[test]
    fn a_phase_begins_with_nothing_done() {
        let progress = Progress::default();
        progress.begin(ProgressPhase { name: "training", total: Some(8), ..ProgressPhase::default() });
        progress.add(5);
        progress.update(|phase| phase.step = Some(2));
        let phase = progress.phase();
        assert_eq!((progress.done(), phase.name, phase.total, phase.step), (5, "training", Some(8), Some(2)));
        progress.begin(ProgressPhase::default());
        assert_eq!((progress.done(), progress.phase().total), (0, None));
        assert!(progress.has_time());
        progress.end_time();
        assert!(!progress.has_time());
    }
}
