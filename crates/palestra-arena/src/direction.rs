//! Which weights stand for the same player: those that differ only by a positive factor that changes no decision.

use crate::cohort::{ScaledFactors, factors_of_all, gcd};
use palestra_core::{Convention, Feature, SumPrecision, TerminalValue};

/// A player as a direction of its weights: equal for weights that differ only by a positive factor and therefore play
/// the same games.
///
/// Weights count as the same player only where that is certain: where all sums are exact, or where the factor is a
/// power of two. Of other weights, only equal ones have an equal direction.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Direction(DirectionKind);

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum DirectionKind {
    /// Factors as whole numbers without a common divisor.
    Exact(Vec<i64>),
    /// The bits of the factors, scaled by a power of two so that the largest is from 1 to 2.
    Rounded(Vec<u64>),
    /// The bits of the weights: their scale matters.
    Fixed(Vec<u64>),
}

/// How the scale of a player's weights matters.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum ScaleRule {
    /// It always matters, or may: another evaluation than a weighted sum, or a search that is no function of the values.
    Matters,
    /// Only the order of sums decides, as long as they are exact and below the value of a won game.
    Sums {
        /// The features with the largest ranges of all boards.
        features: Vec<Feature>,
        /// The convention of the sums; a value of won games that the search uses is [`TerminalValue::Always`].
        convention: Convention,
        /// Whether sums that are rounded are far from the value of a won game, and no weight is fixed.
        is_free: bool,
    },
}

impl ScaleRule {
    /// The rule of a weighted sum in a search that is greedy, or that compares values of leaves only.
    pub(crate) fn of_sums(features: &[Feature], convention: Convention, greedy: bool, is_free: bool) -> Self {
        let endings = match convention.endings {
            TerminalValue::SearchOnly(win) if !greedy => TerminalValue::Always(win),
            other => other,
        };
        let convention = Convention { endings, ..convention };
        ScaleRule::Sums { features: features.to_vec(), convention, is_free }
    }

    /// The rule for the boards of both.
    #[must_use]
    pub(crate) fn join(self, other: &ScaleRule) -> ScaleRule {
        match (self, other) {
            (
                ScaleRule::Sums { mut features, convention, is_free },
                ScaleRule::Sums { features: others, convention: same, is_free: also },
            ) if convention == *same && features.len() == others.len() => {
                for (feature, other) in features.iter_mut().zip(others) {
                    feature.low = feature.low.min(other.low);
                    feature.high = feature.high.max(other.high);
                }
                ScaleRule::Sums { features, convention, is_free: is_free && *also }
            }
            _ => ScaleRule::Matters,
        }
    }

    /// The direction of these weights.
    pub(crate) fn direction(&self, weights: &[f64]) -> Direction {
        let bits = |numbers: &[f64]| numbers.iter().map(|number| (number + 0.0).to_bits()).collect();
        let ScaleRule::Sums { features, convention, is_free } = self else {
            return Direction(DirectionKind::Fixed(bits(weights)));
        };
        let factors = factors_of_all(features, std::iter::once(weights));
        if let Some(scaled) = ScaledFactors::of(features, convention, &factors) {
            let whole: Vec<i64> = scaled.factors.iter().map(|factor| *factor as i64).collect();
            let divisor = whole.iter().fold(0, |divisor, factor| gcd(divisor, factor.unsigned_abs())).max(1);
            return Direction(DirectionKind::Exact(whole.iter().map(|f| f / divisor as i64).collect()));
        }
        let scaled = power_of_two(&factors).filter(|_| *is_free && convention.sum != SumPrecision::Whole);
        Direction(match scaled {
            Some(scaled) => DirectionKind::Rounded(bits(&scaled)),
            None => DirectionKind::Fixed(bits(weights)),
        })
    }
}

/// The factors scaled by a power of two so that the largest magnitude is from 1 to 2; `None` where a factor is too
/// small or too large for that to be exact in the arithmetic of sums.
fn power_of_two(factors: &[f64]) -> Option<Vec<f64>> {
    /// Far from the limits of 32-bit numbers, below which digits are lost.
    const EXPONENTS: std::ops::Range<f64> = 1e-18..1e18;
    let mut magnitudes = factors.iter().map(|factor| factor.abs()).filter(|factor| *factor > 0.0);
    let largest = factors.iter().fold(0.0, |largest: f64, factor| largest.max(factor.abs()));
    if largest == 0.0 || !magnitudes.all(|magnitude| EXPONENTS.contains(&magnitude)) {
        return None;
    }
    // The exponent from the bits: a logarithm would be rounded.
    let exponent = (largest.to_bits() >> 52 & 0x7ff) as i32 - 1023;
    Some(factors.iter().map(|factor| factor * 2f64.powi(-exponent)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    const FREE: Convention = Convention {
        endings: TerminalValue::SearchOnly(palestra_core::WIN),
        ties: palestra_core::TieRule::First,
        sum: SumPrecision::Double,
        viewpoint: palestra_core::Viewpoint::Requested,
    };

    fn features(n: usize) -> Vec<Feature> {
        vec![Feature::new("f", "", 0, 100); n]
    }

    fn rule(convention: Convention, greedy: bool) -> ScaleRule {
        ScaleRule::of_sums(&features(2), convention, greedy, convention.sum != SumPrecision::Whole)
    }

    fn same(rule: &ScaleRule, a: &[f64], b: &[f64]) -> bool {
        rule.direction(a) == rule.direction(b)
    }

    #[test]
    fn whole_weights_are_reduced() {
        let free = rule(FREE, true);
        assert!(same(&free, &[4.0, 2.0], &[2.0, 1.0]) && same(&free, &[-3.0, 6.0], &[-1.0, 2.0]));
        assert!(same(&free, &[0.75, 0.25], &[3.0, 1.0]) && same(&free, &[0.0, 0.0], &[0.0, -0.0]));
        assert!(!same(&free, &[4.0, 2.0], &[-2.0, -1.0]) && !same(&free, &[4.0, 2.0], &[2.0, 2.0]));
        let all = [[4.0, 2.0], [2.0, 1.0], [1.0, 2.0]].map(|weights| free.direction(&weights));
        assert_eq!(BTreeSet::from(all).len(), 2);
    }

    #[test]
    fn rounded_sums_allow_powers_of_two_only() {
        for sum in [SumPrecision::Double, SumPrecision::Single(&[1, 0])] {
            let rule = rule(Convention { sum, ..FREE }, true);
            assert!(same(&rule, &[0.1, 0.7], &[0.2, 1.4]), "{sum:?}");
            // 0.1 + 0.2 is not 0.3: a factor of 3 can break a tie.
            assert!(!same(&rule, &[0.1, 0.2], &[0.1 * 3.0, 0.2 * 3.0]), "{sum:?}");
            assert!(!same(&rule, &[1e-30, 0.7], &[2e-30, 1.4]), "{sum:?}");
        }
    }

    #[test]
    fn truncated_sums_keep_their_scale_unless_they_are_whole() {
        let whole = rule(Convention { sum: SumPrecision::Whole, ..FREE }, true);
        assert!(same(&whole, &[4.0, 2.0], &[2.0, 1.0]));
        assert!(!same(&whole, &[0.5, 0.25], &[1.0, 0.5]) && !same(&whole, &[0.1, 0.7], &[0.2, 1.4]));
    }

    #[test]
    fn a_win_that_sums_reach_keeps_the_scale() {
        let near = Convention { endings: TerminalValue::SearchOnly(500.0), ..FREE };
        // Sums of up to 600 exceed the win; a greedy player does not use it.
        assert!(same(&rule(near, true), &[4.0, 2.0], &[2.0, 1.0]));
        assert!(!same(&rule(near, false), &[4.0, 2.0], &[2.0, 1.0]));
        assert!(same(&rule(near, false), &[2.0, 2.0], &[1.0, 1.0]));
    }

    #[test]
    fn a_fixed_weight_fixes_the_scale() {
        let mut features = features(3);
        features[0].fixed = Some(6.0);
        let rule = ScaleRule::of_sums(&features, FREE, true, false);
        assert!(!same(&rule, &[4.0, 2.0], &[2.0, 1.0]) && same(&rule, &[4.0, 2.0], &[4.0, 2.0]));
        assert!(!same(&ScaleRule::Matters, &[4.0, 2.0], &[2.0, 1.0]));
    }

    #[test]
    fn boards_share_the_largest_ranges() {
        let mut large = features(2);
        large[1].high = i32::MAX;
        let joined = rule(FREE, true).join(&ScaleRule::of_sums(&large, FREE, true, true));
        let weights = ([3e9, 3.0], [1e9, 1.0]);
        assert!(same(&rule(FREE, true), &weights.0, &weights.1));
        let weights = ([3.0, 3e9], [1.0, 1e9]);
        assert!(!same(&joined, &weights.0, &weights.1), "sums of the larger board are rounded");
        assert_eq!(rule(FREE, true).join(&ScaleRule::Matters), ScaleRule::Matters);
    }
}
