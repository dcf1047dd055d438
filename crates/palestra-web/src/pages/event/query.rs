//! Query parameters of the pages of events.

use crate::http_error::HttpError;
use palestra_core::InputError;
use serde::Deserialize;

/// Limit on the bytes of a player's name.
const MAX_NAME_BYTES: usize = 1000;

/// Parameters of the page of an event; rounds, stages and pages count from 1.
#[derive(Debug, Default, Deserialize)]
pub(super) struct EventQuery {
    #[serde(default)]
    pub(super) stage: Option<u32>,
    #[serde(default)]
    pub(super) round: Option<u32>,
    /// The page of the standings.
    #[serde(default)]
    pub(super) page: Option<usize>,
}

/// A player by name, where the name cannot be a segment of a path.
#[derive(Debug, Default, Deserialize)]
pub(super) struct PlayerQuery {
    #[serde(default)]
    pub(super) name: Option<String>,
    #[serde(default)]
    pub(super) before: Option<i64>,
}

/// Filter of the list of games. Forms send empty fields as empty strings.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub(super) struct GamesQuery {
    #[serde(default)]
    pub(super) player: String,
    #[serde(default)]
    #[serde(alias = "rival")]
    pub(super) opponent: String,
    #[serde(default)]
    pub(super) round: String,
    #[serde(default)]
    pub(super) failed: String,
    #[serde(default)]
    pub(super) before: Option<i64>,
}

impl GamesQuery {
    /// Refuses invalid values.
    pub(super) fn check(&self) -> Result<(), HttpError> {
        if self.player.len() > MAX_NAME_BYTES || self.opponent.len() > MAX_NAME_BYTES {
            let text =
                format!("invalid value for player or opponent: expected at most {MAX_NAME_BYTES} bytes");
            return Err(HttpError::bad_request(text));
        }
        if !matches!(self.failed.as_str(), "" | "0" | "1") {
            return Err(InputError::new("failed", &self.failed, "0 or 1").into());
        }
        self.round().map(drop)
    }

    /// The round, counted from 0.
    pub(super) fn round(&self) -> Result<Option<u32>, HttpError> {
        if self.round.is_empty() {
            return Ok(None);
        }
        let round = self.round.parse::<u32>().ok().and_then(|round| round.checked_sub(1));
        let expected = "a whole number from 1";
        round.map(Some).ok_or_else(|| InputError::new("round", &self.round, expected).into())
    }

    pub(super) fn player(&self) -> Option<&str> {
        Some(self.player.as_str()).filter(|name| !name.is_empty())
    }

    pub(super) fn opponent(&self) -> Option<&str> {
        Some(self.opponent.as_str()).filter(|name| !name.is_empty())
    }

    pub(super) fn failed(&self) -> bool {
        self.failed == "1"
    }

    /// The fields that are not empty.
    pub(super) fn fields(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let fields = [
            ("player", &self.player),
            ("opponent", &self.opponent),
            ("round", &self.round),
            ("failed", &self.failed),
        ];
        fields.into_iter().filter(|(_, value)| !value.is_empty()).map(|(key, value)| (key, value.as_str()))
    }
}
