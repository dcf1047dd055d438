//! Weights as people write them.

use crate::{Feature, InputError};

/// The largest evaluation weights may lead to; beyond it a won game would no longer count most.
pub const MAX_VALUE: f64 = 1e299;

/// Reads as many comma-separated weights as there are features to weigh, and makes sure that no sum of them can
/// exceed `most`.
///
/// `whole` is the text they stand in, for the message.
pub fn parse_weights(
    text: &str,
    features: &[Feature],
    most: f64,
    whole: &str,
) -> Result<Vec<f64>, InputError> {
    let place = || format!("weights of \"{whole}\"");
    let features: Vec<&Feature> = features.iter().filter(|feature| feature.fixed.is_none()).collect();
    let names = || features.iter().map(|feature| feature.name).collect::<Vec<_>>().join(",");
    let parts: Vec<&str> = if text.is_empty() { Vec::new() } else { text.split(',').collect() };
    if parts.len() != features.len() {
        let expected = match features.len() {
            0 => "empty: this evaluation takes no weights".to_owned(),
            n => format!("{n} numbers ({}), there are {}", names(), parts.len()),
        };
        return Err(InputError::new(place(), text, expected));
    }
    let mut weights = Vec::with_capacity(parts.len());
    for (part, feature) in parts.iter().zip(&features) {
        let weight: f64 = part.trim().parse().map_err(|_| {
            InputError::new(place(), *part, format!("a number (the weight of {})", feature.name))
        })?;
        if !weight.is_finite() {
            let expected = format!("a finite number (the weight of {})", feature.name);
            return Err(InputError::new(place(), *part, expected));
        }
        weights.push(weight + 0.0); // -0 becomes 0: one way to write a thing
    }
    let reach = features.iter().zip(&weights).map(|(feature, weight)| {
        let extent = f64::from(feature.low).abs().max(f64::from(feature.high).abs());
        weight.abs() * feature.unit.abs() * extent.max(1.0)
    });
    if reach.sum::<f64>() > most {
        return Err(InputError::new(place(), text, "small enough: the weighted sum could overflow"));
    }
    Ok(weights)
}

/// The shortest text that reads back as the same number.
pub fn format_weight(weight: f64) -> String {
    let magnitude = weight.abs();
    if magnitude != 0.0 && !(1e-5..1e16).contains(&magnitude) {
        format!("{weight:e}")
    } else {
        weight.to_string()
    }
}

/// Weights as [`parse_weights`] reads them.
pub fn print_weights(weights: &[f64]) -> String {
    weights.iter().copied().map(format_weight).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn features(n: usize) -> Vec<Feature> {
        vec![Feature::new("f", "", 0, 100); n]
    }

    fn check(text: &str, n: usize, expected: Result<&[f64], &str>) {
        match (parse_weights(text, &features(n), MAX_VALUE, text), expected) {
            (Ok(weights), Ok(expected)) => assert_eq!(weights, expected),
            (Err(bad), Err(part)) => assert!(bad.to_string().contains(part), "{bad}"),
            (got, expected) => panic!("{text}: {got:?} instead of {expected:?}"),
        }
    }

    #[test]
    fn reads_and_refuses() {
        check("1,-0.5,2e3", 3, Ok(&[1.0, -0.5, 2000.0]));
        check("-0", 1, Ok(&[0.0]));
        check("", 0, Ok(&[]));
        check("1,2", 3, Err("3 numbers"));
        check("1,nan", 2, Err("finite"));
        check("1,inf", 2, Err("finite"));
        check("1e999", 1, Err("finite"));
        check("1e298", 1, Err("overflow"));
        check("1,,2", 3, Err("nothing there"));
        check("1,x", 2, Err("\"x\" is not a number"));
    }

    proptest! {
        #[test]
        fn round_trip(weights in prop::collection::vec(-1e200f64..1e200, 1..8)) {
            let text = print_weights(&weights);
            prop_assert_eq!(parse_weights(&text, &features(weights.len()), MAX_VALUE, &text).unwrap(), weights);
        }

        #[test]
        fn small_numbers_round_trip(weight in prop::num::f64::NORMAL) {
            let weight = weight % 1.0;
            prop_assert_eq!(format_weight(weight).parse::<f64>().unwrap(), weight);
        }
    }
}
