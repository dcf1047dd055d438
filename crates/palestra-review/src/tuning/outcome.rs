//! What came of a run, as the store keeps it: no names of runs and no times in it, so that the same plan always comes to
//! the same bytes.

use super::COMPARISON;
use palestra_core::{InputError, print_weights};
use palestra_store::Run;
use palestra_tune::progress::Verification;
use palestra_tune::{CandidateSet, GridSummary, TrainingResult, TuningPlan};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What a run of tuning came to.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TuningOutcome {
    /// The champion as a player string.
    pub best: String,
    /// The games it was found for.
    pub games_of: Vec<String>,
    /// The name of each weight.
    pub names: Vec<String>,
    /// What its feature counts.
    pub meanings: Vec<String>,
    /// Its weights.
    pub weights: Vec<f64>,
    /// The highest of the last generation; none where nobody was rated.
    pub fitness: Option<f64>,
    /// All games of training.
    pub games: u64,
    /// How many there were.
    pub generations: u64,
    /// The method that found it.
    pub method: String,
    /// What candidates were measured by.
    pub objective: String,
    /// The recommendation after each generation.
    pub trail: Vec<Vec<f64>>,
    /// What tests on openings never used in training said, where they were wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verification: Option<Verification>,
    /// The whole map, where the method was a grid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grid: Option<GridOutcome>,
}

/// What a grid search found.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GridOutcome {
    /// The values of each weight.
    pub values: Vec<Vec<f64>>,
    /// The highest score.
    pub maximum: f64,
    /// How many players reach it.
    pub count_at_maximum: u64,
    /// The lowest score.
    pub minimum: f64,
    /// Of all scores.
    pub sum: f64,
    /// The weights of players that reach the maximum, the first of them where there are too many.
    pub at_maximum: Vec<Vec<f64>>,
    /// For each value of each weight, the best score of all players that have it.
    pub best_by_value: Vec<Vec<f64>>,
}

/// Weight vectors at the maximum that are written out.
const SHOWN_AT_MAXIMUM: usize = 10_000;

impl TuningOutcome {
    /// What training and its tests came to.
    #[must_use]
    pub fn new(
        plan: &TuningPlan,
        games_of: Vec<String>,
        training: &TrainingResult,
        verification: Option<Verification>,
    ) -> TuningOutcome {
        let finalist =
            training.recommendations.first().map(|finalist| finalist.weights.clone()).unwrap_or_default();
        let weights = verification.as_ref().map_or(finalist, |verification| verification.weights.clone());
        TuningOutcome {
            best: format!("{}/{}", plan.player, print_weights(&weights)),
            games_of,
            names: plan.space.names.clone(),
            meanings: plan.tunable_player.meanings.iter().map(|meaning| (*meaning).to_owned()).collect(),
            weights,
            fitness: Some(training.fitness).filter(|fitness| fitness.is_finite()),
            games: training.n_games,
            generations: training.trail.len() as u64,
            method: plan.method.name.to_owned(),
            objective: plan.objective.name().to_owned(),
            trail: if training.grid.is_some() { Vec::new() } else { training.trail.clone() },
            verification,
            grid: training.grid.as_ref().map(GridOutcome::of),
        }
    }

    /// The outcome of a run that is done.
    pub fn of(run: &Run) -> Result<TuningOutcome, InputError> {
        let outcome = run.outcome.as_deref().and_then(|text| serde_json::from_str(text).ok());
        if run.kind == COMPARISON {
            return Err(InputError::new("run", &run.name, "a run of palestra tune: it compares methods"));
        }
        outcome.ok_or_else(|| {
            let expected = format!(
                "a run that is done: it is {}, and the same `palestra tune` goes on with it",
                run.state.name()
            );
            InputError::new("run", &run.name, expected)
        })
    }
}

impl GridOutcome {
    fn of(summary: &GridSummary) -> GridOutcome {
        let weights = |number: &u64| {
            let one =
                CandidateSet::Grid { values: Arc::clone(&summary.values), from: *number, to: *number + 1 };
            one.weights(0)
        };
        GridOutcome {
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
