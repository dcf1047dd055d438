//! Numbers as text, the same in every sentence.

/// The likelihood of superiority at which a player is called better: one-sided, as for a two-sided 95 % interval.
pub(crate) const SURE: f64 = 0.975;

/// An Elo with its sign; `+0` and never `-0` if it rounds to zero.
pub fn signed(elo: f64, decimals: usize) -> String {
    let scale = if decimals == 0 { 1.0 } else { 10.0 };
    let rounded = (elo * scale).round() / scale + 0.0;
    format!("{rounded:+.decimals$}")
}

/// A probability in percent; never 0 % or 100 %.
pub(crate) fn percent(share: f64) -> String {
    match format!("{:.1}", 100.0 * share).as_str() {
        "100.0" => "> 99.9 %".to_string(),
        "0.0" => "< 0.1 %".to_string(),
        figure => format!("{figure} %"),
    }
}

/// What a comparison without a difference says.
pub(crate) const NO_DIFFERENCE: &str = "no difference seen";

/// What a number of further games would show. Where a billion would not do, the difference is one of rounding.
pub(crate) fn settled_by(number: f64) -> String {
    let more = two_digits(number.ceil());
    let games = if more > 1e9 {
        return NO_DIFFERENCE.to_owned();
    } else if more > 1.0 {
        format!("about {more:.0} more games")
    } else {
        // The normal and the profile interval disagree only near the threshold, or for few games.
        "a few more games".to_owned()
    };
    format!("{games} would settle a difference of this size")
}

/// A list of at most `max` names, and the number of the others.
pub(crate) fn list(names: &[&str], max: usize) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_owned(),
        _ if names.len() > max => format!("{} and {} more", names[..max].join(", "), names.len() - max),
        [rest @ .., last] => format!("{} and {last}", rest.join(", ")),
    }
}

/// A whole number rounded to two significant digits, the precision of an estimated number of games.
fn two_digits(number: f64) -> f64 {
    if number < 100.0 {
        return number;
    }
    let step = 10f64.powi(number.log10().floor() as i32 - 1);
    (number / step).round() * step
}
