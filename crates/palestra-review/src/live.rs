//! What somebody who works on a run tells of it right now: the words between a running command and whoever watches.
//!
//! The store passes it on as text ([`RunLedger::set_live_status`](palestra_store::RunLedger::set_live_status)). It is never needed to go on with a
//! run: whatever cannot be read is as good as nothing told.

use serde::{Deserialize, Serialize};

/// How far a run is.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct LiveStatus {
    /// Games that are done.
    pub done: u64,
    /// Games in all, where that is known or can be estimated.
    pub of: Option<u64>,
    /// Seconds that were worked on it, the times before it was resumed included.
    pub elapsed: f64,
    /// What is going on: [`LiveStatus::TRAINING`], [`LiveStatus::TESTING`] or [`LiveStatus::PLAYING`].
    pub phase: String,
    /// The generation that is being played, from 0.
    pub generation: Option<u64>,
    /// Generations in all, where that is planned.
    pub generations: Option<u64>,
    /// Games in play, where they can be watched.
    pub boards: Vec<LiveGame>,
}

/// A game that is being played.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct LiveGame {
    /// The name of the game.
    pub game: String,
    /// Who began.
    pub first: String,
    /// Who answered.
    pub second: String,
    /// The moves that were given, divided by spaces.
    pub opening: String,
    /// The moves that were played, divided by spaces.
    pub moves: String,
    /// Milliseconds of the clock of the world (Unix time) when it began.
    pub since_ms: u64,
}

impl LiveStatus {
    /// Candidates are measured.
    pub const TRAINING: &str = "training";
    /// The champion is verified.
    pub const TESTING: &str = "testing";
    /// Players of an event meet.
    pub const PLAYING: &str = "playing";

    /// As the store passes it on.
    #[must_use]
    pub fn to_json(&self) -> String {
        // Numbers and texts only: there is nothing that cannot be written.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Reads what [`LiveStatus::to_json`] wrote; fields of later versions are passed over.
    #[must_use]
    pub fn read(json: &str) -> Option<LiveStatus> {
        serde_json::from_str(json).ok()
    }

    /// The share that is done, from 0 to 1, where the whole is known.
    #[must_use]
    pub fn share(&self) -> Option<f64> {
        let of = self.of.filter(|of| *of > 0)?;
        Some((self.done as f64 / of as f64).min(1.0))
    }

    /// Seconds that are left if it goes on as it went; nobody knows before a hundredth is done.
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
    fn a_telling_reads_back() {
        let board =
            LiveGame { game: "connect4".into(), moves: "4 4".into(), since_ms: 7, ..LiveGame::default() };
        let telling =
            LiveStatus { done: 3, of: Some(12), elapsed: 1.5, boards: vec![board], ..LiveStatus::default() };
        assert_eq!(LiveStatus::read(&telling.to_json()), Some(telling));
        assert_eq!(LiveStatus::read("{\"done\":3,\"later\":[1]}").map(|telling| telling.done), Some(3));
        assert_eq!(LiveStatus::read("nothing"), None);
    }

    #[test]
    fn what_is_left_follows_from_what_was_done() {
        let check = |done, of, left: Option<f64>| {
            let telling = LiveStatus { done, of, elapsed: 10.0, ..LiveStatus::default() };
            assert_eq!(telling.seconds_left(), left, "{done} of {of:?}");
        };
        check(25, Some(100), Some(30.0));
        check(100, Some(100), Some(0.0));
        // An estimate may be exceeded.
        check(120, Some(100), Some(0.0));
        check(0, Some(100), None);
        check(5, None, None);
        check(5, Some(0), None);
    }
}
