//! The outcome of a run, as the store holds it. It contains no run names and no times, so that the same plan always
//! gives the same bytes.

use super::{COMPARISON, n_players};
use palestra_arena::TunablePlayer;
use palestra_core::{InputError, print_weights};
use palestra_store::{EVENT, Run, keeps_generation};
use palestra_tune::progress::Verification;
use palestra_tune::{CandidateSet, GridSummary, TrainingResult, TuningPlan};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The outcome of a tuning run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TuningOutcome {
    /// The champion as a player string.
    pub best: String,
    /// The games that it was tuned for.
    pub games_of: Vec<String>,
    /// The name of each weight.
    pub names: Vec<String>,
    /// The meaning of each weight's feature.
    pub meanings: Vec<String>,
    /// The champion's weights.
    pub weights: Vec<f64>,
    /// The highest fitness of the last generation; `None` where no candidate was scored.
    pub fitness: Option<f64>,
    /// Number of training games.
    pub games: u64,
    /// Number of generations.
    pub generations: u64,
    /// Name of the method.
    pub method: String,
    /// Name of the objective.
    pub objective: String,
    /// The recommendation after each generation; of a long run, after those generations that the store keeps. See
    /// [`TuningOutcome::numbered_trail`].
    pub trail: Vec<Vec<f64>>,
    /// Result of the tests on openings that training did not use, where they were made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verification: Option<Verification>,
    /// Summary of all scores, where the method was a grid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grid: Option<GridOutcome>,
    /// Whether external programs were opponents, so that a repetition may give another result.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub has_programs: bool,
}

/// Result of a grid search.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GridOutcome {
    /// The values of each weight.
    pub values: Vec<Vec<f64>>,
    /// The highest score.
    pub maximum: f64,
    /// Number of players with the highest score.
    pub count_at_maximum: u64,
    /// Number of different players with the highest score: weight vectors that differ only by a scale are one player.
    /// `None` where there are too many weight vectors to compare, and in runs of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub players_at_maximum: Option<u64>,
    /// Number of weight vectors of the grid; 0 in runs of earlier versions.
    #[serde(default)]
    pub points: u64,
    /// Number of different players among them, as for `players_at_maximum`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub players: Option<u64>,
    /// The lowest score.
    pub minimum: f64,
    /// Sum of all scores.
    pub sum: f64,
    /// The weights of players with the highest score, at most 10,000 of them.
    pub at_maximum: Vec<Vec<f64>>,
    /// For each value of each weight, the best score of all players that have it.
    pub best_by_value: Vec<Vec<f64>>,
}

/// Maximum number of weight vectors in [`GridOutcome::at_maximum`].
const MAX_AT_MAXIMUM: usize = 10_000;

/// Maximum number of weight vectors that are compared to count different players.
const MAX_COMPARED: u64 = 1_000_000;

impl TuningOutcome {
    /// The outcome of training and its tests.
    #[must_use]
    pub fn new(
        plan: &TuningPlan,
        games_of: Vec<String>,
        training: &TrainingResult,
        verification: Option<Verification>,
    ) -> TuningOutcome {
        let recommended =
            training.recommendations.first().map(|first| first.weights.clone()).unwrap_or_default();
        let weights = verification.as_ref().map_or(recommended, |verification| verification.weights.clone());
        TuningOutcome {
            has_programs: !plan.objective.programs().is_empty(),
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
            trail: if training.grid.is_some() { Vec::new() } else { kept_of(&training.trail) },
            verification,
            grid: training.grid.as_ref().map(|summary| GridOutcome::of(summary, &plan.tunable_player)),
        }
    }

    /// The recommendations with the numbers of their generations.
    pub fn numbered_trail(&self) -> impl Iterator<Item = (u32, &Vec<f64>)> {
        let n = u32::try_from(self.generations).unwrap_or(u32::MAX);
        // Runs of earlier versions have all.
        let is_whole = self.trail.len() as u64 == self.generations;
        (0..n).filter(move |&number| is_whole || keeps_generation(number, n)).zip(&self.trail)
    }

    /// The outcome of a finished run.
    pub fn of(run: &Run) -> Result<TuningOutcome, InputError> {
        let outcome = run.outcome.as_deref().and_then(|text| serde_json::from_str(text).ok());
        if run.kind == COMPARISON {
            let expected = "a run of palestra tune and not a comparison of methods";
            return Err(InputError::new("run", &run.name, expected));
        }
        if run.kind == EVENT {
            return Err(InputError::new("run", &run.name, "a run of palestra tune and not an event"));
        }
        outcome.ok_or_else(|| {
            let state = run.state.name();
            let expected =
                format!("a finished run (it is {state}; the same `palestra tune` command continues it)");
            InputError::new("run", &run.name, expected)
        })
    }
}

/// The recommendations after the generations that the store keeps.
fn kept_of(trail: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let n = u32::try_from(trail.len()).unwrap_or(u32::MAX);
    (0..n).zip(trail).filter(|(number, _)| keeps_generation(*number, n)).map(|(_, one)| one.clone()).collect()
}

impl GridOutcome {
    fn of(summary: &GridSummary, player: &TunablePlayer) -> GridOutcome {
        let whole = CandidateSet::Grid { values: Arc::clone(&summary.values), from: 0, to: summary.n_points };
        let weights = |number: &u64| whole.weights(*number as usize);
        let count = |numbers: &mut dyn Iterator<Item = u64>| {
            let all: Vec<Vec<f64>> = numbers.map(|number| weights(&number)).collect();
            n_players(player, all.iter().map(Vec::as_slice))
        };
        let all_are_listed = summary.at_maximum.len() as u64 == summary.n_at_maximum;
        GridOutcome {
            values: summary.values.to_vec(),
            maximum: summary.maximum,
            count_at_maximum: summary.n_at_maximum,
            players_at_maximum: all_are_listed.then(|| count(&mut summary.at_maximum.iter().copied())),
            points: summary.n_points,
            players: (summary.n_points <= MAX_COMPARED).then(|| count(&mut (0..summary.n_points))),
            minimum: summary.minimum,
            sum: summary.sum,
            at_maximum: summary.at_maximum.iter().take(MAX_AT_MAXIMUM).map(weights).collect(),
            best_by_value: summary.best_by_value.clone(),
        }
    }
}
