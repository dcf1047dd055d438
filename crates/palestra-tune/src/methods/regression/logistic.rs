//! Logistic regression of results on positions, by Newton's method. For fixed positions the log loss of a linear
//! evaluation is convex, so that it has one minimum (squared errors through a sigmoid may have several).

use super::samples::Samples;
use nalgebra::{Cholesky, DMatrix, DVector};

/// Smallest ridge: keeps the coefficients of uninformative columns bounded.
const MIN_RIDGE: f64 = 1e-9;

/// Result of a fit.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct LogisticFit {
    /// One coefficient for each column; 0 for constant columns except the column of ones.
    pub(super) coefficients: Vec<f64>,
    /// Mean log loss over positions, in nats, without the ridge.
    pub(super) log_loss: f64,
    /// Whether every position of a decided game is on the side of its result. The length of the weights is then
    /// determined by the ridge, and only their direction is meaningful.
    pub(super) separable: bool,
    /// The largest entry of the last gradient.
    pub(super) gradient: f64,
}

/// The probability of a win at an evaluation in logits.
pub(super) fn win_probability(logit: f64) -> f64 {
    1.0 / (1.0 + (-logit).exp())
}

/// The problem in columns that vary, scaled to standard deviation 1.
struct LogisticProblem<'a> {
    samples: &'a Samples,
    /// For each column in use: its number, the factor that scales it, and its ridge.
    columns: Vec<(usize, f64, f64)>,
}

impl LogisticProblem<'_> {
    fn scaled(&self, i: usize) -> impl Iterator<Item = f64> + '_ {
        let row = self.samples.row(i);
        self.columns.iter().map(|(column, factor, _)| row[*column] * factor)
    }

    fn logit(&self, i: usize, beta: &DVector<f64>) -> f64 {
        self.scaled(i).zip(beta.iter()).map(|(x, b)| x * b).sum()
    }

    fn log_loss(&self, beta: &DVector<f64>) -> f64 {
        let loss = |i| {
            let (logit, result): (f64, f64) = (self.logit(i, beta), self.samples.results[i]);
            // ln(1 + e^x) - z x, without overflow.
            logit.max(0.0) + (-logit.abs()).exp().ln_1p() - result * logit
        };
        (0..self.samples.len()).map(loss).sum::<f64>() / self.samples.len() as f64
    }

    fn objective(&self, beta: &DVector<f64>) -> f64 {
        let ridge = |(b, (_, _, ridge)): (&f64, &(usize, f64, f64))| ridge / 2.0 * b * b;
        self.log_loss(beta) + beta.iter().zip(&self.columns).map(ridge).sum::<f64>()
    }

    /// Gradient and Hessian of the objective; only the lower half of the Hessian is filled.
    fn derivatives(&self, beta: &DVector<f64>) -> (DVector<f64>, DMatrix<f64>) {
        let p = self.columns.len();
        let (mut slope, mut curvature) = (DVector::zeros(p), DMatrix::zeros(p, p));
        let mut row = vec![0.0; p];
        for i in 0..self.samples.len() {
            row.iter_mut().zip(self.scaled(i)).for_each(|(x, scaled)| *x = scaled);
            let predicted = win_probability(row.iter().zip(beta.iter()).map(|(x, b)| x * b).sum());
            let (error, variance) = (predicted - self.samples.results[i], predicted * (1.0 - predicted));
            for (a, x) in row.iter().enumerate() {
                slope[a] += error * x;
                for (b, y) in row.iter().enumerate().take(a + 1) {
                    curvature[(a, b)] += variance * x * y;
                }
            }
        }
        let n = self.samples.len() as f64;
        (slope, curvature) = (slope / n, curvature / n);
        for (a, (_, _, ridge)) in self.columns.iter().enumerate() {
            slope[a] += ridge * beta[a];
            curvature[(a, a)] += ridge;
        }
        (slope, curvature)
    }
}

/// Fits the results; `None` where there is nothing to learn: no position, games with equal results, or no feature
/// that varies. Features are penalized by `ridge / 2` times their squared coefficients, in standard deviations.
pub(super) fn fit(samples: &Samples, ridge: f64) -> Option<LogisticFit> {
    let deviations = samples.deviations();
    let n_features = samples.n_features();
    if !samples.is_varied() || deviations[..n_features].iter().all(|deviation| *deviation == 0.0) {
        return None;
    }
    let one = n_features + 1;
    let column = |(i, deviation): (usize, &f64)| match () {
        () if i == one => Some((i, 1.0, MIN_RIDGE)),
        () if *deviation == 0.0 => None,
        () => Some((i, 1.0 / deviation, if i < n_features { ridge.max(MIN_RIDGE) } else { MIN_RIDGE })),
    };
    let columns: Vec<(usize, f64, f64)> = deviations.iter().enumerate().filter_map(column).collect();
    let problem = LogisticProblem { samples, columns };

    let mut beta = DVector::zeros(problem.columns.len());
    let mut objective = problem.objective(&beta);
    let mut gradient = f64::INFINITY;
    for _ in 0..100 {
        let (slope, curvature) = problem.derivatives(&beta);
        gradient = slope.amax();
        if gradient < 1e-12 {
            break;
        }
        // Only the lower half is read. The ridge makes it positive definite, unless a feature is huge or not finite.
        let step = Cholesky::new(curvature)?.solve(&slope);
        let shorter = (0..40).map(|halvings| &beta - &step * 0.5f64.powi(halvings));
        let better = shorter.map(|beta| (problem.objective(&beta), beta)).find(|(less, _)| *less < objective);
        let Some((less, next)) = better else { break };
        (objective, beta) = (less, next);
    }

    let mut coefficients = vec![0.0; n_features + super::samples::EXTRA_COLUMNS];
    for (b, (column, factor, _)) in beta.iter().zip(&problem.columns) {
        coefficients[*column] = b * factor;
    }
    let is_correct = |i: usize| (samples.results[i] - 0.5) * problem.logit(i, &beta) > 0.0;
    let separable = (0..samples.len()).filter(|i| samples.results[*i] != 0.5).all(is_correct);
    let useful = coefficients[..n_features].iter().any(|weight| *weight != 0.0);
    let finite = coefficients.iter().all(|weight| weight.is_finite());
    let log_loss = problem.log_loss(&beta);
    (useful && finite).then_some(LogisticFit { coefficients, log_loss, separable, gradient })
}
