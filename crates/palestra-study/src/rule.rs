//! How what was obtained is compared with what was published.

use crate::chance;
use crate::path::OutputValue;

/// How what was obtained is compared with what was published.
#[derive(Clone, PartialEq, Debug)]
pub enum ComparisonRule {
    /// The same, to the last digit that was published.
    Exact,
    /// Two numbers of known noise.
    Normal {
        /// The noise of what was published; a column `sd` of the file where it is not given.
        sd: Option<f64>,
        /// The noise of what was obtained, if it is another.
        sd_obtained: Option<f64>,
    },
    /// Two counts out of so many.
    Share {
        /// What was published is of so many; a column `of` of the file where it is not given.
        of: Option<f64>,
        /// Where it stands of how many the obtained count is.
        of_read: Option<String>,
        /// Of how many, if nothing is to be read.
        of_obtained: Option<f64>,
    },
    /// Won, drawn and lost.
    Counts,
    /// One published number among many obtained.
    Sample,
    /// Nothing is compared.
    Shown,
}

/// What a rule found.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum RuleResult {
    /// The same.
    Same,
    /// Not the same, and no test says whether chance explains it.
    Other,
    /// The chance of a difference like this, and which test says so.
    Chance {
        /// The test.
        test: &'static str,
        /// Its p-value.
        p: f64,
    },
    /// The two can not be compared: one of them is no number, say.
    Unclear(String),
}

/// The numbers that a rule needs besides.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct RuleParameters {
    pub(crate) sd: Option<f64>,
    pub(crate) of: Option<f64>,
    pub(crate) of_obtained: Option<f64>,
}

impl ComparisonRule {
    /// Compares; `None` where nothing is to be compared.
    pub(crate) fn compare(
        &self,
        published: &str,
        obtained: &OutputValue,
        decimals: Option<usize>,
        beside: RuleParameters,
    ) -> Option<RuleResult> {
        Some(match self {
            ComparisonRule::Shown => return None,
            ComparisonRule::Exact => exact(published, obtained, decimals),
            ComparisonRule::Normal { sd_obtained, .. } => {
                match (number(published), obtained.number(), beside.sd) {
                    (Some(published), Some(obtained), Some(sd)) => {
                        let noise = sd.hypot(sd_obtained.unwrap_or(sd));
                        RuleResult::Chance {
                            test: "normal test",
                            p: chance::normal(obtained - published, noise),
                        }
                    }
                    (_, _, None) => RuleResult::Unclear("no standard deviation is given".to_owned()),
                    _ => unclear("a number"),
                }
            }
            ComparisonRule::Share { .. } => {
                let whole =
                    |value: Option<f64>| value.filter(|v| *v >= 0.0 && v.fract() == 0.0).map(|v| v as u64);
                let counts = (
                    whole(number(published)),
                    whole(beside.of),
                    whole(obtained.number()),
                    whole(beside.of_obtained),
                );
                match counts {
                    (Some(a), Some(n), Some(b), Some(m)) if a <= n && b <= m => {
                        RuleResult::Chance { test: "Fisher's exact test", p: chance::fisher(a, n, b, m) }
                    }
                    _ => unclear("a count out of so many"),
                }
            }
            ComparisonRule::Counts => {
                let published: Option<Vec<f64>> = tokens(published).map(number).collect();
                match (published, obtained.numbers()) {
                    (Some(first), Some(second)) if first.len() == second.len() && first.len() > 1 => {
                        let p = chance::homogeneity(&first, &second);
                        RuleResult::Chance { test: "chi-square test of homogeneity", p }
                    }
                    _ => unclear("as many counts"),
                }
            }
            ComparisonRule::Sample => match (number(published), obtained.numbers()) {
                (Some(one), Some(sample)) if !sample.is_empty() => {
                    RuleResult::Chance { test: "rank among ours", p: chance::rank(one, &sample) }
                }
                _ => unclear("a number, and a list of ours"),
            },
        })
    }
}

fn unclear(expected: &str) -> RuleResult {
    RuleResult::Unclear(format!("both would have to be {expected}"))
}

/// Published text as a number; a comma may group its digits.
pub(crate) fn number(text: &str) -> Option<f64> {
    text.trim().replace('_', "").parse().ok().filter(|number: &f64| number.is_finite())
}

/// The pieces of a cell: weights, or won/drawn/lost.
fn tokens(text: &str) -> impl Iterator<Item = &str> {
    text.split([',', '/', ';', ' ', ':']).filter(|token| !token.is_empty())
}

fn exact(published: &str, obtained: &OutputValue, decimals: Option<usize>) -> RuleResult {
    let same = |ours: &str, theirs: &str| match (number(ours), number(theirs)) {
        (Some(ours), Some(theirs_number)) => {
            // To the last digit that was published; a whole number is meant as one.
            let digits = theirs.split_once('.').map(|(_, digits)| digits.len());
            match decimals.or(digits) {
                Some(decimals) => format!("{ours:.decimals$}") == format!("{theirs_number:.decimals$}"),
                None => ours == theirs_number,
            }
        }
        _ => ours == theirs,
    };
    let shown = obtained.exact_text();
    let (ours, theirs): (Vec<&str>, Vec<&str>) = (tokens(&shown).collect(), tokens(published).collect());
    let is_same = ours.len() == theirs.len() && ours.iter().zip(&theirs).all(|(a, b)| same(a, b));
    if is_same { RuleResult::Same } else { RuleResult::Other }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn check(rule: ComparisonRule, published: &str, obtained: serde_json::Value, expected: &str) {
        let beside = RuleParameters { sd: Some(53.0), of: Some(1000.0), of_obtained: Some(10_000.0) };
        let found = rule.compare(published, &OutputValue::from(obtained), Some(3), beside);
        let said = match found {
            None => "nothing".to_owned(),
            Some(RuleResult::Same) => "same".to_owned(),
            Some(RuleResult::Other) => "other".to_owned(),
            Some(RuleResult::Chance { test, p }) => format!("{test} {p:.3}"),
            Some(RuleResult::Unclear(why)) => why,
        };
        assert_eq!(said, expected, "{rule:?}, {published}");
    }

    #[test]
    fn exact_to_the_last_published_digit() {
        let check = |published: &str, obtained: f64, is_same: bool| {
            let found = ComparisonRule::Exact.compare(
                published,
                &OutputValue::from(json!(obtained)),
                None,
                RuleParameters::default(),
            );
            assert_eq!(found == Some(RuleResult::Same), is_same, "{published} {obtained}");
        };
        check("1.28571", 9.0 / 7.0, true);
        check("1.28572", 9.0 / 7.0, false);
        check("9", 9.0, true);
        check("9", 9.4, false);
        check("0.5", 0.5, true);
    }

    #[test]
    fn rules_find() {
        check(ComparisonRule::Exact, "880.204", json!(880.204_4), "same");
        check(ComparisonRule::Exact, "880.205", json!(880.204_4), "other");
        check(ComparisonRule::Exact, "a1h, b2v", json!(["a1h", "b2v"]), "same");
        check(ComparisonRule::Exact, "4,4,1,2", json!([4.0, 4.0, 1.0, 2.0]), "same");
        check(ComparisonRule::Exact, "1/0/1", json!([1, 0, 1]), "same");
        check(ComparisonRule::Exact, "1/0", json!([1, 0, 1]), "other");
        check(ComparisonRule::Exact, "a1h", json!("a1h"), "same");
        let normal = ComparisonRule::Normal { sd: None, sd_obtained: Some(0.0) };
        check(normal, "5455", json!(5409), "normal test 0.385");
        check(
            ComparisonRule::Normal { sd: None, sd_obtained: None },
            "x",
            json!(1),
            "both would have to be a number",
        );
        let share = ComparisonRule::Share { of: None, of_read: None, of_obtained: None };
        check(share.clone(), "987", json!(9875), "Fisher's exact test 0.881");
        check(share, "1001", json!(9875), "both would have to be a count out of so many");
        check(ComparisonRule::Counts, "10/0/10", json!([15, 0, 5]), "chi-square test of homogeneity 0.102");
        check(ComparisonRule::Counts, "10/10", json!([15, 0, 5]), "both would have to be as many counts");
        check(ComparisonRule::Sample, "0.5", json!([1, 2, 3]), "rank among ours 0.500");
        check(ComparisonRule::Shown, "0.5", json!([1, 2, 3]), "nothing");
    }
}
