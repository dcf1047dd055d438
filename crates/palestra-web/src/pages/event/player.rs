//! The page of one player of an event.

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
use crate::translation;
use crate::viewer::{Language, Viewer};
use askama::Template;
use axum::extract::{Path, Query, State};
use axum::response::Response;
use palestra_review::event::text::{percent, points, rated};
use palestra_review::event::{EventReport, StageStandings, likelihood_of_superiority};
use palestra_store::{EventFilter, RunId, Store};
use palestra_tournament::PlayerStanding;

/// Games per page, and limits on the opponents and failures that are listed.
const PAGE_SIZE: usize = 50;
const MAX_OPPONENTS: usize = 300;
pub(super) const MAX_FAILURES: usize = 20;

#[derive(Template)]
#[template(path = "event_player.html")]
struct Page {
    frame: PageFrame,
    event: String,
    at: EventUrls,
    name: String,
    /// The player string, or the command of its program.
    text: String,
    stage: Option<String>,
    facts: Vec<String>,
    rating: Option<String>,
    opponents: Vec<OpponentRow>,
    /// Number of opponents that are not listed.
    n_more: usize,
    /// Reason, number of games, and their results in words.
    endings: Vec<(String, u32, String)>,
    failures: Vec<ForfeitedGame>,
    has_more_failures: bool,
    games: Vec<EventGameRow>,
    /// In an exported page all games, by opponent.
    by_opponent: Vec<GamesOfOpponent>,
    older: Option<String>,
    newest: Option<String>,
    all_games: String,
}

/// The games against one opponent.
pub(super) struct GamesOfOpponent {
    /// The number of the opponent, for the anchor.
    pub(super) number: usize,
    pub(super) name: String,
    pub(super) link: String,
    pub(super) games: Vec<EventGameRow>,
}

/// The games and the forfeits of a player.
#[derive(Default)]
pub(super) struct PlayerGames {
    pub(super) games: Vec<EventGameRow>,
    pub(super) by_opponent: Vec<GamesOfOpponent>,
    pub(super) failures: Vec<ForfeitedGame>,
    pub(super) has_more_failures: bool,
    /// URLs of the older and the newest games.
    pub(super) older: Option<String>,
    pub(super) newest: Option<String>,
}

/// The results against one opponent.
struct OpponentRow {
    number: usize,
    name: String,
    link: String,
    /// URL of their games.
    games: String,
    points: String,
    /// Results in all games, and with the first and the second side.
    all: String,
    first: String,
    second: String,
    /// Likelihood of superiority, in percent.
    better: String,
}

pub(super) async fn by_path(
    State(app): State<App>,
    viewer: Viewer,
    Path((name, player)): Path<(String, String)>,
    Query(query): Query<PlayerQuery>,
) -> Result<Response, HttpError> {
    show(app, viewer, name, player, query.before).await
}

pub(super) async fn by_query(
    State(app): State<App>,
    viewer: Viewer,
    Path(name): Path<String>,
    Query(query): Query<PlayerQuery>,
) -> Result<Response, HttpError> {
    let player = query.name.ok_or_else(HttpError::not_found)?;
    show(app, viewer, name, player, query.before).await
}

async fn show(
    app: App,
    viewer: Viewer,
    name: String,
    player: String,
    before: Option<i64>,
) -> Result<Response, HttpError> {
    let id = super::find(&app, name).await?;
    let (site, by) = (app.clone(), viewer.clone());
    let make = move |store: &Store, version| page(&site, &by, store, (id, version), &player, before);
    live_page(&app, &viewer, Topic::Run(id), None, make).await
}

fn page(
    app: &App,
    viewer: &Viewer,
    store: &Store,
    (id, version): (RunId, TopicVersion),
    player: &str,
    before: Option<i64>,
) -> Result<String, HttpError> {
    let summary = super::event_summary(app, store, id, version)?;
    let event = summary.event().ok_or_else(HttpError::not_found)?;
    let number = event.entrants.iter().position(|entrant| entrant.name == player);
    let number = number.ok_or_else(HttpError::not_found)?;
    let at = EventUrls::of(&event.run.name);
    let filter = EventFilter { player: Some(player), ..EventFilter::default() };
    let (games, last) = games::list(store, id, &filter, before, PAGE_SIZE, &at)?;
    let (failures, has_more_failures) = failures::failures(store, id, Some(player), MAX_FAILURES)?;
    let address = at.player(player);
    let joint = if address.contains('?') { '&' } else { '?' };
    let games = PlayerGames {
        games,
        by_opponent: Vec::new(),
        failures,
        has_more_failures,
        older: last.map(|last| format!("{address}{joint}before={last}#games")),
        newest: before.map(|_| format!("{address}#games")),
    };
    render(viewer.frame(app, "").following(Topic::Run(id), version), &event, number, games)
}

pub(super) fn render(
    frame: PageFrame,
    event: &EventReport<'_>,
    number: usize,
    games: PlayerGames,
) -> Result<String, HttpError> {
    let language = frame.language;
    let at = EventUrls::of(&event.run.name);
    let (stage, row) = event.last_standing(number);
    let (opponents, n_more) = opponents(event, stage, &row, &at);
    let PlayerGames { games, by_opponent, failures, has_more_failures, older, newest } = games;
    let page = Page {
        frame,
        event: event.run.name.clone(),
        name: event.name(number).to_owned(),
        text: event.entrants[number].player.clone(),
        stage: (event.stages.len() > 1).then(|| stage.name.clone()),
        facts: facts(event, stage, &row, language),
        rating: rated(&stage.standings, number).map(|rated| rated.estimate().cell()),
        opponents,
        n_more,
        endings: row
            .endings
            .iter()
            .map(|(reason, count)| {
                let reason = translation::translate(language, reason).to_owned();
                (reason, count.games(), in_words(*count, language))
            })
            .collect(),
        failures,
        has_more_failures,
        games,
        by_opponent,
        older,
        newest,
        all_games: at.games(event.name(number), None),
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
    let thresholds = event.thresholds().into_iter().filter(|&threshold| threshold != row.player);
    for threshold in thresholds.take(20) {
        if let Some(likelihood) = likelihood_of_superiority(standings, row.player, threshold) {
            let (name, likelihood) = (event.name(threshold), percent(likelihood));
            facts.push(match language {
                Language::English => format!("likelihood of being better than {name}: {likelihood}"),
                Language::Spanish => format!("probabilidad de ser mejor que {name}: {likelihood}"),
            });
        }
    }
    if let Some(mark) = standings.mark_of(row.player, event.marks) {
        facts.push(format!("{} {}: {}", language.pick("mark", "nota"), points(mark.grade), mark.sentence));
    }
    facts
}

/// The opponents in the order of the standings, and the number of those that are not listed.
fn opponents(
    event: &EventReport<'_>,
    stage: &StageStandings,
    row: &PlayerStanding,
    at: &EventUrls,
) -> (Vec<OpponentRow>, usize) {
    let standings = &stage.standings;
    let name = event.name(row.player);
    let met = standings.rows.iter().filter_map(|opponent| {
        standings.head_to_head(row.player, opponent.player).map(|crossing| (opponent.player, crossing))
    });
    let shown = met.clone().take(MAX_OPPONENTS).map(|(opponent, crossing)| OpponentRow {
        number: opponent,
        name: event.name(opponent).to_owned(),
        link: at.player(event.name(opponent)),
        games: at.games(name, Some(event.name(opponent))),
        points: points(crossing.points[0]),
        all: results(crossing.count()),
        first: results(crossing.by_side[0]),
        second: results(crossing.by_side[1]),
        better: likelihood_of_superiority(standings, row.player, opponent).map_or("–".to_owned(), percent),
    });
    (shown.collect(), met.count().saturating_sub(MAX_OPPONENTS))
}
