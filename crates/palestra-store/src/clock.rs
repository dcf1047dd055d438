//! The current time as text: RFC 3339, UTC, whole seconds.

use std::time::{SystemTime, UNIX_EPOCH};

/// The current time.
pub(crate) fn now() -> String {
    // A clock before 1970 was never set.
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    text_of(seconds)
}

/// Seconds since 1970 as RFC 3339.
fn text_of(seconds: u64) -> String {
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    // Years are counted from March, so that the leap day is the last of its year (H. Hinnant, "chrono-compatible
    // low-level date algorithms"); 719,468 days lie between March 1 of the year 0 and January 1, 1970.
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let from_march = (5 * day + 2) / 153;
    let day = day - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    let year = 400 * era + year + u64::from(month <= 2);
    let (hour, minute, second) = (second / 3_600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_seconds_have_known_dates() {
        let check = |seconds, expected| assert_eq!(text_of(seconds), expected);
        check(0, "1970-01-01T00:00:00Z");
        check(951_782_399, "2000-02-28T23:59:59Z");
        check(951_782_400, "2000-02-29T00:00:00Z");
        check(951_868_800, "2000-03-01T00:00:00Z");
        check(1_000_000_000, "2001-09-09T01:46:40Z");
        check(1_735_689_599, "2024-12-31T23:59:59Z");
        check(4_107_542_400, "2100-03-01T00:00:00Z");
    }
}
