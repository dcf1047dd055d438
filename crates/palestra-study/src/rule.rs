//! Comparison rules for published and obtained values.

use crate::chance;
use crate::path::OutputValue;

/// How an obtained value is compared with a published one.
#[derive(Clone, PartialEq, Debug)]
pub enum ComparisonRule {
    /// Equal to the last published digit.
    Exact,
    /// Two numbers with normal noise of known standard deviation.
    Normal {
        /// Standard deviation of the published number; by default from the column `sd` of the file.
        sd: Option<f64>,
        /// Standard deviation of the obtained number; by default that of the published one.
        sd_obtained: Option<f64>,
    },
    /// Two counts out of totals: Fisher's exact test.
    Share {
        /// Total of the published count; by default from the column `of` of the file.
        of: Option<f64>,
        /// Path to the total of the obtained count.
        of_read: Option<String>,
        /// Total of the obtained count, if there is no path to it.
        of_obtained: Option<f64>,
    },
    /// Two lists of counts, such as wins, draws and losses: chi-square test of homogeneity.
    Counts,
    /// One published number among many obtained ones: rank test.
    Sample,
    /// No comparison: both values are only shown.
    Shown,
}

/// The result of a comparison.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum RuleResult {
    /// Equal.
    Same,
    /// Different, without a test whether chance explains it.
    Other,
    /// The p-value of the difference.
    Chance {
        /// Name of the test.
        test: &'static str,
        /// Its p-value.
        p: f64,
    },
    /// The values cannot be compared, with the reason.
    Unclear(String),
}

/// Additional numbers that a rule needs.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct RuleParameters {
    pub(crate) sd: Option<f64>,
    pub(crate) of: Option<f64>,
    pub(crate) of_obtained: Option<f64>,
}

impl ComparisonRule {
    /// Compares two values; `None` for [`ComparisonRule::Shown`].
    pub(crate) fn compare(
        &self,
        published: &str,
        obtained: &OutputValue,
        decimals: Option<usize>,
        parameters: RuleParameters,
    ) -> Option<RuleResult> {
        Some(match self {
            ComparisonRule::Shown => return None,
            ComparisonRule::Exact => exact(published, obtained, decimals),
            ComparisonRule::Normal { sd_obtained, .. } => {
                match (number(published), obtained.number(), parameters.sd) {
                    (Some(published), Some(obtained), Some(sd)) => {
                        let noise = sd.hypot(sd_obtained.unwrap_or(sd));
                        RuleResult::Chance {
                            test: "normal test",
                            p: chance::normal(obtained - published, noise),
                        }
                    }
                    (_, _, None) => {
                        RuleResult::Unclear("cannot compare: no standard deviation is given".to_owned())
                    }
                    _ => unclear("two numbers"),
                }
            }
            ComparisonRule::Share { .. } => {
                let whole =
                    |value: Option<f64>| value.filter(|v| *v >= 0.0 && v.fract() == 0.0).map(|v| v as u64);
                let counts = (
                    whole(number(published)),
                    whole(parameters.of),
                    whole(obtained.number()),
                    whole(parameters.of_obtained),
                );
                match counts {
                    (Some(a), Some(n), Some(b), Some(m)) if a <= n && b <= m => {
                        RuleResult::Chance { test: "Fisher's exact test", p: chance::fisher(a, n, b, m) }
                    }
                    _ => unclear("two counts, each not above its total"),
                }
            }
            ComparisonRule::Counts => {
                let published: Option<Vec<f64>> = tokens(published).map(number).collect();
                match (published, obtained.numbers()) {
                    (Some(first), Some(second)) if first.len() == second.len() && first.len() > 1 => {
                        let p = chance::homogeneity(&first, &second);
                        RuleResult::Chance { test: "chi-square test of homogeneity", p }
                    }
                    _ => unclear("two lists of as many counts"),
                }
            }
            ComparisonRule::Sample => match (number(published), obtained.numbers()) {
                (Some(one), Some(sample)) if !sample.is_empty() => RuleResult::Chance {
                    test: "rank among the obtained numbers",
                    p: chance::rank(one, &sample),
                },
                _ => unclear("a published number and a list of obtained numbers"),
            },
        })
    }
}

fn unclear(expected: &str) -> RuleResult {
    RuleResult::Unclear(format!("cannot compare: expected {expected}"))
}

/// Published text as a number; underscores may group its digits.
pub(crate) fn number(text: &str) -> Option<f64> {
    text.trim().replace('_', "").parse().ok().filter(|number: &f64| number.is_finite())
}

/// The items of a cell: weights, or wins/draws/losses.
fn tokens(text: &str) -> impl Iterator<Item = &str> {
    text.split([',', '/', ';', ' ', ':']).filter(|token| !token.is_empty())
}

fn exact(published: &str, obtained: &OutputValue, decimals: Option<usize>) -> RuleResult {
    let same = |obtained: &str, published: &str| match (number(obtained), number(published)) {
        (Some(obtained), Some(published_number)) => {
            // To the last published digit; a published integer must be equal.
            let digits = published.split_once('.').map(|(_, digits)| digits.len());
            match decimals.or(digits) {
                Some(decimals) => {
                    format!("{obtained:.decimals$}") == format!("{published_number:.decimals$}")
                }
                None => obtained == published_number,
            }
        }
        _ => obtained == published,
    };
    let shown = obtained.exact_text();
    let (shown, published): (Vec<&str>, Vec<&str>) = (tokens(&shown).collect(), tokens(published).collect());
    let is_same = shown.len() == published.len() && shown.iter().zip(&published).all(|(a, b)| same(a, b));
    if is_same { RuleResult::Same } else { RuleResult::Other }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn check(rule: ComparisonRule, published: &str, obtained: serde_json::Value, expected: &str) {
        let parameters = RuleParameters { sd: Some(53.0), of: Some(1000.0), of_obtained: Some(10_000.0) };
        let result = rule.compare(published, &OutputValue::from(obtained), Some(3), parameters);
        let text = match result {
            None => "nothing".to_owned(),
            Some(RuleResult::Same) => "same".to_owned(),
            Some(RuleResult::Other) => "other".to_owned(),
            Some(RuleResult::Chance { test, p }) => format!("{test} {p:.3}"),
            Some(RuleResult::Unclear(why)) => why,
        };
        assert_eq!(text, expected, "{rule:?}, {published}");
    }

    #[test]
    fn exact_to_the_last_published_digit() {
        let check = |published: &str, obtained: f64, is_same: bool| {
            let result = ComparisonRule::Exact.compare(
                published,
                &OutputValue::from(json!(obtained)),
                None,
                RuleParameters::default(),
            );
            assert_eq!(result == Some(RuleResult::Same), is_same, "{published} {obtained}");
        };
        check("1.28571", 9.0 / 7.0, true);
        check("1.28572", 9.0 / 7.0, false);
        check("9", 9.0, true);
        check("9", 9.4, false);
        check("0.5", 0.5, true);
    }

    #[test]
    fn rules_compare() {
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
            "cannot compare: expected two numbers",
        );
        let share = ComparisonRule::Share { of: None, of_read: None, of_obtained: None };
        check(share.clone(), "987", json!(9875), "Fisher's exact test 0.881");
        check(share, "1001", json!(9875), "cannot compare: expected two counts, each not above its total");
        check(ComparisonRule::Counts, "10/0/10", json!([15, 0, 5]), "chi-square test of homogeneity 0.102");
        check(
            ComparisonRule::Counts,
            "10/10",
            json!([15, 0, 5]),
            "cannot compare: expected two lists of as many counts",
        );
        check(ComparisonRule::Sample, "0.5", json!([1, 2, 3]), "rank among the obtained numbers 0.500");
        check(ComparisonRule::Shown, "0.5", json!([1, 2, 3]), "nothing");
    }
}
