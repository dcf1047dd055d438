//! The first page: everything there is, and what can be done. Where there is nothing yet, an example ready to play.

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

/// Among so many of the newest, running ones are looked for: they stand first, however old.
const LOOKED_AT: usize = 1000;

#[derive(serde::Deserialize)]
struct HomeQuery {
    before: Option<i64>,
}

#[derive(Template)]
#[template(path = "home.html")]
struct Page {
    frame: PageFrame,
    /// What stands here as long as there is nothing else.
    welcome: Option<Welcome>,
    running: Vec<RunRow>,
    runs: Vec<RunRow>,
    n_runs: u64,
    /// Where the next page begins.
    older: Option<i64>,
    is_later_page: bool,
    champions: Vec<ChampionCard>,
    n_more_champions: usize,
    people: Vec<HumanGame>,
}

async fn show(
    Shared(app): Shared<App>,
    visitor: Viewer,
    Query(asked): Query<HomeQuery>,
) -> Result<Response, HttpError> {
    if app.stores.read(|_| Ok(())).await?.is_none() {
        // The store may come to be while somebody looks.
        let frame = visitor.frame(&app, "home").following(Topic::Home, TopicVersion::default());
        return Ok(html(&Page::bare(&app, frame)?)?.into_response());
    }
    let (own, viewer) = (app.clone(), visitor.clone());
    live_page(&app, &visitor, Topic::Home, move |store, version| {
        let frame = viewer.frame(&own, "home").following(Topic::Home, version);
        let page = Page::of(store, &own, frame, asked.before.map(RunId))?;
        page.render().map_err(|_| HttpError::internal_error())
    })
    .await
}

impl Page {
    /// The page without a store, or with an empty one.
    fn bare(app: &App, frame: PageFrame) -> Result<Page, HttpError> {
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
            return Page::bare(app, frame);
        }
        let heads =
            store.runs_page(before, if before.is_some() { MAX_LISTED_RUNS + 1 } else { LOOKED_AT }, None)?;
        let (running, mut others): (Vec<_>, Vec<_>) =
            heads.into_iter().partition(|head| before.is_none() && head.state == RunState::Running);
        let has_more = others.len() > MAX_LISTED_RUNS;
        others.truncate(MAX_LISTED_RUNS);
        let older = others.last().filter(|_| has_more).map(|head| head.id.0);
        let row = |head| RunRow::of(store, head, language);
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
