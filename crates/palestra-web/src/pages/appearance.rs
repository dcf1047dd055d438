//! Sets the cookies of the language and the theme.

use crate::app::App;
use crate::http_error::HttpError;
use crate::pages::local_path;
use crate::viewer::{LANGUAGE_COOKIE, Language, THEME_COOKIE, Theme};
use axum::Router;
use axum::extract::Form;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::post;
use palestra_core::InputError;

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

async fn choose(Form(form): Form<AppearanceForm>) -> Result<Response, HttpError> {
    let mut response = Redirect::to(&local_path(&form.back)).into_response();
    let mut set_cookie = |name: &str, value: &str| {
        let text = format!("{name}={value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=31536000");
        if let Ok(value) = HeaderValue::from_str(&text) {
            response.headers_mut().append(header::SET_COOKIE, value);
        }
    };
    if let Some(code) = &form.language {
        set_cookie(LANGUAGE_COOKIE, code.parse::<Language>()?.code());
    }
    if let Some(code) = &form.theme {
        let theme = Theme::of_code(code);
        let theme = theme.ok_or_else(|| InputError::new("theme", code, "auto, light or dark"))?;
        set_cookie(THEME_COOKIE, theme.code());
    }
    Ok(response)
}
