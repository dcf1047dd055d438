//! Playing: a person against a player. The whole state of the game is in the URL, so the server keeps no sessions.

mod choices;
mod chooser;
mod hint;
mod messages;
mod opponents;
mod query;
mod save;
mod session;
mod steps;
#[cfg(test)]
mod tests;

use crate::app::App;
use crate::http_error::HttpError;
use crate::pages::{PageFrame, html};
use crate::viewer::Viewer;
use askama::Template;
use axum::extract::{Query, State};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use query::{PlayQuery, address_of};
use serde_json::{Value, json};

pub(crate) fn routes() -> Router<App> {
    Router::new().route("/play", get(show)).route("/play/save", post(save::save))
}

#[derive(Template)]
#[template(path = "play.html")]
struct Page {
    frame: PageFrame,
    state: session::PlayState,
}

/// The part of the page that changes after every move.
#[derive(Template)]
#[template(path = "play_panel.html")]
struct Panel<'a> {
    frame: &'a PageFrame,
    state: &'a session::PlayState,
}

async fn show(
    State(app): State<App>,
    viewer: Viewer,
    Query(pairs): Query<Vec<(String, String)>>,
) -> Result<Response, HttpError> {
    let query = PlayQuery::read(&pairs)?;
    if query.chooses || query.game.is_none() {
        return chooser::show(&app, &viewer, query).await;
    }
    let (site, language) = (app.clone(), viewer.language);
    let state = app.run_with_permit(move || session::PlayState::of(&site, &query, language)).await?;
    let frame = viewer.frame(&app, "play");
    if viewer.wants_json {
        return Ok(Json(json_state(&frame, &state)?).into_response());
    }
    let requested = address_of(pairs.iter().map(|(key, value)| (key.as_str(), value.as_str())));
    let canonical = state.page_url();
    if requested != canonical {
        return Ok(Redirect::to(&canonical).into_response());
    }
    Ok(html(&Page { frame, state })?.into_response())
}

/// The state for `play.js`.
fn json_state(frame: &PageFrame, state: &session::PlayState) -> Result<Value, HttpError> {
    let panel = Panel { frame, state }.render().map_err(|_| HttpError::internal_error())?;
    let ending = state.ending.map(|ending| {
        let winner = ending.winner.map(|side| if side == state.side { "person" } else { "opponent" });
        json!({ "winner": winner, "margin": ending.margin, "reason": ending.reason })
    });
    Ok(json!({
        "url": state.url,
        "moves": state.moves,
        "played": state.answers,
        "to_move": state.to_move,
        "ending": ending,
        "score": state.score,
        "status": state.status,
        "prompts": state.prompts,
        "board": state.board,
        "choices": state.choices,
        "looks": state.film.looks,
        "steps": state.film.steps,
        "hint": state.hint,
        "would": state.would,
        "player": state.player,
        "panel": panel,
    }))
}
