//! The language and the look, as a visitor chose them.

use crate::app::App;
use crate::http_error::HttpError;
use crate::pages::local_path;
use crate::viewer::{LANGUAGE_COOKIE, Language, THEME_COOKIE, Theme};
use axum::Router;
use axum::extract::Form;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::post;

pub(crate) fn routes() -> Router<App> {
    Router::new().route("/appearance", post(choose))
}

#[derive(serde::Deserialize)]
struct AppearanceForm {
    language: Option<String>,
    theme: Option<String>,
    #[serde(default)]
    back: String,
}

async fn choose(Form(choice): Form<AppearanceForm>) -> Result<Response, HttpError> {
    let mut response = Redirect::to(&local_path(&choice.back)).into_response();
    let mut keep = |name: &str, value: &str| {
        let text = format!("{name}={value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=31536000");
        if let Ok(value) = HeaderValue::from_str(&text) {
            response.headers_mut().append(header::SET_COOKIE, value);
        }
    };
    if let Some(code) = &choice.language {
        keep(
            LANGUAGE_COOKIE,
            Language::of_code(code).ok_or_else(|| HttpError::bad_request("language"))?.code(),
        );
    }
    if let Some(code) = &choice.theme {
        keep(THEME_COOKIE, Theme::of_code(code).ok_or_else(|| HttpError::bad_request("theme"))?.code());
    }
    Ok(response)
}
