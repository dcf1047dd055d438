//! The 95 % likelihood intervals of ratings. They are not symmetric: the results bound a rating differently on each
//! side.

use super::PlayerRating;
use super::fit::advance;
use super::groups::{Groups, Prior};
use super::model::{BradleyTerry, ELO, PairTotal, chance, rise};
use super::system::{InformationSolver, RatingCovariance};
use crate::elo::{CHI_SQUARE_QUANTILE, NORMAL_QUANTILE};

/// Up to this number of players, intervals are profile likelihoods: all other ratings are fitted again for each value
/// of one rating.
pub(super) const MAX_PROFILE: usize = 48;

/// Maximum number of steps of the search for an end of an interval.
const MAX_STEPS: usize = 40;

/// Every player's rating with its error and, if `intervals`, its interval.
pub(super) fn players(
    model: &BradleyTerry,
    system: &RatingCovariance,
    groups: &Groups,
    priors: &[Prior],
    intervals: bool,
) -> Vec<PlayerRating> {
    let mut games = vec![0.0; model.n];
    let mut points = vec![0.0; model.n];
    let mut own: Vec<Vec<PairTotal>> = vec![Vec::new(); model.n];
    for pair in &model.totals {
        for player in [pair.first, pair.second] {
            own[player].push(*pair);
        }
        if pair.sided {
            games[pair.first] += pair.games;
            games[pair.second] += pair.games;
            points[pair.first] += pair.points;
            points[pair.second] += pair.games - pair.points;
        }
    }
    let rating = |i: usize| {
        let is_known = games[i] > 0.0 || model.fixed[i].is_some();
        let end = |sign: f64, unbounded: bool| {
            if !intervals || !is_known || unbounded {
                return None;
            }
            let natural = end_of_interval(model, system, groups, &own[i], i, sign);
            Some(ELO * natural).filter(|elo| elo.is_finite())
        };
        PlayerRating {
            rating: ELO * system.theta[i],
            error: is_known.then(|| NORMAL_QUANTILE * ELO * system.variance(i).sqrt()),
            low: end(-1.0, priors[i].no_bottom),
            high: end(1.0, priors[i].no_top),
            games: games[i],
            score: if games[i] > 0.0 { points[i] / games[i] } else { 0.5 },
            group: groups.of[i],
            prior: priors[i].given,
        }
    };
    (0..model.n).map(rating).collect()
}

/// The value above (`sign` 1) or below (−1) the rating at which the log-likelihood is 1.92 less than its maximum.
fn end_of_interval(
    model: &BradleyTerry,
    system: &RatingCovariance,
    groups: &Groups,
    own: &[PairTotal],
    i: usize,
    sign: f64,
) -> f64 {
    let (rating, variance) = (system.theta[i], system.variance(i));
    if model.fixed[i].is_some() || variance == 0.0 {
        return rating;
    }
    let drop = |push: f64| match model.n <= MAX_PROFILE {
        true => profile(model, system, groups, i, push),
        false => own_loss(model, system, own, i, push),
    };
    // The square root of the drop is nearly linear: extrapolate it, within the bracket known so far.
    let (mut near, mut far) = (0.0, f64::INFINITY);
    let mut push = NORMAL_QUANTILE * variance.sqrt();
    for _ in 0..MAX_STEPS {
        let twice_drop = 2.0 * drop(sign * push);
        if !twice_drop.is_finite() || twice_drop >= CHI_SQUARE_QUANTILE {
            far = push;
        } else {
            near = push;
        }
        if (twice_drop - CHI_SQUARE_QUANTILE).abs() < 1e-9 || far - near < 1e-10 * far {
            break;
        }
        let guess = push * (CHI_SQUARE_QUANTILE / twice_drop.max(1e-3)).sqrt();
        let inside = guess.is_finite() && guess > near && guess < far;
        push = if inside { guess.min(4.0 * push) } else { 0.5 * (near + far.min(2.0 * push)) };
    }
    rating + sign * push
}

/// The log-likelihood lost when this player's rating is moved by `push` and all other ratings are fitted again.
fn profile(model: &BradleyTerry, system: &RatingCovariance, groups: &Groups, i: usize, push: f64) -> f64 {
    let column = system.column(model, i);
    let mut theta: Vec<f64> = system
        .theta
        .iter()
        .zip(&column)
        .map(|(value, covariance)| value + push * covariance / column[i])
        .collect();
    let mut unit = vec![0.0; model.n + 1];
    unit[i] = 1.0;
    for _ in 0..30 {
        let slope = model.gradient(&theta);
        let solver = InformationSolver::at(model, groups, &theta);
        let free = solver.solve(model, groups, &slope);
        let toward = solver.solve(model, groups, &unit);
        // The part of the step that keeps this player's rating.
        let back = free[i] / toward[i];
        let step: Vec<f64> = free.iter().zip(&toward).map(|(free, toward)| free - back * toward).collect();
        if step.iter().all(|step| step.abs() < 1e-7) || !advance(model, &mut theta, &slope, step) {
            break;
        }
    }
    model.loss(&system.theta, &theta)
}

/// The log-likelihood lost in the player's own games when the other ratings are constant, scaled to the curvature of
/// the joint likelihood: the shape comes from the player's games, the width from the joint fit.
fn own_loss(model: &BradleyTerry, system: &RatingCovariance, own: &[PairTotal], i: usize, push: f64) -> f64 {
    let (mut lost, mut information) = (0.0, 0.0);
    for pair in own {
        let odds = model.odds(pair, &system.theta);
        let step = if pair.first == i { push } else { -push };
        // At the maximum-likelihood ratings the sum of the points equals its expectation.
        lost += pair.games * (rise(odds, step) - chance(odds) * step);
        information += pair.games * chance(odds) * chance(-odds);
    }
    lost / (information * system.variance(i))
}
