//! What can be asked for behind a question mark.

use crate::http_error::HttpError;
use serde::Deserialize;

/// The longest name that is looked for.
const LONGEST: usize = 1000;

/// What the page of an event shows; rounds, stages and pages count from 1.
#[derive(Debug, Default, Deserialize)]
pub(super) struct EventQuery {
    #[serde(default)]
    pub(super) stage: Option<u32>,
    #[serde(default)]
    pub(super) round: Option<u32>,
    /// The page of the table.
    #[serde(default)]
    pub(super) page: Option<usize>,
}

/// A player by name, where it has no address of its own.
#[derive(Debug, Default, Deserialize)]
pub(super) struct PlayerQuery {
    #[serde(default)]
    pub(super) name: Option<String>,
    #[serde(default)]
    pub(super) before: Option<i64>,
}

/// Which games are listed. Forms send fields that nobody filled in as empty texts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub(super) struct GamesQuery {
    #[serde(default)]
    pub(super) player: String,
    #[serde(default)]
    pub(super) rival: String,
    #[serde(default)]
    pub(super) round: String,
    #[serde(default)]
    pub(super) failed: String,
    #[serde(default)]
    pub(super) before: Option<i64>,
}

impl GamesQuery {
    /// Refuses what cannot be meant.
    pub(super) fn check(&self) -> Result<(), HttpError> {
        if self.player.len() > LONGEST || self.rival.len() > LONGEST {
            return Err(HttpError::bad_request("player"));
        }
        if !matches!(self.failed.as_str(), "" | "0" | "1") {
            return Err(HttpError::bad_request("failed"));
        }
        self.round().map(drop)
    }

    /// The round, from 0.
    pub(super) fn round(&self) -> Result<Option<u32>, HttpError> {
        if self.round.is_empty() {
            return Ok(None);
        }
        let round = self.round.parse::<u32>().ok().and_then(|round| round.checked_sub(1));
        round.map(Some).ok_or_else(|| HttpError::bad_request("round"))
    }

    pub(super) fn player(&self) -> Option<&str> {
        Some(self.player.as_str()).filter(|name| !name.is_empty())
    }

    pub(super) fn rival(&self) -> Option<&str> {
        Some(self.rival.as_str()).filter(|name| !name.is_empty())
    }

    pub(super) fn failed(&self) -> bool {
        self.failed == "1"
    }

    /// What was filled in.
    pub(super) fn fields(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let fields = [
            ("player", &self.player),
            ("rival", &self.rival),
            ("round", &self.round),
            ("failed", &self.failed),
        ];
        fields.into_iter().filter(|(_, value)| !value.is_empty()).map(|(key, value)| (key, value.as_str()))
    }
}
