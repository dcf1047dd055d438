//! Who may come in: on this machine whoever calls it by its name, elsewhere whoever knows the token.

use crate::app::App;
use crate::config::Config;
use crate::http_error::HttpError;
use crate::viewer::cookie;
use axum::Router;
use axum::extract::{Form, Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::post;

const COOKIE: &str = "palestra-token";

pub(super) struct Authentication {
    /// What visitors show: a hash, so that comparing takes the same time whatever is shown.
    secret: Option<blake3::Hash>,
    /// Whether only this machine can reach us: then a page of somebody else that has its own name point here is refused.
    is_local: bool,
}

impl Authentication {
    pub(super) fn new(config: &Config) -> Authentication {
        Authentication {
            secret: config.token.as_deref().map(hash),
            is_local: config.address.ip().is_loopback(),
        }
    }

    fn knows(&self, token: &str) -> bool {
        self.secret.is_none_or(|secret| secret == hash(token))
    }

    fn lets_in(&self, headers: &HeaderMap) -> bool {
        let Some(secret) = self.secret else { return true };
        let bearer = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
        let bearer = bearer.and_then(|text| text.strip_prefix("Bearer "));
        let shown = cookie(headers, COOKIE).and_then(|text| blake3::Hash::from_hex(text).ok());
        bearer.is_some_and(|token| self.knows(token)) || shown == Some(hash(&secret.to_hex()))
    }

    /// What a browser keeps: not the token itself.
    fn cookie(&self) -> Option<HeaderValue> {
        let kept = hash(&self.secret?.to_hex()).to_hex();
        let text = format!("{COOKIE}={kept}; Path=/; HttpOnly; SameSite=Strict; Max-Age=2592000");
        HeaderValue::from_str(&text).ok()
    }
}

fn hash(token: &str) -> blake3::Hash {
    blake3::derive_key("palestra web token", token.as_bytes()).into()
}

pub(super) async fn check(State(app): State<App>, request: Request, next: Next) -> Response {
    let door = &app.guard.authenticator;
    if door.is_local && door.secret.is_none() && !is_this_machine(request.headers()) {
        return HttpError::new(StatusCode::FORBIDDEN).into_response();
    }
    let path = request.uri().path();
    // An address with the token in it opens the door, and is not kept in the browser's list.
    if door.secret.is_some()
        && matches!(*request.method(), Method::GET | Method::HEAD)
        && let Some((token, rest)) = token_in_query(request.uri().query().unwrap_or_default())
        && door.knows(&token)
    {
        let clean = if rest.is_empty() { path.to_owned() } else { format!("{path}?{rest}") };
        return enter(door, &clean);
    }
    let is_open = path.starts_with("/assets/") || (path == "/enter" && request.method() == Method::POST);
    if is_open || door.lets_in(request.headers()) {
        return next.run(request).await;
    }
    let mut response = HttpError::new(StatusCode::UNAUTHORIZED).into_response();
    response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    response
}

/// A browser that was sent here under another name was sent by somebody else's page.
fn is_this_machine(headers: &HeaderMap) -> bool {
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
    let is_loopback = name.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback());
    is_loopback || name.eq_ignore_ascii_case("localhost")
}

/// The token of a query, and the rest of it.
fn token_in_query(query: &str) -> Option<(String, String)> {
    let is_token = |pair: &&str| pair.starts_with("token=");
    let token = query.split('&').find(is_token)?.strip_prefix("token=")?;
    let rest: Vec<&str> = query.split('&').filter(|pair| !is_token(pair)).collect();
    Some((token.to_owned(), rest.join("&")))
}

fn enter(door: &Authentication, path: &str) -> Response {
    let mut response = Redirect::to(&crate::pages::local_path(path)).into_response();
    if let Some(cookie) = door.cookie() {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    response
}

pub(crate) fn routes() -> Router<App> {
    Router::new().route("/enter", post(knock))
}

#[derive(serde::Deserialize)]
struct TokenForm {
    token: String,
    #[serde(default)]
    back: String,
}

async fn knock(State(app): State<App>, Form(knock): Form<TokenForm>) -> Result<Response, HttpError> {
    match app.guard.authenticator.knows(&knock.token) {
        true => Ok(enter(&app.guard.authenticator, &knock.back)),
        false => Err(HttpError::new(StatusCode::UNAUTHORIZED)),
    }
}
