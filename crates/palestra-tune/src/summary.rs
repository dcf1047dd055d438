//! Summary of a whole grid in bounded memory.

use std::sync::Arc;

/// Largest number of points at the maximum that are listed; the others are only counted.
pub const MAX_LISTED_POINTS: usize = 1_000_000;

/// Summary of the points of a grid that were rated so far.
#[derive(Clone, PartialEq, Debug)]
pub struct GridSummary {
    /// The values of each weight.
    pub values: Arc<Vec<Vec<f64>>>,
    /// Number of points rated so far, in the order of the grid: the last weight changes fastest.
    pub n_points: u64,
    /// The largest fitness; −∞ before the first point.
    pub maximum: f64,
    /// The smallest fitness; ∞ before the first point.
    pub minimum: f64,
    /// Sum of all fitness, added in the order of the grid.
    pub sum: f64,
    /// Number of points with the largest fitness.
    pub n_at_maximum: u64,
    /// The indices of these points in order, at most [`MAX_LISTED_POINTS`] of them.
    pub at_maximum: Vec<u64>,
    /// The best fitness of the points with each value of each weight; −∞ where no such point was rated yet.
    pub best_by_value: Vec<Vec<f64>>,
}

impl GridSummary {
    /// The summary before the first point.
    pub fn new(values: Arc<Vec<Vec<f64>>>) -> GridSummary {
        GridSummary {
            n_points: 0,
            maximum: f64::NEG_INFINITY,
            minimum: f64::INFINITY,
            sum: 0.0,
            n_at_maximum: 0,
            at_maximum: Vec::new(),
            best_by_value: values.iter().map(|values| vec![f64::NEG_INFINITY; values.len()]).collect(),
            values,
        }
    }

    /// Adds the next points of the grid. The summary does not depend on how the points are divided among calls.
    pub fn add(&mut self, fitness: &[f64]) {
        let mut rest = fitness;
        while !rest.is_empty() {
            // One row at a time: in a row only the last weight changes, so the other weights are handled once.
            let n_last = self.values.last().map_or(1, Vec::len) as u64;
            let first = (self.n_points % n_last) as usize;
            let (row, after) = rest.split_at(rest.len().min(n_last as usize - first));
            let best = self.add_row(row, first);
            let mut number = self.n_points / n_last;
            for (best_by_value, values) in self.best_by_value.iter_mut().zip(self.values.iter()).rev().skip(1)
            {
                let value = (number % values.len() as u64) as usize;
                number /= values.len() as u64;
                best_by_value[value] = best_by_value[value].max(best);
            }
            self.n_points += row.len() as u64;
            rest = after;
        }
    }

    /// Adds points that differ in the last weight only, from its value `first` on; returns the best fitness of the row.
    fn add_row(&mut self, row: &[f64], first: usize) -> f64 {
        let mut best = f64::NEG_INFINITY;
        for (i, &fitness) in row.iter().enumerate() {
            self.sum += fitness;
            self.minimum = self.minimum.min(fitness);
            best = best.max(fitness);
            if fitness > self.maximum {
                self.maximum = fitness;
                self.n_at_maximum = 0;
                self.at_maximum.clear();
            }
            if fitness == self.maximum {
                self.n_at_maximum += 1;
                if self.at_maximum.len() < MAX_LISTED_POINTS {
                    self.at_maximum.push(self.n_points + i as u64);
                }
            }
        }
        if let Some(last) = self.best_by_value.last_mut() {
            last[first..].iter_mut().zip(row).for_each(|(best, fitness)| *best = best.max(*fitness));
        }
        best
    }

    /// The mean fitness; 0 before the first point.
    pub fn mean(&self) -> f64 {
        if self.n_points == 0 { 0.0 } else { self.sum / self.n_points as f64 }
    }
}
