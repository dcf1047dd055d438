//! Refuses malformed requests before a handler reads them.

use crate::http_error::HttpError;
use crate::url;
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

/// Limit on the bytes of path and query.
const MAX_URL_BYTES: usize = 8 * 1024;

/// The same for pages whose query contains a whole game.
const MAX_GAME_URL_BYTES: usize = 24 * 1024;

pub(super) async fn check(request: Request, next: Next) -> Response {
    match refusal(&request) {
        None => next.run(request).await,
        Some(StatusCode::METHOD_NOT_ALLOWED) => {
            let mut response = HttpError::new(StatusCode::METHOD_NOT_ALLOWED).into_response();
            response.headers_mut().insert(header::ALLOW, HeaderValue::from_static("GET, HEAD, POST"));
            response
        }
        Some(status) => HttpError::new(status).into_response(),
    }
}

/// The status of a request that is refused.
fn refusal(request: &Request) -> Option<StatusCode> {
    if !matches!(*request.method(), Method::GET | Method::HEAD | Method::POST | Method::OPTIONS) {
        return Some(StatusCode::METHOD_NOT_ALLOWED);
    }
    let (uri, headers) = (request.uri(), request.headers());
    let (path, query) = (uri.path(), uri.query().unwrap_or_default());
    let has_game = ["/play", "/game"].iter().any(|page| path.starts_with(page));
    if path.len() + query.len() > if has_game { MAX_GAME_URL_BYTES } else { MAX_URL_BYTES } {
        return Some(StatusCode::URI_TOO_LONG);
    }
    if !is_plain(path) || has_zero(query) || !has_one_host(headers, uri) {
        return Some(StatusCode::BAD_REQUEST);
    }
    let is_encoded = headers.get_all(header::CONTENT_ENCODING).iter().any(|encoding| encoding != "identity");
    is_encoded.then_some(StatusCode::UNSUPPORTED_MEDIA_TYPE)
}

/// Whether a path is absolute, UTF-8, and without control characters.
fn is_plain(path: &str) -> bool {
    let is_control = |byte: &u8| *byte < b' ' || *byte == 0x7f;
    let decoded = url::decoded(path);
    path.starts_with('/') && !decoded.iter().any(is_control) && std::str::from_utf8(&decoded).is_ok()
}

fn has_zero(query: &str) -> bool {
    url::decoded(query).contains(&0)
}

/// Whether a request names one host only: the checks of host and origin depend on it.
fn has_one_host(headers: &HeaderMap, uri: &Uri) -> bool {
    let mut hosts = headers.get_all(header::HOST).iter();
    let host = hosts.next();
    let is_same = uri.authority().is_none_or(|authority| host.is_some_and(|host| host == authority.as_str()));
    hosts.next().is_none() && is_same
}
