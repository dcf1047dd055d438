//! Saves a game of a person.

use super::query::PlayQuery;
use super::session::PlaySession;
use crate::app::App;
use crate::http_error::HttpError;
use crate::viewer::Viewer;
use axum::Json;
use axum::extract::{Form, State};
use axum::response::{IntoResponse, Redirect, Response};
use palestra_arena::GameRecord;
use palestra_core::{Ending, InputError, Side};
use palestra_store::StoredGame;

/// Replays the game, stores it, and redirects to its page.
pub(super) async fn save(
    State(app): State<App>,
    viewer: Viewer,
    Form(pairs): Form<Vec<(String, String)>>,
) -> Result<Response, HttpError> {
    let query = PlayQuery::read(&pairs)?;
    let site = app.clone();
    let game = app.run_with_permit(move || record(&site, &query)).await?;
    let id = app.stores.write(move |store| Ok(store.keep_loose_game(&game)?)).await?;
    let url = format!("/game/{id}");
    Ok(match viewer.wants_json {
        true => Json(serde_json::json!({ "id": id, "url": url })).into_response(),
        false => Redirect::to(&url).into_response(),
    })
}

/// The game as the store keeps it.
fn record(app: &App, query: &PlayQuery) -> Result<StoredGame, HttpError> {
    if query.game.is_none() {
        return Err(InputError::new("game", "", "a game").into());
    }
    let session = PlaySession::open(app, query)?;
    let side = session.address.side;
    let resigned = Ending { winner: Some(side.other()), margin: 0, reason: "resigned" };
    let ending = session.ending().or((query.resigns && !session.moves.is_empty()).then_some(resigned));
    let ending = ending
        .ok_or_else(|| InputError::new("moves", session.moves.join(" "), "a finished or resigned game"))?;
    let person = match &session.address.name {
        Some(name) => format!("human:{name}"),
        None => "human".to_owned(),
    };
    let player = session.player.kind.to_string();
    let [first, second] = if side == Side::First { [person, player] } else { [player, person] };
    Ok(StoredGame {
        family: session.game.family().name.to_owned(),
        game: session.address.game,
        first,
        second,
        setup: session.address.setup,
        seed: session.address.seed,
        record: GameRecord {
            moves: session.moves.join(" "),
            plies: u32::try_from(session.moves.len()).unwrap_or(u32::MAX),
            winner: ending.winner,
            margin: ending.margin,
            reason: ending.reason.to_owned(),
            ..GameRecord::default()
        },
    })
}
