//! Match scores: all pairings of the same two entrants in the same round, taken together.

use crate::results::TournamentResults;
use palestra_arena::PointSystem;
use std::collections::BTreeMap;

/// The matches of a stage, by round and entrants (smaller index first).
pub(super) struct MatchScores(BTreeMap<(u32, usize, usize), MatchScore>);

/// The state of one match.
#[derive(Clone, Copy, Default)]
struct MatchScore {
    /// Points of the entrant with the smaller index minus those of the other.
    lead: f64,
    n_pairings: u32,
}

impl MatchScores {
    /// The matches of a stage that count.
    pub(super) fn of(results: &TournamentResults, stage: u32, points: &PointSystem) -> MatchScores {
        let mut matches: BTreeMap<(u32, usize, usize), MatchScore> = BTreeMap::new();
        for pair in results.counted_in(stage) {
            let [a, b] = pair.pairing.players;
            let [of_a, of_b] = pair.points(points);
            let entry = matches.entry((pair.pairing.round, a.min(b), a.max(b))).or_default();
            entry.lead += if a < b { of_a - of_b } else { of_b - of_a };
            entry.n_pairings += 1;
        }
        MatchScores(matches)
    }

    /// Points by which the first of two leads; `None` if they have not met in that round.
    pub(super) fn lead(&self, round: u32, [a, b]: [usize; 2]) -> Option<f64> {
        let score = self.0.get(&(round, a.min(b), a.max(b)))?;
        Some(if a < b { score.lead } else { -score.lead })
    }

    /// Number of pairings that two have had in a round.
    pub(super) fn n_pairings(&self, round: u32, [a, b]: [usize; 2]) -> u32 {
        self.0.get(&(round, a.min(b), a.max(b))).map_or(0, |score| score.n_pairings)
    }
}
