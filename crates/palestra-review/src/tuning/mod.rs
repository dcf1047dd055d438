//! A run of tuning: how the store is told of it, and what came of it.

mod criteria;
mod descriptions;
mod figures;
mod outcome;
mod run_report;
#[cfg(test)]
mod tests;
mod tuning_options;

pub use criteria::criteria;
pub use descriptions::{WeightDescription, describe_grade, describe_sequential_test, describe_weights};
pub use figures::{ReportSection, Translate, TuningFigure, figures, figures_in};
pub use outcome::{GridOutcome, TuningOutcome};
pub use run_report::RunReport;
pub use tuning_options::{TuningOptions, check};

use palestra_store::NewRun;
use palestra_tune::{TuningBoards, TuningPlan};

/// The kind of runs that tune.
pub const TUNING: &str = "tune";

/// The kind of runs that compare methods.
pub const COMPARISON: &str = "compare";

/// What results depend on beside the plan: changes whenever the same plan would come to something else.
const ENGINE: &str = "palestra tune 2";

/// A run of tuning as the store is told of it.
#[must_use]
pub fn new_tuning(plan: &TuningPlan) -> NewRun {
    NewRun {
        stem: format!("{}-{}", plan.method.name, board_name(plan)),
        kind: TUNING.to_owned(),
        plan: plan.to_string(),
        seed: plan.seed,
        version: ENGINE.to_owned(),
        weights: plan.space.names.clone(),
    }
}

/// A word for the boards, for names of runs.
#[must_use]
pub fn board_name(plan: &TuningPlan) -> String {
    let name = match &plan.boards {
        TuningBoards::Pool(pool) => pool.clone(),
        TuningBoards::Listed(games) => games[0].clone(),
    };
    name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect()
}
