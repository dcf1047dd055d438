//! Guards hold, whatever is asked.

use super::rate::RateLimiter;
use std::net::IpAddr;
use std::time::{Duration, Instant};

#[test]
fn a_bucket_empties_and_fills_again() {
    let rate = RateLimiter::new(2, 3);
    let (now, home) = (Instant::now(), IpAddr::from([127, 0, 0, 1]));
    let at = |seconds| now + Duration::from_secs(seconds);
    let asked: Vec<bool> = (0..4).map(|_| rate.allows(home, now)).collect();
    assert_eq!(asked, [true, true, true, false]);
    assert!(rate.allows(IpAddr::from([10, 0, 0, 1]), now), "others have buckets of their own");
    assert!(rate.allows(home, at(1)) && rate.allows(home, at(1)) && !rate.allows(home, at(1)));
}
