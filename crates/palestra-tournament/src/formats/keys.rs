//! The plan keys that formats have of their own, and their values.

use palestra_core::InputError;
use palestra_settings::Document;
use std::collections::BTreeMap;
use std::fmt;

/// A plan key of a format.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FormatKey {
    /// Its name in plans.
    pub name: &'static str,
    /// Its label on the page, in English and Spanish.
    pub label: [&'static str; 2],
    /// What it means, in one phrase.
    pub about: &'static str,
    /// Which values it has.
    pub kind: KeyKind,
    /// Smallest and largest value.
    pub bounds: [f64; 2],
    /// Its value where the plan has none; `None` where there is no value then.
    pub default: Option<f64>,
}

/// Which values a key of a format has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KeyKind {
    /// Whole numbers.
    Whole,
    /// Numbers.
    Number,
    /// `true` and `false`, which count as 1 and 0.
    Flag,
}

/// `cycles`, where all players meet each other.
pub(super) const CYCLES: FormatKey = FormatKey {
    name: "cycles",
    label: ["Cycles", "Vueltas"],
    about: "number of times each pair of players meets, each time from another opening",
    kind: KeyKind::Whole,
    bounds: [1.0, 100_000.0],
    default: Some(1.0),
};

/// `pairs`, in all formats.
pub(super) const PAIRS: FormatKey = FormatKey {
    name: "pairs",
    label: ["Pairs of games in a match", "Pares de partidas por encuentro"],
    about: "pairs of games of a match; single games with single",
    kind: KeyKind::Whole,
    bounds: [1.0, 100_000.0],
    default: Some(1.0),
};

/// `single`, in formats whose matches may have an odd number of games.
pub(super) const SINGLE: FormatKey = FormatKey {
    name: "single",
    label: ["Single games", "Partidas sueltas"],
    about: "single games instead of pairs",
    kind: KeyKind::Flag,
    bounds: [0.0, 1.0],
    default: Some(0.0),
};

/// A time limit. The driver tells the format when it has passed (`go_on` of [`Format::next`](crate::Format::next)).
pub(super) const MINUTES: FormatKey = FormatKey {
    name: "minutes",
    label: ["Minutes", "Minutos"],
    about: "time limit in minutes",
    kind: KeyKind::Number,
    bounds: [0.01, 1e6],
    default: None,
};

impl FormatKey {
    /// The values, for error messages.
    fn expected(&self) -> String {
        let [low, high] = self.bounds;
        match self.kind {
            KeyKind::Whole => format!("a whole number from {low} to {high}"),
            KeyKind::Number => format!("a number from {low} to {high}"),
            KeyKind::Flag => "true or false".to_owned(),
        }
    }

    /// Takes the key out of a section.
    fn take(&self, section: &mut Document) -> Result<Option<f64>, InputError> {
        let invalid = section.has(self.name).then(|| section.invalid(self.name, self.expected()));
        let value = match self.kind {
            KeyKind::Flag => section.take(self.name).map(|flag: Option<bool>| flag.map(f64::from)),
            _ => section.take(self.name),
        };
        let is_valid = |value: &f64| {
            let is_inside = (self.bounds[0]..=self.bounds[1]).contains(value);
            is_inside && (self.kind == KeyKind::Number || value.fract() == 0.0)
        };
        match (invalid, value.ok().flatten().filter(is_valid)) {
            (Some(invalid), None) => Err(invalid),
            (_, value) => Ok(value),
        }
    }
}

/// The values that a plan gives to the keys of its format.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct FormatValues {
    keys: &'static [FormatKey],
    values: BTreeMap<&'static str, f64>,
}

impl FormatValues {
    /// Takes the keys out of a section.
    pub(crate) fn take(
        keys: &'static [FormatKey],
        section: &mut Document,
    ) -> Result<FormatValues, InputError> {
        let mut values = BTreeMap::new();
        for key in keys {
            values.extend(key.take(section)?.map(|value| (key.name, value)));
        }
        Ok(FormatValues { keys, values })
    }

    /// These values with another one.
    pub(super) fn with(mut self, key: &FormatKey, value: f64) -> FormatValues {
        self.values.insert(key.name, value);
        self
    }

    /// The value of a key, or its default.
    pub(super) fn get(&self, key: &FormatKey) -> Option<f64> {
        self.values.get(key.name).copied().or(key.default)
    }

    /// The whole number of a key; 0 where it has no value.
    pub(super) fn whole(&self, key: &FormatKey) -> u32 {
        self.get(key).map_or(0, |value| value as u32)
    }

    /// Pairs of games of a match, or single games.
    pub(crate) fn pairs(&self) -> u32 {
        self.whole(&PAIRS)
    }

    /// Whether single games are played instead of pairs.
    pub(super) fn is_single(&self) -> bool {
        self.get(&SINGLE) == Some(1.0)
    }

    /// The time limit in minutes.
    #[must_use]
    pub fn minutes(&self) -> Option<f64> {
        self.get(&MINUTES)
    }
}

/// The lines of a plan.
impl fmt::Display for FormatValues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for key in self.keys {
            match (self.get(key), key.kind) {
                (None, _) => {}
                (Some(value), KeyKind::Whole) => writeln!(f, "{} = {value}", key.name)?,
                (Some(value), KeyKind::Number) => writeln!(f, "{} = {value:?}", key.name)?,
                (Some(value), KeyKind::Flag) => writeln!(f, "{} = {}", key.name, value == 1.0)?,
            }
        }
        Ok(())
    }
}
