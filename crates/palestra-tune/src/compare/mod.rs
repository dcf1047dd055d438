//! The fair comparison of methods: every game is charged, everybody starts from the same weights within the same bounds
//! and draws on the same openings, and what each recommends after so many games meets a gauntlet that nobody trained
//! on. Many runs of each, because one says little.

mod plan;
mod run;
mod sentences;
#[cfg(test)]
mod tests;

pub use plan::{ComparisonGauntlet, ComparisonPlan, MethodEntry};
pub use run::{ComparisonProtocol, RunRecord, TrainedRun};
pub use sentences::short_count;

use palestra_arena::stats::{holm, mann_whitney, median, quartiles, reached, share_reached};
use serde::{Deserialize, Serialize};

/// What runs say about methods.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MethodComparison {
    /// What the start is worth, in Elo against the gauntlet: the median over seeds, which may start apart.
    pub start_elo: f64,
    /// What a run has to be worth to have reached its goal.
    pub target_elo: f64,
    /// The methods, in the order of the file.
    pub methods: Vec<MethodCurve>,
    /// Every pair of methods at every checkpoint.
    pub differences: Vec<MethodDifference>,
}

/// How one method does.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MethodCurve {
    /// What it is called.
    pub label: String,
    /// At each checkpoint.
    pub at: Vec<CheckpointResult>,
    /// Games after which another run had reached the goal, with the share of runs so far.
    pub reached: Vec<(u64, f64)>,
}

/// How one method does at one checkpoint.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CheckpointResult {
    /// Games charged at most.
    pub games: u64,
    /// The Elo of each run, by seed.
    pub elo: Vec<f64>,
    /// A quarter, a half and three quarters of the runs are below.
    pub quartiles: [f64; 3],
    /// The share of runs that have reached the goal by then.
    pub share_reached: f64,
}

/// Two methods at one checkpoint, compared by the ranks of their runs (Mann and Whitney).
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MethodDifference {
    /// Games charged at most.
    pub games: u64,
    /// One method.
    pub a: String,
    /// The other.
    pub b: String,
    /// The share of pairs of runs in which the first is ahead; equal ones count half.
    pub superiority: f64,
    /// How often chance alone would do at least as much.
    pub p: f64,
    /// The same, corrected for all pairs of this checkpoint (Holm).
    pub p_corrected: f64,
}

impl MethodComparison {
    /// What these records say, `target` Elo above the start being the goal. There is at least one record of each
    /// method, and each has an Elo for every checkpoint.
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
    let standing = |(i, &games): (usize, &u64)| {
        let elo: Vec<f64> = runs.iter().map(|run| run.elo[i]).collect();
        let quartiles = quartiles(&elo).unwrap_or_default();
        CheckpointResult { games, elo, quartiles, share_reached: share_reached(&budgets, games) }
    };
    MethodCurve {
        label: label.to_owned(),
        at: checkpoints.iter().enumerate().map(standing).collect(),
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
