//! Downloads of an event: standings as CSV, games as JSON lines and as PGN-like text.

use crate::app::App;
use crate::change_poller::{Topic, TopicVersion};
use crate::http_error::HttpError;
use axum::Router;
use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use bytes::Bytes;
use futures_util::stream;
use palestra_engine::ProgramSpec;
use palestra_review::event::{Audience, EventReview, event_json, game_json, game_text, gradebook};
use palestra_store::{EventGame, RunId, Store};

/// Number of games that are read with one query, so that a file of any length takes little memory.
const CHUNK: usize = 200;

pub(super) fn routes() -> Router<App> {
    Router::new()
        .route("/event/{name}/table.csv", get(table))
        .route("/event/{name}/standings.json", get(object))
        .route("/event/{name}/games.jsonl", get(lines))
        .route("/event/{name}/games.pgn", get(texts))
}

async fn table(State(app): State<App>, Path(name): Path<String>) -> Result<Response, HttpError> {
    let id = super::find(&app, name.clone()).await?;
    let site = app.clone();
    let make = move |store: &Store| {
        let version = TopicVersion::of(store, Topic::Run(id))?;
        let summary = super::event_summary(&site, store, id, version)?;
        let event = summary.event().ok_or_else(HttpError::not_found)?;
        Ok(gradebook(&event))
    };
    let csv = app.stores.read(make).await?.ok_or_else(HttpError::not_found)?;
    Ok((as_file(&format!("{name}.csv"), "text/csv; charset=utf-8")?, csv).into_response())
}

async fn object(State(app): State<App>, Path(name): Path<String>) -> Result<Response, HttpError> {
    let id = super::find(&app, name.clone()).await?;
    let catalog = app.config.catalog;
    let make = move |store: &Store| {
        // The summaries of the cache have no results.
        let review = super::cache::review(EventReview::open(store, store.run_by_id(id)?, catalog))?;
        Ok(review.report().map(|event| format!("{}\n", event_json(&event))))
    };
    let json = app.stores.read(make).await?.flatten().ok_or_else(HttpError::not_found)?;
    Ok((as_file(&format!("{name}.json"), "application/json")?, json).into_response())
}

async fn lines(State(app): State<App>, Path(name): Path<String>) -> Result<Response, HttpError> {
    let id = super::find(&app, name.clone()).await?;
    let headers = as_file(&format!("{name}.jsonl"), "application/jsonl; charset=utf-8")?;
    let catalog = app.config.catalog;
    let write = move |game: &EventGame| format!("{}\n", game_json(&name, game, catalog, Audience::Staff));
    Ok((headers, games(app, id, write)).into_response())
}

async fn texts(State(app): State<App>, Path(name): Path<String>) -> Result<Response, HttpError> {
    let id = super::find(&app, name.clone()).await?;
    let headers = as_file(&format!("{name}.pgn"), "text/plain; charset=utf-8")?;
    let catalog = app.config.catalog;
    Ok((headers, games(app, id, move |game| game_text(&name, game, catalog))).into_response())
}

fn as_file(name: &str, kind: &'static str) -> Result<[(HeaderName, HeaderValue); 2], HttpError> {
    // The store accepts only letters, digits, `-`, `_` and `.` in names of events.
    let value = HeaderValue::from_str(&format!("attachment; filename=\"{name}\""));
    let value = value.map_err(|_| HttpError::internal_error())?;
    Ok([(header::CONTENT_TYPE, HeaderValue::from_static(kind)), (header::CONTENT_DISPOSITION, value)])
}

/// All games in the order of the store, read as the client takes them.
fn games(app: App, id: RunId, write: impl Fn(&EventGame) -> String + Clone + Send + 'static) -> Body {
    let chunks = stream::unfold(Some(i64::MIN), move |after| {
        let (app, write) = (app.clone(), write.clone());
        async move {
            let after = after?;
            let read = move |store: &Store| {
                let games = store.event_games_since(id, after, CHUNK)?;
                let mut text = String::new();
                for game in &games {
                    text.push_str(&write(&with_evidence(store, game)?));
                }
                Ok((text, games.last().map(|game| game.id)))
            };
            match app.stores.read(read).await {
                Ok(Some((text, Some(last)))) => Some((Ok(Bytes::from(text)), Some(last))),
                Ok(_) => None,
                // Aborts the response, so that an incomplete file is not taken for a complete one.
                Err(_) => Some((Err(std::io::Error::other("the store cannot be read")), None)),
            }
        }
    });
    Body::from_stream(chunks)
}

/// A game with its evidence, which only games of programs have.
fn with_evidence(store: &Store, game: &EventGame) -> Result<EventGame, HttpError> {
    let has_programs =
        ProgramSpec::is_program_text(&game.game.first) || ProgramSpec::is_program_text(&game.game.second);
    Ok(if has_programs { store.event_game(game.id)?.1 } else { game.clone() })
}
