//! How long a program waited for a processor, so that its clock is not charged for that time.
//!
//! The scheduler records for every thread how long it ran and how long it was ready to run and waited. The threads are
//! sampled 2 ms after a line was sent and again at the next line or when [`CoreWaitMeter::waited`] is called; the
//! differences of all lines of an exchange are added. An answer within 2 ms is not sampled. Three rules bound the result:
//! - of several threads the one that waited longest counts, and not their sum;
//! - the time that all threads together ran is subtracted from the wall time, so that threads that wait for each other
//!   gain nothing;
//! - the wait of Palestra's own thread is added, since an answer that is already in the pipe is not thinking time.
//!
//! The scheduler adds a wait to its record when the wait is over. [`CoreWaitMeter::is_waiting`] tells whether one is in
//! progress: on a busy machine a single one takes a tenth of a second.
//!
//! Not measured: the first 2 ms, and threads that end before the second sample.

use super::tree::{ThreadTimes, descendants, has_runnable_thread, own_thread_times, thread_times};
use std::time::{Duration, Instant};

/// Time from a line that was sent to its first sample.
const SAMPLE_DELAY: Duration = Duration::from_millis(2);

/// Measures the wait for a processor in an exchange of lines.
#[derive(Debug)]
pub(super) struct CoreWaitMeter {
    began: Instant,
    /// The calling thread at that time.
    own: ThreadTimes,
    /// Of the lines before the last one.
    earlier: Share,
    /// Time of the last line that was sent.
    sent: Option<Instant>,
    first: Option<Vec<ThreadTimes>>,
    /// What the threads had run at the last call of [`CoreWaitMeter::is_waiting`].
    ran_before: Option<Duration>,
}

/// A program that has run less between two looks waited in between.
const MIN_RUN: Duration = Duration::from_millis(1);

/// How long the threads of a program ran, all together, and how long one of them waited.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Share {
    ran: Duration,
    waited: Duration,
}

impl Share {
    /// Between two samples, the first of which is sorted by thread number.
    fn between(before: &[ThreadTimes], after: &[ThreadTimes]) -> Share {
        let known = |thread: &ThreadTimes| {
            let found = before.binary_search_by_key(&thread.thread, |known| known.thread);
            found.map_or(ThreadTimes::default(), |index| before[index])
        };
        let mut share = Share::default();
        for thread in after {
            let known = known(thread);
            share.ran += thread.ran.saturating_sub(known.ran);
            share.waited = share.waited.max(thread.waited.saturating_sub(known.waited));
        }
        share
    }

    fn plus(self, other: Share) -> Share {
        Share { ran: self.ran + other.ran, waited: self.waited + other.waited }
    }

    /// The wait that counts in this wall time, in which Palestra's own thread waited as well.
    fn counted(self, own: Duration, wall: Duration) -> Duration {
        (self.waited + own).min(wall.saturating_sub(self.ran))
    }
}

impl CoreWaitMeter {
    /// Starts the measurement of an exchange.
    pub(super) fn begin() -> CoreWaitMeter {
        let (began, own) = (Instant::now(), own_thread_times());
        CoreWaitMeter { began, own, earlier: Share::default(), sent: None, first: None, ran_before: None }
    }

    /// A line is sent to the program.
    pub(super) fn next_line(&mut self, supervisor: i32) {
        self.earlier = self.share(supervisor);
        (self.sent, self.first, self.ran_before) = (Some(Instant::now()), None, None);
    }

    /// When the first sample of a line is due; `None` once it was taken.
    pub(super) fn sample_due(&self) -> Option<Instant> {
        match self.first {
            Some(_) => None,
            None => self.sent.map(|sent| sent + SAMPLE_DELAY),
        }
    }

    /// Takes the first sample of a line.
    pub(super) fn sample(&mut self, supervisor: i32) {
        let mut threads = thread_times(&descendants(supervisor));
        threads.sort();
        self.first = Some(threads);
    }

    /// How long the program waited in this exchange.
    pub(super) fn waited(&self, supervisor: i32) -> Duration {
        let own = own_thread_times();
        let is_same = own.thread == self.own.thread;
        let own = if is_same { own.waited.saturating_sub(self.own.waited) } else { Duration::ZERO };
        self.share(supervisor).counted(own, self.began.elapsed())
    }

    /// Whether the program waits for a processor now: one of its threads is ready to run, and since the last call none
    /// has run. The first call only looks.
    pub(super) fn is_waiting(&mut self, supervisor: i32) -> bool {
        let processes = descendants(supervisor);
        let ran: Duration = thread_times(&processes).iter().map(|thread| thread.ran).sum();
        let before = self.ran_before.replace(ran);
        let has_run = before.is_some_and(|before| ran.saturating_sub(before) >= MIN_RUN);
        !has_run && has_runnable_thread(&processes)
    }

    /// That of all lines up to now.
    fn share(&self, supervisor: i32) -> Share {
        match &self.first {
            Some(first) => self.earlier.plus(Share::between(first, &thread_times(&descendants(supervisor)))),
            None => self.earlier,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(
        before: &[(i32, u64, u64)],
        after: &[(i32, u64, u64)],
        own_ms: u64,
        wall_ms: u64,
        expected_ms: u64,
    ) {
        let millis = Duration::from_millis;
        let times = |&(thread, ran, waited): &(i32, u64, u64)| ThreadTimes {
            thread,
            ran: millis(ran),
            waited: millis(waited),
        };
        let sample = |threads: &[(i32, u64, u64)]| threads.iter().map(times).collect::<Vec<_>>();
        let share = Share::between(&sample(before), &sample(after));
        assert_eq!(
            share.counted(millis(own_ms), millis(wall_ms)),
            millis(expected_ms),
            "{before:?} {after:?}"
        );
    }

    #[test]
    fn waiting_is_counted_within_bounds() {
        check(&[(2, 10, 5)], &[(2, 40, 35)], 0, 70, 30);
        check(&[(2, 10, 5)], &[(2, 40, 35)], 7, 70, 37);
        // Of two threads that take turns on one processor, one was always running.
        check(&[(2, 0, 0), (3, 0, 0)], &[(2, 50, 50), (3, 50, 50)], 0, 100, 0);
        // A new thread has waited since its start.
        check(&[], &[(4, 1, 20)], 0, 100, 20);
    }

    #[test]
    fn the_waits_of_all_lines_are_added() {
        let millis = Duration::from_millis;
        let one = Share { ran: millis(10), waited: millis(20) };
        let both = one.plus(Share { ran: millis(5), waited: millis(30) });
        assert_eq!(both.counted(millis(3), millis(100)), millis(53));
        assert_eq!(both.counted(millis(3), millis(50)), millis(35));
    }
}
