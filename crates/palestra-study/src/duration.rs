//! Durations of commands, formatted for readers.

use palestra_review::number;

/// A time in seconds, minutes or hours, by its length.
#[must_use]
pub fn seconds_in_words(seconds: f64) -> String {
    match seconds {
        s if s < 10.0 => format!("{s:.1} s"),
        s if s < 120.0 => format!("{s:.0} s"),
        s if s < 7200.0 => format!("{:.0} min", s / 60.0),
        s => format!("{} h", number((s / 360.0).round() / 10.0)),
    }
}
