//! Conversion between scores and Elo, with errors and intervals.

use super::score::Outcomes;

/// The 97.5 % quantile of the standard normal distribution: half-width of a 95 % interval in standard errors.
pub(super) const NORMAL_QUANTILE: f64 = 1.959963984540054;

/// The 95 % quantile of the chi-square distribution with one degree of freedom, the square of [`NORMAL_QUANTILE`].
pub(super) const CHI_SQUARE_QUANTILE: f64 = 3.841458820694124;

/// Elo points per unit of (s − ½)/σ: the slope of Elo at ½ is 1600/ln 10, and σ is ½ without draws.
const NORMALIZED_SCALE: f64 = 800.0 / std::f64::consts::LN_10;

/// Bisection steps: enough for the precision of a double from 0 to 1.
const BISECTIONS: usize = 64;

/// The Elo difference at which this score is expected; `None` unless the score is between 0 and 1, exclusive.
pub fn elo_of_score(score: f64) -> Option<f64> {
    (score > 0.0 && score < 1.0).then(|| 400.0 * (score / (1.0 - score)).log10())
}

/// The expected score at this Elo difference.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The symmetric 95 % error of the Elo as fastchess and cutechess print it: half the Elo between the two ends of the
/// normal interval of the score. `None` where an end is outside (0, 1) or all results are equal.
pub fn elo_error(outcomes: &Outcomes) -> Option<f64> {
    let reach = NORMAL_QUANTILE * outcomes.standard_error();
    if reach == 0.0 {
        return None;
    }
    let high = elo_of_score(outcomes.mean() + reach)?;
    let low = elo_of_score(outcomes.mean() - reach)?;
    Some((high - low) / 2.0)
}

/// Normalized Elo, (s − ½)/σ on the Elo scale, with σ per game; `None` when all results are equal.
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

/// The 95 % profile-likelihood interval of the mean score: every mean for which the best-fitting distribution loses
/// less than half the chi-square quantile, 1.92, in log-likelihood.
///
/// Results that never happened may have a positive probability, so ten wins in ten games give a finite lower end.
/// Without results the interval is from 0 to 1.
pub fn score_interval(outcomes: &Outcomes) -> ScoreInterval {
    if outcomes.total() == 0 {
        return ScoreInterval { low: 0.0, high: 1.0 };
    }
    // The interval must contain the mean, even if rounding puts an end on the wrong side of it. With a huge number of
    // games the lower end may round to 1, which has no finite Elo.
    let mean = outcomes.mean();
    let low = (1.0 - upper_end(&outcomes.reversed())).min(1f64.next_down());
    ScoreInterval { low: low.min(mean), high: upper_end(outcomes).max(mean) }
}

/// The highest mean that the results do not reject, by bisection: the drop grows from the observed mean to 1.
fn upper_end(outcomes: &Outcomes) -> f64 {
    let (mut kept, mut rejected) = (outcomes.mean(), 1.0);
    for _ in 0..BISECTIONS {
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

/// Twice the log-likelihood lost by requiring a mean of `score`, between the observed mean and 1.
///
/// The best distribution with mean s is pᵢ = p̂ᵢ/(1 + θ(xᵢ − s)), so the loss is Σ nᵢ ln(1 + θ(xᵢ − s)),
/// and θ maximizes that sum while no 1 + θ(xᵢ − s) is negative: from −1/(1 − s) to 0. At the far end the pᵢ sum to less
/// than 1, and the rest is the probability of a win that was never observed; the loss is the same sum. With
/// u = −θ(1 − s) from 0 to 1 the factor of a win is exactly 1 − u, and rounding cannot make any factor negative.
fn likelihood_drop(outcomes: &Outcomes, score: f64) -> f64 {
    let offset = |x: f64| (x - score) / (1.0 - score);
    let slope =
        |u: f64| -> f64 { outcomes.weighted().map(|(x, n)| -n * offset(x) / (1.0 - u * offset(x))).sum() };
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..BISECTIONS {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            break;
        }
        // The sum is concave in u, so its slope is positive before the maximum.
        if slope(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    2.0 * outcomes.weighted().map(|(x, n)| n * (-low * offset(x)).ln_1p()).sum::<f64>()
}
