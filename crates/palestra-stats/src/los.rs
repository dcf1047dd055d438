//! Likelihood of superiority (LOS): the probability that the subject is the stronger player.

use palestra_core::InputError;
use statrs::distribution::{ContinuousCDF, Normal};
use statrs::function::beta::checked_beta_reg;

use super::score::Outcomes;
use std::fmt;
use std::str::FromStr;

/// Definition of likelihood of superiority. Three are in use; they differ noticeably only for few games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum LosConvention {
    /// Φ((s − ½)/se), as in fastchess and fishtest.
    #[default]
    Score,
    /// Φ((W − L)/√(W + L)), as in cutechess.
    Decisive,
    /// The exact posterior on decisive games, I½(L + 1, W + 1).
    Exact,
}

impl LosConvention {
    /// The names of all conventions.
    pub const NAMES: [&'static str; 3] = ["score", "decisive", "exact"];

    /// The likelihood of superiority of the subject by this convention, with games or pairs as units.
    pub fn of(self, outcomes: &Outcomes) -> f64 {
        let [both_lost, worse, _, better, both_won] = outcomes.counts();
        let (above, below) = (better.saturating_add(both_won), worse.saturating_add(both_lost));
        match self {
            LosConvention::Score => likelihood_of_superiority(outcomes),
            LosConvention::Decisive => superiority_of_decisive(above, below),
            LosConvention::Exact => posterior_of_superiority(above, below),
        }
    }
}

impl fmt::Display for LosConvention {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(LosConvention::NAMES[*self as usize])
    }
}

impl FromStr for LosConvention {
    type Err = InputError;

    fn from_str(text: &str) -> Result<LosConvention, InputError> {
        let all = [LosConvention::Score, LosConvention::Decisive, LosConvention::Exact];
        let known = LosConvention::NAMES.iter().position(|name| *name == text);
        let unknown =
            || InputError::unknown("likelihood of superiority", text, "a convention", LosConvention::NAMES);
        known.map(|i| all[i]).ok_or_else(unknown)
    }
}

/// With more decisive results than this, the posterior is its normal limit, which is then right to six digits. The
/// continued fraction of the incomplete beta function would not converge within its fixed number of steps.
const MAX_EXACT: f64 = 100_000.0;

/// The probability that the subject is the stronger player, Φ((s − ½)/se), as in fastchess and fishtest.
///
/// Where all results are equal, se is zero, and it is the [`posterior_of_superiority`] of the units (games or pairs)
/// above and below ½ instead.
pub fn likelihood_of_superiority(outcomes: &Outcomes) -> f64 {
    let standard_error = outcomes.standard_error();
    if standard_error > 0.0 {
        return Normal::standard().cdf((outcomes.mean() - 0.5) / standard_error);
    }
    let [both_lost, worse, _, better, both_won] = outcomes.counts();
    posterior_of_superiority(better.saturating_add(both_won), worse.saturating_add(both_lost))
}

/// Φ((W − L)/√(W + L)) of decisive results; ½ without any.
pub fn superiority_of_decisive(wins: u64, losses: u64) -> f64 {
    let (won, lost) = (wins as f64, losses as f64);
    if wins == losses { 0.5 } else { Normal::standard().cdf((won - lost) / (won + lost).sqrt()) }
}

/// The exact posterior of decisive results from a uniform prior, I½(losses + 1, wins + 1).
pub fn posterior_of_superiority(wins: u64, losses: u64) -> f64 {
    if wins == losses {
        return 0.5;
    }
    let (won, lost) = (wins as f64, losses as f64);
    let limit = || Normal::standard().cdf((won - lost) / (won + lost + 1.0).sqrt());
    if won + lost > MAX_EXACT {
        return limit();
    }
    let posterior = checked_beta_reg(lost + 1.0, won + 1.0, 0.5);
    posterior.map_or_else(|_| limit(), |share| share.clamp(0.0, 1.0))
}
