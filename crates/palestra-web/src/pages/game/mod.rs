//! One game, move by move: the board at every ply, what both sides made of it, and why a move was played.

mod address;
mod boards;
mod cost;
mod curves;
mod evidence;
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
use crate::pages::html;
use crate::viewer::Viewer;
use axum::Router;
use axum::extract::{Path, Query, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use subject::{GameQuery, ShownGame};

/// Where parts of a line of play that is in no store are found: `/game/line/boards.json?game=…`.
const LINE: &str = "line";

pub(crate) fn routes() -> Router<App> {
    Router::new()
        .route("/game", get(line))
        .route("/game/{id}", get(stored))
        .route("/game/{id}/boards.json", get(all_boards))
        .route("/game/{id}/explain", get(explain))
        .route("/game/{id}/text", get(text))
}

/// Any line of play, or the form for one.
async fn line(
    State(app): State<App>,
    visitor: Viewer,
    Query(asked): Query<GameQuery>,
) -> Result<Response, HttpError> {
    if asked.game.as_deref().unwrap_or_default().trim().is_empty() {
        return Ok(html(&page::LineForm::new(visitor.frame(&app, "game"), &app.config))?.into_response());
    }
    show(&app, &visitor, ShownGame::line(&asked)?, asked).await
}

async fn stored(
    State(app): State<App>,
    visitor: Viewer,
    Path(id): Path<String>,
    Query(asked): Query<GameQuery>,
) -> Result<Response, HttpError> {
    show(&app, &visitor, ShownGame::stored(&app, &id).await?, asked).await
}

async fn show(
    app: &App,
    visitor: &Viewer,
    subject: ShownGame,
    asked: GameQuery,
) -> Result<Response, HttpError> {
    let key = format!("{} {} {}", visitor.language.code(), visitor.theme.code(), visitor.path);
    let (version, needs_thought) = (subject.version(), asked.wants_explanation());
    let (catalog, frame) = (app.config.catalog, visitor.frame(app, "game"));
    let make = move || page::render(catalog, frame, &subject, &asked);
    let kind = (header::CONTENT_TYPE, "text/html; charset=utf-8");
    if needs_thought {
        return Ok(([kind], app.run_with_permit(make).await?).into_response());
    }
    let page = app.pages.page(key, version, || blocking(make)).await?;
    Ok(([kind], page).into_response())
}

/// All boards at once, for the script that turns the pages.
async fn all_boards(
    State(app): State<App>,
    visitor: Viewer,
    Path(id): Path<String>,
    Query(asked): Query<GameQuery>,
) -> Result<Response, HttpError> {
    let subject = subject(&app, &id, &asked).await?;
    let (catalog, language, version) = (app.config.catalog, visitor.language, subject.version());
    let key = format!("{} {}", language.code(), visitor.path);
    let make = move || boards::json(catalog, &subject, language);
    let json = app.pages.page(key, version, || blocking(make)).await?;
    Ok(([(header::CONTENT_TYPE, "application/json")], json).into_response())
}

/// The reasons at one ply, as a part of a page.
async fn explain(
    State(app): State<App>,
    visitor: Viewer,
    Path(id): Path<String>,
    Query(asked): Query<GameQuery>,
) -> Result<Response, HttpError> {
    let subject = subject(&app, &id, &asked).await?;
    let catalog = app.config.catalog;
    let make = move || page::explanation_only(catalog, visitor.language, &subject, &asked);
    let kind = (header::CONTENT_TYPE, "text/html; charset=utf-8");
    Ok(([kind], app.run_with_permit(make).await?).into_response())
}

/// The game as text, to keep.
async fn text(
    State(app): State<App>,
    Path(id): Path<String>,
    Query(asked): Query<GameQuery>,
) -> Result<Response, HttpError> {
    let subject = subject(&app, &id, &asked).await?;
    let catalog = app.config.catalog;
    let text = blocking(move || Ok(replay::Replay::new(catalog, &subject)?.to_text(&subject))).await?;
    let headers = [
        (header::CONTENT_TYPE, "text/plain; charset=utf-8"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"game.txt\""),
    ];
    Ok((headers, text).into_response())
}

async fn subject(app: &App, id: &str, asked: &GameQuery) -> Result<ShownGame, HttpError> {
    if id == LINE { ShownGame::line(asked) } else { ShownGame::stored(app, id).await }
}

async fn blocking(
    make: impl FnOnce() -> Result<String, HttpError> + Send + 'static,
) -> Result<String, HttpError> {
    tokio::task::spawn_blocking(make).await.map_err(|_| HttpError::internal_error())?
}
