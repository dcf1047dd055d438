//! What was kept beside a game: times, values, what a program said and wrote to standard error.

use palestra_store::{EventGame, Winner};
use serde_json::Value;

/// The evidence of a game, as far as there is any.
#[derive(Clone, Debug, Default)]
pub struct GameEvidence {
    /// Microseconds of each move of the players.
    pub micros: Vec<Option<u64>>,
    /// What the one who moved thought of it.
    pub values: Vec<Option<f64>>,
    /// What is known of the program with the first side, and of that with the second.
    pub program_logs: [ProgramLog; 2],
}

/// What a program said.
#[derive(Clone, Debug, Default)]
pub struct ProgramLog {
    /// The end of what it wrote to standard error.
    pub stderr: String,
    /// All that was said, by line: `> ` to the program, `< ` from it.
    pub dialogue: Vec<String>,
    /// What was odd and did not cost the game.
    pub remarks: Vec<String>,
}

impl GameEvidence {
    /// Reads what a store kept. What cannot be read is as good as not kept.
    #[must_use]
    pub fn of(game: &EventGame) -> GameEvidence {
        let kept = game.evidence.as_deref().and_then(|text| serde_json::from_str::<Value>(text).ok());
        let Some(kept) = kept else { return GameEvidence::default() };
        let list = |key: &str| kept[key].as_array().cloned().unwrap_or_default();
        GameEvidence {
            micros: list("micros").iter().map(Value::as_u64).collect(),
            values: list("values").iter().map(Value::as_f64).collect(),
            program_logs: ["first", "second"].map(|side| ProgramLog::of(&kept[side])),
        }
    }

    /// The program of a side.
    #[must_use]
    pub fn program_log(&self, side: Winner) -> &ProgramLog {
        &self.program_logs[usize::from(side == Winner::Second)]
    }
}

impl ProgramLog {
    fn of(kept: &Value) -> ProgramLog {
        let lines = |value: &Value| -> Vec<String> {
            match value {
                Value::Array(lines) => lines.iter().map(spoken).collect(),
                Value::String(text) => text.lines().map(str::to_owned).collect(),
                _ => Vec::new(),
            }
        };
        ProgramLog {
            stderr: lines(&kept["stderr"]).join("\n"),
            dialogue: lines(&kept["dialogue"]),
            remarks: lines(&kept["remarks"]),
        }
    }

    /// The last lines of a text, and how many were before them.
    #[must_use]
    pub fn tail(lines: &[String], most: usize) -> (usize, &[String]) {
        let n_left_out = lines.len().saturating_sub(most);
        (n_left_out, &lines[n_left_out..])
    }
}

/// A line as a text, whoever said it.
fn spoken(line: &Value) -> String {
    let arrow = match line["by"].as_str() {
        Some("palestra") => "> ",
        Some(_) => "< ",
        None => "",
    };
    let text = line["text"].as_str().or(line.as_str());
    text.map_or_else(|| line.to_string(), |text| format!("{arrow}{text}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn voices_are_read_in_any_form() {
        let kept = serde_json::json!({
            "stderr": "a\nb",
            "dialogue": [{"by": "palestra", "at_us": 3, "text": "go"}, {"by": "program", "at_us": 9, "text": "x"}, "plain"],
            "remarks": 4,
        });
        let voice = ProgramLog::of(&kept);
        assert_eq!(voice.stderr, "a\nb");
        assert_eq!(voice.dialogue, ["> go", "< x", "plain"]);
        assert!(voice.remarks.is_empty());
        assert_eq!(ProgramLog::tail(&voice.dialogue, 2), (1, &voice.dialogue[1..]));
    }
}
