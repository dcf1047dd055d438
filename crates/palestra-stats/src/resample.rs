//! The same results drawn again: what a bootstrap repeats.

use crate::elo::NORMAL_QUANTILE;
use crate::{Outcomes, quantile};
use palestra_core::{Rng, Seed};
use rand_distr::{Binomial, Distribution as _};

/// Where a number lay when everything was repeated with the results there were.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BootstrapInterval {
    /// The 2.5 % quantile.
    pub low: f64,
    /// The 97.5 % quantile.
    pub high: f64,
    /// 1.96 standard deviations.
    pub error: f64,
}

impl BootstrapInterval {
    /// The spread of these values; all zero without any.
    pub(crate) fn of(found: &[f64]) -> BootstrapInterval {
        let n = found.len() as f64;
        let mean = found.iter().sum::<f64>() / n.max(1.0);
        let squares: f64 = found.iter().map(|value| (value - mean) * (value - mean)).sum();
        BootstrapInterval {
            low: quantile(found, 0.025).unwrap_or(0.0),
            high: quantile(found, 0.975).unwrap_or(0.0),
            error: NORMAL_QUANTILE * (squares / (n - 1.0).max(1.0)).sqrt(),
        }
    }
}

/// As many results as before, each drawn from all of them.
pub(crate) fn redrawn<const N: usize>(counts: [u64; N], rng: &mut Rng) -> [u64; N] {
    let mut among = counts.iter().fold(0u64, |sum, &count| sum.saturating_add(count));
    let mut left = among;
    counts.map(|count| {
        let share = (count as f64 / among.max(1) as f64).clamp(0.0, 1.0);
        among = among.saturating_sub(count);
        // The share is a probability: nothing else could be refused.
        let part = Binomial::new(left, share).map_or(0, |binomial| binomial.sample(rng));
        left -= part;
        part
    })
}

/// How much the numbers that `measure` finds in a table of duels vary when every duel is drawn again. Only entries
/// above the diagonal are looked at; the others are handed on as seen from the rival.
pub fn bootstrap_duels(
    duels: &[Vec<Outcomes>],
    n_times: u32,
    seed: Seed,
    measure: impl Fn(&[Vec<Outcomes>]) -> Vec<f64>,
) -> Vec<BootstrapInterval> {
    let mut found: Vec<Vec<f64>> = Vec::new();
    for time in 0..n_times {
        let mut rng = seed.child(u64::from(time)).rng();
        let mut again = duels.to_vec();
        for i in 0..duels.len() {
            for j in i + 1..duels.len() {
                again[i][j] = duels[i][j].with_counts(redrawn(duels[i][j].counts(), &mut rng));
                again[j][i] = again[i][j].reversed();
            }
        }
        let values = measure(&again);
        found.resize(values.len(), Vec::new());
        found.iter_mut().zip(values).for_each(|(found, value)| found.push(value));
    }
    found.iter().map(|found| BootstrapInterval::of(found)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_results_as_before() {
        let mut sums = [0; 5];
        for i in 0..2000 {
            let again = redrawn([5, 0, 3, 0, 2], &mut Seed(3).child(i).rng());
            assert_eq!(again.iter().sum::<u64>(), 10);
            assert_eq!((again[1], again[3]), (0, 0));
            sums.iter_mut().zip(again).for_each(|(sum, n)| *sum += n);
        }
        for (sum, expected) in sums.into_iter().zip([10_000.0, 0.0, 6000.0, 0.0, 4000.0]) {
            assert!((sum as f64 - expected).abs() < 300.0, "{sums:?}");
        }
        assert_eq!(redrawn([0; 3], &mut Seed(1).rng()), [0; 3]);
        assert_eq!(redrawn([u64::MAX, 0, 0], &mut Seed(1).rng()), [u64::MAX, 0, 0]);
    }

    #[test]
    fn a_score_spreads_by_its_standard_error() {
        let games = Outcomes::games(60, 0, 40);
        let duels = vec![vec![games, games], vec![games.reversed(), games]];
        let spread = bootstrap_duels(&duels, 1000, Seed(4), |duels| vec![duels[0][1].mean()])[0];
        assert!((spread.error / (1.96 * games.standard_error()) - 1.0).abs() < 0.1, "{spread:?}");
        assert!(spread.low < 0.6 && spread.high > 0.6, "{spread:?}");
    }
}
