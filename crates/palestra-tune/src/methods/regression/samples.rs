//! Positions with the results of their games, as columns for a regression.

use crate::{SelfPlayGame, SelfPlayPosition};

/// Beyond so many positions every other one is dropped: neighbors of one game say nearly the same.
const MOST_ROWS: usize = 2_000_000;

/// Columns beside the features: what fixed weights add, the mover, the side. The last two take up what has nothing to
/// do with weights: that it is good to have just moved, or to have moved first.
pub(super) const EXTRA_COLUMNS: usize = 3;

/// Rows of features and extra columns, each with what its mover got in the end.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Samples {
    n_columns: usize,
    values: Vec<f64>,
    pub(super) results: Vec<f64>,
    /// The smallest and the largest result of a game, for its first side.
    range: Option<(f64, f64)>,
}

/// One row: the features, then the extra columns.
pub(super) fn row(moment: &SelfPlayPosition) -> impl Iterator<Item = f64> + '_ {
    let side = if moment.first { 1.0 } else { -1.0 };
    moment.features.iter().copied().chain([moment.offset, 1.0, side])
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

    /// Adds the positions of some games.
    pub(super) fn add(&mut self, games: &[SelfPlayGame]) {
        for game in games {
            for moment in &game.moments {
                assert_eq!(
                    moment.features.len() + EXTRA_COLUMNS,
                    self.n_columns,
                    "as many features as weights"
                );
                self.values.extend(row(moment));
                self.results.push(if moment.first { game.result } else { 1.0 - game.result });
            }
            if !game.moments.is_empty() {
                let (low, high) = self.range.unwrap_or((game.result, game.result));
                self.range = Some((low.min(game.result), high.max(game.result)));
            }
        }
        while self.results.len() > MOST_ROWS {
            self.thin();
        }
    }

    fn thin(&mut self) {
        let kept: Vec<usize> = (0..self.results.len()).step_by(2).collect();
        self.values = kept.iter().flat_map(|i| self.row(*i).to_vec()).collect();
        self.results = kept.iter().map(|i| self.results[*i]).collect();
    }

    /// One row.
    pub(super) fn row(&self, i: usize) -> &[f64] {
        &self.values[i * self.n_columns..(i + 1) * self.n_columns]
    }

    /// How many rows there are.
    pub(super) fn len(&self) -> usize {
        self.results.len()
    }

    /// How many features there are.
    pub(super) fn n_features(&self) -> usize {
        self.n_columns - EXTRA_COLUMNS
    }

    /// Whether games ended differently: otherwise nothing can be learned from how they ended.
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
            // Rounding alone makes no variety.
            if deviation > 1e-9 * mean.abs() { deviation } else { 0.0 }
        };
        squares.iter().zip(&means).map(deviation).collect()
    }
}
