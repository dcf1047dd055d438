//! TDLeaf(λ) (Baxter, Tridgell and Weaver 1998): the value of each position is moved toward the values of later
//! positions of its game, and finally toward the result.

use super::logistic::win_probability;
use super::samples::row;
use crate::{SelfPlayGame, SelfPlayPosition};

/// The error of each position of one side: the sum of the differences between consecutive values from it on, the k-th
/// of them weighted by λ^k. The last value is followed by the result.
pub(super) fn temporal_differences(values: &[f64], result: f64, lambda: f64) -> Vec<f64> {
    let mut errors = vec![0.0; values.len()];
    let (mut next, mut ahead) = (result, 0.0);
    for (error, value) in errors.iter_mut().zip(values).rev() {
        ahead = (next - value) + lambda * ahead;
        *error = ahead;
        next = *value;
    }
    errors
}

/// The step of the coefficients of the features after one game: the sum over the positions of both sides, divided by
/// the number of positions.
pub(super) fn game_gradient(coefficients: &[f64], game: &SelfPlayGame, lambda: f64) -> Vec<f64> {
    let n_features = coefficients.len() - super::samples::EXTRA_COLUMNS;
    let mut gradient = vec![0.0; n_features];
    for first in [true, false] {
        let positions: Vec<&SelfPlayPosition> =
            game.moments.iter().filter(|position| position.first == first).collect();
        let value = |position: &&SelfPlayPosition| {
            win_probability(row(position).zip(coefficients).map(|(x, c)| x * c).sum())
        };
        let values: Vec<f64> = positions.iter().map(value).collect();
        let result = if first { game.result } else { 1.0 - game.result };
        for ((position, value), error) in
            positions.iter().zip(&values).zip(temporal_differences(&values, result, lambda))
        {
            let slope = value * (1.0 - value) * error / game.moments.len() as f64;
            gradient.iter_mut().zip(&position.features).for_each(|(sum, x)| *sum += slope * x);
        }
    }
    gradient
}

/// Learns from one game after the other; returns the mean of the coefficients over the second half of the games.
/// `scales` are the standard deviations of the features, which make one rate fit all; a feature with 0 is not changed.
pub(super) fn learn(
    coefficients: &[f64],
    games: &[SelfPlayGame],
    scales: &[f64],
    lambda: f64,
    rate: f64,
) -> Vec<f64> {
    let mut now = coefficients.to_vec();
    let later = games.len() / 2;
    let mut sum = vec![0.0; now.len()];
    for (i, game) in games.iter().enumerate() {
        let gradient = game_gradient(&now, game, lambda);
        for ((weight, x), scale) in now.iter_mut().zip(gradient).zip(scales) {
            if *scale > 0.0 {
                *weight += rate * x / (scale * scale);
            }
        }
        if i >= later {
            sum.iter_mut().zip(&now).for_each(|(sum, weight)| *sum += weight);
        }
    }
    match games.len() - later {
        0 => now,
        n => sum.iter().map(|sum| sum / n as f64).collect(),
    }
}
