//! The page of a tuning run: progress, champion and its verdict, curves, population and criteria of progress.

mod champion;
mod files;
pub(crate) mod formatting;
mod grid;
mod parts;
mod repeat;
#[cfg(test)]
pub(crate) mod tests;
mod verdict;

use crate::app::App;
use crate::change_poller::{Topic, TopicVersion};
use crate::http_error::HttpError;
use crate::pages::figure::FigureView;
use crate::pages::{PageFrame, live_page};
use crate::viewer::Viewer;
use askama::Template;
use axum::Router;
use axum::extract::{Path, Query, State as Shared};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use palestra_core::InputError;
use palestra_review::tuning::{COMPARISON, RunReport, figures};
use palestra_store::{EVENT, Run, RunState, Store};
use palestra_tune::TuningResolver;

pub(crate) fn routes() -> Router<App> {
    Router::new().route("/run/{name}", get(show)).merge(files::routes())
}

#[derive(serde::Deserialize)]
struct RunQuery {
    generation: Option<u32>,
}

/// Data of the page.
#[derive(Template)]
#[template(path = "run.html")]
struct Page {
    frame: PageFrame,
    run: Run,
    /// URL of the run.
    path: String,
    head: parts::RunHeader,
    figures: Vec<FigureView>,
    numbers: parts::GenerationTable,
    champion: Option<champion::WeightsCard>,
    verdict: verdict::ChampionVerdict,
    population: parts::Population,
    criteria: Vec<parts::CriterionRow>,
    hall: Vec<parts::HallOfFameRow>,
    /// The result of a grid search.
    grid: Option<grid::GridCard>,
    /// Whether the champion was tested, or is yet to be; `None` where it was not.
    is_tested: Option<bool>,
    repeat: repeat::RepeatCommands,
}

/// The page of a comparison of methods: its plan and its outcome as JSON.
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
    viewer: Viewer,
    Path(name): Path<String>,
    Query(query): Query<RunQuery>,
) -> Result<Response, HttpError> {
    let read = move |store: &Store| {
        let run = store.run(&name)?;
        Ok((TopicVersion::of_run(store, &run.summary())?, run))
    };
    let (now, run) = app.stores.read(read).await?.ok_or_else(HttpError::not_found)?;
    if run.kind == EVENT {
        return Ok(Redirect::temporary(&formatting::address(&run.kind, &run.name)).into_response());
    }
    let topic = Topic::Run(run.id);
    let (site, by) = (app.clone(), viewer.clone());
    let make = move |store: &Store, version: TopicVersion| {
        let frame = by.frame(&site, "home").following(topic, version);
        let page = if run.kind == COMPARISON {
            comparison(store, &site, frame, run)?.render()
        } else {
            let report = report(store, &site, run)?;
            return page(store, &site, frame, report, query.generation, "");
        };
        page.map_err(|_| HttpError::internal_error())
    };
    live_page(&app, &viewer, topic, Some(now), make).await
}

/// The page; `options` are further options of the commands that repeat the run.
pub(crate) fn page(
    store: &Store,
    app: &App,
    frame: PageFrame,
    report: RunReport,
    generation: Option<u32>,
    options: &str,
) -> Result<String, HttpError> {
    let language = frame.language;
    let path = formatting::address(&report.run.kind, &report.run.name);
    let population = parts::Population::of(store, &report, generation)?;
    let mut head = parts::RunHeader::of(store, app, &report.run, report.what(language.translate()), language);
    head.games = parts::games(&report, language);
    let version = format!("v={}", stamp(&report.run, report.n_generations().into()));
    let folder = format!("{path}/figure");
    let figures = figures(&report, language.translate());
    let shown = figures.iter().map(|figure| FigureView::new(figure, &frame, &folder, &version));
    let page = Page {
        figures: if frame.is_static() {
            shown.collect()
        } else {
            shown.map(|figure| figure.with_files(&folder)).collect()
        },
        numbers: parts::GenerationTable::of(&report),
        champion: champion::WeightsCard::of(store, &report, language)?,
        verdict: verdict::ChampionVerdict::of(&report, language),
        criteria: parts::criteria_of(&report, language),
        hall: parts::hall_of_fame(store, &report, language)?,
        grid: grid::GridCard::of(&report, language),
        is_tested: report.outcome.as_ref().map(|outcome| outcome.verification.is_some()),
        repeat: repeat::RepeatCommands::of(&report, options, language),
        population,
        head,
        frame,
        path,
        run: report.run,
    };
    page.render().map_err(|_| HttpError::internal_error())
}

/// Limit on the characters of an outcome in a page; the whole outcome can be downloaded.
const MAX_OUTCOME_CHARS: usize = 20_000;

fn comparison(store: &Store, app: &App, frame: PageFrame, run: Run) -> Result<ComparisonPage, HttpError> {
    let what = frame.t("Comparison of methods", "Comparación de métodos").to_owned();
    let head = parts::RunHeader::of(store, app, &run, what, frame.language);
    let outcome = run.outcome.as_deref().map(|outcome| {
        let value: serde_json::Value = serde_json::from_str(outcome).unwrap_or_default();
        // Only the table of the comparison: the runs of the methods are long.
        let shown = value.get("comparison").unwrap_or(&value);
        let text = serde_json::to_string_pretty(shown).unwrap_or_default();
        text.chars().take(MAX_OUTCOME_CHARS).collect()
    });
    Ok(ComparisonPage { path: formatting::address(&run.kind, &run.name), frame, head, outcome, run })
}

/// The report of a run.
fn report(store: &Store, app: &App, run: Run) -> Result<RunReport, HttpError> {
    let lookup = |player: &str| match player.strip_prefix('@') {
        None => Ok(player.to_owned()),
        Some(champion) => store
            .champion(champion)
            .map(|champion| champion.player)
            .map_err(|_| InputError::new("player", player, "a champion of the store")),
    };
    let resolver =
        TuningResolver { catalog: app.config.catalog, lookup: &lookup, methods: app.config.methods };
    Ok(RunReport::read(store, run, &resolver)?)
}

/// Version of the figures: they change with every generation and when the run ends.
fn stamp(run: &Run, n_generations: u64) -> String {
    let state = match run.state {
        RunState::Done => "d",
        RunState::Running | RunState::Interrupted | RunState::Failed => "r",
    };
    format!("{}{state}{n_generations}", run.id.0)
}
