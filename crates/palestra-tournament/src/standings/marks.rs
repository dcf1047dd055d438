//! Marks: who is above somebody of the house, and how sure that is.

use super::Standings;

/// A threshold: `[[mark]] above = "regular" confidence = 0.97 grade = 7`.
#[derive(Clone, PartialEq, Debug)]
pub struct MarkThreshold {
    /// Whom one has to be better than.
    pub above: String,
    /// How likely that has to be.
    pub confidence: f64,
    /// The grade for it.
    pub grade: f64,
}

/// A mark that somebody has earned.
#[derive(Clone, PartialEq, Debug)]
pub struct EarnedMark {
    /// Which of the thresholds, from 0.
    pub mark: usize,
    /// The grade.
    pub grade: f64,
    /// How likely it is that the player is better than the one named by the threshold.
    pub likelihood: f64,
    /// In words: ``above `regular` with 97.4 %``.
    pub sentence: String,
}

impl Standings {
    /// The highest grade whose threshold somebody has passed; `None` where there is none, or nothing to tell by.
    #[must_use]
    pub fn mark_of(&self, player: usize, marks: &[MarkThreshold]) -> Option<EarnedMark> {
        let mut best: Option<EarnedMark> = None;
        for (i, mark) in marks.iter().enumerate() {
            let Some(rung) = self.names.iter().position(|name| *name == mark.above) else { continue };
            let Some(likelihood) = self.superiority(player, rung) else { continue };
            if likelihood >= mark.confidence && best.as_ref().is_none_or(|best| mark.grade > best.grade) {
                // Never more than is known, and never certainty.
                let percent = (1000.0 * likelihood).floor().min(999.0) / 10.0;
                let sentence = format!("above `{}` with {percent} %", mark.above);
                best = Some(EarnedMark { mark: i, grade: mark.grade, likelihood, sentence });
            }
        }
        best
    }
}
