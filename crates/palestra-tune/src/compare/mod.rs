//! The fair comparison of methods: every game is charged, everybody starts from the same weights within the same bounds
//! and draws on the same openings, and what each recommends after so many games meets a gauntlet that nobody trained
//! on. Many runs of each, because one says little.

mod plan;
mod run;
#[cfg(test)]
mod tests;
mod words;

pub use plan::{ComparisonPlan, Contestant, Gauntlet};
pub use run::{Protocol, RunRecord, Trained};
pub use words::short_count;

use palestra_arena::stats::{holm, mann_whitney, median, quartiles, reached, share_reached};
use serde::{Deserialize, Serialize};

/// What runs say about methods.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Comparison {
    /// What the start is worth, in Elo against the gauntlet: the median over seeds, which may start apart.
    pub start_elo: f64,
    /// What a run has to be worth to have reached its goal.
    pub target_elo: f64,
    /// The methods, in the order of the file.
    pub methods: Vec<Curve>,
    /// Every pair of methods at every checkpoint.
    pub differences: Vec<Difference>,
}

/// How one method does.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Curve {
    /// What it is called.
    pub label: String,
    /// At each checkpoint.
    pub at: Vec<Standing>,
    /// Games after which another run had reached the goal, with the share of runs so far.
    pub reached: Vec<(u64, f64)>,
}

/// How one method does at one checkpoint.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Standing {
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
pub struct Difference {
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

impl Comparison {
    /// What these records say, `target` Elo above the start being the goal. There is at least one record of each
    /// method, and each has an Elo for every checkpoint.
    pub fn of(labels: &[String], checkpoints: &[u64], target: f64, records: &[RunRecord]) -> Comparison {
        let starts: Vec<f64> = records.iter().map(|record| record.start_elo).collect();
        let start_elo = median(&starts).unwrap_or(0.0);
        let target_elo = start_elo + target;
        let curve = |(method, label): (usize, &String)| {
            let mut runs: Vec<&RunRecord> = records.iter().filter(|record| record.method == method).collect();
            runs.sort_by_key(|run| run.seed);
            curve(label, &runs, checkpoints, target_elo)
        };
        let methods: Vec<Curve> = labels.iter().enumerate().map(curve).collect();
        let differences = (0..checkpoints.len()).flat_map(|i| differences(&methods, i)).collect();
        Comparison { start_elo, target_elo, methods, differences }
    }
}

fn curve(label: &str, runs: &[&RunRecord], checkpoints: &[u64], target_elo: f64) -> Curve {
    let first_reached = |run: &&RunRecord| {
        let at = run.elo.iter().position(|elo| *elo >= target_elo);
        at.and_then(|i| checkpoints.get(i).copied())
    };
    let budgets: Vec<Option<u64>> = runs.iter().map(first_reached).collect();
    let standing = |(i, &games): (usize, &u64)| {
        let elo: Vec<f64> = runs.iter().map(|run| run.elo[i]).collect();
        let quartiles = quartiles(&elo).unwrap_or_default();
        Standing { games, elo, quartiles, share_reached: share_reached(&budgets, games) }
    };
    Curve {
        label: label.to_owned(),
        at: checkpoints.iter().enumerate().map(standing).collect(),
        reached: reached(&budgets),
    }
}

/// All pairs of methods at one checkpoint.
fn differences(methods: &[Curve], checkpoint: usize) -> Vec<Difference> {
    let mut all = Vec::new();
    for (i, a) in methods.iter().enumerate() {
        for b in &methods[i + 1..] {
            let (one, other) = (&a.at[checkpoint], &b.at[checkpoint]);
            let Some(test) = mann_whitney(&one.elo, &other.elo) else { continue };
            all.push(Difference {
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
