//! Descriptions of a champion for readers.

use palestra_tune::progress::CriterionStatus;

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

/// The decision of the sequential test; `None` is undecided.
#[must_use]
pub fn describe_sequential_test(better: Option<bool>) -> &'static str {
    match better {
        Some(true) => "sequential test: better (0 against 20 normalized Elo, 5 %)",
        Some(false) => "sequential test: NOT better (0 against 20 normalized Elo, 5 %)",
        None => "sequential test: not decided, so it is not called better (0 against 20 normalized Elo, 5 %)",
    }
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
