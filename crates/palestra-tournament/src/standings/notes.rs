//! Sentences about standings.

use super::{Standings, WinDrawLoss};
use palestra_stats::cycle_warning;

/// Maximum number of players among whom cycles are searched: the search tries all triples.
const MAX_CYCLE_PLAYERS: usize = 100;

impl Standings {
    /// Notes on the table as a whole: first-side advantage, repeated games, cycles, quarantines and ratings.
    #[must_use]
    pub fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        let WinDrawLoss { wins, draws, losses } = self.first_side;
        if self.first_side.games() > 0 {
            notes.push(format!(
                "the first side won {wins}, drew {draws} and lost {losses} of {} games",
                self.first_side.games()
            ));
        }
        if let Some(advantage) = self.ratings.as_ref().and_then(palestra_stats::Ratings::advantage) {
            notes.push(format!("having the first side is worth {}", advantage.estimate()));
        }
        notes.extend(self.duplicates.sentence());
        notes.extend(self.cycle_warning());
        for row in &self.rows {
            if let Some(number) = row.quarantined_at {
                let kinds: Vec<String> =
                    row.forfeits.iter().map(|(kind, n)| format!("{kind} {n}×")).collect();
                notes.push(format!(
                    "{} is quarantined since pairing {number} ({}): none of its games count",
                    self.names[row.player],
                    kinds.join(", ")
                ));
            }
        }
        if let Some(ratings) = &self.ratings {
            notes.extend(ratings.notes().iter().cloned());
        }
        notes
    }

    /// A warning if players beat each other in a cycle, searched among the best 100.
    #[must_use]
    pub fn cycle_warning(&self) -> Option<String> {
        let mut among = self.ranked();
        among.truncate(MAX_CYCLE_PLAYERS);
        let names: Vec<String> = among.iter().map(|&player| self.names[player].clone()).collect();
        cycle_warning(&names, &self.outcome_matrix(&among))
    }

    /// A sentence for each two neighbors of the table: who leads, by how much, and how many more games would decide
    /// it. Empty without ratings.
    #[must_use]
    pub fn sentences(&self) -> Vec<String> {
        let Some(ratings) = &self.ratings else { return Vec::new() };
        let ranked = self.ranked();
        ranked.windows(2).map(|pair| ratings.sentence(pair[0], pair[1])).collect()
    }
}
