//! What the referee counts (rule 8). It belongs to a game that is being played, not to the board: searches look
//! ahead without it.

use palestra_core::Seed;

/// Plies after which the referee stops the game.
const MOST_PLIES: u8 = 60;
/// Tests that starvation looks back on.
const N_TESTS: u32 = 12;
/// A side is starved when its holes held no more than this in all those tests together.
const STARVED: u64 = 12;
/// Four bits a test. More than the limit is all the same, so a count is cut to what they hold.
const MOST_NOTED: u32 = 15;
const NOTES: u64 = (1 << (4 * N_TESTS)) - 1;

/// Why the referee stopped a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum MancalaStop {
    /// Sixty plies were played.
    Plies,
    /// One side had hardly a seed in its holes for long.
    Starvation,
}

/// The referee's notes, or none where nobody counts.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct MancalaClock {
    /// The seeds in each side's holes at the last tests, the latest in the lowest bits.
    notes: [u64; 2],
    plies: u8,
    running: bool,
}

impl MancalaClock {
    /// Nobody counts.
    pub(super) const STOPPED: MancalaClock = MancalaClock { notes: [0; 2], plies: 0, running: false };

    /// A game begins with these seeds in the holes. The notes start as if the sides had been well fed.
    pub(super) fn start(in_holes: [u32; 2]) -> MancalaClock {
        let mut clock = MancalaClock { notes: [NOTES; 2], plies: 0, running: true };
        clock.note(in_holes);
        clock
    }

    #[inline]
    pub(super) fn is_running(&self) -> bool {
        self.running
    }

    /// All that was counted, as one number.
    #[inline]
    pub(super) fn digest(&self) -> u64 {
        Seed(self.notes[0]).child(self.notes[1]).child(u64::from(self.plies)).0
    }

    /// One more ply was played, and these seeds are in the holes now: the referee's test.
    #[inline]
    pub(super) fn tick(&mut self, in_holes: [u32; 2]) -> Option<MancalaStop> {
        self.plies += 1;
        self.note(in_holes);
        match self.plies {
            MOST_PLIES.. => Some(MancalaStop::Plies),
            _ if self.notes.into_iter().any(|notes| sum(notes) <= STARVED) => Some(MancalaStop::Starvation),
            _ => None,
        }
    }

    #[inline]
    fn note(&mut self, in_holes: [u32; 2]) {
        for (notes, seeds) in self.notes.iter_mut().zip(in_holes) {
            *notes = (*notes << 4 | u64::from(seeds.min(MOST_NOTED))) & NOTES;
        }
    }
}

/// The sum of all notes: pairs of them first, then all at once.
#[inline]
fn sum(notes: u64) -> u64 {
    const LOW: u64 = 0x0f0f_0f0f_0f0f_0f0f;
    ((notes & LOW) + (notes >> 4 & LOW)).wrapping_mul(0x0101_0101_0101_0101) >> 56
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lets tests pass with the same seeds in the holes; says after how many the referee stopped, and why.
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
    fn notes_add_up() {
        assert_eq!(sum(NOTES), 12 * 15);
        assert_eq!(sum(0x1234), 10);
    }

    /// Twelve is starved, thirteen is not, and only the last twelve tests count.
    #[test]
    fn the_limit() {
        let run = |first: u32| {
            let mut clock = MancalaClock::start([18; 2]);
            clock.tick([first, 18]);
            (0..11).filter_map(|_| clock.tick([1, 18])).collect::<Vec<_>>()
        };
        assert_eq!(run(1), [MancalaStop::Starvation]);
        assert!(run(2).is_empty());
    }
}
