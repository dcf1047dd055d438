//! The evidence of a game: times, values, dialogues and standard error of programs.

use palestra_store::{EventGame, Winner};
use serde_json::Value;

/// The evidence of a game; empty where the store has none.
#[derive(Clone, Debug, Default)]
pub struct GameEvidence {
    /// Time of each move of the players, in microseconds.
    pub micros: Vec<Option<u64>>,
    /// Value of each move, as its player reported it.
    pub values: Vec<Option<f64>>,
    /// Logs of the programs, by side.
    pub program_logs: [ProgramLog; 2],
}

/// The log of a program.
#[derive(Clone, Debug, Default)]
pub struct ProgramLog {
    /// The end of what it wrote to standard error.
    pub stderr: String,
    /// The dialogue, by line: `> ` to the program, `< ` from it.
    pub dialogue: Vec<String>,
    /// Deviations that did not cost the game.
    pub remarks: Vec<String>,
}

impl GameEvidence {
    /// Reads the evidence of a stored game. Evidence that cannot be read is treated as missing.
    #[must_use]
    pub fn of(game: &EventGame) -> GameEvidence {
        let stored = game.evidence.as_deref().and_then(|text| serde_json::from_str::<Value>(text).ok());
        let Some(stored) = stored else { return GameEvidence::default() };
        let list = |key: &str| stored[key].as_array().cloned().unwrap_or_default();
        GameEvidence {
            micros: list("micros").iter().map(Value::as_u64).collect(),
            values: list("values").iter().map(Value::as_f64).collect(),
            program_logs: ["first", "second"].map(|side| ProgramLog::of(&stored[side])),
        }
    }

    /// The log of the program with this side.
    #[must_use]
    pub fn program_log(&self, side: Winner) -> &ProgramLog {
        &self.program_logs[usize::from(side == Winner::Second)]
    }
}

impl ProgramLog {
    fn of(stored: &Value) -> ProgramLog {
        let lines = |value: &Value| -> Vec<String> {
            match value {
                Value::Array(lines) => lines.iter().map(line_text).collect(),
                Value::String(text) => text.lines().map(str::to_owned).collect(),
                _ => Vec::new(),
            }
        };
        ProgramLog {
            stderr: lines(&stored["stderr"]).join("\n"),
            dialogue: lines(&stored["dialogue"]),
            remarks: lines(&stored["remarks"]),
        }
    }

    /// The last lines, at most `max`, and the number of lines before them.
    #[must_use]
    pub fn tail(lines: &[String], max: usize) -> (usize, &[String]) {
        let n_left_out = lines.len().saturating_sub(max);
        (n_left_out, &lines[n_left_out..])
    }
}

/// A line of a log, with its direction where that is known.
fn line_text(line: &Value) -> String {
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
    fn logs_are_read_in_any_form() {
        let stored = serde_json::json!({
            "stderr": "a\nb",
            "dialogue": [
                {"by": "palestra", "at_us": 3, "text": "go"},
                {"by": "program", "at_us": 9, "text": "x"},
                "plain",
            ],
            "remarks": 4,
        });
        let log = ProgramLog::of(&stored);
        assert_eq!(log.stderr, "a\nb");
        assert_eq!(log.dialogue, ["> go", "< x", "plain"]);
        assert!(log.remarks.is_empty());
        assert_eq!(ProgramLog::tail(&log.dialogue, 2), (1, &log.dialogue[1..]));
    }
}
