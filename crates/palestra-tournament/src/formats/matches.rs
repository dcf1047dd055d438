//! Matches: several encounters of the same two in the same round, taken together.

use crate::points::Points;
use crate::results::Results;
use std::collections::BTreeMap;

/// The matches of a stage, by round and players.
pub(super) struct Matches(BTreeMap<(u32, usize, usize), Match>);

/// What two have done in a match so far.
#[derive(Clone, Copy, Default)]
struct Match {
    /// Points of the player with the smaller number, less those of the other.
    lead: f64,
    n_encounters: u32,
}

impl Matches {
    /// The matches that count.
    pub(super) fn of(results: &Results, stage: u32, points: &Points) -> Matches {
        let mut matches: BTreeMap<(u32, usize, usize), Match> = BTreeMap::new();
        for meeting in results.counted_in(stage) {
            let [a, b] = meeting.encounter.players;
            let [of_a, of_b] = meeting.points(points);
            let entry = matches.entry((meeting.encounter.round, a.min(b), a.max(b))).or_default();
            entry.lead += if a < b { of_a - of_b } else { of_b - of_a };
            entry.n_encounters += 1;
        }
        Matches(matches)
    }

    /// By how much the first of two leads; `None` where they have not met.
    pub(super) fn lead(&self, round: u32, [a, b]: [usize; 2]) -> Option<f64> {
        let found = self.0.get(&(round, a.min(b), a.max(b)))?;
        Some(if a < b { found.lead } else { -found.lead })
    }

    /// How often two have met.
    pub(super) fn n_encounters(&self, round: u32, [a, b]: [usize; 2]) -> u32 {
        self.0.get(&(round, a.min(b), a.max(b))).map_or(0, |found| found.n_encounters)
    }
}
