//! One player of an event.

use super::address::EventUrls;
use super::crosstable::results;
use super::endings::in_words;
use super::failures::{self, ForfeitedGame};
use super::games::{self, EventGameRow};
use super::query::PlayerQuery;
use super::sentences;
use crate::app::App;
use crate::change_poller::{Topic, TopicVersion};
use crate::http_error::HttpError;
use crate::pages::{PageFrame, live_page};
use crate::viewer::{Language, Viewer};
use askama::Template;
use axum::extract::{Path, Query, State};
use axum::response::Response;
use palestra_review::event::text::{percent, points, rated, rating};
use palestra_review::event::{EventReport, StageStandings, likelihood_of_superiority};
use palestra_store::{EventFilter, RunId, Store};
use palestra_tournament::PlayerStanding;

/// Games of a page, opponents and failures that are listed.
const GAMES: usize = 50;
const OPPONENTS: usize = 300;
const FAILURES: usize = 10;

#[derive(Template)]
#[template(path = "event_player.html")]
struct Page {
    frame: PageFrame,
    event: String,
    at: EventUrls,
    name: String,
    /// The player as the plan writes it, or its program.
    text: String,
    stage: Option<String>,
    facts: Vec<String>,
    rating: Option<String>,
    opponents: Vec<OpponentRow>,
    n_more: usize,
    endings: Vec<(String, u32, String)>,
    failures: Vec<ForfeitedGame>,
    has_more_failures: bool,
    games: Vec<EventGameRow>,
    older: Option<String>,
    newest: Option<String>,
    all_games: String,
}

/// What a player did to another one.
struct OpponentRow {
    number: usize,
    name: String,
    link: String,
    games: String,
    points: String,
    all: String,
    first: String,
    second: String,
    better: String,
}

pub(super) async fn by_path(
    State(app): State<App>,
    visitor: Viewer,
    Path((name, player)): Path<(String, String)>,
    Query(query): Query<PlayerQuery>,
) -> Result<Response, HttpError> {
    show(app, visitor, name, player, query.before).await
}

pub(super) async fn by_query(
    State(app): State<App>,
    visitor: Viewer,
    Path(name): Path<String>,
    Query(query): Query<PlayerQuery>,
) -> Result<Response, HttpError> {
    let player = query.name.ok_or_else(HttpError::not_found)?;
    show(app, visitor, name, player, query.before).await
}

async fn show(
    app: App,
    visitor: Viewer,
    name: String,
    player: String,
    before: Option<i64>,
) -> Result<Response, HttpError> {
    let id = super::find(&app, name).await?;
    let (site, by) = (app.clone(), visitor.clone());
    let make = move |store: &Store, version| page(&site, &by, store, (id, version), &player, before);
    live_page(&app, &visitor, Topic::Run(id), make).await
}

fn page(
    app: &App,
    visitor: &Viewer,
    store: &Store,
    (id, version): (RunId, TopicVersion),
    player: &str,
    before: Option<i64>,
) -> Result<String, HttpError> {
    let language = visitor.language;
    let folded = super::event_summary(app, store, id, version)?;
    let event = folded.event().ok_or_else(HttpError::not_found)?;
    let number = event.entrants.iter().position(|entrant| entrant.name == player);
    let number = number.ok_or_else(HttpError::not_found)?;
    let at = EventUrls::of(&event.run.name);
    let (stage, row) = event.last_standing(number);
    let filter = EventFilter { player: Some(player), ..EventFilter::default() };
    let (games, last) = games::list(store, id, &filter, before, GAMES, &at)?;
    let (failures, has_more_failures) = failures::failures(store, id, Some(player), FAILURES)?;
    let (opponents, n_more) = opponents(&event, stage, &row, &at);
    let address = at.player(player);
    let joint = if address.contains('?') { '&' } else { '?' };
    let page = Page {
        frame: visitor.frame(app, "").following(Topic::Run(id), version),
        event: event.run.name.clone(),
        name: player.to_owned(),
        text: event.entrants[number].player.clone(),
        stage: (event.stages.len() > 1).then(|| stage.name.clone()),
        facts: facts(&event, stage, &row, language),
        rating: rated(&stage.standings, number).map(rating),
        opponents,
        n_more,
        endings: row
            .endings
            .iter()
            .map(|(reason, count)| (reason.clone(), count.games(), in_words(*count, language)))
            .collect(),
        failures,
        has_more_failures,
        games,
        older: last.map(|last| format!("{address}{joint}before={last}#games")),
        newest: before.map(|_| format!("{address}#games")),
        all_games: at.games(player, None),
        at,
    };
    page.render().map_err(|_| HttpError::internal_error())
}

fn facts(
    event: &EventReport<'_>,
    stage: &StageStandings,
    row: &PlayerStanding,
    language: Language,
) -> Vec<String> {
    let standings = &stage.standings;
    let mut facts = sentences::facts(standings, row, language);
    for rung in event.thresholds().into_iter().filter(|&rung| rung != row.player).take(20) {
        if let Some(likelihood) = likelihood_of_superiority(standings, row.player, rung) {
            let (name, likelihood) = (event.name(rung), percent(likelihood));
            facts.push(match language {
                Language::English => format!("above {name} with {likelihood}"),
                Language::Spanish => format!("por encima de {name} con {likelihood}"),
            });
        }
    }
    if let Some(mark) = standings.mark_of(row.player, event.marks) {
        facts.push(format!("{} {}", language.pick("mark", "nota"), points(mark.grade)));
    }
    facts
}

/// Everybody it met, in the order of the table, and how many more there are.
fn opponents(
    event: &EventReport<'_>,
    stage: &StageStandings,
    row: &PlayerStanding,
    at: &EventUrls,
) -> (Vec<OpponentRow>, usize) {
    let standings = &stage.standings;
    let name = event.name(row.player);
    let met = standings.rows.iter().filter_map(|rival| {
        standings.head_to_head(row.player, rival.player).map(|crossing| (rival.player, crossing))
    });
    let shown = met.clone().take(OPPONENTS).map(|(rival, crossing)| OpponentRow {
        number: rival,
        name: event.name(rival).to_owned(),
        link: at.player(event.name(rival)),
        games: at.games(name, Some(event.name(rival))),
        points: points(crossing.points[0]),
        all: results(crossing.count()),
        first: results(crossing.by_side[0]),
        second: results(crossing.by_side[1]),
        better: likelihood_of_superiority(standings, row.player, rival).map_or("–".to_owned(), percent),
    });
    (shown.collect(), met.count().saturating_sub(OPPONENTS))
}
