//! The home page: runs, events, champions and games of people. With an empty store, an example game to play.

mod rows;
#[cfg(test)]
mod tests;
mod welcome;

use crate::app::App;
use crate::change_poller::{MAX_LISTED_RUNS, Topic, TopicVersion};
use crate::http_error::HttpError;
use crate::pages::{PageFrame, html, live_page};
use crate::viewer::Viewer;
use askama::Template;
use axum::Router;
use axum::extract::{Query, State as Shared};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use palestra_store::{RunId, RunState, Store};
use rows::{ChampionCard, HumanGame, RunRow};
use welcome::Welcome;

pub(crate) fn routes() -> Router<App> {
    Router::new().route("/", get(show))
}

/// Number of the newest runs that are searched for running ones, which are listed first.
const MAX_SEARCHED: usize = 1000;

#[derive(serde::Deserialize)]
struct HomeQuery {
    /// Runs older than this number.
    before: Option<i64>,
}

#[derive(Template)]
#[template(path = "home.html")]
struct Page {
    frame: PageFrame,
    /// Shown with an empty store.
    welcome: Option<Welcome>,
    running: Vec<RunRow>,
    runs: Vec<RunRow>,
    n_runs: u64,
    /// The last run of this page, where there are older ones.
    older: Option<i64>,
    is_later_page: bool,
    champions: Vec<ChampionCard>,
    n_more_champions: usize,
    people: Vec<HumanGame>,
}

async fn show(
    Shared(app): Shared<App>,
    viewer: Viewer,
    Query(query): Query<HomeQuery>,
) -> Result<Response, HttpError> {
    if app.stores.read(|_| Ok(())).await?.is_none() {
        // The store may be created while the page is open.
        let frame = viewer.frame(&app, "home").following(Topic::Home, TopicVersion::default());
        return Ok(html(&Page::empty(&app, frame)?)?.into_response());
    }
    let (site, by) = (app.clone(), viewer.clone());
    live_page(&app, &viewer, Topic::Home, None, move |store, version| {
        let frame = by.frame(&site, "home").following(Topic::Home, version);
        let page = Page::of(store, &site, frame, query.before.map(RunId))?;
        page.render().map_err(|_| HttpError::internal_error())
    })
    .await
}

impl Page {
    /// The page without a store or with an empty one.
    fn empty(app: &App, frame: PageFrame) -> Result<Page, HttpError> {
        Ok(Page {
            welcome: Some(Welcome::of(app.config.catalog, frame.language)?),
            frame,
            running: Vec::new(),
            runs: Vec::new(),
            n_runs: 0,
            older: None,
            is_later_page: false,
            champions: Vec::new(),
            n_more_champions: 0,
            people: Vec::new(),
        })
    }

    fn of(store: &Store, app: &App, frame: PageFrame, before: Option<RunId>) -> Result<Page, HttpError> {
        let language = frame.language;
        let n_runs = store.n_runs()?;
        let (champions, n_more_champions) = rows::champions(store)?;
        let people = rows::human_games(store, language)?;
        if n_runs == 0 && champions.is_empty() && people.is_empty() {
            return Page::empty(app, frame);
        }
        let limit = if before.is_some() { MAX_LISTED_RUNS + 1 } else { MAX_SEARCHED };
        let summaries = store.runs_page(before, limit, None)?;
        let (running, mut others): (Vec<_>, Vec<_>) =
            summaries.into_iter().partition(|run| before.is_none() && run.state == RunState::Running);
        let has_more = others.len() > MAX_LISTED_RUNS;
        others.truncate(MAX_LISTED_RUNS);
        let older = others.last().filter(|_| has_more).map(|run| run.id.0);
        let row = |summary| RunRow::of(store, summary, language);
        Ok(Page {
            welcome: None,
            running: running.into_iter().take(MAX_LISTED_RUNS).map(row).collect::<Result<_, _>>()?,
            runs: others.into_iter().map(row).collect::<Result<_, _>>()?,
            n_runs,
            older,
            is_later_page: before.is_some(),
            champions: if before.is_some() { Vec::new() } else { champions },
            n_more_champions,
            people: if before.is_some() { Vec::new() } else { people },
            frame,
        })
    }
}
