//! The data of a report of a tuning run, read from the store once.

use super::{Translate, TuningOutcome};
use palestra_settings::Document;
use palestra_store::{Run, Store, StoreError, StoredGeneration, keeps_generation};
use palestra_tune::{TuningBoards, TuningPlan, TuningResolver, normalized};
use serde_json::Value;

/// A tuning run with its generations and outcome.
#[derive(Clone, Debug)]
pub struct RunReport {
    /// The run in the store.
    pub run: Run,
    /// Its outcome, if it is finished.
    pub outcome: Option<TuningOutcome>,
    /// The finished generations; of a long run, a sample of them.
    pub generations: Vec<StoredGeneration>,
    /// The best weights of each of these generations, with its number; empty for a grid.
    pub best: Vec<(u32, Vec<f64>)>,
    /// Meanings of the features, one for each weight.
    pub meanings: Vec<String>,
    /// Whether only the direction of the weights matters, so that they are shown with length 1.
    pub is_sphere: bool,
    /// The plan, if this version can still read it.
    pub plan: Option<TuningPlan>,
}

impl RunReport {
    /// Reads the report of a run; `resolver` resolves the names in its plan.
    pub fn read(store: &Store, run: Run, resolver: &TuningResolver<'_>) -> Result<RunReport, StoreError> {
        let outcome = TuningOutcome::of(&run).ok();
        let generations = store.sampled_generations(run.id)?;
        // The plan of an older version may name what no longer exists; the report is then made without it.
        let file = Document::parse(&run.plan, &run.name).ok();
        let plan = file.and_then(|file| TuningPlan::read(file, resolver).ok());
        let is_sphere = plan.as_ref().is_some_and(|plan| plan.space.scale_free);
        let best = store.sampled_best_candidates(run.id)?;
        let best = best.into_iter().map(|(number, best)| (number, shown(&best.weights, is_sphere))).collect();
        let meanings = match (&outcome, &plan) {
            (Some(outcome), _) => outcome.meanings.clone(),
            (None, Some(plan)) => {
                plan.tunable_player.meanings.iter().map(|text| (*text).to_owned()).collect()
            }
            (None, None) => Vec::new(),
        };
        Ok(RunReport { run, outcome, generations, best, meanings, is_sphere, plan })
    }

    /// A sentence about the player, the boards, the method and the objective, as far as they are known, in the language
    /// of `pick`.
    #[must_use]
    pub fn what(&self, pick: Translate) -> String {
        let (method, objective, player) = match (&self.plan, &self.outcome) {
            (Some(plan), _) => (plan.method.name, plan.objective.name(), plan.player.as_str()),
            (None, Some(outcome)) => {
                let player =
                    outcome.best.rsplit_once('/').map_or(pick("a player", "un jugador"), |(head, _)| head);
                (outcome.method.as_str(), outcome.objective.as_str(), player)
            }
            (None, None) => {
                return format!(
                    "{} {}",
                    pick("A run of the command", "Una ejecución de la orden"),
                    self.run.kind
                );
            }
        };
        let games = match (&self.plan, &self.outcome) {
            (Some(TuningPlan { boards: TuningBoards::Pool(pool), .. }), _) => {
                format!("{} {pool}", pick("boards of", "tableros de"))
            }
            (Some(TuningPlan { boards: TuningBoards::Listed(games), .. }), _) => games.join(", "),
            (None, outcome) => {
                outcome.iter().flat_map(|outcome| outcome.games_of.clone()).collect::<Vec<_>>().join(", ")
            }
        };
        let [lead, place, by, measure] = [
            pick("The weights of", "Los pesos de"),
            pick("on", "en"),
            pick("by the method", "con el método"),
            pick("measured by", "medidos por"),
        ];
        format!("{lead} {player} {place} {games}, {by} {method}, {measure} {objective}")
    }

    /// Whether the run has a time budget, so that it cannot be repeated exactly.
    #[must_use]
    pub fn is_timed(&self) -> bool {
        self.plan.as_ref().is_some_and(|plan| plan.budget.seconds.is_some())
    }

    /// Number of finished generations.
    #[must_use]
    pub fn n_generations(&self) -> u32 {
        self.generations.last().map_or(0, |last| last.number + 1)
    }

    /// The recommendation after each of these generations, where the run is finished.
    #[must_use]
    pub fn recommendation_history(&self) -> Vec<(u32, Vec<f64>)> {
        let n = self.n_generations();
        let trail = self.outcome.iter().flat_map(TuningOutcome::numbered_trail);
        trail
            .filter(|(number, _)| keeps_generation(*number, n))
            .map(|(number, weights)| (number, shown(weights, self.is_sphere)))
            .collect()
    }

    /// The metrics of the method over the generations, without those of [`RunReport::engagement`].
    #[must_use]
    pub fn metrics(&self) -> Vec<(String, Vec<(u32, f64)>)> {
        let mut all: Vec<(String, Vec<(u32, f64)>)> = Vec::new();
        for generation in &self.generations {
            for (name, value) in metrics_of(generation) {
                let (Some(value), false) = (value.as_f64(), name.starts_with(PARASITES)) else { continue };
                let point = (generation.number, value);
                match all.iter_mut().find(|(known, _)| *known == name) {
                    Some((_, points)) => points.push(point),
                    None => all.push((name, vec![point])),
                }
            }
        }
        all
    }

    /// Numbers of parasites beaten by every host, of those beaten by none, and of all, over the generations.
    #[must_use]
    pub fn engagement(&self) -> Vec<(u32, [f64; 3])> {
        let mut all = Vec::new();
        for generation in &self.generations {
            let metrics = metrics_of(generation);
            let value = |name: &str| metrics.get(name).and_then(Value::as_f64);
            let names = ["parasites_beaten_by_all", "parasites_beaten_by_none", PARASITES];
            if let [Some(by_all), Some(by_none), Some(n)] = names.map(value) {
                all.push((generation.number, [by_all, by_none, n]));
            }
        }
        all
    }
}

const PARASITES: &str = "parasites";

fn metrics_of(generation: &StoredGeneration) -> serde_json::Map<String, Value> {
    serde_json::from_str(&generation.metrics).unwrap_or_default()
}

/// Weights in the scale of the report.
fn shown(weights: &[f64], is_sphere: bool) -> Vec<f64> {
    if is_sphere { normalized(weights) } else { weights.to_vec() }
}
