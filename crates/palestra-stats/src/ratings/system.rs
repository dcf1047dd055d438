//! The Fisher information matrix of the ratings, and its inverse, the covariance.
//!
//! Up to a few hundred players the matrix is dense and inverted. Beyond that it is stored as one weight per pair of
//! players: equations are solved by conjugate gradients, and the diagonal of the inverse is estimated from random
//! signs.

use super::Advantage;
use super::groups::Groups;
use super::model::{BradleyTerry, ELO};
use crate::elo::NORMAL_QUANTILE;
use nalgebra::{Cholesky, DMatrix, DVector, Dyn};
use palestra_core::Seed;
use rand::RngExt as _;

/// Up to this number of players the matrix is dense.
pub(super) const MAX_DENSE: usize = 300;

/// Number of random sign vectors for the diagonal of a large inverse: with 256 the errors are right to about 2 %. Where
/// few games connect the players, each equation takes many iterations, so the total number of iterations is limited.
const MAX_SIGNS: u64 = 256;
const MIN_SIGNS: u64 = 40;
const MAX_ITERATIONS: usize = 30_000;

/// Tolerances: squared residual relative to that of the start. The larger one is for random signs, whose noise is
/// larger anyway.
const EXACT: f64 = 1e-24;
const ROUGH: f64 = 1e-7;

/// Solves linear equations with the information matrix at given ratings.
pub(super) struct InformationSolver {
    weights: Vec<f64>,
    advantage_weight: f64,
    diagonal: Vec<f64>,
    dense: Option<DenseFactor>,
}

/// Cholesky factor of the matrix, scaled to a diagonal of ones. A stiffness on the mean of each group without anchors
/// makes it regular.
struct DenseFactor {
    scale: DVector<f64>,
    factor: Cholesky<f64, Dyn>,
}

impl InformationSolver {
    pub(super) fn at(model: &BradleyTerry, groups: &Groups, theta: &[f64]) -> InformationSolver {
        let (weights, advantage_weight) = model.weights(theta);
        let mut diagonal = vec![0.0; model.n + 1];
        for (pair, weight) in model.totals.iter().zip(&weights) {
            diagonal[pair.first] += weight;
            diagonal[pair.second] += weight;
            diagonal[model.n] += if pair.sided { *weight } else { 0.0 };
        }
        diagonal[model.n] += advantage_weight;
        for (i, value) in diagonal.iter_mut().enumerate() {
            let held = if i < model.n { model.fixed[i].is_some() } else { !model.has_advantage };
            if held || *value <= 0.0 {
                *value = 1.0;
            }
        }
        let mut solver = InformationSolver { weights, advantage_weight, diagonal, dense: None };
        if model.n <= MAX_DENSE {
            solver.dense = solver.factorize(model, groups);
        }
        solver
    }

    /// The solution for a right side `slope`, with mean zero in groups without anchors.
    pub(super) fn solve(&self, model: &BradleyTerry, groups: &Groups, slope: &[f64]) -> Vec<f64> {
        self.solve_to(model, groups, slope, EXACT).0
    }

    fn solve_to(
        &self,
        model: &BradleyTerry,
        groups: &Groups,
        slope: &[f64],
        tolerance: f64,
    ) -> (Vec<f64>, usize) {
        let mut slope = slope.to_vec();
        model.hold(&mut slope);
        groups.center(&mut slope);
        let (mut solution, iterations) = match &self.dense {
            Some(dense) => {
                let scaled = DVector::from_vec(slope).component_mul(&dense.scale);
                (dense.factor.solve(&scaled).component_mul(&dense.scale).as_slice().to_vec(), 1)
            }
            None => self.iterate(model, slope, tolerance),
        };
        groups.center(&mut solution);
        (solution, iterations)
    }

    fn factorize(&self, model: &BradleyTerry, groups: &Groups) -> Option<DenseFactor> {
        let size = model.n + 1;
        let mut matrix = DMatrix::zeros(size, size);
        for i in 0..size {
            let unit = (0..size).map(|j| f64::from(u8::from(i == j))).collect::<Vec<f64>>();
            matrix.set_column(i, &DVector::from_vec(self.product(model, &unit)));
        }
        for i in 0..size {
            if matrix[(i, i)] == 0.0 {
                matrix[(i, i)] = f64::from(u8::from(i == model.n || groups.anchored[groups.of[i]]));
            }
        }
        let mut stiffness = vec![0.0; groups.n];
        for i in 0..model.n {
            stiffness[groups.of[i]] += self.diagonal[i] / groups.size[groups.of[i]] as f64;
        }
        for i in 0..model.n {
            let group = groups.of[i];
            for j in (0..model.n).filter(|&j| groups.of[j] == group && !groups.anchored[group]) {
                matrix[(i, j)] += stiffness[group] / groups.size[group] as f64;
            }
        }
        let scale = matrix.diagonal().map(|value: f64| 1.0 / value.sqrt());
        for i in 0..size {
            for j in 0..size {
                matrix[(i, j)] *= scale[i] * scale[j];
            }
        }
        Cholesky::new(matrix).map(|factor| DenseFactor { scale, factor })
    }

    /// The matrix times a direction; components of constants are 0.
    fn product(&self, model: &BradleyTerry, direction: &[f64]) -> Vec<f64> {
        let mut free = direction.to_vec();
        model.hold(&mut free);
        let mut product = vec![0.0; model.n + 1];
        for (pair, weight) in model.totals.iter().zip(&self.weights) {
            let flow = weight * model.odds(pair, &free);
            product[pair.first] += flow;
            product[pair.second] -= flow;
            product[model.n] += if pair.sided { flow } else { 0.0 };
        }
        product[model.n] += self.advantage_weight * free[model.n];
        model.hold(&mut product);
        product
    }

    /// Conjugate gradients with a diagonal preconditioner; returns the solution and the number of iterations.
    fn iterate(&self, model: &BradleyTerry, mut residual: Vec<f64>, tolerance: f64) -> (Vec<f64>, usize) {
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let scaled = |residual: &[f64]| -> Vec<f64> {
            residual.iter().zip(&self.diagonal).map(|(value, diagonal)| value / diagonal).collect()
        };
        let mut solution = vec![0.0; residual.len()];
        let mut step = scaled(&residual);
        let mut size = dot(&residual, &step);
        let enough = tolerance * size;
        let mut iterations = 0;
        while iterations < 4 * residual.len() + 100 && size > enough && size.is_normal() {
            iterations += 1;
            let product = self.product(model, &step);
            let curvature = dot(&step, &product);
            if curvature <= 0.0 {
                break;
            }
            let length = size / curvature;
            for i in 0..residual.len() {
                solution[i] += length * step[i];
                residual[i] -= length * product[i];
            }
            let better = scaled(&residual);
            let ratio = dot(&residual, &better) / size;
            size *= ratio;
            step = better.iter().zip(&step).map(|(better, step)| better + ratio * step).collect();
        }
        (solution, iterations)
    }

    /// The variance of every rating and of the advantage: the mean of qᵢ(Mq)ᵢ over random signs q. The first-order
    /// contribution of neighbors has mean 0 and is known exactly, so it is subtracted, which removes most of the noise.
    fn variances(&self, model: &BradleyTerry, groups: &Groups) -> Vec<f64> {
        let mut sums = vec![0.0; model.n + 1];
        let (mut n_signs, mut n_iterations) = (0, 0);
        while n_signs < MAX_SIGNS && (n_iterations < MAX_ITERATIONS || n_signs < MIN_SIGNS) {
            let mut rng = Seed(n_signs).rng();
            let mut signs: Vec<f64> =
                (0..=model.n).map(|_| if rng.random::<bool>() { 1.0 } else { -1.0 }).collect();
            model.hold(&mut signs);
            let (solution, iterations) = self.solve_to(model, groups, &signs, ROUGH);
            n_signs += 1;
            n_iterations += iterations;
            let mut neighbors = vec![0.0; model.n + 1];
            for (pair, weight) in model.totals.iter().zip(&self.weights) {
                let (i, j) = (pair.first, pair.second);
                let flow = weight / (self.diagonal[i] * self.diagonal[j]);
                neighbors[i] += flow * signs[j];
                neighbors[j] += flow * signs[i];
            }
            for i in 0..=model.n {
                sums[i] += signs[i] * (solution[i] - neighbors[i]);
            }
        }
        for (i, sum) in sums.iter_mut().enumerate().take(model.n) {
            // Lower bound: the variance if all opponents' ratings were exact.
            let share = 1.0 - 1.0 / groups.size[groups.of[i]] as f64;
            let min = if model.fixed[i].is_some() { 0.0 } else { share * share / self.diagonal[i] };
            *sum = (*sum / n_signs as f64).max(min);
        }
        // The advantage is a single number, so its variance is solved exactly.
        let mut unit = vec![0.0; model.n + 1];
        unit[model.n] = 1.0;
        sums[model.n] = self.solve(model, groups, &unit)[model.n];
        sums
    }
}

/// The ratings with their covariance.
#[derive(Clone, Debug)]
pub(super) struct RatingCovariance {
    pub(super) theta: Vec<f64>,
    groups: Groups,
    inverse: Option<DMatrix<f64>>,
    variances: Vec<f64>,
}

impl RatingCovariance {
    pub(super) fn at(model: &BradleyTerry, groups: &Groups, theta: Vec<f64>) -> RatingCovariance {
        let solver = InformationSolver::at(model, groups, &theta);
        let inverse = solver.dense.is_some().then(|| {
            let unit = |i: usize| (0..=model.n).map(move |j| f64::from(u8::from(i == j)));
            let columns = (0..=model.n).map(|i| solver.solve(model, groups, &unit(i).collect::<Vec<f64>>()));
            DMatrix::from_vec(model.n + 1, model.n + 1, columns.flatten().collect())
        });
        let variances = match &inverse {
            Some(inverse) => inverse.diagonal().iter().copied().collect(),
            None => solver.variances(model, groups),
        };
        RatingCovariance { theta, groups: groups.clone(), inverse, variances }
    }

    /// The variance of a rating relative to the mean or the anchors of its group.
    pub(super) fn variance(&self, i: usize) -> f64 {
        self.variances[i].max(0.0)
    }

    /// The covariances of one rating with all ratings, followed by that with the advantage.
    pub(super) fn column(&self, model: &BradleyTerry, i: usize) -> Vec<f64> {
        if let Some(inverse) = &self.inverse {
            return inverse.column(i).iter().copied().collect();
        }
        let mut unit = vec![0.0; model.n + 1];
        unit[i] = 1.0;
        InformationSolver::at(model, &self.groups, &self.theta).solve(model, &self.groups, &unit)
    }

    pub(super) fn variance_of_difference(&self, model: &BradleyTerry, i: usize, j: usize) -> f64 {
        let variance = match &self.inverse {
            Some(inverse) => inverse[(i, i)] + inverse[(j, j)] - inverse[(i, j)] - inverse[(j, i)],
            None => {
                let mut contrast = vec![0.0; model.n + 1];
                (contrast[i], contrast[j]) = (1.0, -1.0);
                let solution = InformationSolver::at(model, &self.groups, &self.theta).solve(
                    model,
                    &self.groups,
                    &contrast,
                );
                solution[i] - solution[j]
            }
        };
        variance.max(0.0)
    }

    pub(super) fn is_dense(&self) -> bool {
        self.inverse.is_some()
    }

    pub(super) fn advantage(&self, model: &BradleyTerry) -> Option<Advantage> {
        let error = NORMAL_QUANTILE * ELO * self.variances[model.n].max(0.0).sqrt();
        model.has_advantage.then(|| Advantage { elo: ELO * self.theta[model.n], error })
    }
}
