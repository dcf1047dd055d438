//! Descriptions of a champion for readers.

use palestra_tune::progress::{CriterionStatus, Verification};

/// One weight of a player.
#[derive(Clone, PartialEq, Debug)]
pub struct WeightDescription<'a> {
    /// Rank by absolute value, from 1.
    pub rank: usize,
    /// Name of its feature.
    pub name: &'a str,
    /// The weight itself.
    pub value: f64,
    /// Its share of the sum of absolute weights, from 0 to 1.
    pub share: f64,
    /// `wants`, `avoids` or `ignores`, by sign and share.
    pub word: &'static str,
    /// Meaning of its feature.
    pub meaning: &'a str,
}

/// Descriptions of weights, the largest absolute value first.
#[must_use]
pub fn describe_weights<'a>(
    names: &'a [String],
    meanings: &'a [String],
    weights: &[f64],
) -> Vec<WeightDescription<'a>> {
    let total: f64 = weights.iter().map(|weight| weight.abs()).sum();
    let mut order: Vec<usize> = (0..weights.len()).collect();
    order.sort_by(|&a, &b| weights[b].abs().total_cmp(&weights[a].abs()));
    let describe = |(rank, i): (usize, usize)| {
        let value = weights[i];
        let share = if total > 0.0 { value.abs() / total } else { 0.0 };
        let word = match () {
            () if share < 0.005 => "ignores",
            () if value > 0.0 => "wants",
            () => "avoids",
        };
        let [name, meaning] = [names, meanings].map(|texts| texts.get(i).map_or("", String::as_str));
        WeightDescription { rank: rank + 1, name, value, share, word, meaning }
    };
    order.into_iter().enumerate().map(describe).collect()
}

/// The decision of the sequential tests against all baselines.
#[must_use]
pub fn describe_decision(verification: &Verification) -> String {
    let comparisons = verification.all_comparisons();
    let names = |better: Option<bool>| {
        let these = comparisons.iter().filter(|comparison| comparison.better == better);
        these.map(|comparison| comparison.baseline.as_str()).collect::<Vec<_>>().join(" and ")
    };
    let (tests, each) = if comparisons.len() == 1 { ("test", "") } else { ("tests", " each") };
    let decision = match verification.better {
        Some(true) => format!("better than {}", names(Some(true))),
        Some(false) => format!("NOT better than {}", names(Some(false))),
        None if comparisons.iter().all(|comparison| comparison.better == Some(true)) => format!(
            "better than {}, but so is a champion of the same method with random fitness, so it is not called better",
            names(Some(true))
        ),
        None => format!("not decided against {}, so it is not called better", names(None)),
    };
    format!("sequential {tests}: {decision} (0 against 20 normalized Elo, 5 %{each})")
}

/// The status of a criterion as a word.
#[must_use]
pub fn describe_grade(grade: CriterionStatus) -> &'static str {
    match grade {
        CriterionStatus::Holds => "holds",
        CriterionStatus::Fails => "FAILS",
        CriterionStatus::Open => "open",
        CriterionStatus::Warning => "warning",
        CriterionStatus::Noted => "noted",
        CriterionStatus::Skipped => "not run",
    }
}
