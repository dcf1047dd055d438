//! The ends of a rating's 95 % interval, each by its own: results bound a rating from below and above differently.

use super::PlayerRating;
use super::fit::advance;
use super::groups::{Groups, Prior};
use super::model::{BradleyTerry, ELO, PairTotal, chance, rise};
use super::system::{InformationSolver, RatingCovariance};
use crate::elo::{CHI_SQUARE_QUANTILE, NORMAL_QUANTILE};

/// Up to so many players everybody else moves along while one is pushed away from its rating.
pub(super) const LARGEST_PROFILE: usize = 48;

/// Attempts to hit the end of an interval.
const ATTEMPTS: usize = 40;

/// Every player's rating with errors and, where asked for, intervals.
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
    for meeting in &model.totals {
        for player in [meeting.first, meeting.second] {
            own[player].push(*meeting);
        }
        if meeting.sided {
            games[meeting.first] += meeting.games;
            games[meeting.second] += meeting.games;
            points[meeting.first] += meeting.points;
            points[meeting.second] += meeting.games - meeting.points;
        }
    }
    let rated = |i: usize| {
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
    (0..model.n).map(rated).collect()
}

/// Where the log-likelihood has fallen by 1.92, up (`sign` 1) or down (−1) from the rating.
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
    let drop = |push: f64| match model.n <= LARGEST_PROFILE {
        true => profile(model, system, groups, i, push),
        false => own_loss(model, system, own, i, push),
    };
    // The square root of the drop is nearly straight: follow it to where it should be, inside what is known.
    let (mut near, mut far) = (0.0, f64::INFINITY);
    let mut push = NORMAL_QUANTILE * variance.sqrt();
    for _ in 0..ATTEMPTS {
        let fallen = 2.0 * drop(sign * push);
        if !fallen.is_finite() || fallen >= CHI_SQUARE_QUANTILE {
            far = push;
        } else {
            near = push;
        }
        if (fallen - CHI_SQUARE_QUANTILE).abs() < 1e-9 || far - near < 1e-10 * far {
            break;
        }
        let guess = push * (CHI_SQUARE_QUANTILE / fallen.max(1e-3)).sqrt();
        let inside = guess.is_finite() && guess > near && guess < far;
        push = if inside { guess.min(4.0 * push) } else { 0.5 * (near + far.min(2.0 * push)) };
    }
    rating + sign * push
}

/// The log-likelihood lost when this player is pushed away and everybody else finds the best place around it.
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
        // The step that leaves this one player where it is.
        let back = free[i] / toward[i];
        let step: Vec<f64> = free.iter().zip(&toward).map(|(free, toward)| free - back * toward).collect();
        if step.iter().all(|step| step.abs() < 1e-7) || !advance(model, &mut theta, &slope, step) {
            break;
        }
    }
    model.loss(&system.theta, &theta)
}

/// The loss in a player's own games when nobody else moves, scaled so that its curvature is that of the joint
/// likelihood: the shape is the player's, the width everybody's.
fn own_loss(model: &BradleyTerry, system: &RatingCovariance, own: &[PairTotal], i: usize, push: f64) -> f64 {
    let (mut lost, mut information) = (0.0, 0.0);
    for meeting in own {
        let odds = model.odds(meeting, &system.theta);
        let step = if meeting.first == i { push } else { -push };
        // At the likeliest rating the points of all games together are the expected ones.
        lost += meeting.games * (rise(odds, step) - chance(odds) * step);
        information += meeting.games * chance(odds) * chance(-odds);
    }
    lost / (information * system.variance(i))
}
