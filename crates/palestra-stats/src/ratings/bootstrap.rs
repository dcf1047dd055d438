//! Errors without a formula: the same event played again with the results it had.

use super::model::ELO;
use super::{MaximumLikelihood, RatingOptions, ResultRow, check};
use crate::resample::{BootstrapInterval, redrawn};
use palestra_core::{InputError, Rng, Seed};
use rand::RngExt as _;

/// Draws whole pairs (or any other units that belong together) with replacement: the honest error, since the two
/// games of a pair share their opening. Each unit is the rows of its games.
pub fn bootstrap_pairs(
    names: &[String],
    units: &[Vec<ResultRow>],
    options: &RatingOptions,
    n_times: u32,
    seed: Seed,
) -> Result<Vec<BootstrapInterval>, InputError> {
    units.iter().try_for_each(|rows| check(names, rows, options))?;
    let again = |rng: &mut Rng| -> Vec<ResultRow> {
        let draws = (0..units.len()).map(|_| rng.random_range(0..units.len()));
        draws.flat_map(|i| units[i].iter().copied()).collect()
    };
    Ok(repeat(names.len(), options, n_times, seed, again))
}

/// Draws games with replacement, meeting by meeting: what can be done where only sums are known. Counts must be
/// whole numbers.
pub fn bootstrap_games(
    names: &[String],
    rows: &[ResultRow],
    options: &RatingOptions,
    n_times: u32,
    seed: Seed,
) -> Result<Vec<BootstrapInterval>, InputError> {
    check(names, rows, options)?;
    let again = |rng: &mut Rng| -> Vec<ResultRow> { rows.iter().map(|row| redrawn_row(row, rng)).collect() };
    Ok(repeat(names.len(), options, n_times, seed, again))
}

fn redrawn_row(row: &ResultRow, rng: &mut Rng) -> ResultRow {
    let counts = [row.wins, row.draws, row.losses].map(|count| count as u64);
    let [wins, draws, losses] = redrawn(counts, rng).map(|count| count as f64);
    ResultRow { wins, draws, losses, ..*row }
}

fn repeat(
    n: usize,
    options: &RatingOptions,
    n_times: u32,
    seed: Seed,
    mut again: impl FnMut(&mut Rng) -> Vec<ResultRow>,
) -> Vec<BootstrapInterval> {
    let mut found = vec![Vec::new(); n];
    for time in 0..n_times {
        let rows = again(&mut seed.child(u64::from(time)).rng());
        let MaximumLikelihood { theta, .. } = MaximumLikelihood::of(n, &rows, options);
        found.iter_mut().zip(theta).for_each(|(found, rating)| found.push(ELO * rating));
    }
    found.iter().map(|found| BootstrapInterval::of(found)).collect()
}
