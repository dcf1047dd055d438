//! A run of tuning: how far it is, what it found, whether that is any good. All of it is read from the store, so it is
//! the same for whoever joins late and after a restart.

mod champion;
mod files;
mod parts;
#[cfg(test)]
pub(crate) mod tests;
mod verdict;
pub(crate) mod words;

use crate::app::App;
use crate::pages::{Frame, live_page};
use crate::pulse::{Topic, Version};
use crate::refusal::Refusal;
use crate::visitor::{Language, Visitor};
use askama::Template;
use axum::Router;
use axum::extract::{Path, Query, State as Shared};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use palestra_core::InputError;
use palestra_review::tuning::{COMPARISON, Translate, RunReport, figures_in};
use palestra_store::{EVENT, Run, RunState, Store};
use palestra_tune::TuningResolver;

pub(crate) fn routes() -> Router<App> {
    Router::new().route("/run/{name}", get(show)).merge(files::routes())
}

#[derive(serde::Deserialize)]
struct Asked {
    generation: Option<u32>,
}

/// What the page shows.
#[derive(Template)]
#[template(path = "run.html")]
struct Page {
    frame: Frame,
    run: Run,
    /// Its address.
    path: String,
    head: parts::Head,
    figures: Vec<parts::Shown>,
    numbers: parts::Numbers,
    champion: Option<champion::Card>,
    verdict: verdict::Verdict,
    population: parts::Population,
    criteria: Vec<parts::Criterion>,
    hall: Vec<parts::HallRow>,
    grid: Option<String>,
}

/// The page of a comparison: what was asked, and what came out.
#[derive(Template)]
#[template(path = "run-comparison.html")]
struct Comparison {
    frame: Frame,
    run: Run,
    path: String,
    head: parts::Head,
    outcome: Option<String>,
}

async fn show(
    Shared(app): Shared<App>,
    visitor: Visitor,
    Path(name): Path<String>,
    Query(asked): Query<Asked>,
) -> Result<Response, Refusal> {
    let run = app.shelf.look(move |store| Ok(store.run(&name)?)).await?.ok_or_else(Refusal::not_found)?;
    if run.kind == EVENT {
        return Ok(Redirect::temporary(&words::address(&run.kind, &run.name)).into_response());
    }
    let topic = Topic::Run(run.id);
    let (own, viewer) = (app.clone(), visitor.clone());
    let make = move |store: &Store, version: Version| {
        let frame = viewer.frame(&own, "home").following(topic, version);
        let page = if run.kind == COMPARISON {
            comparison(store, &own, frame, run)?.render()
        } else {
            page(store, &own, frame, &run.name, asked.generation)?.render()
        };
        page.map_err(|_| Refusal::broken())
    };
    live_page(&app, &visitor, topic, make).await
}

fn page(
    store: &Store,
    app: &App,
    frame: Frame,
    name: &str,
    generation: Option<u32>,
) -> Result<Page, Refusal> {
    let language = frame.language;
    let story = read(store, app, name)?;
    let path = words::address(&story.run.kind, &story.run.name);
    let population = parts::Population::of(store, &story, generation)?;
    let head = parts::Head::of(store, app, &story.run, story.what_in(pick(language)), language);
    let figures = figures_in(&story, pick(language));
    let stamp = stamp(&story.run, story.generations.len());
    Ok(Page {
        figures: figures.iter().map(|figure| parts::Shown::of(figure, &path, &stamp)).collect(),
        numbers: parts::Numbers::of(&story),
        champion: champion::Card::of(store, &story, language)?,
        verdict: verdict::Verdict::of(&story, language),
        criteria: parts::criteria_of(&story, language),
        hall: parts::hall(store, &story, language)?,
        grid: parts::grid_words(&story, language),
        population,
        head,
        frame,
        path,
        run: story.run,
    })
}

/// The most of an outcome that stands in a page; all of it can be downloaded.
const MOST_OUTCOME: usize = 20_000;

fn comparison(store: &Store, app: &App, frame: Frame, run: Run) -> Result<Comparison, Refusal> {
    // It may have moved on since it was found.
    let run = store.run_by_id(run.id)?;
    let what = frame.t("A comparison of methods", "Una comparación de métodos").to_owned();
    let head = parts::Head::of(store, app, &run, what, frame.language);
    let outcome = run.outcome.as_deref().map(|outcome| {
        let value: serde_json::Value = serde_json::from_str(outcome).unwrap_or_default();
        // The table of the comparison is what people look for; the runs of each method are many.
        let shown = value.get("comparison").unwrap_or(&value);
        let text = serde_json::to_string_pretty(shown).unwrap_or_default();
        text.chars().take(MOST_OUTCOME).collect()
    });
    Ok(Comparison { path: words::address(&run.kind, &run.name), frame, head, outcome, run })
}

/// A run with all that it found.
fn read(store: &Store, app: &App, name: &str) -> Result<RunReport, Refusal> {
    let lookup = |player: &str| match player.strip_prefix('@') {
        None => Ok(player.to_owned()),
        Some(champion) => store
            .champion(champion)
            .map(|champion| champion.player)
            .map_err(|_| InputError::new("player", player, "a champion of the store")),
    };
    let outside = TuningResolver { catalog: app.config.catalog, lookup: &lookup, methods: app.config.methods };
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
