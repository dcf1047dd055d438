//! Counts of results, with mean and variance of the score.

/// Counts of results of independent units (games or pairs of games), seen from the subject.
///
/// A game scores 0, ½ or 1. A pair is two games from the same opening with sides swapped; it scores their mean. Both
/// are stored as counts of the scores 0, ¼, ½, ¾ and 1, so that every formula is written once; games have no ¼ and ¾.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Outcomes {
    counts: [u64; 5],
    games_per_unit: u8,
}

impl Outcomes {
    /// The score of each entry of [`Outcomes::counts`].
    pub const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

    /// Single games, each of which is a unit.
    pub fn games(wins: u64, draws: u64, losses: u64) -> Outcomes {
        Outcomes { counts: [losses, 0, draws, 0, wins], games_per_unit: 1 }
    }

    /// Pairs of games, as counts of LL, LD, WL+DD, WD and WW, W being a win of the subject.
    pub fn pairs(counts: [u64; 5]) -> Outcomes {
        Outcomes { counts, games_per_unit: 2 }
    }

    /// Number of units with each of [`Outcomes::SCORES`].
    pub fn counts(&self) -> [u64; 5] {
        self.counts
    }

    /// 1 for games, 2 for pairs.
    pub fn games_per_unit(&self) -> u8 {
        self.games_per_unit
    }

    /// Number of units; it saturates.
    pub fn total(&self) -> u64 {
        self.counts.iter().fold(0, |sum, &count| sum.saturating_add(count))
    }

    /// The mean score; ½ without results.
    pub fn mean(&self) -> f64 {
        let sum: f64 = self.weighted().map(|(score, count)| score * count).sum();
        if self.total() == 0 { 0.5 } else { (sum / self.size()).clamp(0.0, 1.0) }
    }

    /// The variance of one unit's score, not corrected for the estimated mean, as in fastchess.
    pub fn variance(&self) -> f64 {
        // Σ pᵢ(xᵢ − s)² as a sum over pairs of different scores, without cancellation: it is exactly zero if all
        // results are equal, and positive otherwise.
        let size = self.size();
        let mut sum = 0.0;
        for (score, count) in self.weighted() {
            for (lower, other) in self.weighted().filter(|&(lower, _)| lower < score) {
                sum += (count / size) * (other / size) * (score - lower) * (score - lower);
            }
        }
        sum
    }

    /// The variance of one game's score that would give the same variance of units, if games were independent.
    pub fn variance_per_game(&self) -> f64 {
        f64::from(self.games_per_unit) * self.variance()
    }

    /// The standard error of the mean; 0 if all results are equal, and without results.
    pub fn standard_error(&self) -> f64 {
        if self.total() == 0 { 0.0 } else { (self.variance() / self.size()).sqrt() }
    }

    /// The same kind of units with other counts.
    pub(super) fn with_counts(self, counts: [u64; 5]) -> Outcomes {
        Outcomes { counts, ..self }
    }

    /// The same results, seen from the opponent.
    pub fn reversed(mut self) -> Outcomes {
        self.counts.reverse();
        self
    }

    /// Scores with counts above 0. Without the others no sum contains `0 · ln 0`.
    pub(super) fn weighted(&self) -> impl Iterator<Item = (f64, f64)> {
        let scored = Outcomes::SCORES.into_iter().zip(self.counts);
        scored.filter(|&(_, count)| count > 0).map(|(score, count)| (score, count as f64))
    }

    /// Number of units as a float; unlike [`Outcomes::total`] it does not saturate.
    pub(super) fn size(&self) -> f64 {
        self.weighted().map(|(_, count)| count).sum()
    }
}
