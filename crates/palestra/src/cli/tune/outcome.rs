//! What came of a run, as the store keeps it: no names of runs and no times in it, so that the same plan always comes to
//! the same bytes.

use palestra_core::print_weights;
use palestra_tune::progress::Verification;
use palestra_tune::{Candidates, GridSummary, Plan, Training};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Outcome {
    /// The champion as a player string.
    pub(crate) best: String,
    /// The games it was found for.
    pub(crate) games_of: Vec<String>,
    /// The name of each weight.
    pub(crate) names: Vec<String>,
    /// What its feature counts.
    pub(crate) meanings: Vec<String>,
    pub(crate) weights: Vec<f64>,
    /// The highest of the last generation; none where nobody was rated.
    pub(crate) fitness: Option<f64>,
    pub(crate) games: u64,
    pub(crate) generations: u64,
    pub(crate) method: String,
    pub(crate) objective: String,
    /// The recommendation after each generation.
    pub(crate) trail: Vec<Vec<f64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) verification: Option<Verification>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) grid: Option<Grid>,
}

/// What a grid search found.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Grid {
    pub(crate) values: Vec<Vec<f64>>,
    pub(crate) maximum: f64,
    pub(crate) count_at_maximum: u64,
    pub(crate) minimum: f64,
    pub(crate) sum: f64,
    pub(crate) at_maximum: Vec<Vec<f64>>,
    pub(crate) best_by_value: Vec<Vec<f64>>,
}

/// Weight vectors at the maximum that are written out.
const SHOWN_AT_MAXIMUM: usize = 10_000;

impl Outcome {
    pub(crate) fn new(
        plan: &Plan,
        games_of: Vec<String>,
        training: &Training,
        verification: Option<Verification>,
    ) -> Outcome {
        let finalist =
            training.finalists.first().map(|finalist| finalist.weights.clone()).unwrap_or_default();
        let weights = verification.as_ref().map_or(finalist, |verification| verification.weights.clone());
        Outcome {
            best: format!("{}/{}", plan.player, print_weights(&weights)),
            games_of,
            names: plan.space.names.clone(),
            meanings: plan.formula.meanings.iter().map(|meaning| (*meaning).to_owned()).collect(),
            weights,
            fitness: Some(training.fitness).filter(|fitness| fitness.is_finite()),
            games: training.n_games,
            generations: training.trail.len() as u64,
            method: plan.method.name.to_owned(),
            objective: plan.objective.name().to_owned(),
            trail: if training.grid.is_some() { Vec::new() } else { training.trail.clone() },
            verification,
            grid: training.grid.as_ref().map(Grid::of),
        }
    }
}

impl Grid {
    fn of(summary: &GridSummary) -> Grid {
        let weights = |number: &u64| {
            let one =
                Candidates::Grid { values: Arc::clone(&summary.values), from: *number, to: *number + 1 };
            one.weights(0)
        };
        Grid {
            values: summary.values.to_vec(),
            maximum: summary.maximum,
            count_at_maximum: summary.n_at_maximum,
            minimum: summary.minimum,
            sum: summary.sum,
            at_maximum: summary.at_maximum.iter().take(SHOWN_AT_MAXIMUM).map(weights).collect(),
            best_by_value: summary.best_by_value.clone(),
        }
    }
}
