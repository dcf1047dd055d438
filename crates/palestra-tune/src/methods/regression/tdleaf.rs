//! TDLeaf(λ) (Baxter, Tridgell and Weaver 1998): each position is moved towards what later positions of its game,
//! and in the end the result, said about it.

use super::logistic::chance;
use super::samples::row;
use crate::{SelfPlayGame, SelfPlayPosition};

/// For each position of one side, how much more it should have been worth: the differences between one value and the
/// next, each counting λ less the farther ahead it lies. The last value is followed by the result.
pub(super) fn temporal_differences(values: &[f64], result: f64, lambda: f64) -> Vec<f64> {
    let mut surprises = vec![0.0; values.len()];
    let (mut next, mut ahead) = (result, 0.0);
    for (surprise, value) in surprises.iter_mut().zip(values).rev() {
        ahead = (next - value) + lambda * ahead;
        *surprise = ahead;
        next = *value;
    }
    surprises
}

/// The direction in which the coefficients of the features should move after one game, of both sides together, for
/// each position.
pub(super) fn game_gradient(coefficients: &[f64], game: &SelfPlayGame, lambda: f64) -> Vec<f64> {
    let n_features = coefficients.len() - super::samples::EXTRA_COLUMNS;
    let mut lesson = vec![0.0; n_features];
    for first in [true, false] {
        let moments: Vec<&SelfPlayPosition> =
            game.moments.iter().filter(|moment| moment.first == first).collect();
        let value =
            |moment: &&SelfPlayPosition| chance(row(moment).zip(coefficients).map(|(x, c)| x * c).sum());
        let values: Vec<f64> = moments.iter().map(value).collect();
        let result = if first { game.result } else { 1.0 - game.result };
        for ((moment, value), surprise) in
            moments.iter().zip(&values).zip(temporal_differences(&values, result, lambda))
        {
            let slope = value * (1.0 - value) * surprise / game.moments.len() as f64;
            lesson.iter_mut().zip(&moment.features).for_each(|(sum, x)| *sum += slope * x);
        }
    }
    lesson
}

/// Learns from one game after the other, and gives the mean of the coefficients along the later half of the way.
/// `scales` are the standard deviations of the features, which make one rate fit all; one that is 0 is left alone.
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
        let lesson = game_gradient(&now, game, lambda);
        for ((weight, x), scale) in now.iter_mut().zip(lesson).zip(scales) {
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
