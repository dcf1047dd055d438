//! What is known about a champion, in words.

use palestra_tune::progress::CriterionStatus;

/// One weight of a player in words.
#[derive(Clone, PartialEq, Debug)]
pub struct WeightDescription<'a> {
    /// From 1: how large it is among the others, its sign aside.
    pub rank: usize,
    /// Of its feature.
    pub name: &'a str,
    /// As the player has it.
    pub value: f64,
    /// Of the sum of all, their signs aside.
    pub share: f64,
    /// What the player does about the feature.
    pub word: &'static str,
    /// What the feature counts.
    pub meaning: &'a str,
}

/// Weights in words, the most important first.
#[must_use]
pub fn describe_weights<'a>(
    names: &'a [String],
    meanings: &'a [String],
    weights: &[f64],
) -> Vec<WeightDescription<'a>> {
    let total: f64 = weights.iter().map(|weight| weight.abs()).sum();
    let mut order: Vec<usize> = (0..weights.len()).collect();
    order.sort_by(|&a, &b| weights[b].abs().total_cmp(&weights[a].abs()));
    let in_words = |(rank, i): (usize, usize)| {
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
    order.into_iter().enumerate().map(in_words).collect()
}

/// What the sequential test said, and nothing more.
#[must_use]
pub fn describe_sequential_test(better: Option<bool>) -> &'static str {
    match better {
        Some(true) => "sequential test: better (0 against 20 normalized Elo, 5 %)",
        Some(false) => "sequential test: NOT better (0 against 20 normalized Elo, 5 %)",
        None => "sequential test: not decided, so it is not called better (0 against 20 normalized Elo, 5 %)",
    }
}

/// A grade in a word.
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
