//! An Elo with its interval, and the sentence that compares two players: the one place that knows their wording.

use crate::formatting::{SURE, percent, signed};
use std::fmt;

/// An Elo difference or rating with its 95 % interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct EloEstimate {
    /// The estimate; `None` where the results set no finite one.
    pub elo: Option<f64>,
    /// The lower end of the interval; `None` where the results do not bound it.
    pub low: Option<f64>,
    /// The upper end of the interval; `None` where the results do not bound it.
    pub high: Option<f64>,
}

impl EloEstimate {
    /// An estimate with a symmetric 95 % error.
    pub fn with_error(elo: f64, error: f64) -> EloEstimate {
        EloEstimate { elo: Some(elo), low: Some(elo - error), high: Some(elo + error) }
    }

    /// The form for tables, the same in every language: `+41 [+10, +72]`; where one end is open, the other as a bound,
    /// `> +10`; for a rating that was given, `+41 (given)`.
    pub fn cell(&self) -> String {
        match (self.elo, self.interval()) {
            (Some(elo), _) if self.low == self.high && self.low.is_some() => {
                format!("{} (given)", given_elo(elo))
            }
            (Some(elo), Some(interval)) => format!("{} {interval}", signed(elo, 0)),
            _ => self.bound().unwrap_or_else(|| "–".to_owned()),
        }
    }

    /// `[+10, +72]`; `None` where an end is open.
    pub fn interval(&self) -> Option<String> {
        self.low.zip(self.high).map(|(low, high)| format!("[{}, {}]", signed(low, 0), signed(high, 0)))
    }

    /// Where one end is open, the other as a bound: `> +10`.
    pub fn bound(&self) -> Option<String> {
        match (self.low, self.high) {
            (Some(low), None) => Some(format!("> {}", signed(low, 0))),
            (None, Some(high)) => Some(format!("< {}", signed(high, 0))),
            _ => None,
        }
    }
}

/// A rating that was given: like an estimate, but a zero is the origin of the scale and has no sign.
pub fn given_elo(elo: f64) -> String {
    let text = signed(elo, 0);
    if text == "+0" { "0".to_owned() } else { text }
}

/// The form for sentences, in English; see [`EloWords::estimate`].
impl fmt::Display for EloEstimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&EloWords::ENGLISH.estimate(self))
    }
}

/// The words around the numbers, in one language.
#[derive(Debug)]
pub struct EloWords {
    more_than: &'static str,
    less_than: &'static str,
    unbounded: &'static str,
    superiority: &'static str,
    better: &'static str,
    weaker: &'static str,
    /// Before, between and after the names of players that cannot be told apart.
    undecided: [&'static str; 3],
}

impl EloWords {
    /// English.
    pub const ENGLISH: EloWords = EloWords {
        more_than: "more than",
        less_than: "less than",
        unbounded: "unbounded",
        superiority: "likelihood of superiority",
        better: "is better than",
        weaker: "is weaker than",
        undecided: ["", " and ", " are not distinguishable yet"],
    };

    /// Spanish.
    pub const SPANISH: EloWords = EloWords {
        more_than: "más de",
        less_than: "menos de",
        unbounded: "sin límite",
        superiority: "probabilidad de ser mejor",
        better: "es mejor que",
        weaker: "es peor que",
        undecided: ["aún no se puede distinguir entre ", " y ", ""],
    };

    /// `+41 Elo [+10, +72]`, with a decimal if the interval is narrow; `+41 Elo (more than +10)` and `more than +10 Elo`
    /// where an end is open.
    pub fn estimate(&self, estimate: &EloEstimate) -> String {
        // Whole points, unless the interval is narrower than 20 Elo.
        let decimals = match (estimate.low, estimate.high) {
            (Some(low), Some(high)) if high - low < 20.0 => 1,
            _ => 0,
        };
        let show = |elo: f64| signed(elo, decimals);
        let bound = match (estimate.low, estimate.high) {
            (Some(low), Some(high)) => {
                let middle = estimate.elo.map_or_else(String::new, |elo| show(elo) + " ");
                return format!("{middle}Elo [{}, {}]", show(low), show(high));
            }
            (Some(low), None) => format!("{} {}", self.more_than, show(low)),
            (None, Some(high)) => format!("{} {}", self.less_than, show(high)),
            (None, None) => self.unbounded.to_owned(),
        };
        match estimate.elo {
            Some(elo) => format!("{} Elo ({bound})", show(elo)),
            None => format!("{bound} Elo"),
        }
    }

    /// The comparison of two players as a sentence.
    pub fn comparison(&self, comparison: &EloComparison<'_>) -> String {
        let EloComparison { players: [subject, opponent], estimate, note, los, remark } = comparison;
        let evidence = format!("{}{note}, {} {}", self.estimate(estimate), self.superiority, percent(*los));
        // Both measures must agree: with a few games that were all won, the interval alone is overconfident.
        if *los >= SURE && estimate.low.is_some_and(|elo| elo > 0.0) {
            return format!("{subject} {} {opponent}: {evidence}", self.better);
        }
        if *los <= 1.0 - SURE && estimate.high.is_some_and(|elo| elo < 0.0) {
            return format!("{subject} {} {opponent}: {evidence}", self.weaker);
        }
        let [before, between, after] = self.undecided;
        let remark = if remark.is_empty() { String::new() } else { format!("; {remark}") };
        format!("{before}{subject}{between}{opponent}{after}: {evidence}{remark}")
    }
}

/// What the results say about two players.
#[derive(Clone, PartialEq, Debug)]
pub struct EloComparison<'a> {
    /// The names of the players.
    pub players: [&'a str; 2],
    /// Elo of the first against the second.
    pub estimate: EloEstimate,
    /// A note on the estimate, with its blank before.
    pub note: String,
    /// The likelihood that the first is the stronger one.
    pub los: f64,
    /// What would settle an undecided comparison.
    pub remark: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn estimates_are_never_infinite() {
        let check = |elo, low, high, cell: &str, sentence: &str, spanish: &str| {
            let estimate = EloEstimate { elo, low, high };
            let found = (estimate.cell(), estimate.to_string(), EloWords::SPANISH.estimate(&estimate));
            assert_eq!(found, (cell.to_owned(), sentence.to_owned(), spanish.to_owned()));
        };
        let both = "+41 Elo [+10, +72]";
        check(Some(41.2), Some(9.8), Some(72.0), "+41 [+10, +72]", both, both);
        let narrow = "+41.2 Elo [+39.8, +42.6]";
        check(Some(41.2), Some(39.8), Some(42.6), "+41 [+40, +43]", narrow, narrow);
        check(None, Some(270.4), None, "> +270", "more than +270 Elo", "más de +270 Elo");
        check(
            Some(-300.0),
            None,
            Some(-270.4),
            "< -270",
            "-300 Elo (less than -270)",
            "-300 Elo (menos de -270)",
        );
        check(
            Some(-0.2),
            Some(-0.2),
            Some(-0.2),
            "0 (given)",
            "-0.2 Elo [-0.2, -0.2]",
            "-0.2 Elo [-0.2, -0.2]",
        );
        check(None, None, None, "–", "unbounded Elo", "sin límite Elo");
    }

    #[test]
    fn comparisons_need_both_measures() {
        let check = |error, los, sentence: &str, spanish: &str| {
            let comparison = EloComparison {
                players: ["A", "B"],
                estimate: EloEstimate::with_error(41.0, error),
                note: String::new(),
                los,
                remark: "more".to_owned(),
            };
            assert_eq!(EloWords::ENGLISH.comparison(&comparison), sentence);
            assert_eq!(EloWords::SPANISH.comparison(&comparison), spanish);
        };
        check(
            31.0,
            0.99,
            "A is better than B: +41 Elo [+10, +72], likelihood of superiority 99.0 %",
            "A es mejor que B: +41 Elo [+10, +72], probabilidad de ser mejor 99.0 %",
        );
        check(
            51.0,
            0.99,
            "A and B are not distinguishable yet: +41 Elo [-10, +92], likelihood of superiority 99.0 %; more",
            "aún no se puede distinguir entre A y B: +41 Elo [-10, +92], probabilidad de ser mejor 99.0 %; more",
        );
    }
}
