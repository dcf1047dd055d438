//! Factors as whole numbers, for evaluations whose sums are exact: only the signs of differences matter then.

use palestra_core::{Convention, Feature, SumPrecision, TerminalValue};

/// Factors as whole multiples of one unit, where every sum is exact in the arithmetic of the convention: which of two
/// children a member prefers is then the sign of one whole number.
pub(crate) struct ScaledFactors {
    /// One row per member.
    pub(crate) factors: Vec<f64>,
    /// The largest magnitude of each feature's factor.
    pub(super) extents: Vec<f64>,
    /// Whether every factor fits 16 bits, and every sum 32 bits.
    pub(super) is_narrow: bool,
}

impl ScaledFactors {
    /// `None` where a sum might have to be rounded, or might reach the value of a won game.
    pub(crate) fn of(
        features: &[Feature],
        convention: &Convention,
        factors: &[f64],
    ) -> Option<ScaledFactors> {
        let mut factors = factors.to_vec();
        let n = features.len();
        if let SumPrecision::Single(order) = convention.sum {
            let times = |feature: usize| order.iter().filter(|&&i| i == feature).count();
            if (0..n).any(|feature| times(feature) > 1) {
                return None;
            }
            // Features that are missing in the order are not summed.
            (0..factors.len()).filter(|i| times(i % n) == 0).for_each(|i| factors[i] = 0.0);
        }
        let unit = factors.iter().filter(|factor| **factor != 0.0).map(|&factor| lowest_bit(factor)).min();
        let unit = unit.unwrap_or(0);
        if !(-100..=100).contains(&unit) {
            return None;
        }
        let scale = 2f64.powi(-unit);
        factors.iter_mut().for_each(|factor| *factor *= scale);
        let reach = |extents: &[f64]| -> f64 {
            let reach = |(extent, feature): (&f64, &Feature)| {
                extent * f64::from(feature.low.unsigned_abs().max(feature.high.unsigned_abs()).max(1))
            };
            extents.iter().zip(features).map(reach).sum()
        };
        let mut extents = extents(&factors, n);
        let bound = reach(&extents);
        let (exact, whole) = match convention.sum {
            SumPrecision::Double => (2f64.powi(52), true),
            SumPrecision::Whole => (2f64.powi(52), unit >= 0),
            SumPrecision::Single(_) => (2f64.powi(24), true),
        };
        let wins_count_most = match convention.endings {
            TerminalValue::Always(win) => bound / scale < win,
            TerminalValue::SearchOnly(_) | TerminalValue::AsEvaluated => true,
        };
        // `bound` may be NaN after an overflow, for which `<=` is false.
        if !(bound <= exact && whole && wins_count_most) {
            return None;
        }
        let is_narrow = |extents: &[f64]| {
            extents.iter().all(|&extent| extent <= f64::from(i16::MAX)) && reach(extents) <= 2f64.powi(29)
        };
        if !is_narrow(&extents) {
            let divisor = factors.iter().fold(0, |divisor, factor| gcd(divisor, factor.abs() as u64)).max(1);
            factors.iter_mut().chain(&mut extents).for_each(|factor| *factor /= divisor as f64);
        }
        let is_narrow = is_narrow(&extents);
        Some(ScaledFactors { factors, extents, is_narrow })
    }
}

fn extents(factors: &[f64], n_features: usize) -> Vec<f64> {
    let mut extents: Vec<f64> = vec![0.0; n_features];
    for row in factors.chunks_exact(n_features) {
        for (extent, factor) in extents.iter_mut().zip(row) {
            *extent = if factor.abs() > *extent { factor.abs() } else { *extent };
        }
    }
    extents
}

/// The largest power of two, as an exponent, of which a number other than 0 is a whole multiple.
pub(super) fn lowest_bit(number: f64) -> i32 {
    let bits = number.to_bits();
    let exponent = (bits >> 52 & 0x7ff) as i32;
    let fraction = bits & ((1 << 52) - 1);
    match exponent {
        0 => fraction.trailing_zeros() as i32 - 1074,
        _ => (fraction | 1 << 52).trailing_zeros() as i32 + exponent - 1075,
    }
}

/// Greatest common divisor; the other number where one is 0.
pub(crate) fn gcd(a: u64, b: u64) -> u64 {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
