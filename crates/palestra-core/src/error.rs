//! What is wrong with a text that a person typed.
//!
//! `InputError` names the place, the text, what was expected there and the nearest valid name. It travels up
//! unchanged; the commands print it once, on one line, and exit with 2.

use std::fmt;

/// A piece of input that cannot be understood: where it stands, what it says, what was expected there.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub struct InputError {
    /// Where the text stands: `columns of "connect:0x6x4"`.
    pub place: String,
    /// The offending text itself.
    pub found: String,
    /// What would have been right: `a whole number from 1 to 32`.
    pub expected: String,
    /// The nearest valid name, where there is one.
    pub nearest: Option<String>,
}

impl InputError {
    /// A complaint without a suggestion.
    pub fn new(
        place: impl Into<String>,
        found: impl Into<String>,
        expected: impl Into<String>,
    ) -> InputError {
        InputError { place: place.into(), found: found.into(), expected: expected.into(), nearest: None }
    }

    /// A complaint about an unknown name, with the known ones and the nearest of them.
    pub fn unknown<'a>(
        place: impl Into<String>,
        found: &str,
        kind: &str,
        known: impl IntoIterator<Item = &'a str>,
    ) -> InputError {
        let known: Vec<&str> = known.into_iter().collect();
        let expected = format!("{kind} ({})", known.join(", "));
        InputError {
            nearest: nearest_name(found, known.iter().copied()).map(str::to_owned),
            ..InputError::new(place, found, expected)
        }
    }
}

/// Longest part of an offending text that is repeated in a message.
const SHOWN: usize = 80;

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let quoted = quote(&self.found);
        // The place often ends with the whole text; a line of any length helps nobody.
        let place: String =
            self.place.chars().take(2 * SHOWN).map(|c| if c.is_control() { ' ' } else { c }).collect();
        if self.found.is_empty() {
            write!(f, "{place}: nothing there, expected {}", self.expected)?;
        } else {
            write!(f, "{place}: {quoted} is not {}", self.expected)?;
        }
        match &self.nearest {
            Some(name) => write!(f, "; did you mean \"{name}\"?"),
            None => Ok(()),
        }
    }
}

fn quote(text: &str) -> String {
    let mut shown: String = text.chars().take(SHOWN).flat_map(char::escape_debug).collect();
    if text.chars().count() > SHOWN {
        shown.push('…');
    }
    format!("\"{shown}\"")
}

/// The known name that needs the fewest edits to become `found`, if it is near enough to be meant.
///
/// ```
/// assert_eq!(palestra_core::nearest_name("gready", ["greedy", "random"]), Some("greedy"));
/// assert_eq!(palestra_core::nearest_name("zzz", ["greedy", "random"]), None);
/// ```
pub fn nearest_name<'a>(found: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if found.is_empty() || found.len() > SHOWN {
        return None;
    }
    let found = found.to_lowercase();
    let allowed = 1 + found.chars().count() / 3;
    known
        .into_iter()
        .map(|name| (edits(&found, &name.to_lowercase()), name))
        .filter(|&(distance, name)| distance <= allowed && distance < name.chars().count())
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, name)| name)
}

/// Edit distance where exchanging two neighboring letters counts one (optimal string alignment).
fn edits(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.chars().collect();
    let b: Vec<char> = b.chars().collect();
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for (i, row) in rows.iter_mut().enumerate() {
        row[0] = i;
    }
    for j in 0..=b.len() {
        rows[0][j] = j;
    }
    for i in 1..=a.len() {
        for j in 1..=b.len() {
            let change = usize::from(a[i - 1] != b[j - 1]);
            let mut best = (rows[i - 1][j] + 1).min(rows[i][j - 1] + 1).min(rows[i - 1][j - 1] + change);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            rows[i][j] = best;
        }
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(found: &str, expected: Option<&str>) {
        let known = ["connect", "connect4", "ladrillos", "lines", "lines-coded", "threes"];
        assert_eq!(nearest_name(found, known), expected, "{found}");
    }

    #[test]
    fn nearest() {
        check("conect4", Some("connect4"));
        check("LINES", Some("lines"));
        check("thress", Some("threes"));
        check("line-coded", Some("lines-coded"));
        check("", None);
        check("quux", None);
    }

    #[test]
    fn message_names_place_text_and_expectation() {
        let bad = InputError::unknown("game", "conect4", "a known game", ["connect4", "ladrillos"]);
        assert_eq!(
            bad.to_string(),
            "game: \"conect4\" is not a known game (connect4, ladrillos); did you mean \"connect4\"?"
        );
        assert_eq!(
            InputError::new("depth", "", "a number").to_string(),
            "depth: nothing there, expected a number"
        );
    }
}
