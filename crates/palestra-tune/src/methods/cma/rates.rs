//! Learning rates that follow the ratio of signal to noise: LRA-CMA-ES (Nomura, Akimoto and Ono, "CMA-ES with
//! Learning Rate Adaptation", 2023, arXiv 2304.03473), whose symbols are kept.

use super::linear::{Axes, length, product, times};
use nalgebra::DMatrix;

/// α: the signal-to-noise ratio at which a rate does not change.
const ALPHA: f64 = 1.4;
/// γ: how fast a rate follows the ratio.
const GAMMA: f64 = 0.1;
/// β of the moving average of mean steps.
const BETA_MEAN: f64 = 0.1;
/// β of the moving average of covariance steps.
const BETA_COVARIANCE: f64 = 0.03;

/// The rates of the mean and of the covariance matrix.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct LearningRates {
    pub(crate) mean: AdaptiveRate,
    pub(crate) covariance: AdaptiveRate,
}

/// One rate with its moving averages.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct AdaptiveRate {
    /// η, from 0 to 1.
    pub(crate) eta: f64,
    beta: f64,
    average: Vec<f64>,
    square: f64,
}

/// The distribution before or after an update.
#[derive(Clone, Debug)]
pub(super) struct CmaDistribution {
    pub(super) mean: Vec<f64>,
    pub(super) sigma: f64,
    pub(super) covariance: DMatrix<f64>,
}

impl LearningRates {
    pub(super) fn new(n: usize) -> LearningRates {
        let rate = |n, beta| AdaptiveRate { eta: 1.0, beta, average: vec![0.0; n], square: 0.0 };
        LearningRates { mean: rate(n, BETA_MEAN), covariance: rate(n * n, BETA_COVARIANCE) }
    }

    /// Shortens the step from `before`, whose axes are `axes`, to `after`, by the adapted rates.
    pub(super) fn temper(
        &mut self,
        before: &CmaDistribution,
        axes: &Axes,
        after: &CmaDistribution,
    ) -> CmaDistribution {
        let n = before.mean.len();
        let full = |shape: &CmaDistribution| &shape.covariance * (shape.sigma * shape.sigma);
        let root = axes.with(|length| 1.0 / (length * before.sigma));
        let mean_step: Vec<f64> = after.mean.iter().zip(&before.mean).map(|(a, b)| a - b).collect();
        let covariance_step = full(after) - full(before);
        let local = product(&root, &product(&covariance_step, &root)) / 2f64.sqrt();

        let eta_before = self.mean.eta;
        self.mean.learn(&times(&root, &mean_step));
        self.covariance.learn(local.as_slice());

        let step = |(b, step): (&f64, &f64)| b + self.mean.eta * step;
        let mean = before.mean.iter().zip(&mean_step).map(step).collect();
        let covariance = full(before) + covariance_step * self.covariance.eta;
        let logs: f64 = Axes::of(&covariance).lengths.iter().map(|length| length.ln()).sum();
        let sigma = (logs / n as f64).exp();
        let covariance = covariance / (sigma * sigma);
        // Step-size correction: a smaller rate of the mean allows a larger sigma.
        CmaDistribution { mean, sigma: sigma * eta_before / self.mean.eta, covariance }
    }
}

impl AdaptiveRate {
    fn learn(&mut self, step: &[f64]) {
        let beta = self.beta;
        for (average, x) in self.average.iter_mut().zip(step) {
            *average = (1.0 - beta) * *average + beta * x;
        }
        self.square = (1.0 - beta) * self.square + beta * length(step).powi(2);
        let signal = length(&self.average).powi(2);
        let noise = self.square - signal;
        if noise <= 0.0 {
            return; // No step yet.
        }
        let ratio = (signal - beta / (2.0 - beta) * self.square) / noise;
        let change = (ratio / ALPHA / self.eta - 1.0).clamp(-1.0, 1.0);
        self.eta = (self.eta * ((GAMMA * self.eta).min(beta) * change).exp()).min(1.0);
    }
}
