//! What stands between the world and the pages.
//!
//! From the outside in: headers of every answer, errors as pages, the rate of an address, the form of the request,
//! the token, the origin of whatever changes something, panics, time, size. The content policy in the headers forbids
//! scripts and styles inside a page and from other sites.

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

pub(crate) use authentication::routes as door_routes;

/// Classes of statuses: 1xx to 5xx.
pub(crate) const STATUS_CLASSES: usize = 5;

/// What is counted for all visitors.
pub(crate) struct Guard {
    rate_limiter: rate::RateLimiter,
    authenticator: authentication::Authentication,
    streams: Arc<Semaphore>,
    queue: Arc<Semaphore>,
    n_streams: usize,
    n_thinkers: usize,
    answers: [AtomicU64; STATUS_CLASSES],
}

impl Guard {
    pub(crate) fn new(config: &Config) -> Guard {
        let limits = &config.limits;
        // Room is left for those who only want to read a page.
        let n_streams = limits.connections * 3 / 4;
        let n_thinkers = limits.queued_searches.saturating_add(limits.concurrent_searches);
        Guard {
            rate_limiter: rate::RateLimiter::new(limits.requests_per_second, limits.burst),
            authenticator: authentication::Authentication::new(config),
            streams: Arc::new(Semaphore::new(n_streams)),
            queue: Arc::new(Semaphore::new(n_thinkers)),
            n_streams,
            n_thinkers,
            answers: Default::default(),
        }
    }

    /// A place for a stream, as long as there is one.
    pub(crate) fn stream_permit(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.streams).try_acquire_owned().ok()
    }

    /// Streams that are open.
    pub(crate) fn n_streams(&self) -> usize {
        self.n_streams - self.streams.available_permits()
    }

    /// Searches that run or wait.
    pub(crate) fn n_searches(&self) -> usize {
        self.n_thinkers - self.queue.available_permits()
    }

    /// Answers of a class of statuses: 2 is 2xx.
    pub(crate) fn n_answers(&self, class: usize) -> u64 {
        self.answers.get(class.wrapping_sub(1)).map_or(0, |n| n.load(Ordering::Relaxed))
    }

    /// Counts an answer.
    fn answered(&self, status: axum::http::StatusCode) {
        if let Some(n) = self.answers.get(usize::from(status.as_u16() / 100).wrapping_sub(1)) {
            n.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// A place among those who wait for a search.
    pub(crate) fn search_permit(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.queue).try_acquire_owned().ok()
    }
}

/// Puts all guards around routes; the last one here is the first to look.
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
        // Even a refusal may break.
        .layer(CatchPanicLayer::custom(panicked))
        .layer(from_fn_with_state(app.clone(), headers::add))
}

/// Our own fault; what it was stays here.
fn panicked(_: Box<dyn std::any::Any + Send>) -> axum::response::Response {
    axum::response::IntoResponse::into_response(http_error::HttpError::internal_error())
}
