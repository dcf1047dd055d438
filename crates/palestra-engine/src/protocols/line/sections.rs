//! Sections and words of the file of a line protocol.

use palestra_settings::{one_or_many, whole};
use serde::Deserialize;

/// The largest value of a parameter for which the protocol is clear: ten columns where a column is one digit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(transparent)]
pub(super) struct ParameterLimit(#[serde(deserialize_with = "whole::<0, 1_000_000, _, _>")] pub(super) u64);

/// Default of a parameter: the product of others divided by a number, rounded up.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ParameterDefault {
    #[serde(default, deserialize_with = "one_or_many")]
    pub(super) product: Vec<String>,
    #[serde(default = "one", deserialize_with = "whole::<1, 1000, _, _>")]
    pub(super) divisor: u64,
}

/// Lines at the end of a game that the program won, lost or drew.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct EndingLines {
    #[serde(deserialize_with = "one_or_many")]
    pub(crate) won: Vec<String>,
    #[serde(deserialize_with = "one_or_many")]
    pub(crate) lost: Vec<String>,
    #[serde(deserialize_with = "one_or_many")]
    pub(crate) drawn: Vec<String>,
    /// Lines after those, for any result.
    #[serde(deserialize_with = "one_or_many")]
    pub(crate) always: Vec<String>,
}

/// What a process plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ProcessUse {
    #[default]
    Game,
    ManyGames,
}

/// When a process is started.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ProcessStart {
    #[default]
    Game,
    FirstTurn,
}

fn one() -> u64 {
    1
}
