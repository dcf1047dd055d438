//! How long a program had to wait for a processor, so that its clock need not run meanwhile.
//!
//! The scheduler keeps, for every thread, how long it ran and how long it was ready and had to wait. An answer that
//! comes within two milliseconds is not looked at. After that its threads are looked at once while it thinks, and
//! once more when somebody asks: the difference is what it waited. Three bounds keep it honest:
//! - of several threads the one that waited longest counts, and not their sum;
//! - what the program ran, all threads together, is taken off the time in which it can have waited, so that threads
//!   that wait for each other win nothing;
//! - our own thread's wait is added, since an answer that lies in the pipe is no thinking either.
//!
//! What is not seen: the first two milliseconds, and threads that end before the second look.

use super::tree::{ThreadTimes, descendants, own_thread_times, thread_times};
use std::time::{Duration, Instant};

/// Answers that come sooner are not looked at.
const PATIENCE: Duration = Duration::from_millis(2);

/// The state of the account.
#[derive(Debug, Default)]
pub(super) struct CoreWaitMeter {
    /// When the program was last spoken to.
    asked: Option<Instant>,
    first: Option<SchedulerSample>,
}

/// What one look saw.
#[derive(Debug)]
struct SchedulerSample {
    at: Instant,
    /// In the order of the threads' numbers.
    threads: Vec<ThreadTimes>,
    own: ThreadTimes,
}

impl SchedulerSample {
    fn now(warden: i32) -> SchedulerSample {
        let mut threads = thread_times(&descendants(warden));
        threads.sort();
        SchedulerSample { at: Instant::now(), threads, own: own_thread_times() }
    }

    /// What the program waited between this look and a later one.
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
    /// The program was spoken to: its thinking begins.
    pub(super) fn asked(&mut self) {
        *self = CoreWaitMeter { asked: Some(Instant::now()), first: None };
    }

    /// When to look for the first time, unless that was done.
    pub(super) fn sample_due(&self) -> Option<Instant> {
        match self.first {
            Some(_) => None,
            None => self.asked.map(|asked| asked + PATIENCE),
        }
    }

    /// Looks for the first time.
    pub(super) fn sample(&mut self, warden: i32) {
        self.first = Some(SchedulerSample::now(warden));
    }

    /// What the program waited since the first look.
    pub(super) fn waited(&self, warden: i32) -> Duration {
        self.first.as_ref().map_or(Duration::ZERO, |first| first.waited_until(&SchedulerSample::now(warden)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(before: &[(i32, u64, u64)], after: &[(i32, u64, u64)], wall_ms: u64, expected_ms: u64) {
        let millis = Duration::from_millis;
        let at = Instant::now();
        let look = |at: Instant, threads: &[(i32, u64, u64)]| {
            let account = |&(thread, ran, waited): &(i32, u64, u64)| ThreadTimes {
                thread,
                ran: millis(ran),
                waited: millis(waited),
            };
            SchedulerSample {
                at,
                threads: threads[1..].iter().map(account).collect(),
                own: account(&threads[0]),
            }
        };
        let waited = look(at, before).waited_until(&look(at + millis(wall_ms), after));
        assert_eq!(waited, millis(expected_ms), "{before:?} {after:?}");
    }

    #[test]
    fn waiting_is_counted_within_bounds() {
        // The first of each list is our own thread.
        check(&[(1, 0, 0), (2, 10, 5)], &[(1, 0, 0), (2, 40, 35)], 70, 30);
        check(&[(1, 0, 0), (2, 10, 5)], &[(1, 0, 7), (2, 40, 35)], 70, 37);
        check(&[(1, 0, 0), (2, 10, 5)], &[(9, 0, 7), (2, 40, 35)], 70, 30);
        // Two threads that take turns on one processor were never both without it.
        check(&[(1, 0, 0), (2, 0, 0), (3, 0, 0)], &[(1, 0, 0), (2, 50, 50), (3, 50, 50)], 100, 0);
        // A thread that is new has waited since it began.
        check(&[(1, 0, 0)], &[(1, 0, 0), (4, 1, 20)], 100, 20);
    }
}
