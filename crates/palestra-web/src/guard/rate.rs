//! How fast one address may ask: a bucket that fills at a steady rate.

use crate::app::App;
use crate::http_error::HttpError;
use axum::extract::{ConnectInfo, Request, State};
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::collections::BTreeMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// Addresses that are remembered; beyond that, those whose buckets are full are forgotten, which changes nothing.
const MOST: usize = 10_000;

pub(super) struct RateLimiter {
    per_second: f64,
    burst: f64,
    buckets: Mutex<BTreeMap<IpAddr, Bucket>>,
}

#[derive(Clone, Copy)]
struct Bucket {
    left: f64,
    at: Instant,
}

impl RateLimiter {
    pub(super) fn new(per_second: u32, burst: u32) -> RateLimiter {
        RateLimiter { per_second: f64::from(per_second), burst: f64::from(burst), buckets: Mutex::default() }
    }

    /// Whether an address may ask once more.
    pub(super) fn allows(&self, address: IpAddr, now: Instant) -> bool {
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        let filled = |bucket: &Bucket| {
            let seconds = now.saturating_duration_since(bucket.at).as_secs_f64();
            (bucket.left + seconds * self.per_second).min(self.burst)
        };
        if buckets.len() >= MOST && !buckets.contains_key(&address) {
            buckets.retain(|_, bucket| filled(bucket) < self.burst);
            if buckets.len() >= MOST {
                return false;
            }
        }
        let bucket = buckets.entry(address).or_insert(Bucket { left: self.burst, at: now });
        let left = filled(bucket);
        let is_allowed = left >= 1.0;
        *bucket = Bucket { left: if is_allowed { left - 1.0 } else { left }, at: now };
        is_allowed
    }
}

/// Whoever has one address of the new kind has all that begin with the same half.
pub(super) fn rate_key(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            IpAddr::from([a, b, c, d, 0, 0, 0, 0])
        }
        old => old,
    }
}

pub(super) async fn check(State(app): State<App>, request: Request, next: Next) -> Response {
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|info| info.0.ip());
    // Without a socket there is nobody to hold back.
    if peer.is_none_or(|address| app.guard.rate_limiter.allows(rate_key(address), Instant::now())) {
        return next.run(request).await;
    }
    HttpError::new(StatusCode::TOO_MANY_REQUESTS).into_response()
}
