//! Paired tests of two players on the same positions.

use palestra_core::Seed;
use rand::RngExt as _;
use statrs::distribution::{ContinuousCDF, Normal};
use statrs::function::beta::checked_beta_reg;

/// Up to this number of differences all sign combinations are tried; beyond it, `N_DRAWS` random ones.
const MAX_EXACT: usize = 14;
const N_DRAWS: u32 = 9999;

/// Two-sided p-value of McNemar's exact test, from the number of positions that only the first player solved and that
/// only the second player solved.
pub fn mcnemar(only_first: u64, only_second: u64) -> f64 {
    if only_first == only_second {
        return 1.0;
    }
    let (less, more) = (only_first.min(only_second) as f64, only_first.max(only_second) as f64);
    // P(X ≤ less) in less + more tosses of a coin; its normal limit where the continued fraction does not converge.
    let limit = || Normal::standard().cdf((less - more + 1.0) / (less + more).sqrt());
    let tail = match less + more > 100_000.0 {
        true => limit(),
        false => checked_beta_reg(more, less + 1.0, 0.5).unwrap_or_else(|_| limit()),
    };
    (2.0 * tail).clamp(0.0, 1.0)
}

/// P-value of Fisher's randomization test: the probability that the sum of paired differences is at least as far from 0
/// with random signs. Exact for few differences, else estimated with random signs from `seed`.
pub fn sign_flips(differences: &[f64], seed: Seed) -> f64 {
    let differences: Vec<f64> = differences.iter().copied().filter(|difference| *difference != 0.0).collect();
    let size: f64 = differences.iter().map(|difference| difference.abs()).sum();
    // The tolerance makes sums equal that differ only by rounding.
    let observed = differences.iter().sum::<f64>().abs() - 1e-12 * size;
    let is_as_far = |flip: &mut dyn FnMut(usize) -> bool| {
        let signed = |(i, difference): (usize, &f64)| if flip(i) { -difference } else { *difference };
        differences.iter().enumerate().map(signed).sum::<f64>().abs() >= observed
    };
    if differences.len() <= MAX_EXACT {
        let all = 1u32 << differences.len();
        let n = (0..all).filter(|signs| is_as_far(&mut |i| signs >> i & 1 == 1)).count();
        return n as f64 / f64::from(all);
    }
    let draw = |i: &u32| {
        let mut rng = seed.child(u64::from(*i)).rng();
        is_as_far(&mut |_| rng.random())
    };
    (1 + (0..N_DRAWS).filter(draw).count()) as f64 / f64::from(N_DRAWS + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand: twice the sum of binomial coefficients divided by a power of 2; the last from SciPy 1.17.1.
    #[test]
    fn disagreements() {
        let check = |first, second, p: f64| {
            assert!((mcnemar(first, second) - p).abs() < 1e-12, "{}", mcnemar(first, second));
            assert_eq!(mcnemar(first, second), mcnemar(second, first));
        };
        check(0, 0, 1.0);
        check(5, 5, 1.0);
        check(0, 6, 2.0 / 64.0);
        check(1, 8, 2.0 * 10.0 / 512.0);
        check(10, 3, 2.0 * 378.0 / 8192.0);
        check(40, 60, 0.05688793364098089);
        assert!((mcnemar(49_700, 50_300) / mcnemar(49_701, 50_300) - 1.0).abs() < 0.02, "the limit is close");
        assert!(mcnemar(0, u64::MAX) < 1e-12);
    }

    #[test]
    fn signs() {
        assert_eq!(sign_flips(&[], Seed(1)), 1.0);
        assert_eq!(sign_flips(&[1.0, 1.0, 1.0, 0.0], Seed(1)), 0.25);
        // All 128 sign combinations, computed independently.
        assert_eq!(sign_flips(&[1.5, -0.5, 2.0, 3.0, 1.0, -1.0, 0.25], Seed(1)), 0.171875);
        // 20 equal differences, 14 of them positive: the same as a coin test.
        let many: Vec<f64> = (0..20).map(|i| if i < 14 { 0.1 } else { -0.1 }).collect();
        let (estimated, exact) = (sign_flips(&many, Seed(1)), mcnemar(14, 6));
        assert!((estimated - exact).abs() < 0.01, "{estimated} and {exact}");
        assert_eq!(estimated, sign_flips(&many, Seed(1)));
    }
}
