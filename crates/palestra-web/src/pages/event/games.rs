//! The games of an event, page by page.

use super::address::{self, Addresses, encoded};
use super::query::GamesQuery;
use crate::app::App;
use crate::pages::{Frame, live_page};
use crate::pulse::{Topic, Version};
use crate::refusal::Refusal;
use crate::visitor::Visitor;
use askama::Template;
use axum::extract::{Path, Query, State};
use axum::response::Response;
use palestra_review::event::result;
use palestra_store::{EventFilter, EventGame, RunId, Store};

/// Games of a page.
const MOST: usize = 100;

/// A game in a list.
pub(super) struct Line {
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

impl Line {
    fn of(game: EventGame, at: &Addresses) -> Line {
        Line {
            id: game.id,
            link: address::game(game.id),
            round: game.round + 1,
            links: [at.player(&game.first), at.player(&game.second)],
            result: result(game.game.winner),
            plies: game.game.plies,
            end: game.game.reason,
            is_failed: game.forfeit.is_some(),
            names: [game.first, game.second],
        }
    }
}

/// So many games that pass a filter, the newest first; the last number where there are more.
pub(super) fn list(
    store: &Store,
    run: RunId,
    filter: &EventFilter<'_>,
    before: Option<i64>,
    most: usize,
    at: &Addresses,
) -> Result<(Vec<Line>, Option<i64>), Refusal> {
    let mut games = store.event_games_of(run, filter, before, most + 1)?;
    let has_more = games.len() > most;
    games.truncate(most);
    let last = games.last().map(|game| game.id).filter(|_| has_more);
    Ok((games.into_iter().map(|game| Line::of(game, at)).collect(), last))
}

#[derive(Template)]
#[template(path = "event_games.html")]
struct Page {
    frame: Frame,
    name: String,
    at: Addresses,
    query: GamesQuery,
    games: Vec<Line>,
    older: Option<String>,
    newest: Option<String>,
}

pub(super) async fn show(
    State(app): State<App>,
    visitor: Visitor,
    Path(name): Path<String>,
    Query(query): Query<GamesQuery>,
) -> Result<Response, Refusal> {
    query.check()?;
    let id = super::find(&app, name.clone()).await?;
    let (site, by) = (app.clone(), visitor.clone());
    let make = move |store: &Store, version: Version| {
        let at = Addresses::of(&name);
        let filter = EventFilter {
            player: query.player(),
            rival: query.rival(),
            round: query.round()?,
            failed: query.failed(),
        };
        let (games, last) = list(store, id, &filter, query.before, MOST, &at)?;
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
        page.render().map_err(|_| Refusal::broken())
    };
    live_page(&app, &visitor, Topic::Run(id), make).await
}

/// What only this page asks of addresses.
impl GamesQuery {
    fn plain(&self) -> String {
        let fields = self.fields().map(|(key, value)| format!("{key}={}", encoded(value)));
        let fields: Vec<String> = fields.collect();
        if fields.is_empty() { String::new() } else { format!("?{}", fields.join("&")) }
    }

    fn before(&self, game: i64) -> String {
        let plain = self.plain();
        let joint = if plain.is_empty() { "?" } else { "&" };
        format!("{plain}{joint}before={game}")
    }
}
