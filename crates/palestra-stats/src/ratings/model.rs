//! The likelihood of results, given ratings in natural units: one unit is 400/ln 10 Elo.

use super::{RatingOptions, ResultRow};
use std::collections::BTreeMap;

/// Elo points in one natural unit of log-odds.
pub(super) const ELO: f64 = 400.0 / std::f64::consts::LN_10;

/// Sum of all games of two players with the same sides; also used for virtual games.
#[derive(Clone, Copy, Debug)]
pub(super) struct PairTotal {
    pub(super) first: usize,
    pub(super) second: usize,
    pub(super) games: f64,
    /// Points of the first player.
    pub(super) points: f64,
    /// Whether the advantage of the first side applies; it does not in virtual draws.
    pub(super) sided: bool,
}

/// The Bradley-Terry model: results, given ratings and options.
#[derive(Clone, Debug)]
pub(super) struct BradleyTerry {
    pub(super) n: usize,
    pub(super) totals: Vec<PairTotal>,
    /// Ratings of anchors, in natural units.
    pub(super) fixed: Vec<Option<f64>>,
    pub(super) has_advantage: bool,
    /// Number of virtual games between equal players that keep the advantage finite.
    pub(super) advantage_prior: f64,
}

impl BradleyTerry {
    pub(super) fn new(n: usize, rows: &[ResultRow], options: &RatingOptions) -> BradleyTerry {
        let mut sums: BTreeMap<(usize, usize), (f64, f64)> = BTreeMap::new();
        for row in rows {
            let games = row.wins + row.draws + row.losses;
            if games > 0.0 {
                let sum = sums.entry((row.first, row.second)).or_default();
                sum.0 += games;
                sum.1 += row.wins + 0.5 * row.draws;
            }
        }
        // If no two players changed sides, only the shape of the logistic curve separates strength from advantage.
        let sides_changed = sums.keys().any(|&(first, second)| sums.contains_key(&(second, first)));
        let pair = |(&(first, second), &(games, points)): (&(usize, usize), &(f64, f64))| PairTotal {
            first,
            second,
            games,
            points,
            sided: true,
        };
        let mut fixed = vec![None; n];
        for &(player, rating) in &options.anchors {
            fixed[player] = Some(rating / ELO);
        }
        BradleyTerry {
            n,
            totals: sums.iter().map(pair).collect(),
            fixed,
            has_advantage: options.advantage && sides_changed,
            advantage_prior: 0.0,
        }
    }

    /// The log-odds of the first side. `theta` has the ratings, followed by the advantage.
    pub(super) fn odds(&self, pair: &PairTotal, theta: &[f64]) -> f64 {
        let side = if pair.sided { theta[self.n] } else { 0.0 };
        theta[pair.first] - theta[pair.second] + side
    }

    /// The gradient of the log-likelihood; 0 for constants.
    pub(super) fn gradient(&self, theta: &[f64]) -> Vec<f64> {
        let mut slope = vec![0.0; self.n + 1];
        for pair in &self.totals {
            let excess = pair.points - pair.games * chance(self.odds(pair, theta));
            slope[pair.first] += excess;
            slope[pair.second] -= excess;
            slope[self.n] += if pair.sided { excess } else { 0.0 };
        }
        slope[self.n] += self.advantage_prior * (0.5 - chance(theta[self.n]));
        self.hold(&mut slope);
        slope
    }

    /// The Fisher information of each pair of players, games · p · (1 − p), and that of the virtual games about the
    /// advantage.
    pub(super) fn weights(&self, theta: &[f64]) -> (Vec<f64>, f64) {
        let information = |odds: f64| chance(odds) * chance(-odds);
        let weight = |pair: &PairTotal| pair.games * information(self.odds(pair, theta));
        let weights = self.totals.iter().map(weight).collect();
        (weights, self.advantage_prior * information(theta[self.n]))
    }

    /// Sets the components of constants to 0.
    pub(super) fn hold(&self, direction: &mut [f64]) {
        for (value, fixed) in direction.iter_mut().zip(&self.fixed) {
            if fixed.is_some() {
                *value = 0.0;
            }
        }
        if !self.has_advantage {
            direction[self.n] = 0.0;
        }
    }

    /// The log-likelihood lost between two points, summed over pairs of players, so that it is precise even where the
    /// two likelihoods agree in most of their digits.
    pub(super) fn loss(&self, from: &[f64], to: &[f64]) -> f64 {
        let lost = |games: f64, points: f64, odds: f64, step: f64| games * rise(odds, step) - points * step;
        let pairs = self.totals.iter().map(|pair| {
            let odds = self.odds(pair, from);
            lost(pair.games, pair.points, odds, self.odds(pair, to) - odds)
        });
        let step = to[self.n] - from[self.n];
        pairs.sum::<f64>() + lost(self.advantage_prior, 0.5 * self.advantage_prior, from[self.n], step)
    }
}

/// The expected score at these log-odds.
pub(super) fn chance(odds: f64) -> f64 {
    1.0 / (1.0 + (-odds).exp())
}

/// ln(1 + e^(x + step)) − ln(1 + e^x).
pub(super) fn rise(odds: f64, step: f64) -> f64 {
    if step.abs() < 30.0 {
        (chance(odds) * step.exp_m1()).ln_1p()
    } else {
        let soft = |x: f64| x.max(0.0) + (-x.abs()).exp().ln_1p();
        soft(odds + step) - soft(odds)
    }
}
