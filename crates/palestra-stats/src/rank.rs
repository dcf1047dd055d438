//! Nonparametric statistics: rank tests, quantiles, and the share of runs that reached a goal.

use statrs::distribution::{ContinuousCDF, Normal};
use std::cmp::Ordering;

/// Samples of at most this size have an exact p-value, if no two values are equal.
const MAX_EXACT: usize = 50;

/// Result of a rank test of two samples.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RankTest {
    /// Mann and Whitney's U: number of pairs in which the first sample's value is larger; ties count ½.
    pub u: f64,
    /// Share of pairs in which the first sample's value is larger, from 0 to 1; ties count ½.
    pub superiority: f64,
    /// Two-sided p-value.
    pub p: f64,
    /// Whether the p-value is exact; otherwise it is the normal limit, corrected for ties and continuity.
    pub exact: bool,
}

/// The two-sided Mann-Whitney test; `None` where a sample is empty. Values may be infinite, such as the number of games
/// of a run that never reached its goal.
pub fn mann_whitney(first: &[f64], second: &[f64]) -> Option<RankTest> {
    let n_pairs = first.len() as f64 * second.len() as f64;
    if n_pairs == 0.0 {
        return None;
    }
    let mut all: Vec<(f64, bool)> =
        first.iter().map(|x| (*x + 0.0, true)).chain(second.iter().map(|x| (*x + 0.0, false))).collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    let n = all.len() as f64;
    let (mut rank_sum, mut ties, mut below) = (0.0, 0.0, 0.0);
    for group in all.chunk_by(|a, b| a.0.total_cmp(&b.0) == Ordering::Equal) {
        let size = group.len() as f64;
        let n_first = group.iter().filter(|(_, is_first)| *is_first).count() as f64;
        rank_sum += n_first * (below + (size + 1.0) / 2.0);
        ties += size * size * size - size;
        below += size;
    }
    let n_first = first.len() as f64;
    let u = rank_sum - n_first * (n_first + 1.0) / 2.0;
    let larger = u.max(n_pairs - u);
    let exact = ties == 0.0 && first.len().max(second.len()) <= MAX_EXACT;
    let tail = match exact {
        true => exact_tail(first.len(), second.len(), larger as usize),
        false => {
            let variance = n_pairs / 12.0 * (n + 1.0 - ties / (n * (n - 1.0)));
            match variance > 0.0 {
                true => Normal::standard().sf((larger - n_pairs / 2.0 - 0.5) / variance.sqrt()),
                false => 1.0,
            }
        }
    };
    Some(RankTest { u, superiority: u / n_pairs, p: (2.0 * tail).min(1.0), exact })
}

/// The probability of at least `u`, if all orders of both samples are equally likely.
fn exact_tail(n_first: usize, n_second: usize, u: usize) -> f64 {
    let max_u = n_first * n_second;
    // ways[k][u] is the number of orders of the i values placed so far, with k of the first sample and this U. One more
    // value of the first sample is above the i - k values of the second.
    let mut ways = vec![vec![0.0; max_u + 1]; n_first + 1];
    ways[0][0] = 1.0;
    for i in 0..n_first + n_second {
        for k in (0..n_first.min(i + 1)).rev() {
            let above = i - k;
            if above <= n_second {
                for u in above..=max_u {
                    let before = ways[k][u - above];
                    ways[k + 1][u] += before;
                }
            }
        }
    }
    let counts = &ways[n_first];
    counts[u.min(max_u)..].iter().sum::<f64>() / counts.iter().sum::<f64>()
}

/// P-values of several tests, in the order given, corrected for multiple testing (Holm 1979).
pub fn holm(p: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|a, b| p[*a].total_cmp(&p[*b]));
    let mut corrected = vec![0.0; p.len()];
    let mut min: f64 = 0.0;
    for (rank, i) in order.into_iter().enumerate() {
        min = min.max(((p.len() - rank) as f64 * p[i]).min(1.0));
        corrected[i] = min;
    }
    corrected
}

/// The quantile of a share from 0 to 1, with linear interpolation (Hyndman and Fan's type 7, the default of R and
/// NumPy); `None` without values.
pub fn quantile(values: &[f64], share: f64) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let at = share.clamp(0.0, 1.0) * sorted.len().checked_sub(1)? as f64;
    let (low, high) = (sorted[at.floor() as usize], sorted[at.ceil() as usize]);
    // Equal neighbors may be infinite, and their difference NaN.
    Some(if low == high { low } else { low + (high - low) * at.fract() })
}

/// The median; `None` without values.
pub fn median(values: &[f64]) -> Option<f64> {
    quantile(values, 0.5)
}

/// The 25 %, 50 % and 75 % quantiles; `None` without values.
pub fn quartiles(values: &[f64]) -> Option<[f64; 3]> {
    Some([quantile(values, 0.25)?, quantile(values, 0.5)?, quantile(values, 0.75)?])
}

/// The empirical distribution of the budgets at which runs reached a goal: each budget with the share of runs up to it.
/// `None` is a run that never reached it.
pub fn reached(budgets: &[Option<u64>]) -> Vec<(u64, f64)> {
    let mut known: Vec<u64> = budgets.iter().copied().flatten().collect();
    known.sort_unstable();
    let mut curve: Vec<(u64, f64)> = Vec::new();
    for (i, budget) in known.into_iter().enumerate() {
        curve.pop_if(|last| last.0 == budget);
        curve.push((budget, (i + 1) as f64 / budgets.len() as f64));
    }
    curve
}

/// The share of runs that reached their goal within a budget; 0 without runs.
pub fn share_reached(budgets: &[Option<u64>], within: u64) -> f64 {
    let n_reached = budgets.iter().flatten().filter(|budget| **budget <= within).count();
    n_reached as f64 / budgets.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(first: &[f64], second: &[f64], u: f64, p: f64, exact: bool) {
        let test = mann_whitney(first, second).unwrap();
        assert_eq!((test.u, test.exact), (u, exact));
        assert!((test.p - p).abs() < 1e-10, "{} instead of {p}", test.p);
        let swapped = mann_whitney(second, first).unwrap();
        assert!((swapped.p - p).abs() < 1e-10);
        assert!((swapped.superiority + test.superiority - 1.0).abs() < 1e-12);
    }

    /// The first by hand: 1 of 20 orders is as extreme on each side. The others from SciPy 1.17.1.
    #[test]
    fn samples_compare() {
        check(&[1.0, 2.0, 3.0], &[4.0, 5.0, 6.0], 0.0, 0.1, true);
        check(&[19.0, 22.0, 16.0, 29.0, 24.0], &[20.0, 11.0, 17.0, 12.0], 17.0, 0.1111111111111111, true);
        let (a, b) = ([1.1, 2.2, 3.3, 4.4, 5.5], [0.5, 1.5, 2.5, 3.5, 9.0, 10.0]);
        check(&a, &b, 14.0, 0.9307359307359306, true);
        let (a, b) =
            ([1.0, 2.0, 2.0, 3.0, 4.0, 4.0, 4.0, 7.0], [2.0, 3.0, 4.0, 5.0, 5.0, 6.0, 8.0, 8.0, 9.0]);
        check(&a, &b, 16.0, 0.057927669883889955, false);
        let a: Vec<f64> = (0..20).map(|i| f64::from(i * 37 % 101)).collect();
        let b: Vec<f64> = (0..25).map(|i| f64::from((i * 53 + 7) % 101 + 10)).collect();
        check(&a, &b, 200.5, 0.26295961876123153, false);
    }

    #[test]
    fn degenerate_samples_compare() {
        assert_eq!(mann_whitney(&[], &[1.0]), None);
        check(&[5.0, 5.0], &[5.0, 5.0, 5.0], 3.0, 1.0, false);
        check(&[0.0], &[-0.0], 0.5, 1.0, false);
        check(&[1.0, f64::INFINITY], &[2.0, f64::INFINITY], 1.5, 1.0, false);
    }

    /// The exact probability of large samples is close to the normal limit.
    #[test]
    fn orders_are_counted() {
        assert_eq!(exact_tail(4, 3, 0), 1.0);
        // The ten orders of 2 against 3 have U from 0 to 6, with counts 1, 1, 2, 2, 2, 1, 1.
        let tails = [10.0, 9.0, 8.0, 6.0, 4.0, 2.0, 1.0].map(|n| n / 10.0);
        assert_eq!([0, 1, 2, 3, 4, 5, 6].map(|u| exact_tail(2, 3, u)), tails);
        let sd = (50.0 * 50.0 / 12.0 * 101f64).sqrt();
        let limit = Normal::standard().sf((1500.0 - 1250.0 - 0.5) / sd);
        assert!((exact_tail(50, 50, 1500) / limit - 1.0).abs() < 0.01);
    }

    #[test]
    fn many_tests_are_corrected() {
        let corrected = holm(&[0.01, 0.04, 0.03, 0.005]);
        let expected = [0.03, 0.06, 0.06, 0.02];
        assert!(corrected.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-15), "{corrected:?}");
        assert_eq!(holm(&[0.9, 0.8]), [1.0, 1.0]);
        assert!(holm(&[]).is_empty());
    }

    #[test]
    fn quantiles() {
        let values = [3.0, 1.0, 4.0, 4.0, 7.0, 9.0, 9.0, 6.0, 0.5, 2.0];
        assert_eq!(quartiles(&values), Some([2.25, 4.0, 6.75]));
        assert_eq!(median(&[1.0, 2.0]), Some(1.5));
        assert_eq!(median(&[5.0, f64::INFINITY, f64::INFINITY]), Some(f64::INFINITY));
        assert_eq!(median(&[]), None);
        assert_eq!(quantile(&values, 1.0), Some(9.0));
    }

    #[test]
    fn goals_are_reached() {
        let runs = [Some(300), None, Some(100), Some(300)];
        assert_eq!(reached(&runs), [(100, 0.25), (300, 0.75)]);
        assert_eq!(
            [99, 100, 299, 300, 10_000].map(|within| share_reached(&runs, within)),
            [0.0, 0.25, 0.25, 0.75, 0.75]
        );
        assert_eq!(share_reached(&[], 5), 0.0);
    }
}
