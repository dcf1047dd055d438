//! The likelihood of results, given ratings in natural units: one unit is 400/ln 10 Elo.

use super::{RatingOptions, ResultRow};
use std::collections::BTreeMap;

/// Elo points in one natural unit of log-odds.
pub(super) const ELO: f64 = 400.0 / std::f64::consts::LN_10;

/// All games of two players with the same sides, virtual ones among them.
#[derive(Clone, Copy, Debug)]
pub(super) struct PairTotal {
    pub(super) first: usize,
    pub(super) second: usize,
    pub(super) games: f64,
    /// Points of the first.
    pub(super) points: f64,
    /// Whether the advantage counts; in a virtual draw nobody has a side.
    pub(super) sided: bool,
}

/// What is known and what is looked for.
#[derive(Clone, Debug)]
pub(super) struct BradleyTerry {
    pub(super) n: usize,
    pub(super) totals: Vec<PairTotal>,
    /// The ratings that are given.
    pub(super) fixed: Vec<Option<f64>>,
    pub(super) has_advantage: bool,
    /// Virtual games between equals that keep the advantage finite.
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
        // Without a change of sides strength and advantage are told apart by nothing but the model's own curve.
        let changed = sums.keys().any(|&(first, second)| sums.contains_key(&(second, first)));
        let meeting = |(&(first, second), &(games, points)): (&(usize, usize), &(f64, f64))| PairTotal {
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
            totals: sums.iter().map(meeting).collect(),
            fixed,
            has_advantage: options.advantage && changed,
            advantage_prior: 0.0,
        }
    }

    /// The log-odds of the first side in a meeting. The advantage stands behind the ratings.
    pub(super) fn odds(&self, meeting: &PairTotal, theta: &[f64]) -> f64 {
        let side = if meeting.sided { theta[self.n] } else { 0.0 };
        theta[meeting.first] - theta[meeting.second] + side
    }

    /// The slope of the log-likelihood; 0 where nothing may move.
    pub(super) fn gradient(&self, theta: &[f64]) -> Vec<f64> {
        let mut slope = vec![0.0; self.n + 1];
        for meeting in &self.totals {
            let excess = meeting.points - meeting.games * chance(self.odds(meeting, theta));
            slope[meeting.first] += excess;
            slope[meeting.second] -= excess;
            slope[self.n] += if meeting.sided { excess } else { 0.0 };
        }
        slope[self.n] += self.advantage_prior * (0.5 - chance(theta[self.n]));
        self.hold(&mut slope);
        slope
    }

    /// The information in each meeting, games · p · (1 − p), and in the virtual games about the advantage.
    pub(super) fn weights(&self, theta: &[f64]) -> (Vec<f64>, f64) {
        let information = |odds: f64| chance(odds) * chance(-odds);
        let weight = |meeting: &PairTotal| meeting.games * information(self.odds(meeting, theta));
        let weights = self.totals.iter().map(weight).collect();
        (weights, self.advantage_prior * information(theta[self.n]))
    }

    /// Sets to 0 what may not move.
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

    /// How much log-likelihood is lost on the way from one place to another, summed game by game, so that it
    /// is exact even where the two likelihoods agree in most of their digits.
    pub(super) fn loss(&self, from: &[f64], to: &[f64]) -> f64 {
        let lost = |games: f64, points: f64, odds: f64, step: f64| games * rise(odds, step) - points * step;
        let meetings = self.totals.iter().map(|meeting| {
            let odds = self.odds(meeting, from);
            lost(meeting.games, meeting.points, odds, self.odds(meeting, to) - odds)
        });
        let step = to[self.n] - from[self.n];
        meetings.sum::<f64>() + lost(self.advantage_prior, 0.5 * self.advantage_prior, from[self.n], step)
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
