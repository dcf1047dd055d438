//! The live status that a running command writes for its viewers.
//!
//! The store holds it as text ([`RunLedger::set_live_status`](palestra_store::RunLedger::set_live_status)). A run does
//! not need it to be resumed, so a status that cannot be read is treated as missing.

use palestra_core::Progress;
use serde::{Deserialize, Serialize};

/// Progress of a run.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct LiveStatus {
    /// Number of games that are finished.
    pub done: u64,
    /// Number of games of the whole run, where it is known or can be estimated.
    pub of: Option<u64>,
    /// Working time in seconds, including the time before the run was resumed.
    pub elapsed: f64,
    /// The phase: [`LiveStatus::TRAINING`], [`LiveStatus::TESTING`] or [`LiveStatus::PLAYING`].
    pub phase: String,
    /// The generation that is being played, from 0.
    pub generation: Option<u64>,
    /// Number of generations of the whole run, where it is planned.
    pub generations: Option<u64>,
    /// Games in progress, where they can be watched.
    pub boards: Vec<LiveGame>,
}

/// A game in progress.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct LiveGame {
    /// The game string.
    pub game: String,
    /// Name of the player with the first side.
    pub first: String,
    /// Name of the player with the second side.
    pub second: String,
    /// The moves of the opening, separated by blanks.
    pub opening: String,
    /// The moves of the players, separated by blanks.
    pub moves: String,
    /// Start of the game, in milliseconds of Unix time.
    pub since_ms: u64,
}

impl LiveStatus {
    /// Candidates are evaluated.
    pub const TRAINING: &str = "training";
    /// The champion is verified.
    pub const TESTING: &str = "testing";
    /// Games of an event are played.
    pub const PLAYING: &str = "playing";

    /// The status of a command after this many seconds of work.
    #[must_use]
    pub fn of(progress: &Progress, elapsed: f64) -> LiveStatus {
        let phase = progress.phase();
        LiveStatus {
            done: progress.done(),
            of: phase.total,
            elapsed,
            phase: phase.name.to_owned(),
            generation: phase.step,
            generations: phase.n_steps,
            boards: Vec::new(),
        }
    }

    /// The status as JSON, for the store.
    #[must_use]
    pub fn to_json(&self) -> String {
        // Numbers and strings can always be written.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Reads what [`LiveStatus::to_json`] wrote; unknown fields of later versions are ignored.
    #[must_use]
    pub fn read(json: &str) -> Option<LiveStatus> {
        serde_json::from_str(json).ok()
    }

    /// The finished share, from 0 to 1, where the number of games is known.
    #[must_use]
    pub fn share(&self) -> Option<f64> {
        let of = self.of.filter(|of| *of > 0)?;
        Some((self.done as f64 / of as f64).min(1.0))
    }

    /// Estimated seconds left at the present speed; `None` before 1 % is finished.
    #[must_use]
    pub fn seconds_left(&self) -> Option<f64> {
        let share = self.share().filter(|share| *share >= 0.01)?;
        Some((self.elapsed * (1.0 - share) / share).max(0.0))
    }
}

#[cfg(test)]
mod tests {
    use super::{LiveGame, LiveStatus};

    #[test]
    fn a_status_round_trips() {
        let board =
            LiveGame { game: "connect4".into(), moves: "4 4".into(), since_ms: 7, ..LiveGame::default() };
        let status =
            LiveStatus { done: 3, of: Some(12), elapsed: 1.5, boards: vec![board], ..LiveStatus::default() };
        assert_eq!(LiveStatus::read(&status.to_json()), Some(status));
        assert_eq!(LiveStatus::read("{\"done\":3,\"later\":[1]}").map(|status| status.done), Some(3));
        assert_eq!(LiveStatus::read("nothing"), None);
    }

    #[test]
    fn the_time_left_follows_from_the_finished_share() {
        let check = |done, of, left: Option<f64>| {
            let status = LiveStatus { done, of, elapsed: 10.0, ..LiveStatus::default() };
            assert_eq!(status.seconds_left(), left, "{done} of {of:?}");
        };
        check(25, Some(100), Some(30.0));
        check(100, Some(100), Some(0.0));
        // The number of games may exceed its estimate.
        check(120, Some(100), Some(0.0));
        check(0, Some(100), None);
        check(5, None, None);
        check(5, Some(0), None);
    }
}
