//! The values of a grid, as a plan has them.

use crate::Space;
use palestra_core::InputError;
use palestra_settings::{Document, Finite, Placed};
use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};
use std::fmt;
use std::sync::Arc;

/// The setting `values`: a list for each weight, or one list for all.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct GridValues(Vec<Placed<AxisValue>>);

/// An item of the setting `values`.
#[derive(Clone, PartialEq, Debug)]
enum AxisValue {
    Number(Finite),
    List(Vec<Placed<Finite>>),
}

impl<'de> Deserialize<'de> for GridValues {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<GridValues, D::Error> {
        deserializer.deserialize_any(GridVisitor)
    }
}

struct GridVisitor;

impl<'de> Visitor<'de> for GridVisitor {
    type Value = GridValues;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of lists of numbers")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<GridValues, A::Error> {
        items(list).map(GridValues)
    }
}

impl<'de> Deserialize<'de> for AxisValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<AxisValue, D::Error> {
        deserializer.deserialize_any(AxisVisitor)
    }
}

struct AxisVisitor;

impl<'de> Visitor<'de> for AxisVisitor {
    type Value = AxisValue;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of numbers")
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<AxisValue, E> {
        Ok(AxisValue::Number(Finite(number)))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<AxisValue, E> {
        self.visit_f64(number as f64)
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<AxisValue, E> {
        self.visit_f64(number as f64)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<AxisValue, A::Error> {
        items(list).map(AxisValue::List)
    }
}

fn items<'de, T: Deserialize<'de>, A: SeqAccess<'de>>(mut list: A) -> Result<Vec<T>, A::Error> {
    let mut items = Vec::new();
    while let Some(item) = list.next_element()? {
        items.push(item);
    }
    Ok(items)
}

/// The values of each weight: `values`, which may lie outside the bounds of the space, or `steps` between them.
/// `document` is the section that has them.
pub(super) fn grid_values(
    space: &Space,
    (values, steps): (Option<&GridValues>, Option<usize>),
    document: &Document,
    max_points: u64,
) -> Result<Arc<Vec<Vec<f64>>>, InputError> {
    let (key, values) = match (values, steps) {
        (None, None) => {
            return Err(document.missing("values", "a list of values for each weight, or a number of steps"));
        }
        (Some(_), Some(_)) => return Err(document.place_of("steps").not_allowed("values are given")),
        (Some(values), None) => ("values", listed(space, values, document)?),
        (None, Some(steps)) => ("steps", stepped(space, steps)),
    };
    let n_points = values.iter().try_fold(1u64, |n, values| n.checked_mul(values.len() as u64));
    match n_points {
        Some(n_points) if n_points <= max_points => Ok(Arc::new(values)),
        _ => {
            let found = n_points.map_or("more than 2^64 points".to_owned(), |n| format!("{n} points"));
            let expected = format!("a grid of at most {max_points} points");
            Err(document.place_of(key).invalid_value(&found, expected))
        }
    }
}

/// Number of points of the grid of these values.
pub(super) fn n_points(values: &[Vec<f64>]) -> u64 {
    values.iter().map(|values| values.len() as u64).product()
}

fn listed(
    space: &Space,
    GridValues(lists): &GridValues,
    document: &Document,
) -> Result<Vec<Vec<f64>>, InputError> {
    if lists.is_empty() {
        return Err(document.invalid("values", "a list of at least one value for each weight"));
    }
    let single = |item: &Placed<AxisValue>| match item.value {
        AxisValue::Number(value) => Some(Placed { value, place: item.place.clone() }),
        AxisValue::List(_) => None,
    };
    if let Some(all) = lists.iter().map(single).collect::<Option<Vec<_>>>() {
        return Ok(vec![distinct(&all)?; space.n()]);
    }
    if lists.len() != space.n() {
        let expected = format!("a list of {} lists, one for each of {}", space.n(), space.names.join(", "));
        return Err(document.place_of("values").invalid_value(&format!("{} lists", lists.len()), expected));
    }
    let list = |item: &Placed<AxisValue>| match &item.value {
        AxisValue::List(list) if list.is_empty() => {
            Err(item.place.invalid_value("[]", "a list with at least one value"))
        }
        AxisValue::List(list) => distinct(list),
        AxisValue::Number(number) => {
            Err(item.place.invalid_value(&number.0.to_string(), "a list of numbers"))
        }
    };
    lists.iter().map(list).collect()
}

fn distinct(list: &[Placed<Finite>]) -> Result<Vec<f64>, InputError> {
    let mut numbers = Vec::with_capacity(list.len());
    for item in list {
        let number = item.value.0;
        if !number.is_finite() {
            return Err(item.place.invalid_value(&number.to_string(), "a finite number"));
        }
        if numbers.contains(&number) {
            return Err(item.place.invalid_value(&number.to_string(), "a value that is not in the list yet"));
        }
        numbers.push(number);
    }
    Ok(numbers)
}

fn stepped(space: &Space, n: usize) -> Vec<Vec<f64>> {
    let between = |(low, high): (&f64, &f64)| {
        if low == high {
            return vec![*low];
        }
        // From both ends toward the middle, so that symmetric bounds give symmetric values and a 0 in between.
        let share = |i: usize| i as f64 / (n - 1) as f64;
        (0..n).map(|i| low * share(n - 1 - i) + high * share(i)).collect()
    };
    space.low.iter().zip(&space.high).map(between).collect()
}
