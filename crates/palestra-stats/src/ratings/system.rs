//! The information that results hold about ratings, as a matrix, and its inverse, the covariance.
//!
//! Up to some hundred players the matrix is kept whole and inverted. Beyond, it is used through its meetings only:
//! equations are solved by conjugate gradients, and the diagonal of the inverse is estimated from random signs.

use super::Advantage;
use super::groups::Groups;
use super::model::{BradleyTerry, ELO};
use crate::elo::NORMAL_QUANTILE;
use nalgebra::{Cholesky, DMatrix, DVector, Dyn};
use palestra_core::Seed;
use rand::RngExt as _;

/// Up to so many players the matrix is kept whole.
pub(super) const LARGEST_WHOLE: usize = 300;

/// Random signs for the diagonal of a large inverse: errors are then right to about 2 %. Where players hang together
/// by few games each equation takes many rounds, and so that nobody waits for minutes there are fewer.
const MOST_SIGNS: u64 = 256;
const FEWEST_SIGNS: u64 = 40;
const MOST_ROUNDS: usize = 30_000;

/// How small the rest of an equation must become, squared and relative to all of it; less will do where random signs
/// are noisier anyway.
const EXACT: f64 = 1e-24;
const ROUGH: f64 = 1e-7;

/// Equations with the information at one place.
pub(super) struct InformationSolver {
    weights: Vec<f64>,
    advantage_weight: f64,
    diagonal: Vec<f64>,
    whole: Option<DenseFactor>,
}

/// The matrix, scaled to a diagonal of ones, with the free mean of each group held by a stiffness of its own.
struct DenseFactor {
    scale: DVector<f64>,
    factor: Cholesky<f64, Dyn>,
}

impl InformationSolver {
    pub(super) fn at(model: &BradleyTerry, groups: &Groups, theta: &[f64]) -> InformationSolver {
        let (weights, advantage_weight) = model.weights(theta);
        let mut diagonal = vec![0.0; model.n + 1];
        for (meeting, weight) in model.totals.iter().zip(&weights) {
            diagonal[meeting.first] += weight;
            diagonal[meeting.second] += weight;
            diagonal[model.n] += if meeting.sided { *weight } else { 0.0 };
        }
        diagonal[model.n] += advantage_weight;
        for (i, value) in diagonal.iter_mut().enumerate() {
            let held = if i < model.n { model.fixed[i].is_some() } else { !model.has_advantage };
            if held || *value <= 0.0 {
                *value = 1.0;
            }
        }
        let mut solver = InformationSolver { weights, advantage_weight, diagonal, whole: None };
        if model.n <= LARGEST_WHOLE {
            solver.whole = solver.factorize(model, groups);
        }
        solver
    }

    /// The direction that this slope leads to, with mean zero in groups without anchors.
    pub(super) fn solve(&self, model: &BradleyTerry, groups: &Groups, slope: &[f64]) -> Vec<f64> {
        self.solve_to(model, groups, slope, EXACT).0
    }

    fn solve_to(&self, model: &BradleyTerry, groups: &Groups, slope: &[f64], rest: f64) -> (Vec<f64>, usize) {
        let mut slope = slope.to_vec();
        model.hold(&mut slope);
        groups.center(&mut slope);
        let (mut solution, rounds) = match &self.whole {
            Some(whole) => {
                let scaled = DVector::from_vec(slope).component_mul(&whole.scale);
                (whole.factor.solve(&scaled).component_mul(&whole.scale).as_slice().to_vec(), 1)
            }
            None => self.iterate(model, slope, rest),
        };
        groups.center(&mut solution);
        (solution, rounds)
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

    /// The matrix times a direction; what is held neither moves nor pulls.
    fn product(&self, model: &BradleyTerry, direction: &[f64]) -> Vec<f64> {
        let mut free = direction.to_vec();
        model.hold(&mut free);
        let mut product = vec![0.0; model.n + 1];
        for (meeting, weight) in model.totals.iter().zip(&self.weights) {
            let pull = weight * model.odds(meeting, &free);
            product[meeting.first] += pull;
            product[meeting.second] -= pull;
            product[model.n] += if meeting.sided { pull } else { 0.0 };
        }
        product[model.n] += self.advantage_weight * free[model.n];
        model.hold(&mut product);
        product
    }

    /// Conjugate gradients, each player scaled by its own information; and how many rounds they took.
    fn iterate(&self, model: &BradleyTerry, mut rest: Vec<f64>, share: f64) -> (Vec<f64>, usize) {
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let scaled = |rest: &[f64]| -> Vec<f64> {
            rest.iter().zip(&self.diagonal).map(|(value, diagonal)| value / diagonal).collect()
        };
        let mut solution = vec![0.0; rest.len()];
        let mut step = scaled(&rest);
        let mut size = dot(&rest, &step);
        let enough = share * size;
        let mut rounds = 0;
        while rounds < 4 * rest.len() + 100 && size > enough && size.is_normal() {
            rounds += 1;
            let product = self.product(model, &step);
            let curvature = dot(&step, &product);
            if curvature <= 0.0 {
                break;
            }
            let length = size / curvature;
            for i in 0..rest.len() {
                solution[i] += length * step[i];
                rest[i] -= length * product[i];
            }
            let better = scaled(&rest);
            let ratio = dot(&rest, &better) / size;
            size *= ratio;
            step = better.iter().zip(&step).map(|(better, step)| better + ratio * step).collect();
        }
        (solution, rounds)
    }

    /// The variance of every rating and of the advantage, by E[q · Mq] over random signs q. What a step to a
    /// neighbor adds to that is known exactly, has no diagonal, and is taken out: most of the noise goes with it.
    fn variances(&self, model: &BradleyTerry, groups: &Groups) -> Vec<f64> {
        let mut sums = vec![0.0; model.n + 1];
        let (mut n_signs, mut n_rounds) = (0, 0);
        while n_signs < MOST_SIGNS && (n_rounds < MOST_ROUNDS || n_signs < FEWEST_SIGNS) {
            let mut rng = Seed(n_signs).rng();
            let mut signs: Vec<f64> =
                (0..=model.n).map(|_| if rng.random::<bool>() { 1.0 } else { -1.0 }).collect();
            model.hold(&mut signs);
            let (solution, rounds) = self.solve_to(model, groups, &signs, ROUGH);
            n_signs += 1;
            n_rounds += rounds;
            let mut neighbors = vec![0.0; model.n + 1];
            for (meeting, weight) in model.totals.iter().zip(&self.weights) {
                let (i, j) = (meeting.first, meeting.second);
                let pull = weight / (self.diagonal[i] * self.diagonal[j]);
                neighbors[i] += pull * signs[j];
                neighbors[j] += pull * signs[i];
            }
            for i in 0..=model.n {
                sums[i] += signs[i] * (solution[i] - neighbors[i]);
            }
        }
        for (i, sum) in sums.iter_mut().enumerate().take(model.n) {
            // No rating is better known than if all opponents' were certain.
            let share = 1.0 - 1.0 / groups.size[groups.of[i]] as f64;
            let least = if model.fixed[i].is_some() { 0.0 } else { share * share / self.diagonal[i] };
            *sum = (*sum / n_signs as f64).max(least);
        }
        // The advantage is one number: it is worth an equation of its own.
        let mut unit = vec![0.0; model.n + 1];
        unit[model.n] = 1.0;
        sums[model.n] = self.solve(model, groups, &unit)[model.n];
        sums
    }
}

/// The ratings with all that is known about their errors.
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
        let inverse = solver.whole.is_some().then(|| {
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

    /// The variance of a rating relative to its group's mean or anchors.
    pub(super) fn variance(&self, i: usize) -> f64 {
        self.variances[i].max(0.0)
    }

    /// The covariances of one rating with all, and with the advantage behind them.
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
                let mut apart = vec![0.0; model.n + 1];
                (apart[i], apart[j]) = (1.0, -1.0);
                let found = InformationSolver::at(model, &self.groups, &self.theta).solve(
                    model,
                    &self.groups,
                    &apart,
                );
                found[i] - found[j]
            }
        };
        variance.max(0.0)
    }

    pub(super) fn is_whole(&self) -> bool {
        self.inverse.is_some()
    }

    pub(super) fn advantage(&self, model: &BradleyTerry) -> Option<Advantage> {
        let error = NORMAL_QUANTILE * ELO * self.variances[model.n].max(0.0).sqrt();
        model.has_advantage.then(|| Advantage { elo: ELO * self.theta[model.n], error })
    }
}
