//! The counts by which the referee stops a game (rule 8). They belong to a game in progress, not to the board: searches
//! ignore them.

use palestra_core::Seed;

/// Number of plies after which the referee stops the game.
const MAX_PLIES: u8 = 60;
/// Number of the latest tests that count for starvation.
const N_TESTS: u32 = 12;
/// A side is starved when its holes held at most this many seeds in all these tests together.
const STARVED: u64 = 12;
/// Largest count of a test, which has four bits. Larger counts are stored as 15, which alone exceeds the limit.
const MAX_COUNT: u32 = 15;
const ALL_TESTS: u64 = (1 << (4 * N_TESTS)) - 1;

/// Why the referee stopped a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum MancalaStop {
    /// The game reached 60 plies.
    Plies,
    /// One side had too few seeds in its holes for twelve tests.
    Starvation,
}

/// The referee's counts, or stopped, as in searches.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct MancalaClock {
    /// Seeds in each side's holes at the last tests, the latest in the lowest bits.
    counts: [u64; 2],
    plies: u8,
    running: bool,
}

impl MancalaClock {
    /// A clock that does not count.
    pub(super) const STOPPED: MancalaClock = MancalaClock { counts: [0; 2], plies: 0, running: false };

    /// Starts a game with these seeds in the holes. Earlier tests count as if the holes had been full.
    pub(super) fn start(in_holes: [u32; 2]) -> MancalaClock {
        let mut clock = MancalaClock { counts: [ALL_TESTS; 2], plies: 0, running: true };
        clock.record(in_holes);
        clock
    }

    #[inline]
    pub(super) fn is_running(&self) -> bool {
        self.running
    }

    /// A hash of all counts.
    #[inline]
    pub(super) fn digest(&self) -> u64 {
        Seed(self.counts[0]).child(self.counts[1]).child(u64::from(self.plies)).0
    }

    /// The referee's test after one more ply, with these seeds in the holes.
    #[inline]
    pub(super) fn tick(&mut self, in_holes: [u32; 2]) -> Option<MancalaStop> {
        self.plies += 1;
        self.record(in_holes);
        match self.plies {
            MAX_PLIES.. => Some(MancalaStop::Plies),
            _ if self.counts.into_iter().any(|side| sum(side) <= STARVED) => Some(MancalaStop::Starvation),
            _ => None,
        }
    }

    #[inline]
    fn record(&mut self, in_holes: [u32; 2]) {
        for (counts, seeds) in self.counts.iter_mut().zip(in_holes) {
            *counts = (*counts << 4 | u64::from(seeds.min(MAX_COUNT))) & ALL_TESTS;
        }
    }
}

/// The sum of all counts: first of pairs, then of all.
#[inline]
fn sum(counts: u64) -> u64 {
    const LOW: u64 = 0x0f0f_0f0f_0f0f_0f0f;
    ((counts & LOW) + (counts >> 4 & LOW)).wrapping_mul(0x0101_0101_0101_0101) >> 56
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Repeats the test with the same seeds in the holes, and checks when and why the referee stops.
    fn check(in_holes: [u32; 2], expected: (u8, MancalaStop)) {
        let mut clock = MancalaClock::start([18; 2]);
        let stopped = (1..).find_map(|plies| clock.tick(in_holes).map(|stop| (plies, stop)));
        assert_eq!(stopped, Some(expected), "{in_holes:?}");
    }

    #[test]
    fn stops() {
        check([18, 18], (60, MancalaStop::Plies));
        check([2, 18], (60, MancalaStop::Plies));
        check([1, 18], (12, MancalaStop::Starvation));
        check([18, 0], (12, MancalaStop::Starvation));
        check([35, 1], (12, MancalaStop::Starvation));
    }

    #[test]
    fn counts_add_up() {
        assert_eq!(sum(ALL_TESTS), 12 * 15);
        assert_eq!(sum(0x1234), 10);
    }

    /// Twelve seeds are starvation, thirteen are not, and only the last twelve tests count.
    #[test]
    fn starvation_limit() {
        let run = |first: u32| {
            let mut clock = MancalaClock::start([18; 2]);
            clock.tick([first, 18]);
            (0..11).filter_map(|_| clock.tick([1, 18])).collect::<Vec<_>>()
        };
        assert_eq!(run(1), [MancalaStop::Starvation]);
        assert!(run(2).is_empty());
    }
}
