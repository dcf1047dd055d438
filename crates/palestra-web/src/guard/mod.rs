//! Middleware around all routes: checks of requests, limits, errors and headers.
//!
//! From the outside in: headers of every response, errors as pages, the rate per address, the form of the request, the
//! token, the origin of requests that change something, panics, time, size. The content security policy in the headers
//! forbids inline scripts and styles, and those of other sites.

mod authentication;
mod headers;
mod origin;
mod rate;
mod request;
#[cfg(test)]
mod tests;

use crate::app::App;
use crate::config::Config;
use crate::http_error;
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::{from_fn, from_fn_with_state};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::limit::RequestBodyLimitLayer;
use tower_http::timeout::TimeoutLayer;

pub(crate) use authentication::routes as authentication_routes;

/// Number of status classes: 1xx to 5xx.
pub(crate) const STATUS_CLASSES: usize = 5;

/// Limits and counters of all requests.
pub(crate) struct Guard {
    rate_limiter: rate::RateLimiter,
    authenticator: authentication::Authentication,
    streams: Arc<Semaphore>,
    /// Searches that run or wait.
    queue: Arc<Semaphore>,
    max_streams: usize,
    max_searches: usize,
    /// Responses by status class.
    answers: [AtomicU64; STATUS_CLASSES],
}

impl Guard {
    pub(crate) fn new(config: &Config) -> Guard {
        let limits = &config.limits;
        // A quarter of the connections is reserved for ordinary requests.
        let max_streams = limits.connections * 3 / 4;
        let max_searches = limits.queued_searches.saturating_add(limits.concurrent_searches);
        Guard {
            rate_limiter: rate::RateLimiter::new(limits.requests_per_second, limits.burst),
            authenticator: authentication::Authentication::new(config),
            streams: Arc::new(Semaphore::new(max_streams)),
            queue: Arc::new(Semaphore::new(max_searches)),
            max_streams,
            max_searches,
            answers: Default::default(),
        }
    }

    /// A permit for an event stream; `None` where too many are open.
    pub(crate) fn stream_permit(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.streams).try_acquire_owned().ok()
    }

    /// Number of open event streams.
    pub(crate) fn n_streams(&self) -> usize {
        self.max_streams - self.streams.available_permits()
    }

    /// Number of searches that run or wait.
    pub(crate) fn n_searches(&self) -> usize {
        self.max_searches - self.queue.available_permits()
    }

    /// Number of responses of a status class: 2 is 2xx.
    pub(crate) fn n_answers(&self, class: usize) -> u64 {
        self.answers.get(class.wrapping_sub(1)).map_or(0, |n| n.load(Ordering::Relaxed))
    }

    fn count_response(&self, status: axum::http::StatusCode) {
        if let Some(n) = self.answers.get(usize::from(status.as_u16() / 100).wrapping_sub(1)) {
            n.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// A permit to wait for a search; `None` where the queue is full.
    pub(crate) fn search_permit(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.queue).try_acquire_owned().ok()
    }
}

/// Adds all checks to routes; the last layer is the outermost one.
pub(crate) fn around(routes: Router<App>, app: &App) -> Router<App> {
    let limits = app.config.limits;
    routes
        .fallback(async || crate::http_error::HttpError::not_found())
        .layer(DefaultBodyLimit::max(limits.body_bytes))
        .layer(RequestBodyLimitLayer::new(limits.body_bytes))
        .layer(TimeoutLayer::with_status_code(axum::http::StatusCode::GATEWAY_TIMEOUT, limits.request_time))
        .layer(CatchPanicLayer::custom(panicked))
        .layer(from_fn(origin::check))
        .layer(from_fn_with_state(app.clone(), authentication::check))
        .layer(from_fn(request::check))
        .layer(from_fn_with_state(app.clone(), rate::check))
        .layer(from_fn_with_state(app.clone(), http_error::as_page))
        // Rendering an error page may panic as well.
        .layer(CatchPanicLayer::custom(panicked))
        .layer(from_fn_with_state(app.clone(), headers::add))
}

/// 500, without the message of the panic.
fn panicked(_: Box<dyn std::any::Any + Send>) -> axum::response::Response {
    axum::response::IntoResponse::into_response(http_error::HttpError::internal_error())
}
