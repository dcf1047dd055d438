//! Tuning runs: their description for the store, their outcome and their report.

mod criteria;
mod descriptions;
mod figures;
mod outcome;
mod programs;
mod run_report;
mod same_players;
#[cfg(test)]
mod tests;
mod tuning_options;

pub use criteria::criteria;
pub use descriptions::{WeightDescription, describe_decision, describe_grade, describe_weights};
pub use figures::{Translate, figures};
pub use outcome::{GridOutcome, TuningOutcome};
pub use programs::{identify_programs, programs_of};
pub use run_report::RunReport;
pub use same_players::{n_players, same_as_earlier};
pub use tuning_options::{TuningOptions, check, form_number};

use palestra_store::NewRun;
use palestra_tune::{TuningBoards, TuningPlan};

/// The kind of a tuning run in the store.
pub const TUNING: &str = "tune";

/// The kind of a run that compares methods.
pub const COMPARISON: &str = "compare";

/// Version of the training; it changes whenever the same plan would play other games of training.
fn engine(plan: &TuningPlan) -> &'static str {
    if plan.has_new_start_points() { "palestra tune 3" } else { "palestra tune 2" }
}

/// A tuning run for the store.
#[must_use]
pub fn new_tuning(plan: &TuningPlan) -> NewRun {
    NewRun {
        stem: format!("{}-{}", plan.method.name, board_name(plan)),
        kind: TUNING.to_owned(),
        plan: plan.to_string(),
        old_plan: Some(plan.old_spelling()),
        seed: plan.seed,
        version: engine(plan).to_owned(),
        weights: plan.space.names.clone(),
    }
}

/// The boards of a plan as a part of a run's name.
#[must_use]
pub fn board_name(plan: &TuningPlan) -> String {
    let name = match &plan.boards {
        TuningBoards::Pool(pool) => pool.clone(),
        TuningBoards::Listed(games) => games[0].clone(),
    };
    name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect()
}
