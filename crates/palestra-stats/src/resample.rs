//! Bootstrap: statistics of results resampled with replacement.

use crate::elo::NORMAL_QUANTILE;
use crate::{Outcomes, quantile};
use palestra_core::{Rng, Seed};
use rand_distr::{Binomial, Distribution as _};

/// Bootstrap distribution of a statistic.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize)]
pub struct BootstrapInterval {
    /// The 2.5 % quantile.
    pub low: f64,
    /// The 97.5 % quantile.
    pub high: f64,
    /// 1.96 standard deviations of the distribution.
    pub error: f64,
}

impl BootstrapInterval {
    /// The distribution of these values; all fields are 0 without values.
    pub(crate) fn of(values: &[f64]) -> BootstrapInterval {
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n.max(1.0);
        let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
        BootstrapInterval {
            low: quantile(values, 0.025).unwrap_or(0.0),
            high: quantile(values, 0.975).unwrap_or(0.0),
            error: NORMAL_QUANTILE * (squares / (n - 1.0).max(1.0)).sqrt(),
        }
    }
}

/// As many results as before, drawn with replacement (a multinomial sample).
pub(crate) fn resampled<const N: usize>(counts: [u64; N], rng: &mut Rng) -> [u64; N] {
    let mut population = counts.iter().fold(0u64, |sum, &count| sum.saturating_add(count));
    let mut left = population;
    counts.map(|count| {
        let share = (count as f64 / population.max(1) as f64).clamp(0.0, 1.0);
        population = population.saturating_sub(count);
        // The share is a probability, so `new` cannot fail.
        let part = Binomial::new(left, share).map_or(0, |binomial| binomial.sample(rng));
        left -= part;
        part
    })
}

/// Bootstrap distributions of the statistics that `measure` computes from a table of head-to-head results. Each entry
/// above the diagonal is resampled; the entries below it are the same results, seen from the opponent.
pub fn bootstrap_head_to_head(
    head_to_heads: &[Vec<Outcomes>],
    n_times: u32,
    seed: Seed,
    measure: impl Fn(&[Vec<Outcomes>]) -> Vec<f64>,
) -> Vec<BootstrapInterval> {
    let mut samples: Vec<Vec<f64>> = Vec::new();
    for time in 0..n_times {
        let mut rng = seed.child(u64::from(time)).rng();
        let mut resample = head_to_heads.to_vec();
        for i in 0..head_to_heads.len() {
            for j in i + 1..head_to_heads.len() {
                resample[i][j] =
                    head_to_heads[i][j].with_counts(resampled(head_to_heads[i][j].counts(), &mut rng));
                resample[j][i] = resample[i][j].reversed();
            }
        }
        let values = measure(&resample);
        samples.resize(values.len(), Vec::new());
        samples.iter_mut().zip(values).for_each(|(sample, value)| sample.push(value));
    }
    samples.iter().map(|sample| BootstrapInterval::of(sample)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resampling_keeps_the_number_of_results() {
        let mut sums = [0; 5];
        for i in 0..2000 {
            let again = resampled([5, 0, 3, 0, 2], &mut Seed(3).child(i).rng());
            assert_eq!(again.iter().sum::<u64>(), 10);
            assert_eq!((again[1], again[3]), (0, 0));
            sums.iter_mut().zip(again).for_each(|(sum, n)| *sum += n);
        }
        for (sum, expected) in sums.into_iter().zip([10_000.0, 0.0, 6000.0, 0.0, 4000.0]) {
            assert!((sum as f64 - expected).abs() < 300.0, "{sums:?}");
        }
        assert_eq!(resampled([0; 3], &mut Seed(1).rng()), [0; 3]);
        assert_eq!(resampled([u64::MAX, 0, 0], &mut Seed(1).rng()), [u64::MAX, 0, 0]);
    }

    #[test]
    fn the_spread_of_a_score_is_its_standard_error() {
        let games = Outcomes::games(60, 0, 40);
        let head_to_heads = vec![vec![games, games], vec![games.reversed(), games]];
        let spread = bootstrap_head_to_head(&head_to_heads, 1000, Seed(4), |head_to_heads| {
            vec![head_to_heads[0][1].mean()]
        })[0];
        assert!((spread.error / (1.96 * games.standard_error()) - 1.0).abs() < 0.1, "{spread:?}");
        assert!(spread.low < 0.6 && spread.high > 0.6, "{spread:?}");
    }
}
