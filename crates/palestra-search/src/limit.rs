//! When a search stops.

use std::sync::OnceLock;
use std::time::Duration;

/// Tells the time, from any fixed moment on.
pub type TimeSource = fn() -> Duration;

static CLOCK: OnceLock<TimeSource> = OnceLock::new();

/// Hands searches a clock: they read none themselves. The first one stays.
pub fn set_clock(clock: TimeSource) {
    let _ = CLOCK.set(clock);
}

/// Whether searches have been handed a clock, so that a limit of time means something.
pub fn has_clock() -> bool {
    CLOCK.get().is_some()
}

/// What a search may spend on a move. Depth and nodes give the same move every time; time does not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchLimit {
    /// Plies to look ahead at most.
    pub depth: u32,
    /// Positions to look at, after which the best move so far is played.
    pub nodes: Option<u64>,
    /// Time to take, likewise.
    pub time: Option<Duration>,
}

/// Takes the time of something, if there is a clock.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch {
    start: Option<Duration>,
}

impl Stopwatch {
    /// Starts now.
    pub fn start() -> Stopwatch {
        Stopwatch { start: CLOCK.get().map(|clock| clock()) }
    }

    /// How long ago that was.
    pub fn elapsed(&self) -> Option<Duration> {
        CLOCK.get()?().checked_sub(self.start?)
    }

    /// How many of so many things were done in a second.
    pub(crate) fn rate(&self, n: u64) -> Option<u64> {
        let taken = self.elapsed()?.as_secs_f64();
        (taken > 0.0).then(|| (n as f64 / taken) as u64)
    }
}

/// A limit at work.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SearchBudget {
    nodes: u64,
    until: Option<Duration>,
    questions: u32,
}

/// The clock is read once in so many questions.
const QUESTIONS_PER_LOOK: u32 = 8;
/// With a clock at hand, a search asks once in so many positions.
const NODES_PER_QUESTION: u64 = 16;

impl SearchBudget {
    /// Never used up.
    pub(crate) const UNLIMITED: SearchBudget = SearchBudget { nodes: u64::MAX, until: None, questions: 0 };

    /// Starts now.
    pub(crate) fn start(limit: &SearchLimit) -> SearchBudget {
        let until = limit.time.and_then(|time| Some(CLOCK.get()?() + time));
        SearchBudget { nodes: limit.nodes.unwrap_or(u64::MAX), until, questions: 0 }
    }

    /// Whether it is used up after so many positions.
    #[inline]
    pub(crate) fn is_spent(&mut self, nodes: u64) -> bool {
        self.questions = (self.questions + 1) % QUESTIONS_PER_LOOK;
        nodes >= self.nodes || self.questions == 0 && self.is_late()
    }

    /// After how many positions to ask again, if it was not used up after so many.
    pub(crate) fn next_check_at(&self, nodes: u64) -> u64 {
        if self.until.is_some() { self.nodes.min(nodes + NODES_PER_QUESTION) } else { self.nodes }
    }

    #[cold]
    fn is_late(&self) -> bool {
        self.until.is_some_and(|until| CLOCK.get().is_some_and(|clock| clock() >= until))
    }
}
