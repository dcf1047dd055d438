//! Playing: a person against a player. The whole game is in the address, so the server remembers nobody.

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

/// The part of the page that is new after every move.
#[derive(Template)]
#[template(path = "play_panel.html")]
struct Panel<'a> {
    frame: &'a PageFrame,
    state: &'a session::PlayState,
}

async fn show(
    State(app): State<App>,
    visitor: Viewer,
    Query(pairs): Query<Vec<(String, String)>>,
) -> Result<Response, HttpError> {
    let wish = PlayQuery::read(&pairs)?;
    if wish.chooses || wish.game.is_none() {
        return chooser::show(&app, &visitor, wish).await;
    }
    let (asked, language) = (app.clone(), visitor.language);
    let state = app.run_with_permit(move || session::PlayState::of(&asked, &wish, language)).await?;
    let frame = visitor.frame(&app, "play");
    if visitor.wants_json {
        return Ok(Json(told(&frame, &state)?).into_response());
    }
    let here = address_of(pairs.iter().map(|(key, value)| (key.as_str(), value.as_str())));
    let there = state.page_url();
    if here != there {
        return Ok(Redirect::to(&there).into_response());
    }
    Ok(html(&Page { frame, state })?.into_response())
}

/// What a script is told.
fn told(frame: &PageFrame, state: &session::PlayState) -> Result<Value, HttpError> {
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
