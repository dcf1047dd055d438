//! The distribution of CMA-ES: Hansen's (μ/μ_w, λ)-CMA-ES with rank-one and rank-μ update and cumulative
//! step-size adaptation. The readable form is the tutorial's (arXiv 1604.00772); numbers agree with the Python package
//! `cmaes` 0.13, see the tests.

mod linear;
mod parameters;
mod rates;
#[cfg(test)]
mod tests;

use linear::{Axes, add_outer, length, times};
use nalgebra::DMatrix;
use parameters::CmaParameters;
use rates::{CmaDistribution, LearningRates};

/// Mean, step size and covariance matrix, with the evolution paths that their update needs.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct CmaState {
    parameters: CmaParameters,
    /// The mean of the distribution.
    pub(crate) mean: Vec<f64>,
    /// The step size.
    pub(crate) sigma: f64,
    covariance: DMatrix<f64>,
    axes: Axes,
    path_sigma: Vec<f64>,
    path_c: Vec<f64>,
    /// The learning rates, where they adapt.
    pub(crate) rates: Option<LearningRates>,
    /// Number of updates.
    pub(crate) generation: u64,
}

impl CmaState {
    /// An isotropic distribution around `mean`. `active` uses the worse half with negative weights; `adapt` lowers the
    /// learning rates under noise.
    pub(crate) fn new(mean: Vec<f64>, sigma: f64, lambda: usize, active: bool, adapt: bool) -> CmaState {
        let n = mean.len();
        let covariance = DMatrix::identity(n, n);
        CmaState {
            parameters: CmaParameters::new(n, lambda, active),
            sigma,
            axes: Axes::of(&covariance),
            covariance,
            path_sigma: vec![0.0; n],
            path_c: vec![0.0; n],
            rates: adapt.then(|| LearningRates::new(n)),
            generation: 0,
            mean,
        }
    }

    /// The sample of the distribution for the standard normal numbers `z`.
    pub(crate) fn point(&self, z: &[f64]) -> Vec<f64> {
        let stretched = self.axes.stretch(z);
        self.mean.iter().zip(stretched).map(|(mean, y)| mean + self.sigma * y).collect()
    }

    /// Moves toward the points with the largest fitness. Among equals the earlier point ranks higher; a NaN fitness
    /// ranks lowest.
    pub(crate) fn update(&mut self, points: &[Vec<f64>], fitness: &[f64]) {
        let p = &self.parameters;
        assert_eq!(
            (points.len(), fitness.len()),
            (p.weights.len(), p.weights.len()),
            "one fitness for each candidate"
        );
        let n = self.mean.len();
        let value = |i: &usize| if fitness[*i].is_nan() { f64::NEG_INFINITY } else { fitness[*i] };
        let mut order: Vec<usize> = (0..points.len()).collect();
        order.sort_by(|a, b| value(b).total_cmp(&value(a)));
        let step = |i: &usize| -> Vec<f64> {
            points[*i].iter().zip(&self.mean).map(|(x, mean)| (x - mean) / self.sigma).collect()
        };
        let steps: Vec<Vec<f64>> = order.iter().map(step).collect();
        self.generation += 1;

        // The mean.
        let mut middle = vec![0.0; n];
        for (weight, step) in p.weights.iter().zip(&steps).take(p.mu) {
            middle.iter_mut().zip(step).for_each(|(sum, y)| *sum += weight * y);
        }
        let mean = self.mean.iter().zip(&middle).map(|(mean, y)| mean + self.sigma * y).collect();

        // The step size.
        let inverse_root = self.axes.with(|length| 1.0 / length);
        let gain = (p.c_sigma * (2.0 - p.c_sigma) * p.mu_eff).sqrt();
        for (path, y) in self.path_sigma.iter_mut().zip(times(&inverse_root, &middle)) {
            *path = (1.0 - p.c_sigma) * *path + gain * y;
        }
        let path_length = length(&self.path_sigma);
        let growth = (p.c_sigma / p.d_sigma * (path_length / p.chi_n - 1.0)).exp();
        let sigma = self.sigma * growth;

        // The covariance matrix. Its path stalls while the step size grows fast (h_sigma of the tutorial).
        let settled = 1.0 - (1.0 - p.c_sigma).powf(2.0 * (self.generation as f64 + 1.0));
        let stall = path_length / settled.sqrt() >= (1.4 + 2.0 / (n as f64 + 1.0)) * p.chi_n;
        let gain = if stall { 0.0 } else { (p.c_c * (2.0 - p.c_c) * p.mu_eff).sqrt() };
        for (path, y) in self.path_c.iter_mut().zip(&middle) {
            *path = (1.0 - p.c_c) * *path + gain * y;
        }
        let made_up = if stall { p.c_c * (2.0 - p.c_c) } else { 0.0 };
        let kept = 1.0 + p.c_1 * made_up - p.c_1 - p.c_mu * p.weights.iter().sum::<f64>();
        let mut covariance = &self.covariance * kept;
        add_outer(&mut covariance, p.c_1, &self.path_c);
        for (weight, step) in p.weights.iter().zip(&steps).filter(|(weight, _)| **weight != 0.0) {
            let factor = match *weight >= 0.0 {
                true => 1.0,
                false => n as f64 / (length(&times(&inverse_root, step)).powi(2) + 1e-8),
            };
            add_outer(&mut covariance, p.c_mu * weight * factor, step);
        }

        let mut after = CmaDistribution { mean, sigma, covariance };
        if let Some(rates) = &mut self.rates {
            let covariance = std::mem::replace(&mut self.covariance, DMatrix::zeros(0, 0));
            let before =
                CmaDistribution { mean: std::mem::take(&mut self.mean), sigma: self.sigma, covariance };
            after = rates.temper(&before, &self.axes, &after);
        }
        (self.mean, self.sigma, self.covariance) = (after.mean, after.sigma, after.covariance);
        self.axes = Axes::of(&self.covariance);
    }

    /// Keeps the standard deviation along the longest axis within bounds.
    pub(crate) fn bound(&mut self, least: f64, most: f64) {
        let longest = self.axes.extent().0;
        self.sigma = self.sigma.clamp(least / longest, most / longest);
    }

    /// The ratio of the longest to the shortest axis, squared.
    pub(crate) fn condition(&self) -> f64 {
        let (longest, shortest) = self.axes.extent();
        (longest / shortest).powi(2)
    }
}
