//! Positions with the results of their games, as rows for a regression.

use crate::{SelfPlayGame, SelfPlayPosition};

/// Largest number of rows; beyond it every other row is dropped, because neighboring positions of a game are similar.
const MAX_ROWS: usize = 2_000_000;

/// Columns in addition to the features: the value of fixed weights, a constant 1 for the side that moved, and the side
/// (1 for the first, −1 for the second). The last two absorb the advantage of having just moved and of the first side.
pub(super) const EXTRA_COLUMNS: usize = 3;

/// Rows of features and extra columns, each with the result of the side that moved.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Samples {
    n_columns: usize,
    values: Vec<f64>,
    pub(super) results: Vec<f64>,
    /// The smallest and the largest result of a game, for the first side.
    range: Option<(f64, f64)>,
}

/// One row: the features, then the extra columns.
pub(super) fn row(position: &SelfPlayPosition) -> impl Iterator<Item = f64> + '_ {
    let side = if position.first { 1.0 } else { -1.0 };
    position.features.iter().copied().chain([position.offset, 1.0, side])
}

impl Samples {
    pub(super) fn new(n_features: usize) -> Samples {
        Samples {
            n_columns: n_features + EXTRA_COLUMNS,
            values: Vec::new(),
            results: Vec::new(),
            range: None,
        }
    }

    /// Adds the positions of these games.
    pub(super) fn add(&mut self, games: &[SelfPlayGame]) {
        for game in games {
            for position in &game.moments {
                assert_eq!(
                    position.features.len() + EXTRA_COLUMNS,
                    self.n_columns,
                    "one feature for each weight"
                );
                self.values.extend(row(position));
                self.results.push(if position.first { game.result } else { 1.0 - game.result });
            }
            if !game.moments.is_empty() {
                let (low, high) = self.range.unwrap_or((game.result, game.result));
                self.range = Some((low.min(game.result), high.max(game.result)));
            }
        }
        while self.results.len() > MAX_ROWS {
            self.thin();
        }
    }

    fn thin(&mut self) {
        let kept: Vec<usize> = (0..self.results.len()).step_by(2).collect();
        self.values = kept.iter().flat_map(|i| self.row(*i).to_vec()).collect();
        self.results = kept.iter().map(|i| self.results[*i]).collect();
    }

    /// Row `i`.
    pub(super) fn row(&self, i: usize) -> &[f64] {
        &self.values[i * self.n_columns..(i + 1) * self.n_columns]
    }

    /// Number of rows.
    pub(super) fn len(&self) -> usize {
        self.results.len()
    }

    /// Number of features.
    pub(super) fn n_features(&self) -> usize {
        self.n_columns - EXTRA_COLUMNS
    }

    /// Whether games had different results: otherwise nothing can be learned from them.
    pub(super) fn is_varied(&self) -> bool {
        self.range.is_some_and(|(low, high)| low < high)
    }

    /// The mean of each column.
    fn means(&self) -> Vec<f64> {
        let mut means = vec![0.0; self.n_columns];
        for i in 0..self.len() {
            means.iter_mut().zip(self.row(i)).for_each(|(sum, x)| *sum += x);
        }
        means.iter().map(|sum| sum / self.len().max(1) as f64).collect()
    }

    /// The standard deviation of each column; 0 where it is constant.
    pub(super) fn deviations(&self) -> Vec<f64> {
        let means = self.means();
        let mut squares = vec![0.0; self.n_columns];
        for i in 0..self.len() {
            for ((square, x), mean) in squares.iter_mut().zip(self.row(i)).zip(&means) {
                *square += (x - mean) * (x - mean);
            }
        }
        let deviation = |(square, mean): (&f64, &f64)| {
            let deviation = (square / self.len().max(1) as f64).sqrt();
            // A deviation by rounding errors alone counts as constant.
            if deviation > 1e-9 * mean.abs() { deviation } else { 0.0 }
        };
        squares.iter().zip(&means).map(deviation).collect()
    }
}
