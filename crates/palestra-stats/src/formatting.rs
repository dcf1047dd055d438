//! Numbers in words, the same in every sentence.

/// The likelihood of superiority from which on one player is called better: the one-sided side of 95 %.
pub(crate) const SURE: f64 = 0.975;

/// An Elo with its sign; what rounds to zero is `+0`, never `-0`.
pub(crate) fn signed(elo: f64, decimals: usize) -> String {
    let scale = if decimals == 0 { 1.0 } else { 10.0 };
    let rounded = (elo * scale).round() / scale + 0.0;
    format!("{rounded:+.decimals$}")
}

/// A probability in percent, never claiming certainty.
pub(crate) fn percent(share: f64) -> String {
    match format!("{:.1}", 100.0 * share).as_str() {
        "100.0" => "> 99.9 %".to_string(),
        "0.0" => "< 0.1 %".to_string(),
        figure => format!("{figure} %"),
    }
}

/// So many more games, as far as that can be told.
pub(crate) fn more_games(number: f64) -> String {
    let more = two_digits(number.ceil());
    if more > 1e9 {
        "more than a billion more games".to_string()
    } else if more > 1.0 {
        format!("about {more:.0} more games")
    } else {
        // The normal and the profile interval disagree only near the line, or on a handful of games.
        "a few more games".to_string()
    }
}

/// Names in a row, the last ones counted where they are too many.
pub(crate) fn list(names: &[&str], most: usize) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_owned(),
        _ if names.len() > most => format!("{} and {} more", names[..most].join(", "), names.len() - most),
        [rest @ .., last] => format!("{} and {last}", rest.join(", ")),
    }
}

/// A whole number rounded to two significant digits: an estimate of games to come has no more.
fn two_digits(number: f64) -> f64 {
    if number < 100.0 {
        return number;
    }
    let step = 10f64.powi(number.log10().floor() as i32 - 1);
    (number / step).round() * step
}
