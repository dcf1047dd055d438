//! Whether training made progress: the champion is tested, on openings never used in training, against its own past,
//! against baselines that took no training, against players it never met, against exact play, and against control runs.
//!
//! Each criterion P1 to P9 has a fixed threshold and reports what it measured.

mod baselines;
mod controls;
mod cycles;
mod tests_of_champion;
mod unseen_opponents;

pub use baselines::BaselineComparison;
pub use cycles::cyclic_share;
pub use tests_of_champion::{ChampionTester, Verification};
pub use unseen_opponents::{UnseenOpponents, unseen_opponents};

use palestra_arena::stats::{Outcomes, Verdict, score_interval};
use serde::{Deserialize, Serialize};

/// The outcome of a criterion.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CriterionStatus {
    /// The criterion holds.
    Holds,
    /// The criterion does not hold.
    Fails,
    /// Too few games to decide.
    Open,
    /// A measurement without pass or fail, at a value that deserves attention.
    Warning,
    /// A measurement without pass or fail.
    Noted,
    /// The criterion was not measured.
    Skipped,
}

/// One criterion, measured.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ProgressCriterion {
    /// `P1` to `P9`, or `N` for the negative control.
    pub id: String,
    /// The question that it answers.
    pub question: String,
    /// The outcome.
    pub grade: CriterionStatus,
    /// What was measured, as a sentence with numbers.
    pub found: String,
}

/// Pairs of games between two players, from the first player's point of view.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct PairedScore {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Number of pairs by result: both lost, …, both won.
    pub pairs: [u64; 5],
}

impl PairedScore {
    /// Adds the result of a match.
    pub fn add(&mut self, result: &crate::MatchResult) {
        self.wins += u64::from(result.wins);
        self.draws += u64::from(result.draws);
        self.losses += u64::from(result.losses);
        self.pairs.iter_mut().zip(result.pairs).for_each(|(sum, n)| *sum += u64::from(n));
    }

    /// Points per game, a draw being half a point, with a 95 % interval: low, score, high.
    pub fn score(&self) -> [f64; 3] {
        let pairs = Outcomes::pairs(self.pairs);
        let interval = score_interval(&pairs);
        [interval.low, pairs.mean(), interval.high]
    }

    /// The standard error of the score.
    pub fn error(&self) -> f64 {
        Outcomes::pairs(self.pairs).standard_error()
    }

    /// Elo difference and significance.
    pub fn verdict(&self) -> Verdict {
        Verdict::of_pairs(self.pairs, self.wins, self.draws, self.losses)
    }

    /// Number of games.
    pub fn n_games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }
}
