//! What came of a comparison, as the store keeps it: no names of runs and no times in it, so that the same file always
//! comes to the same bytes.

use palestra_tune::TuningBoards;
use palestra_tune::compare::{ComparisonPlan, ComparisonProtocol, MethodComparison, RunRecord};
use serde::{Deserialize, Serialize};

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct ComparisonOutcome {
    /// Where it was played: games, or a pool of them.
    pub(crate) boards: Vec<String>,
    /// The player whose weights were looked for.
    pub(crate) player: String,
    /// The names of the weights.
    pub(crate) names: Vec<String>,
    /// Runs of each method.
    pub(crate) seeds: u32,
    pub(crate) checkpoints: Vec<u64>,
    /// How far above the start the goal lies, in Elo.
    pub(crate) target: f64,
    /// The gauntlet.
    pub(crate) rivals: Vec<String>,
    /// Different openings of the gauntlet, over all boards.
    pub(crate) openings: usize,
    pub(crate) methods: Vec<ComparedMethod>,
    pub(crate) comparison: MethodComparison,
    /// Games charged, of all runs together.
    pub(crate) games: u64,
    pub(crate) runs: Vec<RunRecord>,
}

/// A method as the file has it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct ComparedMethod {
    pub(crate) label: String,
    pub(crate) method: String,
    /// Its settings, as TOML.
    pub(crate) settings: String,
    /// What it was measured by in training.
    pub(crate) objective: String,
}

impl ComparisonOutcome {
    pub(crate) fn new(
        plan: &ComparisonPlan,
        protocol: &ComparisonProtocol<'_>,
        runs: Vec<RunRecord>,
    ) -> ComparisonOutcome {
        let labels: Vec<String> = plan.methods.iter().map(|contestant| contestant.label.clone()).collect();
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
            rivals: plan.gauntlet.rivals.clone(),
            openings: protocol.n_start_points(),
            methods: labels.iter().enumerate().map(entry).collect(),
            comparison: MethodComparison::of(&labels, &plan.checkpoints, plan.target, &runs),
            games: runs.iter().map(|run| run.n_games).sum(),
            runs,
        }
    }
}
