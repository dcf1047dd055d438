//! Linear algebra in plain loops: the matrix product of a library may round differently on another machine, and the
//! same seed must give the same bytes everywhere.

use nalgebra::{DMatrix, SymmetricEigen};

/// Adds `factor · a aᵀ` to a matrix.
pub(super) fn add_outer(matrix: &mut DMatrix<f64>, factor: f64, a: &[f64]) {
    for (i, x) in a.iter().enumerate() {
        for (j, y) in a.iter().enumerate() {
            matrix[(i, j)] += factor * (x * y);
        }
    }
}

/// A matrix times a vector.
pub(super) fn times(matrix: &DMatrix<f64>, vector: &[f64]) -> Vec<f64> {
    let row = |i| vector.iter().enumerate().map(|(j, x)| matrix[(i, j)] * x).sum();
    (0..matrix.nrows()).map(row).collect()
}

/// The product of two square matrices.
pub(super) fn product(a: &DMatrix<f64>, b: &DMatrix<f64>) -> DMatrix<f64> {
    DMatrix::from_fn(a.nrows(), b.ncols(), |i, j| (0..a.ncols()).map(|k| a[(i, k)] * b[(k, j)]).sum())
}

/// The length of a vector.
pub(super) fn length(vector: &[f64]) -> f64 {
    vector.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// A covariance matrix as axes: directions, and the standard deviation along each.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Axes {
    directions: DMatrix<f64>,
    pub(crate) lengths: Vec<f64>,
}

impl Axes {
    /// The axes of a covariance matrix. Eigenvalues that rounding made 0 or negative become 1e-16.
    pub(crate) fn of(covariance: &DMatrix<f64>) -> Axes {
        let eigen = SymmetricEigen::new((covariance + covariance.transpose()) * 0.5);
        let lengths = eigen.eigenvalues.iter().map(|value| if *value > 0.0 { *value } else { 1e-16 }.sqrt());
        Axes { lengths: lengths.collect(), directions: eigen.eigenvectors }
    }

    /// The matrix with the same eigenvectors and the eigenvalues `f(length)`.
    pub(super) fn with(&self, f: impl Fn(f64) -> f64) -> DMatrix<f64> {
        let n = self.lengths.len();
        let mut matrix = DMatrix::zeros(n, n);
        for (k, length) in self.lengths.iter().enumerate() {
            add_outer(&mut matrix, f(*length), self.directions.column(k).as_slice());
        }
        matrix
    }

    /// Scales standard normal numbers by the lengths of the axes and rotates them: a sample with this covariance.
    pub(super) fn stretch(&self, z: &[f64]) -> Vec<f64> {
        let scaled: Vec<f64> = z.iter().zip(&self.lengths).map(|(z, length)| z * length).collect();
        times(&self.directions, &scaled)
    }

    /// The lengths of the longest and the shortest axis.
    pub(crate) fn extent(&self) -> (f64, f64) {
        let fold = |f: fn(f64, f64) -> f64, start| self.lengths.iter().copied().fold(start, f);
        (fold(f64::max, 0.0), fold(f64::min, f64::INFINITY))
    }
}
