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

/// What a program wrote to standard error, without its text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StderrSummary {
    /// What it looks like.
    pub kind: StderrKind,
    /// Number of bytes that are kept: at most the last 64 KiB.
    pub n_bytes: usize,
}

/// What a text on standard error looks like, by the words that runtimes print when a program fails.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StderrKind {
    /// The report of a Java virtual machine that died.
    JavaCrash,
    /// An exception that ended a Java program.
    JavaException,
    /// The traceback of a Python program.
    PythonTraceback,
    /// The panic of a Rust or a Go program.
    Panic,
    /// The report of a sanitizer.
    Sanitizer,
    /// Any other text.
    Text,
}

impl StderrKind {
    /// Its name in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            StderrKind::JavaCrash => "Java crash dump",
            StderrKind::JavaException => "Java exception",
            StderrKind::PythonTraceback => "Python traceback",
            StderrKind::Panic => "panic",
            StderrKind::Sanitizer => "sanitizer report",
            StderrKind::Text => "text",
        }
    }
}

/// Words by which a kind is recognized.
const MARKS: [(&str, StderrKind); 7] = [
    ("fatal error has been detected by the Java Runtime Environment", StderrKind::JavaCrash),
    ("insufficient memory for the Java Runtime Environment", StderrKind::JavaCrash),
    ("Exception in thread \"", StderrKind::JavaException),
    ("Traceback (most recent call last)", StderrKind::PythonTraceback),
    ("panicked at ", StderrKind::Panic),
    ("Sanitizer: ", StderrKind::Sanitizer),
    ("goroutine ", StderrKind::Panic),
];

impl StderrSummary {
    /// The summary of a log; `None` where the program wrote nothing.
    #[must_use]
    pub fn of(log: &EngineLog) -> Option<StderrSummary> {
        let kind =
            MARKS.iter().find(|(mark, _)| log.stderr.contains(mark)).map_or(StderrKind::Text, |it| it.1);
        let n_bytes = log.stderr.len();
        (n_bytes > 0).then_some(StderrSummary { kind, n_bytes })
    }
}

/// The last lines, at most `max`, and the number of lines before them.
#[must_use]
pub fn tail<T>(lines: &[T], max: usize) -> (usize, &[T]) {
    let n_left_out = lines.len().saturating_sub(max);
    (n_left_out, &lines[n_left_out..])
}
