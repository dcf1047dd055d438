//! Data of the parts of the page, formatted for the template.

use super::formatting::{self, RunProgressBar};
use crate::app::App;
use crate::http_error::HttpError;
use crate::translation;
use crate::viewer::Language;
use palestra_review::tuning::{RunReport, criteria, describe_grade, same_as_earlier};
use palestra_review::{grouped, number};
use palestra_store::{Run, RunState, Store};
use palestra_tune::progress::CriterionStatus;

/// Limits on the candidates, hall-of-fame entries and generations that are shown.
const MAX_CANDIDATES: usize = 50;
const MAX_HALL_OF_FAME: usize = 50;
const MAX_GENERATIONS: usize = 200;

/// State and progress of the run, and the buttons to stop or resume it.
pub(super) struct RunHeader {
    pub(super) what: String,
    pub(super) state: &'static str,
    pub(super) state_class: &'static str,
    pub(super) games: String,
    pub(super) time: String,
    pub(super) begun: String,
    pub(super) progress: Option<RunProgressBar>,
    pub(super) is_running: bool,
    pub(super) can_stop: bool,
    pub(super) can_resume: bool,
    /// The error message of its process.
    pub(super) failure: Option<String>,
}

impl RunHeader {
    pub(super) fn of(store: &Store, app: &App, run: &Run, what: String, language: Language) -> RunHeader {
        let is_running = run.state == RunState::Running;
        let is_unfinished = matches!(run.state, RunState::Interrupted | RunState::Failed);
        RunHeader {
            what,
            state: formatting::state(language, run.state),
            state_class: run.state.name(),
            games: formatting::games(language, run.n_games),
            time: formatting::duration(language, run.seconds),
            begun: formatting::timestamp(&run.created),
            progress: is_running.then(|| RunProgressBar::of(store, run.id, language)).flatten(),
            is_running,
            can_stop: is_running && app.processes.is_ours(run.id),
            can_resume: is_unfinished && app.processes.is_possible() && !app.processes.is_ours(run.id),
            failure: app.processes.failure_message(run.id),
        }
    }
}

/// The games of training and of the tests, where they are known.
pub(super) fn games(report: &RunReport, language: Language) -> String {
    let Some(outcome) = &report.outcome else { return formatting::games(language, report.run.n_games) };
    let training = formatting::games(language, outcome.games);
    let training = format!("{training} {}", language.pick("of training", "de entrenamiento"));
    match outcome.verification.as_ref().map(|verification| formatting::games(language, verification.n_games))
    {
        Some(tests) => format!("{training}, {tests} {}", language.pick("of tests", "de pruebas")),
        None => training,
    }
}

/// The numbers of the curves, the latest generation first.
pub(super) struct GenerationTable {
    pub(super) n_all: usize,
    pub(super) rows: Vec<Vec<String>>,
}

impl GenerationTable {
    pub(super) fn of(report: &RunReport) -> GenerationTable {
        let row = |g: &palestra_store::StoredGeneration| {
            let values = [g.best, g.mean, g.worst, g.angle, g.spread].map(number);
            [g.number.to_string(), grouped(g.n_games)].into_iter().chain(values).collect()
        };
        let rows = report.generations.iter().rev().take(MAX_GENERATIONS).map(row).collect();
        GenerationTable { n_all: report.n_generations() as usize, rows }
    }
}

/// The fittest candidates of one generation.
pub(super) struct Population {
    pub(super) generation: Option<u32>,
    /// The latest generation.
    pub(super) last: Option<u32>,
    /// Whether the query names this generation; else it is the latest.
    pub(super) is_chosen: bool,
    /// Number of candidates in the generation.
    pub(super) n_all: u64,
    /// Names of the weights.
    pub(super) weights: Vec<String>,
    /// Number, fitness and weights.
    pub(super) rows: Vec<(u32, String, Vec<String>)>,
}

impl Population {
    pub(super) fn of(
        store: &Store,
        report: &RunReport,
        chosen: Option<u32>,
    ) -> Result<Population, HttpError> {
        let last = report.generations.last().map(|generation| generation.number);
        let is_known = |number: u32| report.generations.iter().any(|generation| generation.number == number);
        if chosen.is_some_and(|number| !is_known(number)) {
            return Err(HttpError::not_found());
        }
        let generation = chosen.or(last);
        let (mut n_all, mut rows) = (0, Vec::new());
        if let Some(generation) = generation {
            n_all = store.n_candidates(report.run.id, generation)?;
            let top = store.top_candidates(report.run.id, generation, MAX_CANDIDATES)?;
            let row = |(i, candidate): (u32, palestra_store::Candidate)| {
                let weights = candidate.weights.iter().map(|&weight| number(weight)).collect();
                (i, number(candidate.fitness), weights)
            };
            rows = top.into_iter().map(row).collect();
        }
        let weights = report.run.weights.clone();
        Ok(Population { generation, last, is_chosen: chosen.is_some(), n_all, weights, rows })
    }
}

/// A criterion of progress and its result.
pub(super) struct CriterionRow {
    pub(super) id: String,
    pub(super) question: String,
    pub(super) grade: String,
    pub(super) class: &'static str,
    pub(super) found: String,
}

pub(super) fn criteria_of(report: &RunReport, language: Language) -> Vec<CriterionRow> {
    let shown = |criterion: palestra_tune::progress::ProgressCriterion| CriterionRow {
        question: translation::translate(language, &criterion.question).to_owned(),
        grade: translation::translate(language, describe_grade(criterion.grade)).to_lowercase(),
        class: match criterion.grade {
            CriterionStatus::Holds => "holds",
            CriterionStatus::Fails => "fails",
            CriterionStatus::Open | CriterionStatus::Warning => "open",
            CriterionStatus::Noted | CriterionStatus::Skipped => "quiet",
        },
        id: criterion.id,
        found: criterion.found,
    };
    criteria(report).into_iter().map(shown).collect()
}

/// An entry of the hall of fame.
pub(super) struct HallOfFameRow {
    pub(super) label: String,
    pub(super) fitness: String,
    pub(super) weights: String,
}

pub(super) fn hall_of_fame(
    store: &Store,
    report: &RunReport,
    language: Language,
) -> Result<Vec<HallOfFameRow>, HttpError> {
    let mut entries = store.hall_of_fame(report.run.id)?;
    entries.truncate(MAX_HALL_OF_FAME);
    let weights = || entries.iter().map(|entry| entry.weights.as_slice());
    let earlier = match &report.plan {
        Some(plan) => same_as_earlier(&plan.tunable_player, weights()),
        None => vec![None; entries.len()],
    };
    let row = |(entry, first): (&palestra_store::StoredHallEntry, Option<usize>)| {
        let mut label =
            language.pick(entry.label.clone(), format!("el mejor de la generación {}", entry.generation));
        if let Some(first) = first {
            let generation = entries[first].generation;
            label += &language.pick(
                format!(": the player of generation {generation}, in another scale"),
                format!(": el jugador de la generación {generation}, en otra escala"),
            );
        }
        HallOfFameRow {
            label,
            fitness: number(entry.fitness),
            weights: palestra_core::print_weights(&entry.weights),
        }
    };
    Ok(entries.iter().zip(earlier).map(row).collect())
}
