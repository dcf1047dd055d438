//! Keeping a game that was played here.

use super::query::PlayQuery;
use super::session::PlaySession;
use crate::app::App;
use crate::http_error::HttpError;
use crate::viewer::Viewer;
use axum::Json;
use axum::extract::{Form, State};
use axum::response::{IntoResponse, Redirect, Response};
use palestra_core::{Ending, InputError, Side};
use palestra_store::{StoredGame, Winner};

/// Plays the game again, keeps it, and shows the way to it.
pub(super) async fn save(
    State(app): State<App>,
    visitor: Viewer,
    Form(pairs): Form<Vec<(String, String)>>,
) -> Result<Response, HttpError> {
    let wish = PlayQuery::read(&pairs)?;
    let asked = app.clone();
    let game = app.run_with_permit(move || record(&asked, &wish)).await?;
    let id = app.stores.write(move |store| Ok(store.keep_loose_game(&game)?)).await?;
    let url = format!("/game/{id}");
    Ok(match visitor.wants_json {
        true => Json(serde_json::json!({ "id": id, "url": url })).into_response(),
        false => Redirect::to(&url).into_response(),
    })
}

/// The game as it goes into the store.
fn record(app: &App, wish: &PlayQuery) -> Result<StoredGame, HttpError> {
    if wish.game.is_none() {
        return Err(InputError::new("game", "", "a game").into());
    }
    let table = PlaySession::open(app, wish)?;
    let side = table.address.side;
    let resigned = Ending { winner: Some(side.other()), margin: 0, reason: "resigned" };
    let ending = table.ending().or((wish.resigns && !table.moves.is_empty()).then_some(resigned));
    let ending = ending.ok_or_else(|| {
        InputError::new("moves", table.moves.join(" "), "a game that has ended, or was given up")
    })?;
    let person = match &table.address.name {
        Some(name) => format!("human:{name}"),
        None => "human".to_owned(),
    };
    let player = table.player.kind.to_string();
    let [first, second] = if side == Side::First { [person, player] } else { [player, person] };
    Ok(StoredGame {
        family: table.game.family().name.to_owned(),
        game: table.address.game,
        first,
        second,
        setup: table.address.setup,
        opening: String::new(),
        plies: u32::try_from(table.moves.len()).unwrap_or(u32::MAX),
        moves: table.moves.join(" "),
        winner: ending.winner.map(|side| if side == Side::First { Winner::First } else { Winner::Second }),
        margin: ending.margin,
        reason: ending.reason.to_owned(),
        seed: table.address.seed,
        microseconds: None,
    })
}
