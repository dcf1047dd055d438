//! Rate limit per address: a token bucket.

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

/// Limit on the buckets. Above it, full buckets are dropped, which changes nothing; then new addresses are refused.
const MAX_BUCKETS: usize = 10_000;

pub(super) struct RateLimiter {
    per_second: f64,
    burst: f64,
    buckets: Mutex<BTreeMap<IpAddr, Bucket>>,
}

#[derive(Clone, Copy)]
struct Bucket {
    /// Requests left at the time `at`.
    left: f64,
    at: Instant,
}

impl RateLimiter {
    pub(super) fn new(per_second: u32, burst: u32) -> RateLimiter {
        RateLimiter { per_second: f64::from(per_second), burst: f64::from(burst), buckets: Mutex::default() }
    }

    /// Takes one request from the bucket of an address; `false` where it is empty.
    pub(super) fn allows(&self, address: IpAddr, now: Instant) -> bool {
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        let filled = |bucket: &Bucket| {
            let seconds = now.saturating_duration_since(bucket.at).as_secs_f64();
            (bucket.left + seconds * self.per_second).min(self.burst)
        };
        if buckets.len() >= MAX_BUCKETS && !buckets.contains_key(&address) {
            buckets.retain(|_, bucket| filled(bucket) < self.burst);
            if buckets.len() >= MAX_BUCKETS {
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

/// IPv6 clients are limited per /64 prefix: a client can use every address of its prefix.
pub(super) fn rate_key(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            IpAddr::from([a, b, c, d, 0, 0, 0, 0])
        }
        v4 => v4,
    }
}

pub(super) async fn check(State(app): State<App>, request: Request, next: Next) -> Response {
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|info| info.0.ip());
    // Tests call the router without a socket, so there is no address.
    if peer.is_none_or(|address| app.guard.rate_limiter.allows(rate_key(address), Instant::now())) {
        return next.run(request).await;
    }
    HttpError::new(StatusCode::TOO_MANY_REQUESTS).into_response()
}
