//! Names and numbers of an event, formatted for readers.

use palestra_stats::PlayerRating;
use palestra_tournament::Standings;

/// Maximum width of a name in a table, in characters.
const NAME_WIDTH: usize = 28;

/// Untrusted text on one line that is safe on a terminal: control characters, invisible characters and those that
/// change the writing direction are replaced.
#[must_use]
pub fn plain(text: &str) -> String {
    text.chars().map(|c| if is_visible(c) { c } else { '\u{fffd}' }).collect()
}

fn is_visible(c: char) -> bool {
    let is_invisible_or_bidi =
        matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}');
    !c.is_control() && !is_invisible_or_bidi
}

/// A name that fits into a table. The middle of a long one is left out, because similar names often differ at the end.
#[must_use]
pub fn short(name: &str) -> String {
    let chars: Vec<char> = plain(name).chars().collect();
    if chars.len() <= NAME_WIDTH {
        return chars.into_iter().collect();
    }
    let tail = 8;
    let head = chars[..NAME_WIDTH - tail - 1].iter();
    head.chain(&['…']).chain(&chars[chars.len() - tail..]).collect()
}

/// The rating of a player that has games or a fixed rating.
#[must_use]
pub fn rated(standings: &Standings, player: usize) -> Option<&PlayerRating> {
    let rated = standings.ratings.as_ref()?.players().get(player)?;
    (rated.games > 0.0 || rated.low.is_some()).then_some(rated)
}

/// Points with at most two decimals and without trailing zeros: 3, 3.5, 12.66.
#[must_use]
pub fn points(value: f64) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// A share in percent, rounded down and from 0.1 % to 99.9 %: 97.4 %.
#[must_use]
pub fn percent(share: f64) -> String {
    format!("{:.1} %", (1000.0 * share).floor().clamp(1.0, 999.0) / 10.0)
}

/// A time in milliseconds, seconds, minutes or hours, by its length.
#[must_use]
pub fn time(milliseconds: u64) -> String {
    match milliseconds {
        0..1000 => format!("{milliseconds} ms"),
        1000..60_000 => format!("{:.1} s", milliseconds as f64 / 1000.0),
        60_000..3_600_000 => format!("{} min {} s", milliseconds / 60_000, milliseconds / 1000 % 60),
        _ => format!("{} h {} min", milliseconds / 3_600_000, milliseconds / 60_000 % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_safe() {
        assert_eq!(plain("a\x1b[31m\nb\u{202e}c"), "a\u{fffd}[31m\u{fffd}b\u{fffd}c");
        assert_eq!(short("ana"), "ana");
        let long = short(&format!("{}-2", "x".repeat(60)));
        assert_eq!((long.chars().count(), long.ends_with("xxxxxx-2")), (NAME_WIDTH, true));
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!([3.0, 3.5, 12.659, -0.0].map(points), ["3", "3.5", "12.66", "0"]);
        assert_eq!([0.9999, 0.97499, 0.0].map(percent), ["99.9 %", "97.4 %", "0.1 %"]);
        assert_eq!([20, 1500, 61_000, 3_660_000].map(time), ["20 ms", "1.5 s", "1 min 1 s", "1 h 1 min"]);
    }
}
