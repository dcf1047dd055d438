//! From scores to Elo, with the errors that belong to it.

use super::score::Outcomes;

/// The 97.5 % quantile of the standard normal: a two-sided 95 % interval reaches this many errors.
pub(super) const NORMAL_QUANTILE: f64 = 1.959963984540054;

/// The 95 % quantile of chi-square with one degree of freedom, the square of [`NORMAL_QUANTILE`].
pub(super) const CHI_SQUARE_QUANTILE: f64 = 3.841458820694124;

/// Elo points per unit of (s − ½)/σ: the slope of Elo at ½ is 1600/ln 10, and σ is ½ without draws.
const NORMALIZED_SCALE: f64 = 800.0 / std::f64::consts::LN_10;

/// Halvings in each search: enough to exhaust a double on [0, 1].
const HALVINGS: usize = 64;

/// The Elo difference at which this score is expected; `None` where no finite one is.
pub fn elo_of_score(score: f64) -> Option<f64> {
    (score > 0.0 && score < 1.0).then(|| 400.0 * (score / (1.0 - score)).log10())
}

/// The score expected at this Elo difference.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The symmetric 95 % error of the Elo as fastchess and cutechess print it: half the Elo between the two
/// ends of the normal interval on the score. `None` where an end leaves (0, 1) or nothing varies.
pub fn elo_error(outcomes: &Outcomes) -> Option<f64> {
    let reach = NORMAL_QUANTILE * outcomes.standard_error();
    if reach == 0.0 {
        return None;
    }
    let high = elo_of_score(outcomes.mean() + reach)?;
    let low = elo_of_score(outcomes.mean() - reach)?;
    Some((high - low) / 2.0)
}

/// Normalized Elo, (s − ½)/σ on the Elo scale, with σ per game; `None` when the results show no spread.
pub fn normalized_elo(outcomes: &Outcomes) -> Option<f64> {
    let variance = outcomes.variance_per_game();
    (variance > 0.0).then(|| (outcomes.mean() - 0.5) / variance.sqrt() * NORMALIZED_SCALE)
}

/// The 95 % error of [`normalized_elo`]; it depends on the number of games alone.
pub fn normalized_elo_error(outcomes: &Outcomes) -> Option<f64> {
    let n_games = outcomes.size() * f64::from(outcomes.games_per_unit());
    normalized_elo(outcomes).map(|_| NORMAL_QUANTILE * NORMALIZED_SCALE / n_games.sqrt())
}

/// A range of mean scores.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScoreInterval {
    /// The lowest score; 0 leaves the Elo unbounded below.
    pub low: f64,
    /// The highest score; 1 leaves the Elo unbounded above.
    pub high: f64,
}

/// The 95 % profile-likelihood interval on the mean score: every mean under which the best-fitting
/// distribution loses less than half the chi-square quantile, 1.92, in log-likelihood.
///
/// Results that never happened may still have a probability, so ten wins of ten give a finite lower end.
/// Without any result the interval is the whole of [0, 1].
pub fn score_interval(outcomes: &Outcomes) -> ScoreInterval {
    if outcomes.total() == 0 {
        return ScoreInterval { low: 0.0, high: 1.0 };
    }
    // Rounding may put an end a hair inside the mean, and the mean belongs to its interval; or, after more
    // games than anyone plays, the lower end on 1, which would read as unbounded.
    let mean = outcomes.mean();
    let low = (1.0 - upper_end(&outcomes.reversed())).min(1f64.next_down());
    ScoreInterval { low: low.min(mean), high: upper_end(outcomes).max(mean) }
}

/// The highest mean that the results do not reject; the drop only grows from the observed mean to 1.
fn upper_end(outcomes: &Outcomes) -> f64 {
    let (mut kept, mut rejected) = (outcomes.mean(), 1.0);
    for _ in 0..HALVINGS {
        let middle = 0.5 * (kept + rejected);
        if middle <= kept || middle >= rejected {
            break;
        }
        if likelihood_drop(outcomes, middle) < CHI_SQUARE_QUANTILE {
            kept = middle;
        } else {
            rejected = middle;
        }
    }
    rejected
}

/// Twice the log-likelihood lost by demanding a mean of `score`, between the observed mean and 1.
///
/// The best distribution with mean s is pᵢ = p̂ᵢ/(1 + θ(xᵢ − s)), so the loss is Σ nᵢ ln(1 + θ(xᵢ − s)),
/// and θ is where that sum is largest while no 1 + θ(xᵢ − s) is negative: from −1/(1 − s) to 0. At the far
/// end the pᵢ sum to less than 1 and the rest belongs to a win that was never seen; the loss is the same
/// sum. With u = −θ(1 − s) in [0, 1] a win's factor is exactly 1 − u, and rounding cannot make any factor
/// negative.
fn likelihood_drop(outcomes: &Outcomes, score: f64) -> f64 {
    let lean = |x: f64| (x - score) / (1.0 - score);
    let slope =
        |u: f64| -> f64 { outcomes.weighted().map(|(x, n)| -n * lean(x) / (1.0 - u * lean(x))).sum() };
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            break;
        }
        // The sum is concave in u: it still rises before the maximum.
        if slope(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    2.0 * outcomes.weighted().map(|(x, n)| n * (-low * lean(x)).ln_1p()).sum::<f64>()
}
