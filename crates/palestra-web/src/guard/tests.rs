//! Tests of the rate limiter.

use super::rate::RateLimiter;
use std::net::IpAddr;
use std::time::{Duration, Instant};

#[test]
fn a_bucket_empties_and_refills() {
    let rate = RateLimiter::new(2, 3);
    let (now, local) = (Instant::now(), IpAddr::from([127, 0, 0, 1]));
    let at = |seconds| now + Duration::from_secs(seconds);
    let allowed: Vec<bool> = (0..4).map(|_| rate.allows(local, now)).collect();
    assert_eq!(allowed, [true, true, true, false]);
    assert!(rate.allows(IpAddr::from([10, 0, 0, 1]), now), "every address has its own bucket");
    assert!(rate.allows(local, at(1)) && rate.allows(local, at(1)) && !rate.allows(local, at(1)));
}
