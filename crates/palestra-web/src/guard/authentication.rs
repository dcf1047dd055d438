//! Authentication: a token, or on a loopback address without a token a check of the `Host` header.

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

/// Name of the cookie that keeps a browser signed in.
const COOKIE: &str = "palestra-token";

pub(super) struct Authentication {
    /// Hash of the token, so that comparing takes the same time for every wrong token.
    secret: Option<blake3::Hash>,
    /// Whether the server listens on a loopback address. Requests with a foreign host name are then refused: DNS
    /// rebinding lets a page of another site send them.
    is_local: bool,
}

impl Authentication {
    pub(super) fn new(config: &Config) -> Authentication {
        Authentication {
            secret: config.token.as_deref().map(hash),
            is_local: config.address.ip().is_loopback(),
        }
    }

    fn accepts(&self, token: &str) -> bool {
        self.secret.is_none_or(|secret| secret == hash(token))
    }

    fn is_authenticated(&self, headers: &HeaderMap) -> bool {
        let Some(secret) = self.secret else { return true };
        let bearer = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
        let bearer = bearer.and_then(|text| text.strip_prefix("Bearer "));
        let shown = cookie(headers, COOKIE).and_then(|text| blake3::Hash::from_hex(text).ok());
        bearer.is_some_and(|token| self.accepts(token)) || shown == Some(hash(&secret.to_hex()))
    }

    /// The cookie: a hash of the hash, so that it does not reveal the token.
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
    let authentication = &app.guard.authenticator;
    let has_token = authentication.secret.is_some();
    if authentication.is_local && !has_token && !is_this_machine(request.headers()) {
        return HttpError::new(StatusCode::FORBIDDEN).into_response();
    }
    let path = request.uri().path();
    // A URL with the token signs in and redirects to the same URL without it, which the browser's history keeps.
    if has_token
        && matches!(*request.method(), Method::GET | Method::HEAD)
        && let Some((token, rest)) = token_in_query(request.uri().query().unwrap_or_default())
        && authentication.accepts(&token)
    {
        let clean = if rest.is_empty() { path.to_owned() } else { format!("{path}?{rest}") };
        return sign_in(authentication, &clean);
    }
    let is_open = path.starts_with("/assets/") || (path == "/enter" && request.method() == Method::POST);
    if is_open || authentication.is_authenticated(request.headers()) {
        return next.run(request).await;
    }
    let mut response = HttpError::new(StatusCode::UNAUTHORIZED).into_response();
    response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    response
}

/// Whether the `Host` header is a loopback address or `localhost`.
fn is_this_machine(headers: &HeaderMap) -> bool {
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
    let is_loopback = name.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback());
    is_loopback || name.eq_ignore_ascii_case("localhost")
}

/// The token in a query, and the query without it.
fn token_in_query(query: &str) -> Option<(String, String)> {
    let is_token = |pair: &&str| pair.starts_with("token=");
    let token = query.split('&').find(is_token)?.strip_prefix("token=")?;
    let rest: Vec<&str> = query.split('&').filter(|pair| !is_token(pair)).collect();
    Some((token.to_owned(), rest.join("&")))
}

/// Sets the cookie and redirects to a path of this site.
fn sign_in(authentication: &Authentication, path: &str) -> Response {
    let mut response = Redirect::to(&crate::pages::local_path(path)).into_response();
    if let Some(cookie) = authentication.cookie() {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    response
}

pub(crate) fn routes() -> Router<App> {
    Router::new().route("/enter", post(submit_token))
}

#[derive(serde::Deserialize)]
struct TokenForm {
    token: String,
    #[serde(default)]
    back: String,
}

async fn submit_token(State(app): State<App>, Form(form): Form<TokenForm>) -> Result<Response, HttpError> {
    match app.guard.authenticator.accepts(&form.token) {
        true => Ok(sign_in(&app.guard.authenticator, &form.back)),
        false => Err(HttpError::new(StatusCode::UNAUTHORIZED)),
    }
}
