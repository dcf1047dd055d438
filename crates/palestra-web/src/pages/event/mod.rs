//! The pages of an event: standings, crosstable, rounds, failures, and the games in play.

mod address;
mod boards;
mod cache;
mod crosstable;
mod downloads;
mod endings;
mod failures;
#[cfg(test)]
mod fair;
mod games;
mod head;
mod player;
mod query;
mod rounds;
mod sentences;
mod standings;
mod summary;
#[cfg(test)]
mod tests;

pub(crate) use cache::EventCache;

use crate::app::App;
use crate::change_poller::{Topic, TopicVersion};
use crate::http_error::HttpError;
use crate::pages::{PageFrame, live_page};
use crate::viewer::Viewer;
use address::EventUrls;
use askama::Template;
use axum::Router;
use axum::extract::{Path, Query, State};
use axum::response::Response;
use axum::routing::get;
use boards::EventBoards;
use crosstable::Crosstable;
use endings::EndingsTable;
use failures::ForfeitedGame;
use head::EventHeader;
use palestra_review::live::LiveStatus;
use palestra_store::{EVENT, RunId, Store};
use query::EventQuery;
use rounds::Rounds;
use standings::StandingsTable;
use std::sync::Arc;
use summary::EventSummary;

/// Limit on the failures that are shown.
const MAX_FAILURES: usize = 20;

/// Limit on the rows of each earlier stage.
const MAX_EARLIER_ROWS: usize = 20;

pub(crate) fn routes() -> Router<App> {
    Router::new()
        .route("/event/{name}", get(show))
        .route("/event/{name}/crosstable", get(show_crosstable))
        .route("/event/{name}/player", get(player::by_query))
        .route("/event/{name}/player/{player}", get(player::by_path))
        .route("/event/{name}/games", get(games::show))
        .merge(downloads::routes())
}

#[derive(Template)]
#[template(path = "event.html")]
struct Page {
    frame: PageFrame,
    head: EventHeader,
    boards: EventBoards,
    table: Option<StandingsTable>,
    /// Earlier stages: element id, name and standings.
    earlier: Vec<(String, String, StandingsTable)>,
    /// Sentences about neighbors in the standings, and the number of others.
    neighbors: (Vec<String>, usize),
    notes: Vec<String>,
    crosstable: Option<Crosstable>,
    rounds: Rounds,
    endings: Option<EndingsTable>,
    failures: Vec<ForfeitedGame>,
    has_more_failures: bool,
}

impl Page {
    /// Whether the crosstable is too large for this page.
    fn has_crosstable_page(&self) -> bool {
        self.crosstable
            .as_ref()
            .is_some_and(|crosstable| crosstable.n_players > crosstable::MAX_PLAYERS_INLINE)
    }
}

#[derive(Template)]
#[template(path = "event_crosstable.html")]
struct CrosstablePage {
    frame: PageFrame,
    name: String,
    at: EventUrls,
    crosstable: Crosstable,
}

async fn show(
    State(app): State<App>,
    viewer: Viewer,
    Path(name): Path<String>,
    Query(query): Query<EventQuery>,
) -> Result<Response, HttpError> {
    let id = find(&app, name).await?;
    let (site, by) = (app.clone(), viewer.clone());
    let make = move |store: &Store, version| page(&site, &by, store, id, version, &query);
    live_page(&app, &viewer, Topic::Run(id), make).await
}

fn page(
    app: &App,
    viewer: &Viewer,
    store: &Store,
    id: RunId,
    version: TopicVersion,
    query: &EventQuery,
) -> Result<String, HttpError> {
    let language = viewer.language;
    let summary = event_summary(app, store, id, version)?;
    let status = store.live_status(id)?.and_then(|live| LiveStatus::read(&live.what));
    let head = EventHeader::of(app, &summary, status.as_ref(), language);
    let at = head.at.clone();
    let event = summary.event();
    let page = query.page.unwrap_or(1);
    let table = match &event {
        Some(event) => {
            let table = StandingsTable::of(event, event.last(), &at, page, language);
            Some(table.ok_or_else(HttpError::not_found)?)
        }
        None => None,
    };
    let earlier = event.iter().flat_map(|event| {
        let stages = &event.stages[..event.stages.len() - 1];
        stages.iter().enumerate().filter_map(|(i, stage)| {
            let mut table = StandingsTable::of(event, stage, &at, 1, language)?;
            table.rows.truncate(MAX_EARLIER_ROWS);
            Some((format!("stage-{}", i + 1), stage.name.clone(), table))
        })
    });
    let (failures, has_more_failures) = failures::failures(store, id, None, MAX_FAILURES)?;
    let page = Page {
        boards: EventBoards::of(store, id, status.as_ref(), &at, app.config.catalog, language)?,
        earlier: earlier.collect(),
        neighbors: event
            .as_ref()
            .map(|event| sentences::neighbors(event.standings(), language))
            .unwrap_or_default(),
        notes: event.as_ref().map(|event| event.notes()).unwrap_or_default(),
        crosstable: event
            .as_ref()
            .map(|event| Crosstable::of(event, &at, crosstable::MAX_PLAYERS_INLINE, language)),
        rounds: Rounds::of(&summary, query, &at, language)?,
        endings: event.as_ref().map(|event| EndingsTable::of(&summary, event, &at, language)),
        frame: viewer.frame(app, "").following(Topic::Run(id), version),
        head,
        table,
        failures,
        has_more_failures,
    };
    page.render().map_err(|_| HttpError::internal_error())
}

async fn show_crosstable(
    State(app): State<App>,
    viewer: Viewer,
    Path(name): Path<String>,
) -> Result<Response, HttpError> {
    let id = find(&app, name).await?;
    let (site, by) = (app.clone(), viewer.clone());
    let make = move |store: &Store, version| {
        let summary = event_summary(&site, store, id, version)?;
        let event = summary.event().ok_or_else(HttpError::not_found)?;
        let at = EventUrls::of(&event.run.name);
        let page = CrosstablePage {
            frame: by.frame(&site, "").following(Topic::Run(id), version),
            name: event.run.name.clone(),
            crosstable: Crosstable::of(&event, &at, crosstable::MAX_PLAYERS, by.language),
            at,
        };
        page.render().map_err(|_| HttpError::internal_error())
    };
    live_page(&app, &viewer, Topic::Run(id), make).await
}

/// The number of the event with a name.
async fn find(app: &App, name: String) -> Result<RunId, HttpError> {
    let query = move |store: &Store| {
        let run = store.run(&name)?;
        if run.kind == EVENT && run.name == name { Ok(run.id) } else { Err(HttpError::not_found()) }
    };
    app.stores.read(query).await?.ok_or_else(HttpError::not_found)
}

/// The summary of an event in a version.
fn event_summary(
    app: &App,
    store: &Store,
    id: RunId,
    version: TopicVersion,
) -> Result<Arc<EventSummary>, HttpError> {
    app.events.get(store, id, version, app.config.catalog)
}
