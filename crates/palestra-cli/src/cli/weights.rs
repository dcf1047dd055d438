//! `palestra weights`: redundant features and the influence of each feature.

use super::args::CommonArgs;
use super::args_tune::WeightsArgs;
use super::output::{Align, Output, grouped, number, table};
use super::playouts::random_line;
use super::store;
use crate::games;
use anyhow::Result;
use palestra_arena::{AnyGame, TunablePlayer};
use palestra_core::{InputError, Seed};
use serde_json::json;

pub(super) fn run(args: &WeightsArgs, common: &CommonArgs, output: &mut Output) -> Result<()> {
    let game = games().open(&args.game)?;
    let player = store::resolve_player(&args.player, common)?;
    let tunable = game.tunable_player(&player)?;
    let weights = match (&tunable.weights, tunable.sum.is_some()) {
        (Some(weights), true) => weights.clone(),
        _ => {
            let expected = "a player with weights on a sum of features";
            return Err(InputError::new("player", player, expected).into());
        }
    };
    let mut samples = Vec::new();
    for i in 0..args.games {
        samples.extend(features_of(game.as_ref(), &tunable, Seed(common.seed).child(i))?);
    }
    let covariance = Covariance::of(&samples, weights.len());
    let dependencies = covariance.dependencies();
    let reduced = reduce(&weights, &dependencies);
    let sds: Vec<f64> = (0..weights.len()).map(|i| covariance.of_two(i, i).sqrt()).collect();
    let influences: Vec<f64> = reduced.iter().zip(&sds).map(|(weight, sd)| weight * sd).collect();
    let largest = influences.iter().fold(0.0_f64, |largest, influence| largest.max(influence.abs()));
    let relative = |influence: &f64| if largest > 0.0 { influence / largest } else { 0.0 };
    let influences: Vec<f64> = influences.iter().map(relative).collect();
    let names = &tunable.names;
    let equation = |dependency: &LinearDependency| dependency.equation(names);
    if output.json {
        let sign = |weight: f64| match (weight > 0.0, weight < 0.0) {
            (true, _) => "+",
            (_, true) => "-",
            _ => "0",
        };
        let feature = |i: usize| json!({ "name": names[i], "weight": weights[i], "plain": reduced[i], "sign": sign(reduced[i]), "sd": sds[i], "say": influences[i] });
        return output.json(&json!({
            "game": game.name(), "player": tunable.spec.to_string(), "positions": samples.len() / 2,
            "features": (0..names.len()).map(feature).collect::<Vec<_>>(),
            "ties": dependencies.iter().map(equation).collect::<Vec<_>>(), "seed": common.seed,
        }));
    }
    let heading = ["feature", "weight", "reduced", "deviation", "influence"];
    let mut rows = vec![heading.map(str::to_owned).to_vec()];
    for i in 0..names.len() {
        let cells = [weights[i], reduced[i], sds[i], influences[i]].map(number);
        rows.push([names[i].to_owned()].into_iter().chain(cells).collect());
    }
    use Align::{Left, Right};
    output.line(table(&rows, &[Left, Right, Right, Right, Right]))?;
    let n_positions = grouped(samples.len() as u64 / 2);
    output.line(format_args!("at {n_positions} positions of random games"))?;
    dependencies.iter().try_for_each(|dependency| output.line(equation(dependency)))
}

/// The features of the weights at every position of a random game, from the view of each side.
fn features_of(game: &dyn AnyGame, tunable: &TunablePlayer, seed: Seed) -> Result<Vec<Vec<f64>>, InputError> {
    let evaluation = tunable.spec.evaluation();
    let mut samples = Vec::new();
    random_line(game, None, "-", seed, &mut |session| {
        let shown = session.show();
        for rows in shown.features.iter().filter(|rows| Some(rows.set) == evaluation) {
            for side in [&rows.first, &rows.second] {
                let value = |name: &&str| {
                    let index = rows.names.iter().position(|known| known == name);
                    index.map_or(0.0, |index| f64::from(side[index]))
                };
                samples.push(tunable.names.iter().map(value).collect());
            }
        }
    })?;
    Ok(samples)
}

/// Means and covariances of features.
struct Covariance {
    n: usize,
    means: Vec<f64>,
    values: Vec<f64>,
}

/// A feature that is a linear combination of earlier ones plus a constant.
struct LinearDependency {
    feature: usize,
    parts: Vec<(usize, f64)>,
    constant: f64,
}

/// Share of a feature's variance that others leave unexplained; a feature below it is redundant. It is not 0 because of
/// rounding.
const MIN_VARIANCE_SHARE: f64 = 1e-9;

impl Covariance {
    fn of(samples: &[Vec<f64>], n: usize) -> Covariance {
        let count = samples.len() as f64;
        let means: Vec<f64> =
            (0..n).map(|i| samples.iter().map(|sample| sample[i]).sum::<f64>() / count).collect();
        let product = |i: usize, j: usize| {
            samples.iter().map(|sample| (sample[i] - means[i]) * (sample[j] - means[j])).sum::<f64>() / count
        };
        let values = (0..n * n).map(|at| product(at / n, at % n)).collect();
        Covariance { n, means, values }
    }

    fn of_two(&self, i: usize, j: usize) -> f64 {
        self.values[i * self.n + j]
    }

    /// The features that earlier ones explain, by a Cholesky decomposition of the others.
    fn dependencies(&self) -> Vec<LinearDependency> {
        let mut free: Vec<usize> = Vec::new();
        // Lower triangular: one row for each free feature.
        let mut factor: Vec<Vec<f64>> = Vec::new();
        let mut dependencies = Vec::new();
        for feature in 0..self.n {
            let mut row: Vec<f64> = Vec::new();
            for (i, &other) in free.iter().enumerate() {
                let known: f64 = row.iter().zip(&factor[i]).map(|(a, b)| a * b).sum();
                row.push((self.of_two(feature, other) - known) / factor[i][i]);
            }
            let variance = self.of_two(feature, feature);
            let left = variance - row.iter().map(|part| part * part).sum::<f64>();
            if left > MIN_VARIANCE_SHARE * variance {
                row.push(left.sqrt());
                factor.push(row);
                free.push(feature);
                continue;
            }
            // Back substitution: the coefficient of each free feature.
            for i in (0..row.len()).rev() {
                row[i] /= factor[i][i];
                for k in 0..i {
                    row[k] -= row[i] * factor[i][k];
                }
            }
            let tidy = |value: f64| (value * 1e6).round() / 1e6;
            let parts = free.iter().copied().zip(row.iter().map(|part| tidy(*part)));
            let parts: Vec<(usize, f64)> = parts.filter(|(_, part)| *part != 0.0).collect();
            let explained: f64 = parts.iter().map(|(part, share)| share * self.means[*part]).sum();
            dependencies.push(LinearDependency {
                feature,
                parts,
                constant: tidy(self.means[feature] - explained),
            });
        }
        dependencies
    }
}

/// Equivalent weights that are 0 on redundant features.
fn reduce(weights: &[f64], dependencies: &[LinearDependency]) -> Vec<f64> {
    let mut reduced = weights.to_vec();
    for dependency in dependencies {
        reduced[dependency.feature] = 0.0;
        for (part, share) in &dependency.parts {
            reduced[*part] += share * weights[dependency.feature];
        }
    }
    reduced
}

impl LinearDependency {
    /// `c is always a - 2 b + 1`.
    fn equation(&self, names: &[&str]) -> String {
        let term = |(part, share): &(usize, f64)| match share.abs() == 1.0 {
            true => (*share < 0.0, names[*part].to_owned()),
            false => (*share < 0.0, format!("{} {}", number(share.abs()), names[*part])),
        };
        let constant = (self.constant < 0.0, number(self.constant.abs()));
        let has_constant = self.constant != 0.0 || self.parts.is_empty();
        let terms = self.parts.iter().map(term).chain(has_constant.then_some(constant));
        let mut sum = String::new();
        for (is_negative, term) in terms {
            sum += match (is_negative, sum.is_empty()) {
                (true, true) => "-",
                (true, false) => " - ",
                (false, true) => "",
                (false, false) => " + ",
            };
            sum += &term;
        }
        format!("{} is always {sum}", names[self.feature])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_others_are_found() {
        // The third is the first minus twice the second plus 1; the fourth is constant; the fifth is free.
        let sample = |a: f64, b: f64, c: f64| vec![a, b, a - 2.0 * b + 1.0, 7.0, c];
        let samples =
            [sample(1.0, 0.0, 0.0), sample(0.0, 1.0, 4.0), sample(3.0, 2.0, 1.0), sample(5.0, 1.0, 1.0)];
        let covariance = Covariance::of(&samples, 5);
        let dependencies = covariance.dependencies();
        let names = ["a", "b", "c", "d", "e"];
        let equations: Vec<String> =
            dependencies.iter().map(|dependency| dependency.equation(&names)).collect();
        assert_eq!(equations, ["c is always a - 2 b + 1", "d is always 7"]);
        assert_eq!(reduce(&[1.0, 1.0, 10.0, 3.0, 2.0], &dependencies), [11.0, -19.0, 0.0, 0.0, 2.0]);
    }
}
