//! Reads the values of a grid from a plan.

use crate::{Setting, Settings, SourceLocation, Space};
use palestra_core::InputError;
use std::sync::Arc;

/// The setting `values`, for the list of settings of the grid methods.
pub(super) const VALUES: (&str, &str, &str) =
    ("values", "values of each weight, [[1, 2], [0, 5]], or one list for all weights", "none");
/// The setting `steps`, for the same lists.
pub(super) const STEPS: (&str, &str, &str) =
    ("steps", "instead of values: number of equally spaced values from the low to the high bound", "none");

/// Reads the values of each weight: `values`, which may lie outside the bounds of the space, or `steps`.
pub(super) fn grid_values(
    space: &Space,
    settings: &mut Settings,
    max_points: u64,
) -> Result<Arc<Vec<Vec<f64>>>, InputError> {
    let values = settings.take("values");
    let steps = settings.take("steps");
    let (key, place, values) = match (values, steps) {
        (None, None) => {
            return Err(settings.missing("values", "a list of values for each weight, or a number of steps"));
        }
        (Some(_), Some(_)) => return Err(settings.not_allowed("steps", "values are given")),
        (Some((values, place)), None) => ("values", place, listed(space, settings, values, place)?),
        (None, Some((steps, place))) => ("steps", place, stepped(space, settings, steps, place)?),
    };
    let n_points = values.iter().try_fold(1u64, |n, values| n.checked_mul(values.len() as u64));
    match n_points {
        Some(n_points) if n_points <= max_points => Ok(Arc::new(values)),
        _ => {
            let found = n_points.map_or("more than 2^64 points".to_owned(), |n| format!("{n} points"));
            Err(settings.invalid_value(key, place, &found, format!("a grid of at most {max_points} points")))
        }
    }
}

/// Number of points of the grid of these values.
pub(super) fn n_points(values: &[Vec<f64>]) -> u64 {
    values.iter().map(|values| values.len() as u64).product()
}

fn listed(
    space: &Space,
    settings: &Settings,
    values: Setting,
    place: SourceLocation,
) -> Result<Vec<Vec<f64>>, InputError> {
    let error = |place, found: &Setting, expected: &str| {
        Err(settings.invalid_value("values", place, &found.to_string(), expected))
    };
    let Setting::List(lists) = &values else {
        return error(place, &values, "a list of lists of numbers");
    };
    if lists.is_empty() {
        return error(place, &values, "a list of at least one value for each weight");
    }
    if lists.iter().all(|(item, _)| matches!(item, Setting::Number(_))) {
        let one = numbers(settings, &values, place)?;
        return Ok(vec![one; space.n()]);
    }
    if lists.len() != space.n() {
        let expected = format!("a list of {} lists, one for each of {}", space.n(), space.names.join(", "));
        return Err(settings.invalid_value("values", place, &format!("{} lists", lists.len()), expected));
    }
    lists.iter().map(|(list, place)| numbers(settings, list, *place)).collect()
}

fn numbers(settings: &Settings, list: &Setting, place: SourceLocation) -> Result<Vec<f64>, InputError> {
    let error = |place, found: &Setting, expected: &str| {
        Err(settings.invalid_value("values", place, &found.to_string(), expected))
    };
    let Setting::List(items) = list else { return error(place, list, "a list of numbers") };
    if items.is_empty() {
        return error(place, list, "a list with at least one value");
    }
    let mut numbers = Vec::with_capacity(items.len());
    for (item, place) in items {
        match item {
            Setting::Number(number) if number.is_finite() && !numbers.contains(number) => {
                numbers.push(*number);
            }
            Setting::Number(number) if number.is_finite() => {
                return error(*place, item, "a value that is not in the list yet");
            }
            other => return error(*place, other, "a finite number"),
        }
    }
    Ok(numbers)
}

fn stepped(
    space: &Space,
    settings: &Settings,
    steps: Setting,
    place: SourceLocation,
) -> Result<Vec<Vec<f64>>, InputError> {
    const EXPECTED: &str = "a whole number from 2 to 10000";
    let n = match steps {
        Setting::Number(n) if n.fract() == 0.0 && (2.0..=10_000.0).contains(&n) => n as usize,
        other => return Err(settings.invalid_value("steps", place, &other.to_string(), EXPECTED)),
    };
    let between = |(low, high): (&f64, &f64)| {
        if low == high {
            return vec![*low];
        }
        // From both ends toward the middle, so that symmetric bounds give symmetric values and a 0 in between.
        let share = |i: usize| i as f64 / (n - 1) as f64;
        (0..n).map(|i| low * share(n - 1 - i) + high * share(i)).collect()
    };
    Ok(space.low.iter().zip(&space.high).map(between).collect())
}
