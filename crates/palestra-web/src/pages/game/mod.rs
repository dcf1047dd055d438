//! The pages of one game: the board at every ply, the evaluations of both sides, and explanations of moves.

mod address;
mod boards;
mod cost;
mod curves;
mod explanation;
mod head;
mod labels;
mod moves;
mod opinion;
mod page;
mod replay;
mod subject;
#[cfg(test)]
mod tests;

use crate::app::App;
use crate::http_error::HttpError;
use crate::pages::{PageFrame, html};
use crate::viewer::Viewer;
use axum::Router;
use axum::extract::{Path, Query, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use palestra_store::{EventGame, Run, Store};
use subject::{GameQuery, ShownGame};

/// The id in URLs of a game that is not in the store but in the query: `/game/line/text?game=…`.
const LINE: &str = "line";

pub(crate) fn routes() -> Router<App> {
    Router::new()
        .route("/game", get(line))
        .route("/game/{id}", get(stored))
        .route("/game/{id}/explain", get(explain))
        .route("/game/{id}/text", get(text))
}

/// The game in the query, or a form for one.
async fn line(
    State(app): State<App>,
    viewer: Viewer,
    Query(query): Query<GameQuery>,
) -> Result<Response, HttpError> {
    if query.game.as_deref().unwrap_or_default().trim().is_empty() {
        return Ok(html(&page::LineForm::new(viewer.frame(&app, "game"), &app.config))?.into_response());
    }
    show(&app, &viewer, ShownGame::line(&query)?, query).await
}

async fn stored(
    State(app): State<App>,
    viewer: Viewer,
    Path(id): Path<String>,
    Query(query): Query<GameQuery>,
) -> Result<Response, HttpError> {
    show(&app, &viewer, ShownGame::stored(&app, &id).await?, query).await
}

async fn show(
    app: &App,
    viewer: &Viewer,
    subject: ShownGame,
    query: GameQuery,
) -> Result<Response, HttpError> {
    let key = format!("{} {} {}", viewer.language.code(), viewer.theme.code(), viewer.path);
    let (version, needs_search) = (subject.version(), query.wants_explanation());
    let (catalog, frame) = (app.config.catalog, viewer.frame(app, "game"));
    let make = move || page::render(catalog, frame, &subject, &query, false);
    let kind = (header::CONTENT_TYPE, "text/html; charset=utf-8");
    if needs_search {
        return Ok(([kind], app.run_with_permit(make).await?).into_response());
    }
    let page = app.pages.page(key, version, || blocking(make)).await?;
    Ok(([kind], page).into_response())
}

/// The page of a game of an event as a file for everybody, with the present names of the players. `is_void` says that the game does
/// not count.
pub(crate) fn exported(
    app: &App,
    frame: PageFrame,
    store: &Store,
    run: &Run,
    game: &EventGame,
    is_void: bool,
) -> Result<String, HttpError> {
    let mut stored = store.game(game.id)?;
    // The number that does not depend on the store.
    stored.id = game.number();
    if let Some(event) = &mut stored.event {
        (event.first, event.second) = (game.place.first.clone(), game.place.second.clone());
    }
    let subject = ShownGame::of(stored, Some(run.summary()), address::GameUrl::File).published();
    page::render(app.config.catalog, frame, &subject, &GameQuery::default(), is_void)
}

/// The explanation of one ply, as a part of a page.
async fn explain(
    State(app): State<App>,
    viewer: Viewer,
    Path(id): Path<String>,
    Query(query): Query<GameQuery>,
) -> Result<Response, HttpError> {
    let subject = subject(&app, &id, &query).await?;
    let catalog = app.config.catalog;
    let make = move || page::explanation_only(catalog, viewer.language, &subject, &query);
    let kind = (header::CONTENT_TYPE, "text/html; charset=utf-8");
    Ok(([kind], app.run_with_permit(make).await?).into_response())
}

/// The game as a text file.
async fn text(
    State(app): State<App>,
    Path(id): Path<String>,
    Query(query): Query<GameQuery>,
) -> Result<Response, HttpError> {
    let subject = subject(&app, &id, &query).await?;
    let catalog = app.config.catalog;
    let text = blocking(move || Ok(replay::Replay::new(catalog, &subject)?.to_text(&subject))).await?;
    let headers = [
        (header::CONTENT_TYPE, "text/plain; charset=utf-8"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"game.txt\""),
    ];
    Ok((headers, text).into_response())
}

async fn subject(app: &App, id: &str, query: &GameQuery) -> Result<ShownGame, HttpError> {
    if id == LINE { ShownGame::line(query) } else { ShownGame::stored(app, id).await }
}

async fn blocking(
    make: impl FnOnce() -> Result<String, HttpError> + Send + 'static,
) -> Result<String, HttpError> {
    tokio::task::spawn_blocking(make).await.map_err(|_| HttpError::internal_error())?
}
