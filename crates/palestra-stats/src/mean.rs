//! The interval of a mean, by Student's t.

use crate::elo::NORMAL_QUANTILE;

/// The 97.5 % quantiles of Student's t with 1 to 10 degrees of freedom.
const SMALL: [f64; 10] = [12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281];

/// The two-sided 95 % interval of the mean of the population that `values` are drawn from; `None` for fewer than two
/// values.
#[must_use]
pub fn mean_interval(values: &[f64]) -> Option<[f64; 2]> {
    let n = values.len() as f64;
    if values.len() < 2 {
        return None;
    }
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0);
    let half = quantile(values.len() - 1) * (variance / n).sqrt();
    Some([mean - half, mean + half])
}

/// The 97.5 % quantile of Student's t. Past ten degrees of freedom by the expansion of Cornish and Fisher, whose error
/// is below 0.0001 there.
fn quantile(degrees: usize) -> f64 {
    if let Some(quantile) = SMALL.get(degrees - 1) {
        return *quantile;
    }
    let (z, v) = (NORMAL_QUANTILE, degrees as f64);
    let first = (z.powi(3) + z) / 4.0;
    let second = (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / 96.0;
    let third = (3.0 * z.powi(7) + 19.0 * z.powi(5) + 17.0 * z.powi(3) - 15.0 * z) / 384.0;
    z + first / v + second / v.powi(2) + third / v.powi(3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_the_published_ones() {
        for (degrees, published) in
            [(1, 12.706), (2, 4.303), (10, 2.228), (11, 2.201), (20, 2.086), (30, 2.042), (120, 1.980)]
        {
            assert!((quantile(degrees) - published).abs() < 6e-4, "{degrees}: {}", quantile(degrees));
        }
    }

    #[test]
    fn intervals_of_means() {
        assert_eq!(mean_interval(&[0.5]), None);
        assert_eq!(mean_interval(&[0.5, 0.5, 0.5]), Some([0.5, 0.5]));
        // The mean is 3, the standard error √(2.5 / 5), the quantile 2.7764.
        let [low, high] = mean_interval(&[1.0, 2.0, 3.0, 4.0, 5.0]).unwrap();
        assert!((low - 1.0368).abs() < 1e-3 && (high - 4.9632).abs() < 1e-3, "{low} {high}");
    }
}
