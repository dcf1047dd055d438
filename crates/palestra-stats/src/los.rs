//! Likelihood of superiority: how probable it is that the subject is the stronger one.

use palestra_core::InputError;
use statrs::distribution::{ContinuousCDF, Normal};
use statrs::function::beta::checked_beta_reg;

use super::score::Outcomes;
use std::fmt;
use std::str::FromStr;

/// What is meant by likelihood of superiority: three conventions are in use, and differ on few games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum LosConvention {
    /// Φ((s − ½)/se), as fastchess and fishtest have it.
    #[default]
    Score,
    /// Φ((W − L)/√(W + L)), as cutechess has it.
    Decisive,
    /// The exact posterior on decisive games, I½(L + 1, W + 1).
    Exact,
}

impl LosConvention {
    /// The names of all conventions.
    pub const NAMES: [&'static str; 3] = ["score", "decisive", "exact"];

    /// The likelihood of superiority of the subject by this convention; units count, games or pairs.
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

/// Φ((W − L)/√(W + L)) on decisive results; ½ without any.
pub fn superiority_of_decisive(wins: u64, losses: u64) -> f64 {
    let (won, lost) = (wins as f64, losses as f64);
    if wins == losses { 0.5 } else { Normal::standard().cdf((won - lost) / (won + lost).sqrt()) }
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
