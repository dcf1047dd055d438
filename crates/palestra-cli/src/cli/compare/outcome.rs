//! The result of a comparison, as the store keeps it: without names of runs and without times, so that the same plan
//! always gives the same bytes.

use palestra_tune::TuningBoards;
use palestra_tune::compare::{ComparisonPlan, ComparisonProtocol, MethodComparison, RunRecord};
use serde::{Deserialize, Serialize};

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct ComparisonOutcome {
    /// The boards: games, or the name of a pool.
    pub(crate) boards: Vec<String>,
    /// The tuned player.
    pub(crate) player: String,
    /// Names of the weights.
    pub(crate) names: Vec<String>,
    /// Number of runs of each method.
    pub(crate) seeds: u32,
    /// Numbers of games at which the recommended weights are measured.
    pub(crate) checkpoints: Vec<u64>,
    /// Goal, in Elo above the start.
    pub(crate) target: f64,
    /// Opponents of the gauntlet.
    #[serde(alias = "rivals")]
    pub(crate) opponents: Vec<String>,
    /// Number of distinct openings of the gauntlet, over all boards.
    pub(crate) openings: usize,
    pub(crate) methods: Vec<ComparedMethod>,
    pub(crate) comparison: MethodComparison,
    /// Training games of all runs.
    pub(crate) games: u64,
    pub(crate) runs: Vec<RunRecord>,
}

/// A method as in the plan.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct ComparedMethod {
    pub(crate) label: String,
    pub(crate) method: String,
    /// Its settings, as TOML.
    pub(crate) settings: String,
    /// Its objective in training.
    pub(crate) objective: String,
}

impl ComparisonOutcome {
    pub(crate) fn new(
        plan: &ComparisonPlan,
        protocol: &ComparisonProtocol<'_>,
        runs: Vec<RunRecord>,
    ) -> ComparisonOutcome {
        let labels: Vec<String> = plan.methods.iter().map(|method| method.label.clone()).collect();
        let entry = |(i, label): (usize, &String)| ComparedMethod {
            label: label.clone(),
            method: plan.methods[i].method.name.to_owned(),
            settings: plan.methods[i].settings.to_toml(),
            objective: plan.plan_of(i, 0).objective.name().to_owned(),
        };
        ComparisonOutcome {
            boards: match &plan.task.boards {
                TuningBoards::Listed(games) => games.clone(),
                TuningBoards::Pool(pool) => vec![pool.clone()],
            },
            player: plan.task.player.clone(),
            names: plan.task.space.names.clone(),
            seeds: plan.n_seeds,
            checkpoints: plan.checkpoints.clone(),
            target: plan.target,
            opponents: plan.gauntlet.opponents.clone(),
            openings: protocol.n_start_points(),
            methods: labels.iter().enumerate().map(entry).collect(),
            comparison: MethodComparison::of(&labels, &plan.checkpoints, plan.target, &runs),
            games: runs.iter().map(|run| run.n_games).sum(),
            runs,
        }
    }
}
