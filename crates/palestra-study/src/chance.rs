//! p-values: how likely a difference is by chance alone. The tests behind "within noise".

use statrs::distribution::{ChiSquared, ContinuousCDF, Normal};
use statrs::function::gamma::ln_gamma;

/// p-value of the difference of two numbers with normal noise of standard deviation `sd` of the difference, two-sided.
pub(crate) fn normal(difference: f64, sd: f64) -> f64 {
    if difference == 0.0 {
        return 1.0;
    }
    let unit = Normal::standard();
    2.0 * unit.sf(difference.abs() / sd)
}

/// p-value of `a` of `n` against `b` of `m` by Fisher's exact test, two-sided.
pub(crate) fn fisher(a: u64, n: u64, b: u64, m: u64) -> f64 {
    let hits = a + b;
    let ln_choose =
        |n: u64, k: u64| ln_gamma(n as f64 + 1.0) - ln_gamma(k as f64 + 1.0) - ln_gamma((n - k) as f64 + 1.0);
    let whole = ln_choose(n + m, hits);
    let ln_chance = |k: u64| ln_choose(n, k) + ln_choose(m, hits - k) - whole;
    // The tolerance counts tables that are as unlikely as the observed one up to rounding.
    let limit = ln_chance(a) + 1e-7;
    let possible = hits.saturating_sub(m)..=hits.min(n);
    possible.map(ln_chance).filter(|chance| *chance <= limit).map(f64::exp).sum::<f64>().min(1.0)
}

/// p-value of two rows of counts by the chi-square test of homogeneity.
pub(crate) fn homogeneity(first: &[f64], second: &[f64]) -> f64 {
    let (n, m): (f64, f64) = (first.iter().sum(), second.iter().sum());
    let mut statistic = 0.0;
    let mut n_kinds = 0;
    for (a, b) in first.iter().zip(second).filter(|(a, b)| *a + *b > 0.0) {
        let (expected_a, expected_b) = ((a + b) * n / (n + m), (a + b) * m / (n + m));
        statistic += (a - expected_a).powi(2) / expected_a + (b - expected_b).powi(2) / expected_b;
        n_kinds += 1;
    }
    match ChiSquared::new(f64::from(n_kinds - 1)) {
        Ok(distribution) if n > 0.0 && m > 0.0 => distribution.sf(statistic),
        // Only one kind of outcome, or an empty row.
        _ => 1.0,
    }
}

/// p-value of one number among a sample by its rank, two-sided.
pub(crate) fn rank(one: f64, sample: &[f64]) -> f64 {
    let below = sample.iter().filter(|other| **other <= one).count();
    let above = sample.iter().filter(|other| **other >= one).count();
    let fewer = below.min(above) as f64;
    (2.0 * (fewer + 1.0) / (sample.len() as f64 + 1.0)).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-4 * expected.max(0.01), "{found} is not {expected}");
    }

    #[test]
    fn normal_differences() {
        near(normal(1.96, 1.0), 0.049_996);
        near(normal(-3.0, 1.5), 0.045_500);
        near(normal(0.0, 0.0), 1.0);
        near(normal(1.0, 0.0), 0.0);
    }

    #[test]
    fn fisher_by_hand() {
        // Fisher's lady tasting tea: 3 of 4 against 1 of 4 gives 34/70.
        near(fisher(3, 4, 1, 4), 34.0 / 70.0);
        near(fisher(4, 4, 0, 4), 2.0 / 70.0);
        near(fisher(0, 5, 0, 7), 1.0);
        // In large samples a difference of 3 % is significant.
        assert!(fisher(9909, 10_000, 9_600, 10_000) < 1e-9);
        assert!(fisher(987, 1000, 9875, 10_000) > 0.5);
    }

    #[test]
    fn homogeneity_by_hand() {
        // 10/10 against 15/5: 2.6667 with one degree of freedom.
        near(homogeneity(&[10.0, 10.0], &[15.0, 5.0]), 0.102_470);
        near(homogeneity(&[10.0, 0.0, 10.0], &[15.0, 0.0, 5.0]), 0.102_470);
        near(homogeneity(&[3.0, 0.0, 0.0], &[30.0, 0.0, 0.0]), 1.0);
        near(homogeneity(&[0.0, 0.0, 0.0], &[30.0, 0.0, 0.0]), 1.0);
    }

    #[test]
    fn ranks() {
        let sample = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0];
        near(rank(5.0, &sample), 1.0);
        near(rank(0.0, &sample), 0.2);
        near(rank(9.5, &sample), 0.2);
        near(rank(1.0, &[]), 1.0);
    }
}
