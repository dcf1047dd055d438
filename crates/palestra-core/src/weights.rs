//! Weights as text: comma-separated numbers.

use crate::{Feature, InputError};

/// The largest value that an evaluation may reach; a larger one could exceed the value of a won game ([`crate::WIN`]).
pub const MAX_VALUE: f64 = 1e299;

/// Reads one comma-separated weight for each feature without a fixed weight, and refuses weights with which a
/// weighted sum could exceed `max_value`.
///
/// `whole` is the string that contains them, for the error message.
pub fn parse_weights(
    text: &str,
    features: &[Feature],
    max_value: f64,
    whole: &str,
) -> Result<Vec<f64>, InputError> {
    let key = || format!("weights of \"{whole}\"");
    let features: Vec<&Feature> = features.iter().filter(|feature| feature.fixed.is_none()).collect();
    let names = || features.iter().map(|feature| feature.name).collect::<Vec<_>>().join(",");
    let parts: Vec<&str> = if text.is_empty() { Vec::new() } else { text.split(',').collect() };
    if parts.len() != features.len() {
        let expected = match features.len() {
            0 => "no weights: this evaluation takes none".to_owned(),
            n => format!("{n} numbers ({}), not {}", names(), parts.len()),
        };
        return Err(InputError::new(key(), text, expected));
    }
    let mut weights = Vec::with_capacity(parts.len());
    for (part, feature) in parts.iter().zip(&features) {
        let weight: f64 = part.trim().parse().map_err(|_| {
            InputError::new(key(), *part, format!("a number (the weight of {})", feature.name))
        })?;
        if !weight.is_finite() {
            let expected = format!("a finite number (the weight of {})", feature.name);
            return Err(InputError::new(key(), *part, expected));
        }
        weights.push(weight + 0.0); // -0 becomes 0, so that equal weights have one text form.
    }
    let reach = features.iter().zip(&weights).map(|(feature, weight)| {
        let extent = f64::from(feature.low).abs().max(f64::from(feature.high).abs());
        weight.abs() * feature.unit.abs() * extent.max(1.0)
    });
    if reach.sum::<f64>() > max_value {
        return Err(InputError::new(key(), text, "weights whose weighted sum cannot overflow"));
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
        check("1,,2", 3, Err("missing value"));
        check("1,x", 2, Err("invalid value \"x\" for weights of \"1,x\": expected a number"));
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
