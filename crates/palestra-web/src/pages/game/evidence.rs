//! The stored evidence of an event's game: times, values, and the logs of programs.

use palestra_engine::EngineLog;
use palestra_store::GameDetails;
use serde_json::Value;

/// Limits on the lines of a dialogue and the characters of standard error; the end of each is shown.
const MAX_LINES: usize = 200;
const MAX_STDERR_CHARS: usize = 20_000;

/// The evidence of a game; empty where there is none.
#[derive(Clone, Debug, Default)]
pub(super) struct EvidenceView {
    /// Microseconds of each move after the opening.
    pub(super) micros: Vec<Option<u64>>,
    /// The value that the player reported for each of these moves.
    pub(super) values: Vec<Option<f64>>,
    /// Logs of both programs.
    pub(super) logs: [EngineLogView; 2],
}

/// The log of a program.
#[derive(Clone, Debug, Default)]
pub(super) struct EngineLogView {
    pub(super) stderr: String,
    /// Lines that begin with `> ` were sent to the program, those with `< ` came from it.
    pub(super) dialogue: String,
    pub(super) remarks: Vec<String>,
}

impl EvidenceView {
    /// Reads the evidence of a stored game; evidence that cannot be read is ignored.
    pub(super) fn of(stored: Option<&GameDetails>) -> EvidenceView {
        let text = stored.and_then(|stored| stored.event.as_ref()?.evidence.as_deref());
        let Some(evidence) = text.and_then(|text| serde_json::from_str::<Value>(text).ok()) else {
            return EvidenceView::default();
        };
        let list = |key: &str| evidence[key].as_array().cloned().unwrap_or_default();
        EvidenceView {
            micros: list("micros").iter().map(Value::as_u64).collect(),
            values: list("values").iter().map(Value::as_f64).collect(),
            logs: ["first", "second"].map(|side| EngineLogView::of(&evidence[side])),
        }
    }
}

impl EngineLogView {
    fn of(value: &Value) -> EngineLogView {
        let log: EngineLog = serde_json::from_value(value.clone()).unwrap_or_default();
        let n_left_out = log.dialogue.len().saturating_sub(MAX_LINES);
        let line = |line: &palestra_engine::LogLine| {
            let arrow = if line.by == palestra_engine::Speaker::Palestra { '>' } else { '<' };
            format!("{arrow} {}\n", line.text)
        };
        let n_chars = log.stderr.chars().count();
        EngineLogView {
            stderr: log.stderr.chars().skip(n_chars.saturating_sub(MAX_STDERR_CHARS)).collect(),
            dialogue: log.dialogue[n_left_out..].iter().map(line).collect(),
            remarks: log.remarks,
        }
    }

    /// Whether there is nothing to show.
    pub(super) fn is_silent(&self) -> bool {
        self.stderr.is_empty() && self.dialogue.is_empty() && self.remarks.is_empty()
    }
}
