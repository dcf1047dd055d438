//! Nash averaging (Balduzzi and others 2018): the strength of players against the mixture of players that no player
//! beats. Copies of a player, and players outside the mixture, do not change the results of the others.

use microlp::{ComparisonOp, OptimizationDirection, Problem, Variable};
use nalgebra::{Cholesky, DMatrix, DVector};

/// The Nash mixture, and the skill of each player against it.
#[derive(Clone, PartialEq, Debug)]
pub struct NashAverage {
    /// Each player's share of the mixture; of all Nash mixtures, the one with maximum entropy.
    pub mixture: Vec<f64>,
    /// Each player's expected log-odds against the mixture, at most 0; 0 for players with a share.
    pub skill: Vec<f64>,
}

/// Threshold below which a share of a mixture counts as 0.
const SMALL: f64 = 1e-6;

/// Maximum number of Newton steps to the maximum-entropy mixture; it usually needs ten.
const MAX_STEPS: usize = 300;

/// The maximum-entropy Nash mixture of an antisymmetric table of log-odds.
///
/// Linear programs find the players with a share in any Nash mixture. Among those players the maximum-entropy mixture
/// has the form pᵢ ∝ exp(Σ λⱼ aᵢⱼ), and Newton's method finds the λ. On noisy tables the mixture is unstable: estimate
/// its spread with [`crate::bootstrap_head_to_head`].
pub fn nash_average(odds: &[Vec<f64>]) -> NashAverage {
    let n = odds.len();
    let largest = odds.iter().flatten().fold(0.0f64, |max, value| max.max(value.abs()));
    if n == 0 || largest == 0.0 || !largest.is_finite() {
        return NashAverage { mixture: vec![1.0 / n.max(1) as f64; n], skill: vec![0.0; n] };
    }
    let table = DMatrix::from_fn(n, n, |i, j| odds[i][j] / largest);
    let mixture = max_entropy(&table, &corners(&table));
    let skill = &table * DVector::from_column_slice(&mixture) * largest;
    NashAverage { mixture, skill: skill.iter().map(|value| value.min(0.0)).collect() }
}

/// Nash mixtures such that every player with a share in any Nash mixture has one in at least one of these.
fn corners(table: &DMatrix<f64>) -> Vec<Vec<f64>> {
    let n = table.nrows();
    let mut corners: Vec<Vec<f64>> = Vec::new();
    for player in 0..n {
        if corners.iter().any(|mixture| mixture[player] > SMALL) {
            continue;
        }
        let mut problem = Problem::new(OptimizationDirection::Maximize);
        let share = |i: usize| (if i == player { 1.0 } else { 0.0 }, (0.0, 1.0));
        let shares: Vec<Variable> =
            (0..n).map(share).map(|(gain, bounds)| problem.add_var(gain, bounds)).collect();
        let all: Vec<(Variable, f64)> = shares.iter().map(|&variable| (variable, 1.0)).collect();
        problem.add_constraint(&all, ComparisonOp::Eq, 1.0);
        for j in 0..n {
            let gains: Vec<(Variable, f64)> =
                (0..n).filter(|&i| table[(i, j)] != 0.0).map(|i| (shares[i], table[(i, j)])).collect();
            problem.add_constraint(&gains, ComparisonOp::Ge, 0.0);
        }
        // A Nash mixture always exists; solutions that the solver cannot verify are left out.
        if let Ok(Some(solution)) = problem.solve().map(|answer| answer.into_solution().ok()) {
            corners.push(shares.iter().map(|&share| solution.var_value(share).clamp(0.0, 1.0)).collect());
        }
    }
    corners
}

/// The maximum-entropy Nash mixture in the convex hull of the corners.
fn max_entropy(table: &DMatrix<f64>, corners: &[Vec<f64>]) -> Vec<f64> {
    let n = table.nrows();
    let has_share = |i: usize| corners.iter().any(|mixture| mixture[i] > SMALL);
    let members: Vec<usize> = (0..n).filter(|&i| has_share(i)).collect();
    if members.is_empty() {
        return vec![1.0 / n as f64; n];
    }
    // The log-odds of each member against each player. Against members the mixture has log-odds of exactly 0; against
    // others they may be positive.
    let gains = DMatrix::from_fn(members.len(), n, |row, column| table[(members[row], column)]);
    let mut lambda = DVector::zeros(n);
    let mut best = shares_at(&gains, &lambda);
    for _ in 0..MAX_STEPS {
        let slope = gains.transpose() * &best.0;
        let is_free = |j: usize| has_share(j) || lambda[j] > 0.0 || slope[j] < 0.0;
        let free: Vec<usize> = (0..n).filter(|&j| is_free(j)).collect();
        if free.iter().all(|&j| slope[j].abs() < 1e-12) {
            break;
        }
        let step = newton_step(&gains, &best.0, &slope, &free);
        let mut length = 1.0;
        let next = loop {
            let mut there = lambda.clone();
            for (&j, step) in free.iter().zip(step.iter()) {
                let value: f64 = lambda[j] - length * step;
                there[j] = if has_share(j) { value } else { value.max(0.0) };
            }
            let shares = shares_at(&gains, &there);
            if shares.1 <= best.1 || length < 1e-9 {
                break (there, shares);
            }
            length *= 0.5;
        };
        let gained = best.1 - next.1.1;
        (lambda, best) = next;
        if length < 1e-9 || gained.abs() < 1e-16 {
            break;
        }
    }
    let mut mixture = vec![0.0; n];
    members.iter().zip(best.0.iter()).for_each(|(&i, &share)| mixture[i] = share);
    let is_beaten = (0..n).any(|j| (0..n).map(|i| mixture[i] * table[(i, j)]).sum::<f64>() < -1e-5);
    if is_beaten || mixture.iter().any(|share| !share.is_finite()) {
        // Newton's method did not converge: the mean of the corners has less entropy, but it is a Nash mixture.
        let mean = |i: usize| corners.iter().map(|mixture| mixture[i]).sum::<f64>() / corners.len() as f64;
        mixture = (0..n).map(mean).collect();
    }
    mixture
}

/// The shares that belong to these multipliers, and the logarithm of their sum before normalization.
fn shares_at(gains: &DMatrix<f64>, lambda: &DVector<f64>) -> (DVector<f64>, f64) {
    let exponents = gains * lambda;
    let max = exponents.max();
    let powers = exponents.map(|exponent| (exponent - max).exp());
    let sum = powers.sum();
    (powers / sum, max + sum.ln())
}

fn newton_step(
    gains: &DMatrix<f64>,
    shares: &DVector<f64>,
    slope: &DVector<f64>,
    free: &[usize],
) -> DVector<f64> {
    let columns = gains.select_columns(free);
    let slope = DVector::from_iterator(free.len(), free.iter().map(|&j| slope[j]));
    let weighted = DMatrix::from_fn(columns.nrows(), columns.ncols(), |i, j| shares[i] * columns[(i, j)]);
    let mut curvature = columns.transpose() * weighted - &slope * slope.transpose();
    // Equal players leave directions without curvature.
    let ridge = 1e-9 * curvature.trace().max(1e-6);
    (0..free.len()).for_each(|j| curvature[(j, j)] += ridge);
    Cholesky::new(curvature).map_or_else(|| slope.clone(), |factor| factor.solve(&slope))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(odds: &[Vec<f64>], mixture: &[f64]) -> NashAverage {
        let nash = nash_average(odds);
        for (share, expected) in nash.mixture.iter().zip(mixture) {
            assert!((share - expected).abs() < 1e-6, "{nash:?} instead of {mixture:?}");
        }
        assert!((nash.mixture.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        assert!(nash.skill.iter().all(|skill| *skill <= 0.0));
        nash
    }

    fn antisymmetric(upper: &[&[f64]]) -> Vec<Vec<f64>> {
        let n = upper.len() + 1;
        let mut odds = vec![vec![0.0; n]; n];
        for (i, row) in upper.iter().enumerate() {
            for (step, value) in row.iter().enumerate() {
                odds[i][i + 1 + step] = *value;
                odds[i + 1 + step][i] = -value;
            }
        }
        odds
    }

    #[test]
    fn known_mixtures() {
        let third = 1.0 / 3.0;
        // Rock, paper, scissors.
        check(&antisymmetric(&[&[-1.0, 1.0], &[-1.0]]), &[third; 3]);
        // Unequal log-odds: each share is proportional to the log-odds between the other two.
        check(&antisymmetric(&[&[-1.0, 2.0], &[-3.0]]), &[0.5, 1.0 / 3.0, 1.0 / 6.0]);
        // A player that beats all others has the whole mixture.
        let nash = check(&antisymmetric(&[&[1.0, 2.0], &[0.5]]), &[1.0, 0.0, 0.0]);
        assert_eq!(nash.skill, [0.0, -1.0, -2.0]);
        // Equal players have equal shares.
        check(&antisymmetric(&[&[0.0, 0.0], &[0.0]]), &[third; 3]);
        assert_eq!(nash_average(&[]).mixture, Vec::<f64>::new());
    }

    #[test]
    fn copies_and_weak_players_change_nothing() {
        // Rock twice: the copies divide its share.
        let odds = antisymmetric(&[&[0.0, -1.0, 1.0], &[-1.0, 1.0], &[-1.0]]);
        check(&odds, &[1.0 / 6.0, 1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0]);
        // A player that loses to all three has no share, and neither has a copy of it.
        let odds = antisymmetric(&[&[-1.0, 1.0, 2.0, 2.0], &[-1.0, 1.0, 1.0], &[3.0, 3.0], &[0.0]]);
        let nash = check(&odds, &[1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0, 0.0, 0.0]);
        assert!((nash.skill[3] + 2.0).abs() < 1e-6 && (nash.skill[4] + 2.0).abs() < 1e-6);
        // Two cycles that draw with each other: the maximum-entropy mixture has all six.
        let mut odds = vec![vec![0.0; 6]; 6];
        for cycle in [0, 3] {
            for i in 0..3 {
                odds[cycle + i][cycle + (i + 1) % 3] = 1.0;
                odds[cycle + (i + 1) % 3][cycle + i] = -1.0;
            }
        }
        check(&odds, &[1.0 / 6.0; 6]);
    }

    /// A player outside the mixture may be an inequality constraint, whose multiplier is not negative.
    #[test]
    fn a_binding_inequality() {
        // Players 0 and 1 draw; 2 loses to 0 by 1 and beats 1 by 2: any mixture with p0 ≥ 2 p1 and no 2.
        check(&antisymmetric(&[&[0.0, 1.0], &[-2.0]]), &[2.0 / 3.0, 1.0 / 3.0, 0.0]);
        // 3 loses to 0 by 1 and beats 1 by 3, all others draw: p0 = 3 p1, and among (3x, x, 1 − 4x) the entropy is
        // largest for (1 − 4x)⁴ = 27 x⁴.
        let x = 1.0 / (4.0 + 27f64.powf(0.25));
        let odds = antisymmetric(&[&[0.0, 0.0, 1.0], &[0.0, -3.0], &[0.0]]);
        check(&odds, &[3.0 * x, x, 1.0 - 4.0 * x, 0.0]);
        // With the roles swapped the constraint does not bind.
        let odds = antisymmetric(&[&[0.0, 0.0, 3.0], &[0.0, -1.0], &[0.0]]);
        check(&odds, &[1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0, 0.0]);
    }

    #[test]
    fn random_tables_have_a_nash_mixture() {
        use rand::RngExt as _;
        for case in 0..200 {
            let mut rng = palestra_core::Seed(8).child(case).rng();
            let n = rng.random_range(1..12usize);
            let coarse = rng.random::<bool>();
            let mut odds = vec![vec![0.0; n]; n];
            for i in 0..n {
                for j in i + 1..n {
                    let value: f64 = 4.0 * rng.random::<f64>() - 2.0;
                    odds[i][j] = if coarse { value.round() } else { value };
                    odds[j][i] = -odds[i][j];
                }
            }
            let nash = nash_average(&odds);
            assert!((nash.mixture.iter().sum::<f64>() - 1.0).abs() < 1e-6, "{odds:?} {nash:?}");
            for j in 0..n {
                let gain: f64 = (0..n).map(|i| nash.mixture[i] * odds[i][j]).sum();
                assert!(gain > -1e-4, "{gain}: {odds:?} {nash:?}");
            }
        }
    }
}
