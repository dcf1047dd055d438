//! Marks: grades for being better than a reference player.

use super::Standings;
use palestra_settings::number;
use serde::{Deserialize, Deserializer};

/// A threshold: `[[mark]] above = "regular" confidence = 0.97 grade = 7`.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MarkThreshold {
    /// Name of the reference player.
    pub above: String,
    /// Likelihood of superiority that is required, from 0 to 1.
    #[serde(default = "usual_confidence", deserialize_with = "confidence")]
    pub confidence: f64,
    /// The grade for passing the threshold.
    #[serde(deserialize_with = "grade")]
    pub grade: f64,
}

fn usual_confidence() -> f64 {
    0.95
}

fn confidence<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    number(deserializer, 0.0..=0.999_999)
}

fn grade<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    number(deserializer, -1e6..=1e6)
}

/// A mark that an entrant has earned.
#[derive(Clone, PartialEq, Debug)]
pub struct EarnedMark {
    /// Index of the threshold, from 0.
    pub mark: usize,
    /// The grade.
    pub grade: f64,
    /// Likelihood that the entrant is better than the reference player, from 0 to 1.
    pub likelihood: f64,
    /// As a phrase: ``above `regular` with 97.4 %``.
    pub sentence: String,
}

impl Standings {
    /// The highest grade whose threshold an entrant has passed; `None` if it passed none or there are no ratings.
    #[must_use]
    pub fn mark_of(&self, player: usize, marks: &[MarkThreshold]) -> Option<EarnedMark> {
        let mut best: Option<EarnedMark> = None;
        for (i, mark) in marks.iter().enumerate() {
            let Some(reference) = self.names.iter().position(|name| *name == mark.above) else { continue };
            let Some(likelihood) = self.superiority(player, reference) else { continue };
            if likelihood >= mark.confidence && best.as_ref().is_none_or(|best| mark.grade > best.grade) {
                // Rounded down, and never 100 %.
                let percent = (1000.0 * likelihood).floor().min(999.0) / 10.0;
                let sentence = format!("above `{}` with {percent} %", mark.above);
                best = Some(EarnedMark { mark: i, grade: mark.grade, likelihood, sentence });
            }
        }
        best
    }
}
