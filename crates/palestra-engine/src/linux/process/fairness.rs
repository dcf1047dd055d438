//! How long a program waited for a processor, so that its clock is not charged for that time.
//!
//! The scheduler records for every thread how long it ran and how long it was ready to run and waited. The threads are
//! sampled 2 ms after the last line was sent and again when [`CoreWaitMeter::waited`] is called; the difference is the
//! waiting time. An answer within 2 ms is not sampled. Three rules bound the result:
//! - of several threads the one that waited longest counts, and not their sum;
//! - the time that all threads together ran is subtracted from the wall time, so that threads that wait for each other
//!   gain nothing;
//! - the wait of Palestra's own thread is added, since an answer that is already in the pipe is not thinking time.
//!
//! Not measured: the first 2 ms, and threads that end before the second sample.

use super::tree::{ThreadTimes, descendants, own_thread_times, thread_times};
use std::time::{Duration, Instant};

/// Time from the last line that was sent to the first sample.
const SAMPLE_DELAY: Duration = Duration::from_millis(2);

/// Measures the wait for a processor since the last line that was sent.
#[derive(Debug, Default)]
pub(super) struct CoreWaitMeter {
    /// Time of the last line that was sent.
    sent: Option<Instant>,
    first: Option<SchedulerSample>,
}

/// The scheduler's records at one instant.
#[derive(Debug)]
struct SchedulerSample {
    at: Instant,
    /// Threads of the program, sorted by thread number.
    threads: Vec<ThreadTimes>,
    /// The calling thread.
    own: ThreadTimes,
}

impl SchedulerSample {
    fn now(supervisor: i32) -> SchedulerSample {
        let mut threads = thread_times(&descendants(supervisor));
        threads.sort();
        SchedulerSample { at: Instant::now(), threads, own: own_thread_times() }
    }

    /// How long the program waited between this sample and a later one.
    fn waited_until(&self, later: &SchedulerSample) -> Duration {
        let before = |thread: &ThreadTimes| {
            let found = self.threads.binary_search_by_key(&thread.thread, |known| known.thread);
            found.map_or(ThreadTimes::default(), |index| self.threads[index])
        };
        let mut ran = Duration::ZERO;
        let mut waited = Duration::ZERO;
        for thread in &later.threads {
            let before = before(thread);
            ran += thread.ran.saturating_sub(before.ran);
            waited = waited.max(thread.waited.saturating_sub(before.waited));
        }
        if self.own.thread == later.own.thread {
            waited += later.own.waited.saturating_sub(self.own.waited);
        }
        waited.min(later.at.saturating_duration_since(self.at).saturating_sub(ran))
    }
}

impl CoreWaitMeter {
    /// Starts a measurement: a line was sent to the program.
    pub(super) fn restart(&mut self) {
        *self = CoreWaitMeter { sent: Some(Instant::now()), first: None };
    }

    /// When the first sample is due; `None` once it was taken.
    pub(super) fn sample_due(&self) -> Option<Instant> {
        match self.first {
            Some(_) => None,
            None => self.sent.map(|sent| sent + SAMPLE_DELAY),
        }
    }

    /// Takes the first sample.
    pub(super) fn sample(&mut self, supervisor: i32) {
        self.first = Some(SchedulerSample::now(supervisor));
    }

    /// How long the program waited since the first sample.
    pub(super) fn waited(&self, supervisor: i32) -> Duration {
        match &self.first {
            Some(first) => first.waited_until(&SchedulerSample::now(supervisor)),
            None => Duration::ZERO,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(before: &[(i32, u64, u64)], after: &[(i32, u64, u64)], wall_ms: u64, expected_ms: u64) {
        let millis = Duration::from_millis;
        let at = Instant::now();
        let sample = |at: Instant, threads: &[(i32, u64, u64)]| {
            let times = |&(thread, ran, waited): &(i32, u64, u64)| ThreadTimes {
                thread,
                ran: millis(ran),
                waited: millis(waited),
            };
            SchedulerSample { at, threads: threads[1..].iter().map(times).collect(), own: times(&threads[0]) }
        };
        let waited = sample(at, before).waited_until(&sample(at + millis(wall_ms), after));
        assert_eq!(waited, millis(expected_ms), "{before:?} {after:?}");
    }

    #[test]
    fn waiting_is_counted_within_bounds() {
        // The first of each list is Palestra's own thread.
        check(&[(1, 0, 0), (2, 10, 5)], &[(1, 0, 0), (2, 40, 35)], 70, 30);
        check(&[(1, 0, 0), (2, 10, 5)], &[(1, 0, 7), (2, 40, 35)], 70, 37);
        check(&[(1, 0, 0), (2, 10, 5)], &[(9, 0, 7), (2, 40, 35)], 70, 30);
        // Of two threads that take turns on one processor, one was always running.
        check(&[(1, 0, 0), (2, 0, 0), (3, 0, 0)], &[(1, 0, 0), (2, 50, 50), (3, 50, 50)], 100, 0);
        // A new thread has waited since its start.
        check(&[(1, 0, 0)], &[(1, 0, 0), (4, 1, 20)], 100, 20);
    }
}
