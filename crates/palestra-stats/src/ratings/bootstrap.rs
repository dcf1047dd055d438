//! Bootstrap errors of ratings: the event is repeated with resampled results.

use super::model::ELO;
use super::{MaximumLikelihood, RatingOptions, ResultRow, check};
use crate::resample::{BootstrapInterval, resampled};
use palestra_core::{InputError, Rng, Seed};
use rand::RngExt as _;

/// Bootstrap distributions of all ratings, from whole pairs (or other units) drawn with replacement. Units are the
/// right choice where games depend on each other, as the two games of a pair, which share their opening. Each unit is
/// the rows of its games.
pub fn bootstrap_pairs(
    names: &[String],
    units: &[Vec<ResultRow>],
    options: &RatingOptions,
    n_times: u32,
    seed: Seed,
) -> Result<Vec<BootstrapInterval>, InputError> {
    units.iter().try_for_each(|rows| check(names, rows, options))?;
    let draw = |rng: &mut Rng| -> Vec<ResultRow> {
        let draws = (0..units.len()).map(|_| rng.random_range(0..units.len()));
        draws.flat_map(|i| units[i].iter().copied()).collect()
    };
    Ok(repeat(names.len(), options, n_times, seed, draw))
}

/// Bootstrap distributions of all ratings, from single games drawn with replacement within each row, for results of
/// which only the sums are known. Counts must be whole numbers.
pub fn bootstrap_games(
    names: &[String],
    rows: &[ResultRow],
    options: &RatingOptions,
    n_times: u32,
    seed: Seed,
) -> Result<Vec<BootstrapInterval>, InputError> {
    check(names, rows, options)?;
    let draw = |rng: &mut Rng| -> Vec<ResultRow> { rows.iter().map(|row| resampled_row(row, rng)).collect() };
    Ok(repeat(names.len(), options, n_times, seed, draw))
}

fn resampled_row(row: &ResultRow, rng: &mut Rng) -> ResultRow {
    let counts = [row.wins, row.draws, row.losses].map(|count| count as u64);
    let [wins, draws, losses] = resampled(counts, rng).map(|count| count as f64);
    ResultRow { wins, draws, losses, ..*row }
}

fn repeat(
    n: usize,
    options: &RatingOptions,
    n_times: u32,
    seed: Seed,
    mut draw: impl FnMut(&mut Rng) -> Vec<ResultRow>,
) -> Vec<BootstrapInterval> {
    let mut samples = vec![Vec::new(); n];
    for time in 0..n_times {
        let rows = draw(&mut seed.child(u64::from(time)).rng());
        let MaximumLikelihood { theta, .. } = MaximumLikelihood::of(n, &rows, options);
        samples.iter_mut().zip(theta).for_each(|(sample, rating)| sample.push(ELO * rating));
    }
    samples.iter().map(|sample| BootstrapInterval::of(sample)).collect()
}
