//! Whether training led anywhere: the champion, tested on openings never used in training, against its own past, against
//! strangers, against exact play, and against what chance alone would have found.
//!
//! The criteria P1 to P9 and their thresholds are those of the project's statistics; each says what it measured.

mod cycles;
mod tests_of_champion;
mod unseen_opponents;

pub use cycles::cyclic_share;
pub use tests_of_champion::{ChampionTester, Verification};
pub use unseen_opponents::{UnseenOpponents, unseen_opponents};

use palestra_arena::stats::{Outcomes, Verdict, score_interval};
use serde::{Deserialize, Serialize};

/// What a criterion says.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CriterionStatus {
    /// It holds.
    Holds,
    /// It does not.
    Fails,
    /// The games do not decide it.
    Open,
    /// Nothing to pass or fail, but worth knowing.
    Warning,
    /// Nothing to pass or fail.
    Noted,
    /// It was not measured.
    Skipped,
}

/// One criterion, measured.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ProgressCriterion {
    /// `P1` to `P9`, or `N` for the negative control.
    pub id: String,
    /// What it asks.
    pub question: String,
    /// What it says.
    pub grade: CriterionStatus,
    /// What was measured, in words.
    pub found: String,
}

/// Pairs of games between two players, from the first one's point of view.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct PairedScore {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Pairs by result: both lost, …, both won.
    pub pairs: [u64; 5],
}

impl PairedScore {
    /// Adds a meeting.
    pub fn add(&mut self, meeting: &crate::MatchResult) {
        self.wins += u64::from(meeting.wins);
        self.draws += u64::from(meeting.draws);
        self.losses += u64::from(meeting.losses);
        self.pairs.iter_mut().zip(meeting.pairs).for_each(|(sum, n)| *sum += u64::from(n));
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

    /// What it means.
    pub fn verdict(&self) -> Verdict {
        Verdict::of_pairs(self.pairs, self.wins, self.draws, self.losses)
    }

    /// How many games.
    pub fn n_games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }
}
