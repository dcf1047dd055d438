//! A fair comparison of methods: every game of training counts, all methods start from the same weights within the same
//! bounds and draw from the same openings, and what each recommends after a given number of games plays a gauntlet that
//! no method trained on. Each method has many runs, because results vary with the seed.

mod plan;
mod run;
mod sentences;
#[cfg(test)]
mod tests;

pub use plan::{ComparisonGauntlet, ComparisonPlan, MethodEntry, OLD_COMPARISON_KEYS};
pub use run::{ComparisonProtocol, RunRecord, TrainedRun};
pub use sentences::short_count;

use palestra_arena::stats::{holm, mann_whitney, median, quartiles, reached, share_reached};
use serde::{Deserialize, Serialize};

/// Results of all methods, and their differences.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MethodComparison {
    /// Elo of the start against the gauntlet: the median over seeds, which may have different starts.
    pub start_elo: f64,
    /// The Elo at which a run has reached the goal.
    pub target_elo: f64,
    /// The methods, in the order of the file.
    pub methods: Vec<MethodCurve>,
    /// Every pair of methods at every checkpoint.
    pub differences: Vec<MethodDifference>,
}

/// Results of one method.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MethodCurve {
    /// Its label.
    pub label: String,
    /// Results at each checkpoint.
    pub at: Vec<CheckpointResult>,
    /// Numbers of games after which one more run has reached the goal, with the share of runs so far.
    pub reached: Vec<(u64, f64)>,
}

/// Results of one method at one checkpoint.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CheckpointResult {
    /// Games of the checkpoint.
    pub games: u64,
    /// The Elo of each run, by seed.
    pub elo: Vec<f64>,
    /// First quartile, median and third quartile of the Elo.
    pub quartiles: [f64; 3],
    /// The share of runs that have reached the goal by this checkpoint.
    pub share_reached: f64,
}

/// Two methods at one checkpoint, compared by the ranks of their runs (Mann and Whitney).
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MethodDifference {
    /// Games of the checkpoint.
    pub games: u64,
    /// One method.
    pub a: String,
    /// The other.
    pub b: String,
    /// The share of pairs of runs in which the first method is ahead; ties count one half.
    pub superiority: f64,
    /// Two-sided p value: the probability of at least this difference by chance alone.
    pub p: f64,
    /// The p value corrected for all pairs of this checkpoint (Holm).
    pub p_corrected: f64,
}

impl MethodComparison {
    /// The comparison of these records; the goal is `target` Elo above the start. There is at least one record of each
    /// method, and each record has an Elo for every checkpoint.
    pub fn of(
        labels: &[String],
        checkpoints: &[u64],
        target: f64,
        records: &[RunRecord],
    ) -> MethodComparison {
        let starts: Vec<f64> = records.iter().map(|record| record.start_elo).collect();
        let start_elo = median(&starts).unwrap_or(0.0);
        let target_elo = start_elo + target;
        let curve = |(method, label): (usize, &String)| {
            let mut runs: Vec<&RunRecord> = records.iter().filter(|record| record.method == method).collect();
            runs.sort_by_key(|run| run.seed);
            curve(label, &runs, checkpoints, target_elo)
        };
        let methods: Vec<MethodCurve> = labels.iter().enumerate().map(curve).collect();
        let differences = (0..checkpoints.len()).flat_map(|i| differences(&methods, i)).collect();
        MethodComparison { start_elo, target_elo, methods, differences }
    }
}

fn curve(label: &str, runs: &[&RunRecord], checkpoints: &[u64], target_elo: f64) -> MethodCurve {
    let first_reached = |run: &&RunRecord| {
        let at = run.elo.iter().position(|elo| *elo >= target_elo);
        at.and_then(|i| checkpoints.get(i).copied())
    };
    let budgets: Vec<Option<u64>> = runs.iter().map(first_reached).collect();
    let at_checkpoint = |(i, &games): (usize, &u64)| {
        let elo: Vec<f64> = runs.iter().map(|run| run.elo[i]).collect();
        let quartiles = quartiles(&elo).unwrap_or_default();
        CheckpointResult { games, elo, quartiles, share_reached: share_reached(&budgets, games) }
    };
    MethodCurve {
        label: label.to_owned(),
        at: checkpoints.iter().enumerate().map(at_checkpoint).collect(),
        reached: reached(&budgets),
    }
}

/// All pairs of methods at one checkpoint.
fn differences(methods: &[MethodCurve], checkpoint: usize) -> Vec<MethodDifference> {
    let mut all = Vec::new();
    for (i, a) in methods.iter().enumerate() {
        for b in &methods[i + 1..] {
            let (one, other) = (&a.at[checkpoint], &b.at[checkpoint]);
            let Some(test) = mann_whitney(&one.elo, &other.elo) else { continue };
            all.push(MethodDifference {
                games: one.games,
                a: a.label.clone(),
                b: b.label.clone(),
                superiority: test.superiority,
                p: test.p,
                p_corrected: test.p,
            });
        }
    }
    let p: Vec<f64> = all.iter().map(|difference| difference.p).collect();
    all.iter_mut().zip(holm(&p)).for_each(|(difference, p)| difference.p_corrected = p);
    all
}
