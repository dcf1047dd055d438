//! Cross-site request forgery: requests that change something must come from a page of this server.

use crate::http_error::HttpError;
use axum::extract::Request;
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

pub(super) async fn check(request: Request, next: Next) -> Response {
    let is_reading = matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    if is_reading || is_own(request.headers()) {
        return next.run(request).await;
    }
    HttpError::new(StatusCode::FORBIDDEN).into_response()
}

/// Browsers send the origin of a request in `Origin` or `Sec-Fetch-Site`, and scripts cannot forge these headers.
fn is_own(headers: &HeaderMap) -> bool {
    let text = |name: &str| headers.get(name).map(|value| value.to_str().unwrap_or_default());
    if let Some(site) = text("sec-fetch-site")
        && site != "same-origin"
    {
        return false;
    }
    let host = text(header::HOST.as_str()).unwrap_or_default();
    match text(header::ORIGIN.as_str()) {
        Some(origin) => {
            origin.split_once("://").is_some_and(|(_, authority)| !host.is_empty() && authority == host)
        }
        None => text("sec-fetch-site").is_some(),
    }
}
