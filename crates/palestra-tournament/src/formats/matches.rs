//! Matches: several encounters of the same two in the same round, taken together.

use crate::points::PointSystem;
use crate::results::TournamentResults;
use std::collections::BTreeMap;

/// The matches of a stage, by round and players.
pub(super) struct MatchScores(BTreeMap<(u32, usize, usize), MatchScore>);

/// What two have done in a match so far.
#[derive(Clone, Copy, Default)]
struct MatchScore {
    /// Points of the player with the smaller number, less those of the other.
    lead: f64,
    n_encounters: u32,
}

impl MatchScores {
    /// The matches that count.
    pub(super) fn of(results: &TournamentResults, stage: u32, points: &PointSystem) -> MatchScores {
        let mut matches: BTreeMap<(u32, usize, usize), MatchScore> = BTreeMap::new();
        for meeting in results.counted_in(stage) {
            let [a, b] = meeting.pairing.players;
            let [of_a, of_b] = meeting.points(points);
            let entry = matches.entry((meeting.pairing.round, a.min(b), a.max(b))).or_default();
            entry.lead += if a < b { of_a - of_b } else { of_b - of_a };
            entry.n_encounters += 1;
        }
        MatchScores(matches)
    }

    /// By how much the first of two leads; `None` where they have not met.
    pub(super) fn lead(&self, round: u32, [a, b]: [usize; 2]) -> Option<f64> {
        let found = self.0.get(&(round, a.min(b), a.max(b)))?;
        Some(if a < b { found.lead } else { -found.lead })
    }

    /// How often two have met.
    pub(super) fn n_pairings(&self, round: u32, [a, b]: [usize; 2]) -> u32 {
        self.0.get(&(round, a.min(b), a.max(b))).map_or(0, |found| found.n_encounters)
    }
}
