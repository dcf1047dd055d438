//! Likelihood of superiority: how probable it is that the subject is the stronger one.

use statrs::distribution::{ContinuousCDF, Normal};
use statrs::function::beta::checked_beta_reg;

use super::score::Outcomes;

/// Above this many decisive results the posterior is taken from its normal limit, which is then right to
/// six digits, while the continued fraction behind the incomplete beta runs out of its fixed number of
/// steps.
const LARGEST_EXACT: f64 = 100_000.0;

/// The probability that the subject is the stronger one, Φ((s − ½)/se), as fastchess and fishtest have it.
///
/// Where all results are alike se is zero, and the [`posterior_of_superiority`] answers instead, over the
/// units (games or pairs) that scored above and below ½.
pub fn likelihood_of_superiority(outcomes: &Outcomes) -> f64 {
    let standard_error = outcomes.standard_error();
    if standard_error > 0.0 {
        return Normal::standard().cdf((outcomes.mean() - 0.5) / standard_error);
    }
    let [both_lost, worse, _, better, both_won] = outcomes.counts();
    posterior_of_superiority(better.saturating_add(both_won), worse.saturating_add(both_lost))
}

/// The exact posterior on decisive results from a uniform prior, I½(losses + 1, wins + 1).
pub fn posterior_of_superiority(wins: u64, losses: u64) -> f64 {
    if wins == losses {
        return 0.5;
    }
    let (won, lost) = (wins as f64, losses as f64);
    let limit = || Normal::standard().cdf((won - lost) / (won + lost + 1.0).sqrt());
    if won + lost > LARGEST_EXACT {
        return limit();
    }
    checked_beta_reg(lost + 1.0, won + 1.0, 0.5).map_or_else(|_| limit(), |share| share.clamp(0.0, 1.0))
}
