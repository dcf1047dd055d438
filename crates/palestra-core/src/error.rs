//! Input that is refused, and the sentences that say so.
//!
//! [`InputError`] has two sentence forms: `invalid value "x" for KEY (line 3, column 7): expected …; did you mean
//! "y"?` for text that cannot be used, and `OPTION cannot be used here: …` for an option or key that contradicts
//! another. Commands print it once, on one line, and exit with 2.

use std::fmt;

/// Input that is refused: which option or key it was given for, where it stands and what is wrong.
///
/// ```
/// use palestra_core::InputError;
///
/// let invalid = InputError::new("method.sigma", "-1", "a number from 0 to 1").at("line 3, column 7");
/// assert_eq!(
///     invalid.to_string(),
///     "invalid value \"-1\" for method.sigma (line 3, column 7): expected a number from 0 to 1"
/// );
/// let refused = InputError::not_allowed("--set", "it changes a plan file, and none was given");
/// assert_eq!(refused.to_string(), "--set cannot be used here: it changes a plan file, and none was given");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub struct InputError {
    /// The option, key or part of a text: `--seed`, `method.sigma in plan.toml`, `columns of "connect:0x6x4"`.
    pub key: String,
    /// Where it stands in a file: `line 3, column 7`.
    pub location: Option<Box<str>>,
    /// What is wrong.
    pub problem: InputProblem,
}

/// What is wrong with a piece of input. Boxed strings keep the error below the 128 bytes that clippy allows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InputProblem {
    /// The value is missing (`found` is empty) or cannot be used.
    Value {
        /// The offending text.
        found: Box<str>,
        /// What would have been right: `a whole number from 1 to 32`.
        expected: Box<str>,
        /// The nearest valid name, where there is one.
        nearest: Option<Box<str>>,
    },
    /// A key that does not exist in the file or section that `InputError::key` names.
    Key {
        /// The offending key.
        found: Box<str>,
        /// The keys that exist.
        expected: Box<str>,
        /// The nearest of them.
        nearest: Option<Box<str>>,
    },
    /// The option or key itself cannot be used, and why.
    NotAllowed(Box<str>),
}

impl InputError {
    /// A value that cannot be used; an empty `found` is a missing one.
    pub fn new(key: impl Into<String>, found: impl Into<String>, expected: impl Into<String>) -> InputError {
        let problem = InputProblem::Value {
            found: found.into().into(),
            expected: expected.into().into(),
            nearest: None,
        };
        InputError { key: key.into(), location: None, problem }
    }

    /// An unknown name, with the known ones and the nearest of them.
    pub fn unknown<'a>(
        key: impl Into<String>,
        found: &str,
        kind: &str,
        known: impl IntoIterator<Item = &'a str>,
    ) -> InputError {
        let known: Vec<&str> = known.into_iter().collect();
        let expected = format!("{kind} ({})", known.join(", "));
        InputError::new(key, found, expected).with_nearest(nearest_name(found, known))
    }

    /// A key that does not exist in a file or section.
    pub fn unknown_key<'a>(
        container: impl Into<String>,
        found: &str,
        known: impl IntoIterator<Item = &'a str>,
    ) -> InputError {
        let known: Vec<&str> = known.into_iter().collect();
        let expected = match known[..] {
            [] => "no key at all".to_owned(),
            _ => format!("one of {}", known.join(", ")),
        };
        let nearest = nearest_name(found, known).map(Into::into);
        let problem = InputProblem::Key { found: found.into(), expected: expected.into(), nearest };
        InputError { key: container.into(), location: None, problem }
    }

    /// An option or key that cannot be used together with the rest of the input.
    pub fn not_allowed(option: impl Into<String>, reason: impl Into<String>) -> InputError {
        InputError {
            key: option.into(),
            location: None,
            problem: InputProblem::NotAllowed(reason.into().into()),
        }
    }

    /// The same with a suggestion.
    #[must_use]
    pub fn with_nearest<S: Into<String>>(mut self, name: Option<S>) -> InputError {
        if let InputProblem::Value { nearest, .. } | InputProblem::Key { nearest, .. } = &mut self.problem {
            *nearest = name.map(|name| name.into().into());
        }
        self
    }

    /// The same at a place of a file: `line 3, column 7`.
    #[must_use]
    pub fn at(mut self, location: impl fmt::Display) -> InputError {
        self.location = Some(location.to_string().into());
        self
    }

    /// The same with another key, made from the present one.
    #[must_use]
    pub fn map_key(mut self, change: impl FnOnce(&str) -> String) -> InputError {
        self.key = change(&self.key);
        self
    }

    /// The same with another expectation, made from the present one.
    #[must_use]
    pub fn map_expected(mut self, change: impl FnOnce(&str) -> String) -> InputError {
        if let InputProblem::Value { expected, .. } | InputProblem::Key { expected, .. } = &mut self.problem {
            *expected = change(expected).into();
        }
        self
    }

    /// The offending text; empty for a missing value or an option that cannot be used.
    #[must_use]
    pub fn found(&self) -> &str {
        match &self.problem {
            InputProblem::Value { found, .. } | InputProblem::Key { found, .. } => found,
            InputProblem::NotAllowed(_) => "",
        }
    }

    /// What would have been right, or why the option cannot be used.
    #[must_use]
    pub fn expected(&self) -> &str {
        match &self.problem {
            InputProblem::Value { expected, .. } | InputProblem::Key { expected, .. } => expected,
            InputProblem::NotAllowed(reason) => reason,
        }
    }
}

/// Longest part of an offending text that is repeated in a message.
const SHOWN: usize = 80;

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The key may contain the whole text, which can be of any length.
        let mut key: String =
            self.key.chars().take(2 * SHOWN).map(|c| if c.is_control() { ' ' } else { c }).collect();
        if let Some(location) = &self.location {
            key = format!("{key} ({location})");
        }
        let (expected, nearest) = match &self.problem {
            InputProblem::NotAllowed(reason) => return write!(f, "{key} cannot be used here: {reason}"),
            InputProblem::Value { found, expected, nearest } => {
                match &**found {
                    "" => write!(f, "missing value for {key}")?,
                    found => write!(f, "invalid value {} for {key}", quote(found))?,
                }
                (expected, nearest)
            }
            InputProblem::Key { found, expected, nearest } => {
                write!(f, "invalid key {} in {key}", quote(found))?;
                (expected, nearest)
            }
        };
        write!(f, ": expected {expected}")?;
        match nearest {
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
        .map(|name| (strsim::osa_distance(&found, &name.to_lowercase()), name))
        .filter(|&(distance, name)| distance <= allowed && distance < name.chars().count())
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, name)| name)
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
    fn sentences() {
        let unknown = InputError::unknown("game", "conect4", "a known game", ["connect4", "ladrillos"]);
        assert_eq!(
            unknown.to_string(),
            "invalid value \"conect4\" for game: expected a known game (connect4, ladrillos); did you mean \"connect4\"?"
        );
        assert_eq!(
            InputError::new("depth", "", "a number").at("line 2, column 1").to_string(),
            "missing value for depth (line 2, column 1): expected a number"
        );
        assert_eq!(
            InputError::unknown_key("plan.toml", "sede", ["seed", "game"]).at("line 1, column 1").to_string(),
            "invalid key \"sede\" in plan.toml (line 1, column 1): expected one of seed, game; did you mean \"seed\"?"
        );
        assert_eq!(
            InputError::unknown_key("[method] of plan.toml", "x", []).to_string(),
            "invalid key \"x\" in [method] of plan.toml: expected no key at all"
        );
        let refused = InputError::not_allowed("--rounds", "the format round-robin has cycles instead");
        assert_eq!(
            refused.with_nearest(Some("cycles")).to_string(),
            "--rounds cannot be used here: the format round-robin has cycles instead"
        );
    }
}
