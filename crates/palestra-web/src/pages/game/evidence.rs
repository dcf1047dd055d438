//! What was kept beside a game of an event: times, values, what programs said.

use palestra_engine::EngineLog;
use palestra_store::GameDetails;
use serde_json::Value;

/// What is shown of a dialogue, in lines, and of standard error, in letters: the end of each.
const MOST_LINES: usize = 200;
const MOST_LETTERS: usize = 20_000;

/// The evidence of a game, as far as there is any.
#[derive(Clone, Debug, Default)]
pub(super) struct EvidenceView {
    /// Microseconds of each move of the players.
    pub(super) micros: Vec<Option<u64>>,
    /// What the one who moved thought of it.
    pub(super) values: Vec<Option<f64>>,
    /// What is known of both programs.
    pub(super) logs: [EngineLogView; 2],
}

/// What a program said.
#[derive(Clone, Debug, Default)]
pub(super) struct EngineLogView {
    pub(super) stderr: String,
    /// By line: `> ` to the program, `< ` from it.
    pub(super) dialogue: String,
    pub(super) remarks: Vec<String>,
}

impl EvidenceView {
    /// Reads what a store kept. What cannot be read is as good as not kept.
    pub(super) fn of(stored: Option<&GameDetails>) -> EvidenceView {
        let text = stored.and_then(|stored| stored.event.as_ref()?.evidence.as_deref());
        let Some(kept) = text.and_then(|text| serde_json::from_str::<Value>(text).ok()) else {
            return EvidenceView::default();
        };
        let list = |key: &str| kept[key].as_array().cloned().unwrap_or_default();
        EvidenceView {
            micros: list("micros").iter().map(Value::as_u64).collect(),
            values: list("values").iter().map(Value::as_f64).collect(),
            logs: ["first", "second"].map(|side| EngineLogView::of(&kept[side])),
        }
    }
}

impl EngineLogView {
    fn of(kept: &Value) -> EngineLogView {
        let witness: EngineLog = serde_json::from_value(kept.clone()).unwrap_or_default();
        let n_left_out = witness.dialogue.len().saturating_sub(MOST_LINES);
        let line = |spoken: &palestra_engine::LogLine| {
            let arrow = if spoken.by == palestra_engine::Speaker::Palestra { '>' } else { '<' };
            format!("{arrow} {}\n", spoken.text)
        };
        let n_letters = witness.stderr.chars().count();
        EngineLogView {
            stderr: witness.stderr.chars().skip(n_letters.saturating_sub(MOST_LETTERS)).collect(),
            dialogue: witness.dialogue[n_left_out..].iter().map(line).collect(),
            remarks: witness.remarks,
        }
    }

    pub(super) fn is_silent(&self) -> bool {
        self.stderr.is_empty() && self.dialogue.is_empty() && self.remarks.is_empty()
    }
}
