//! A run of tuning: how far it is, what it found, whether that is any good. All of it is read from the store, so it is
//! the same for whoever joins late and after a restart.

mod champion;
mod files;
pub(crate) mod formatting;
mod parts;
#[cfg(test)]
pub(crate) mod tests;
mod verdict;

use crate::app::App;
use crate::change_poller::{Topic, TopicVersion};
use crate::http_error::HttpError;
use crate::pages::{PageFrame, live_page};
use crate::viewer::{Language, Viewer};
use askama::Template;
use axum::Router;
use axum::extract::{Path, Query, State as Shared};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use palestra_core::InputError;
use palestra_review::tuning::{COMPARISON, RunReport, Translate, figures_in};
use palestra_store::{EVENT, Run, RunState, Store};
use palestra_tune::TuningResolver;

pub(crate) fn routes() -> Router<App> {
    Router::new().route("/run/{name}", get(show)).merge(files::routes())
}

#[derive(serde::Deserialize)]
struct RunQuery {
    generation: Option<u32>,
}

/// What the page shows.
#[derive(Template)]
#[template(path = "run.html")]
struct Page {
    frame: PageFrame,
    run: Run,
    /// Its address.
    path: String,
    head: parts::RunHeader,
    figures: Vec<parts::FigureLinks>,
    numbers: parts::GenerationTable,
    champion: Option<champion::WeightsCard>,
    verdict: verdict::ChampionVerdict,
    population: parts::Population,
    criteria: Vec<parts::CriterionRow>,
    hall: Vec<parts::HallOfFameRow>,
    grid: Option<String>,
}

/// The page of a comparison: what was asked, and what came out.
#[derive(Template)]
#[template(path = "run-comparison.html")]
struct ComparisonPage {
    frame: PageFrame,
    run: Run,
    path: String,
    head: parts::RunHeader,
    outcome: Option<String>,
}

async fn show(
    Shared(app): Shared<App>,
    visitor: Viewer,
    Path(name): Path<String>,
    Query(asked): Query<RunQuery>,
) -> Result<Response, HttpError> {
    let run = app.stores.read(move |store| Ok(store.run(&name)?)).await?.ok_or_else(HttpError::not_found)?;
    if run.kind == EVENT {
        return Ok(Redirect::temporary(&formatting::address(&run.kind, &run.name)).into_response());
    }
    let topic = Topic::Run(run.id);
    let (own, viewer) = (app.clone(), visitor.clone());
    let make = move |store: &Store, version: TopicVersion| {
        let frame = viewer.frame(&own, "home").following(topic, version);
        let page = if run.kind == COMPARISON {
            comparison(store, &own, frame, run)?.render()
        } else {
            page(store, &own, frame, &run.name, asked.generation)?.render()
        };
        page.map_err(|_| HttpError::internal_error())
    };
    live_page(&app, &visitor, topic, make).await
}

fn page(
    store: &Store,
    app: &App,
    frame: PageFrame,
    name: &str,
    generation: Option<u32>,
) -> Result<Page, HttpError> {
    let language = frame.language;
    let story = read(store, app, name)?;
    let path = formatting::address(&story.run.kind, &story.run.name);
    let population = parts::Population::of(store, &story, generation)?;
    let head = parts::RunHeader::of(store, app, &story.run, story.what_in(pick(language)), language);
    let figures = figures_in(&story, pick(language));
    let stamp = stamp(&story.run, story.generations.len());
    Ok(Page {
        figures: figures.iter().map(|figure| parts::FigureLinks::of(figure, &path, &stamp)).collect(),
        numbers: parts::GenerationTable::of(&story),
        champion: champion::WeightsCard::of(store, &story, language)?,
        verdict: verdict::ChampionVerdict::of(&story, language),
        criteria: parts::criteria_of(&story, language),
        hall: parts::hall_of_fame(store, &story, language)?,
        grid: parts::grid_sentence(&story, language),
        population,
        head,
        frame,
        path,
        run: story.run,
    })
}

/// The most of an outcome that stands in a page; all of it can be downloaded.
const MOST_OUTCOME: usize = 20_000;

fn comparison(store: &Store, app: &App, frame: PageFrame, run: Run) -> Result<ComparisonPage, HttpError> {
    // It may have moved on since it was found.
    let run = store.run_by_id(run.id)?;
    let what = frame.t("A comparison of methods", "Una comparación de métodos").to_owned();
    let head = parts::RunHeader::of(store, app, &run, what, frame.language);
    let outcome = run.outcome.as_deref().map(|outcome| {
        let value: serde_json::Value = serde_json::from_str(outcome).unwrap_or_default();
        // The table of the comparison is what people look for; the runs of each method are many.
        let shown = value.get("comparison").unwrap_or(&value);
        let text = serde_json::to_string_pretty(shown).unwrap_or_default();
        text.chars().take(MOST_OUTCOME).collect()
    });
    Ok(ComparisonPage { path: formatting::address(&run.kind, &run.name), frame, head, outcome, run })
}

/// A run with all that it found.
fn read(store: &Store, app: &App, name: &str) -> Result<RunReport, HttpError> {
    let lookup = |player: &str| match player.strip_prefix('@') {
        None => Ok(player.to_owned()),
        Some(champion) => store
            .champion(champion)
            .map(|champion| champion.player)
            .map_err(|_| InputError::new("player", player, "a champion of the store")),
    };
    let outside =
        TuningResolver { catalog: app.config.catalog, lookup: &lookup, methods: app.config.methods };
    Ok(RunReport::read(store, name, &outside)?)
}

/// Chooses texts of a language.
fn pick(language: Language) -> Translate {
    match language {
        Language::English => |english, _| english,
        Language::Spanish => |_, spanish| spanish,
    }
}

/// What figures depend on: they change with every generation, and when the run ends.
fn stamp(run: &Run, n_generations: usize) -> String {
    let state = match run.state {
        RunState::Done => "d",
        RunState::Running | RunState::Interrupted | RunState::Failed => "r",
    };
    format!("{}{state}{n_generations}", run.id.0)
}
