//! The constants of the strategy, from the number of weights and of candidates.

/// The default parameters of Hansen's tutorial (arXiv 1604.00772, equations 48 to 58), with its symbols; the Python
/// package `cmaes` 0.13 uses the same.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct CmaParameters {
    /// Recombination weights, best candidate first. The weights of the worse half are negative or, without the active
    /// update, 0.
    pub(crate) weights: Vec<f64>,
    /// Number of candidates that make the new mean.
    pub(crate) mu: usize,
    pub(crate) mu_eff: f64,
    pub(crate) c_sigma: f64,
    pub(crate) d_sigma: f64,
    pub(crate) c_c: f64,
    pub(crate) c_1: f64,
    pub(crate) c_mu: f64,
    /// The expected length of a standard normal vector.
    pub(crate) chi_n: f64,
}

impl CmaParameters {
    /// For `n` weights and `lambda` candidates, at least 2.
    pub(crate) fn new(n: usize, lambda: usize, active: bool) -> CmaParameters {
        assert!(n > 0 && lambda > 1, "at least one weight and two candidates");
        let (n_f, mu) = (n as f64, lambda / 2);
        let raw: Vec<f64> =
            (0..lambda).map(|i| ((lambda as f64 + 1.0) / 2.0).ln() - (i as f64 + 1.0).ln()).collect();
        let effective = |part: &[f64]| {
            let (sum, squares) = part.iter().fold((0.0, 0.0), |(sum, squares), w| (sum + w, squares + w * w));
            sum * sum / squares
        };
        let mu_eff = effective(&raw[..mu]);
        let c_1 = 2.0 / ((n_f + 1.3).powi(2) + mu_eff);
        let c_mu =
            (1.0 - c_1 - 1e-8).min(2.0 * (mu_eff - 2.0 + 1.0 / mu_eff) / ((n_f + 2.0).powi(2) + mu_eff));
        let c_sigma = (mu_eff + 2.0) / (n_f + mu_eff + 5.0);
        let alpha = match active {
            true => (1.0 + c_1 / c_mu)
                .min(1.0 + 2.0 * effective(&raw[mu..]) / (mu_eff + 2.0))
                .min((1.0 - c_1 - c_mu) / (n_f * c_mu)),
            false => 0.0,
        };
        let positive: f64 = raw.iter().filter(|w| **w > 0.0).sum();
        let negative: f64 = -raw.iter().filter(|w| **w < 0.0).sum::<f64>();
        let scaled = |w: &f64| if *w >= 0.0 { w / positive } else { alpha * w / negative };
        CmaParameters {
            weights: raw.iter().map(scaled).collect(),
            mu,
            mu_eff,
            c_sigma,
            d_sigma: 1.0 + 2.0 * (((mu_eff - 1.0) / (n_f + 1.0)).sqrt() - 1.0).max(0.0) + c_sigma,
            c_c: (4.0 + mu_eff / n_f) / (n_f + 4.0 + 2.0 * mu_eff / n_f),
            c_1,
            c_mu,
            chi_n: n_f.sqrt() * (1.0 - 1.0 / (4.0 * n_f) + 1.0 / (21.0 * n_f * n_f)),
        }
    }
}
