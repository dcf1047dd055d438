//! Values with bounds or units, for the fields of plans.

use crate::error::refuse;
use crate::reader::ONE_OR_MANY;
use palestra_core::InputError;
use serde::de::{self, Deserialize, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use std::fmt;
use std::marker::PhantomData;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// A whole number from `LOW` to `HIGH`; for a plain field see [`whole`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Whole<const LOW: u64, const HIGH: u64>(pub u64);

impl<'de, const LOW: u64, const HIGH: u64> Deserialize<'de> for Whole<LOW, HIGH> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_u64(WithinVisitor(LOW..=HIGH)).map(Whole)
    }
}

/// A number that [`whole`] or [`number`] can be read as, or one in an `Option`.
pub trait FromNumber<N> {
    /// The number, which is within the bounds that it was read with.
    fn from_number(number: N) -> Self;
}

macro_rules! from_number {
    ($($wide:ty => $($narrow:ty)+;)+) => {$($(
        impl FromNumber<$wide> for $narrow {
            fn from_number(number: $wide) -> $narrow {
                number as $narrow
            }
        }
    )+)+};
}

from_number! {
    u64 => u32 u64 usize;
    f64 => f64;
}

impl<N, T: FromNumber<N>> FromNumber<N> for Option<T> {
    fn from_number(number: N) -> Option<T> {
        Some(T::from_number(number))
    }
}

/// Reads a whole number from `LOW` to `HIGH`: `#[serde(deserialize_with = "whole::<1, 1000, _, _>")]`.
pub fn whole<'de, const LOW: u64, const HIGH: u64, T, D>(deserializer: D) -> Result<T, D::Error>
where
    T: FromNumber<u64>,
    D: Deserializer<'de>,
{
    within(LOW..=HIGH).deserialize(deserializer)
}

/// Reads a number within bounds, for a `deserialize_with` function.
pub fn number<'de, T, D>(deserializer: D, bounds: RangeInclusive<f64>) -> Result<T, D::Error>
where
    T: FromNumber<f64>,
    D: Deserializer<'de>,
{
    within(bounds).deserialize(deserializer)
}

/// Reads a number within bounds, as a seed: for a `Deserialize` of one's own.
pub struct Within<N, T> {
    bounds: RangeInclusive<N>,
    as_type: PhantomData<T>,
}

/// Reads a number within these bounds.
pub fn within<N, T: FromNumber<N>>(bounds: RangeInclusive<N>) -> Within<N, T> {
    Within { bounds, as_type: PhantomData }
}

impl<'de, T: FromNumber<u64>> DeserializeSeed<'de> for Within<u64, T> {
    type Value = T;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
        deserializer.deserialize_u64(WithinVisitor(self.bounds)).map(T::from_number)
    }
}

impl<'de, T: FromNumber<f64>> DeserializeSeed<'de> for Within<f64, T> {
    type Value = T;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
        deserializer.deserialize_f64(WithinVisitor(self.bounds)).map(T::from_number)
    }
}

struct WithinVisitor<T>(RangeInclusive<T>);

impl Visitor<'_> for WithinVisitor<u64> {
    type Value = u64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a whole number from {} to {}", self.0.start(), self.0.end())
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<u64, E> {
        match self.0.contains(&number) {
            true => Ok(number),
            false => Err(E::invalid_value(de::Unexpected::Unsigned(number), &self)),
        }
    }
}

impl Visitor<'_> for WithinVisitor<f64> {
    type Value = f64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a number from {} to {}", self.0.start(), self.0.end())
    }

    fn visit_f64<E: de::Error>(self, number: f64) -> Result<f64, E> {
        match self.0.contains(&number) {
            true => Ok(number),
            false => Err(E::invalid_value(de::Unexpected::Float(number), &self)),
        }
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<f64, E> {
        self.visit_f64(number as f64)
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<f64, E> {
        self.visit_f64(number as f64)
    }
}

/// A number that is neither infinite nor NaN.
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug)]
pub struct Finite(pub f64);

impl<'de> Deserialize<'de> for Finite {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Finite, D::Error> {
        let number = f64::deserialize(deserializer).ok().filter(|number| number.is_finite());
        number.map(Finite).ok_or_else(|| refuse(InputError::new("", "", "a finite number")))
    }
}

/// A list; a single item is a list of one. For a plain field see [`one_or_many`].
#[derive(Clone, PartialEq, Debug)]
pub struct OneOrMany<T>(pub Vec<T>);

impl<T> Default for OneOrMany<T> {
    fn default() -> OneOrMany<T> {
        OneOrMany(Vec::new())
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for OneOrMany<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<OneOrMany<T>, D::Error> {
        one_or_many(deserializer).map(OneOrMany)
    }
}

/// Reads a list; a single item is a list of one.
pub fn one_or_many<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<T>, D::Error> {
    deserializer.deserialize_newtype_struct(ONE_OR_MANY, ListVisitor(PhantomData))
}

struct ListVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for ListVisitor<T> {
    type Value = Vec<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Vec<T>, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = list.next_element()? {
            items.push(item);
        }
        Ok(items)
    }
}

/// Reads a section whose keys are names, in the order of the file.
pub fn pairs<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<(String, T)>, D::Error> {
    struct PairsVisitor<T>(PhantomData<T>);

    impl<'de, T: Deserialize<'de>> Visitor<'de> for PairsVisitor<T> {
        type Value = Vec<(String, T)>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a section")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut section: A) -> Result<Self::Value, A::Error> {
            let mut pairs = Vec::new();
            while let Some(pair) = section.next_entry()? {
                pairs.push(pair);
            }
            Ok(pairs)
        }
    }

    deserializer.deserialize_map(PairsVisitor(PhantomData))
}

/// A value that is written as text and has a parser.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parsed<T>(pub T);

impl<'de, T: FromStr<Err = InputError>> Deserialize<'de> for Parsed<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Parsed<T>, D::Error> {
        parsed(deserializer).map(Parsed)
    }
}

/// Reads text through its parser.
pub fn parsed<'de, T: FromStr<Err = InputError>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    String::deserialize(deserializer)?.parse().map_err(refuse)
}

/// A count: `100000`, or `"100k"`, `"5M"`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Count(pub u64);

/// Seconds: `20`, or `"20s"`, `"5m"`, `"2h"`.
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug)]
pub struct Seconds(pub f64);

/// Reads a value that is a number or a text.
#[derive(Clone, Copy, Debug)]
pub struct TextOrNumber<T> {
    /// What is expected, for messages.
    pub expected: &'static str,
    /// The value of a number.
    pub of_number: fn(f64) -> Option<T>,
    /// The value of a text.
    pub of_text: fn(&str) -> Option<T>,
}

impl<T> Visitor<'_> for TextOrNumber<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.expected)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<T, E> {
        (self.of_text)(text).ok_or_else(|| E::invalid_value(de::Unexpected::Str(text), &self))
    }

    fn visit_f64<E: de::Error>(self, number: f64) -> Result<T, E> {
        (self.of_number)(number).ok_or_else(|| E::invalid_value(de::Unexpected::Float(number), &self))
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<T, E> {
        self.visit_f64(number as f64)
    }
}

impl<'de> Deserialize<'de> for Count {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Count, D::Error> {
        let expected = "a whole number of at least 1, or one with k, M or G after it: \"100k\"";
        let visitor = TextOrNumber { expected, of_number: count_of, of_text: parse_count };
        deserializer.deserialize_any(visitor).map(Count)
    }
}

impl<'de> Deserialize<'de> for Seconds {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Seconds, D::Error> {
        let expected = "a time: 20 (seconds), \"20s\", \"5m\", \"2h\"";
        let visitor = TextOrNumber { expected, of_number: seconds_of, of_text: parse_seconds };
        deserializer.deserialize_any(visitor).map(Seconds)
    }
}

/// Reads a [`Count`] into a plain field.
pub fn count<'de, T: FromNumber<u64>, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    Count::deserialize(deserializer).map(|count| T::from_number(count.0))
}

/// Reads [`Seconds`] into a plain field.
pub fn seconds<'de, T: FromNumber<f64>, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    Seconds::deserialize(deserializer).map(|seconds| T::from_number(seconds.0))
}

fn count_of(number: f64) -> Option<u64> {
    (number.fract() == 0.0 && (1.0..=1e15).contains(&number)).then_some(number as u64)
}

fn seconds_of(seconds: f64) -> Option<f64> {
    (0.01..=1e9).contains(&seconds).then_some(seconds)
}

/// Reads `100k`, `5M`, `1G` or a plain number.
#[must_use]
pub fn parse_count(text: &str) -> Option<u64> {
    let text = text.trim().replace('_', "");
    let (digits, unit) = match text.char_indices().last()? {
        (i, 'k' | 'K') => (&text[..i], 1e3),
        (i, 'M') => (&text[..i], 1e6),
        (i, 'G') => (&text[..i], 1e9),
        _ => (&*text, 1.0),
    };
    count_of(digits.parse::<f64>().ok()? * unit)
}

/// Reads `20`, `20s`, `5m`, `2h` as seconds.
#[must_use]
pub fn parse_seconds(text: &str) -> Option<f64> {
    let text = text.trim();
    let (digits, unit) = match text.char_indices().last()? {
        (i, 's') => (&text[..i], 1.0),
        (i, 'm') => (&text[..i], 60.0),
        (i, 'h') => (&text[..i], 3600.0),
        _ => (text, 1.0),
    };
    seconds_of(digits.parse::<f64>().ok()? * unit)
}
