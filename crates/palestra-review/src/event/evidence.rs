//! The evidence of a game as text: dialogues and standard error of programs.

use palestra_arena::{EngineLog, LogLine, Speaker, TimeVerdict};

/// The log of a program, for a reader.
#[derive(Clone, Debug, Default)]
pub struct ProgramLog {
    /// The end of what it wrote to standard error.
    pub stderr: String,
    /// The dialogue, by line: `> ` to the program, `< ` from it.
    pub dialogue: Vec<String>,
    /// Deviations that did not cost the game.
    pub remarks: Vec<String>,
}

impl ProgramLog {
    /// The end of a log: at most `max` lines of standard error and of the dialogue.
    #[must_use]
    pub fn of(log: &EngineLog, max: usize) -> ProgramLog {
        let stderr: Vec<&str> = log.stderr.lines().collect();
        ProgramLog {
            stderr: tail(&stderr, max).1.join("\n"),
            dialogue: tail(&log.dialogue, max).1.iter().map(line_text).collect(),
            remarks: log.remarks.clone(),
        }
    }

    /// Whether there is nothing to show.
    #[must_use]
    pub fn is_silent(&self) -> bool {
        self.stderr.is_empty() && self.dialogue.is_empty() && self.remarks.is_empty()
    }
}

/// How the time of a loss on time was measured, in one sentence.
#[must_use]
pub fn time_measured(verdict: &TimeVerdict) -> String {
    let seconds = |micros: u64| format!("{:.3} s", micros as f64 / 1e6);
    format!(
        "allowed {} with a margin of {}; it took {}, in which it waited {} for a core; {} were given back; \
         measured {} after its start",
        seconds(verdict.allowed_us),
        seconds(verdict.margin_us),
        seconds(verdict.elapsed_us),
        seconds(verdict.waited_us),
        seconds(verdict.given_back_us),
        seconds(verdict.at_us)
    )
}

fn line_text(line: &LogLine) -> String {
    let arrow = if line.by == Speaker::Palestra { '>' } else { '<' };
    format!("{arrow} {}", line.text)
}

/// The last lines, at most `max`, and the number of lines before them.
#[must_use]
pub fn tail<T>(lines: &[T], max: usize) -> (usize, &[T]) {
    let n_left_out = lines.len().saturating_sub(max);
    (n_left_out, &lines[n_left_out..])
}
