//! The pages of an event: standings, crosstable, rounds, failures, and the games in play.

mod address;
mod boards;
mod cache;
mod crosstable;
mod downloads;
mod endings;
mod failures;
#[cfg(test)]
pub(crate) mod fair;
mod games;
mod groups;
mod head;
mod player;
mod query;
mod rounds;
mod sentences;
mod site;
mod standings;
mod summary;
mod superiority;
#[cfg(test)]
mod tests;

pub(crate) use address::EventUrls;
pub(crate) use cache::EventCache;
pub(crate) use sentences::stderr as stderr_sentence;
pub(crate) use site::EventSite;
pub(crate) use summary::EventSummary;

use crate::app::App;
use crate::change_poller::{Topic, TopicVersion};
use crate::http_error::HttpError;
use crate::pages::{PageFrame, live_page};
use crate::viewer::Viewer;
use askama::Template;
use axum::Router;
use axum::extract::{Path, Query, State};
use axum::response::Response;
use axum::routing::get;
use boards::EventBoards;
use crosstable::Crosstable;
use endings::EndingsTable;
use failures::ForfeitedGame;
use groups::GroupsTable;
use head::EventHeader;
pub(crate) use palestra_review::event::PUBLISHED_PROGRAM;
use palestra_review::live::LiveStatus;
use palestra_store::{EVENT, EventFilter, EventGame, Run, RunId, RunState, Store};
use query::EventQuery;
use rounds::Rounds;
use standings::StandingsTable;
use std::sync::Arc;
use superiority::SuperiorityTable;

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
        .route("/event/{name}/groups", get(groups::show))
        .merge(downloads::routes())
}

#[derive(Template)]
#[template(path = "event.html")]
struct Page<'a> {
    frame: PageFrame,
    run: &'a Run,
    head: EventHeader,
    /// The leaders, in a sentence.
    leaders: Option<String>,
    boards: EventBoards,
    table: Option<StandingsTable>,
    /// The results of groups; `None` where there are none.
    groups: Option<GroupsTable>,
    /// Earlier stages: element id, name and standings.
    earlier: Vec<(String, String, StandingsTable)>,
    /// Sentences about neighbors in the standings, and the number of others.
    neighbors: (Vec<String>, usize),
    notes: Vec<String>,
    crosstable: Option<Crosstable>,
    superiority: Option<SuperiorityTable>,
    rounds: Rounds,
    endings: Option<EndingsTable>,
    failures: Vec<ForfeitedGame>,
    has_more_failures: bool,
    /// Number of games with a page, where an exported site does not have one for each.
    n_game_pages: Option<usize>,
}

impl Page<'_> {
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
    live_page(&app, &viewer, Topic::Run(id), None, make).await
}

fn page(
    app: &App,
    viewer: &Viewer,
    store: &Store,
    id: RunId,
    version: TopicVersion,
    query: &EventQuery,
) -> Result<String, HttpError> {
    let summary = event_summary(app, store, id, version)?;
    let latest = store.event_games_of(id, &EventFilter::default(), None, boards::MAX_BOARDS)?;
    let parts = EventParts {
        summary: &summary,
        status: store.live_status(id)?.and_then(|live| LiveStatus::read(&live.what)),
        latest: &latest,
        failures: failures::failures(store, id, None, MAX_FAILURES)?,
        n_game_pages: None,
    };
    render(app, viewer.frame(app, "").following(Topic::Run(id), version), parts, query)
}

/// The parts of an event that its page is made of.
struct EventParts<'a> {
    summary: &'a EventSummary,
    status: Option<LiveStatus>,
    /// The latest games, the last one first.
    latest: &'a [EventGame],
    /// Forfeited games, and whether there are more.
    failures: (Vec<ForfeitedGame>, bool),
    n_game_pages: Option<usize>,
}

fn render(
    app: &App,
    frame: PageFrame,
    parts: EventParts<'_>,
    query: &EventQuery,
) -> Result<String, HttpError> {
    let EventParts { summary, status, latest, failures: (failures, has_more_failures), n_game_pages } = parts;
    let language = frame.language;
    let head = EventHeader::of(app, summary, status.as_ref(), language);
    let at = head.at.clone();
    let event = summary.event();
    let page = (query.page.unwrap_or(1), standings::PAGE_SIZE);
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
            let table = StandingsTable::of(event, stage, &at, (1, MAX_EARLIER_ROWS), language)?;
            Some((format!("stage-{}", i + 1), stage.name.clone(), table))
        })
    });
    let run = &summary.review.run;
    // While games are played, every new one would cost the comparison of all pairs.
    let is_over = frame.is_static() || run.state != RunState::Running;
    let page = Page {
        boards: EventBoards::of(status.as_ref(), latest, &at, app.config.catalog, language),
        leaders: event.as_ref().map(|event| sentences::leaders(event, language)),
        earlier: earlier.collect(),
        groups: event.as_ref().and_then(|event| GroupsTable::of(event, &at, language)),
        neighbors: event
            .as_ref()
            .map(|event| sentences::neighbors(event.standings(), language))
            .unwrap_or_default(),
        notes: event.as_ref().map(|event| event.notes()).unwrap_or_default(),
        crosstable: event
            .as_ref()
            .map(|event| Crosstable::of(event, &at, crosstable::MAX_PLAYERS_INLINE, language)),
        superiority: event
            .as_ref()
            .filter(|_| is_over)
            .and_then(|event| SuperiorityTable::of(event, &at, language)),
        rounds: Rounds::of(summary, query, &at, language, rounds::MAX_PAIRINGS)?,
        endings: event.as_ref().map(|event| EndingsTable::of(summary, event, &at, language)),
        run,
        frame,
        head,
        table,
        failures,
        has_more_failures,
        n_game_pages,
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
    live_page(&app, &viewer, Topic::Run(id), None, make).await
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
