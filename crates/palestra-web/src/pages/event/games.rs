//! The list of an event's games, page by page.

use super::address::{self, EventUrls};
use super::query::GamesQuery;
use crate::app::App;
use crate::change_poller::{Topic, TopicVersion};
use crate::http_error::HttpError;
use crate::pages::{PageFrame, live_page};
use crate::url::encoded;
use crate::viewer::Viewer;
use askama::Template;
use axum::extract::{Path, Query, State};
use axum::response::Response;
use palestra_review::event::result;
use palestra_store::{EventFilter, EventGame, RunId, Store};

/// Games per page.
const PAGE_SIZE: usize = 100;

/// A game in a list.
pub(super) struct EventGameRow {
    pub(super) id: i64,
    pub(super) link: String,
    pub(super) round: u32,
    pub(super) names: [String; 2],
    pub(super) links: [String; 2],
    pub(super) result: &'static str,
    pub(super) plies: u32,
    pub(super) end: String,
    pub(super) is_failed: bool,
}

impl EventGameRow {
    pub(super) fn of(game: EventGame, at: &EventUrls) -> EventGameRow {
        EventGameRow {
            id: game.id,
            link: address::game(game.id),
            round: game.place.round + 1,
            links: [at.player(&game.place.first), at.player(&game.place.second)],
            result: result(game.game.record.winner),
            plies: game.game.record.plies,
            is_failed: game.game.record.forfeit.is_some(),
            end: game.game.record.reason,
            names: [game.place.first, game.place.second],
        }
    }
}

/// At most `limit` games that pass a filter, the newest first; and the number of the last one, where there are more.
pub(super) fn list(
    store: &Store,
    run: RunId,
    filter: &EventFilter<'_>,
    before: Option<i64>,
    limit: usize,
    at: &EventUrls,
) -> Result<(Vec<EventGameRow>, Option<i64>), HttpError> {
    let mut games = store.event_games_of(run, filter, before, limit + 1)?;
    let has_more = games.len() > limit;
    games.truncate(limit);
    let last = games.last().map(|game| game.id).filter(|_| has_more);
    Ok((games.into_iter().map(|game| EventGameRow::of(game, at)).collect(), last))
}

#[derive(Template)]
#[template(path = "event_games.html")]
struct Page {
    frame: PageFrame,
    name: String,
    at: EventUrls,
    query: GamesQuery,
    games: Vec<EventGameRow>,
    older: Option<String>,
    newest: Option<String>,
}

pub(super) async fn show(
    State(app): State<App>,
    viewer: Viewer,
    Path(name): Path<String>,
    Query(query): Query<GamesQuery>,
) -> Result<Response, HttpError> {
    query.check()?;
    let id = super::find(&app, name.clone()).await?;
    let (site, by) = (app.clone(), viewer.clone());
    let make = move |store: &Store, version: TopicVersion| {
        let at = EventUrls::of(&name);
        let filter = EventFilter {
            player: query.player(),
            opponent: query.opponent(),
            round: query.round()?,
            failed: query.failed(),
        };
        let (games, last) = list(store, id, &filter, query.before, PAGE_SIZE, &at)?;
        let address = |query: String| at.page(&format!("/games{query}"));
        let newest = GamesQuery { before: None, ..query.clone() };
        let page = Page {
            frame: by.frame(&site, "").following(Topic::Run(id), version),
            older: last.map(|last| address(query.before(last))),
            newest: query.before.map(|_| address(newest.plain())),
            name,
            at,
            query,
            games,
        };
        page.render().map_err(|_| HttpError::internal_error())
    };
    live_page(&app, &viewer, Topic::Run(id), None, make).await
}

/// Queries of the links of this page.
impl GamesQuery {
    /// The query without `before`: empty, or with its `?`.
    fn plain(&self) -> String {
        let fields = self.fields().map(|(key, value)| format!("{key}={}", encoded(value)));
        let fields: Vec<String> = fields.collect();
        if fields.is_empty() { String::new() } else { format!("?{}", fields.join("&")) }
    }

    /// The query of the page with the games before one.
    fn before(&self, game: i64) -> String {
        let plain = self.plain();
        let joint = if plain.is_empty() { "?" } else { "&" };
        format!("{plain}{joint}before={game}")
    }
}
