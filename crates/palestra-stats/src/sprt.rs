//! Sequential probability ratio test (SPRT): whether to stop a match after every game or pair, and with which decision.
//!
//! Wald's test compares two hypotheses about the difference of strength. The generalized form used here (Van den Bergh,
//! fishtest) fits the distribution of results under each of them and takes the ratio of the two likelihoods.

use super::elo::score_of_elo;
use palestra_core::InputError;
use std::fmt;
use std::str::FromStr;

/// How a test translates a difference in Elo into results.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SprtModel {
    /// The expected score of a game is that of plain Elo.
    Logistic,
    /// The expected score, in standard deviations of one game, is that of players that never draw.
    #[default]
    Normalized,
    /// Wins and losses are those of BayesElo with the observed share of draws.
    Bayesian,
}

impl SprtModel {
    /// The names of all models.
    pub const NAMES: [&'static str; 3] = ["logistic", "normalized", "bayesian"];
}

impl fmt::Display for SprtModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(SprtModel::NAMES[*self as usize])
    }
}

impl FromStr for SprtModel {
    type Err = InputError;

    fn from_str(text: &str) -> Result<SprtModel, InputError> {
        let models = [SprtModel::Logistic, SprtModel::Normalized, SprtModel::Bayesian];
        let known = SprtModel::NAMES.iter().position(|name| *name == text);
        known.map(|i| models[i]).ok_or_else(|| {
            InputError::unknown("model of a sequential test", text, "a model", SprtModel::NAMES)
        })
    }
}

/// Decision of a sequential test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SprtDecision {
    /// The smaller difference is accepted: the subject is not better than by `elo0`.
    AcceptElo0,
    /// The larger difference is accepted: the subject is better by about `elo1`.
    AcceptElo1,
}

/// A test of the hypothesis "better by `elo1`" against "better by `elo0`".
///
/// ```
/// use palestra_stats::{Sprt, SprtDecision, SprtModel};
///
/// let test = Sprt::new(SprtModel::Logistic, 0.0, 50.0, 0.05, 0.05).unwrap();
/// assert_eq!(test.decide(test.llr_games([40, 0, 60])), None);
/// assert_eq!(test.decide(test.llr_games([80, 0, 120])), Some(SprtDecision::AcceptElo1));
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    model: SprtModel,
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
}

/// The largest difference in Elo of a hypothesis; at 4000 Elo one game in 10¹⁰ is lost.
const MAX_ELO: f64 = 4000.0;

/// Count of a result that never happened, as in fastchess and fishtest, so that no result is impossible.
const UNSEEN_COUNT: f64 = 1e-3;

/// Bisection steps, more than the bits of a double.
const BISECTIONS: usize = 100;

/// Maximum number of steps of the normalized fit; it usually needs four.
const MAX_STEPS: usize = 60;

impl Sprt {
    /// `alpha` is the probability of accepting `elo1` where `elo0` is true, `beta` that of accepting `elo0` where
    /// `elo1` is true.
    pub fn new(model: SprtModel, elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Sprt, InputError> {
        let invalid = |name: &str, value: f64, expected: &str| {
            Err(InputError::new(format!("{name} of a sequential test"), value.to_string(), expected))
        };
        for (name, elo) in [("elo0", elo0), ("elo1", elo1)] {
            if !(-MAX_ELO..=MAX_ELO).contains(&elo) {
                return invalid(name, elo, "a number from -4000 to 4000");
            }
        }
        if elo0 >= elo1 {
            return invalid("elo1", elo1, "a number greater than elo0");
        }
        for (name, risk) in [("alpha", alpha), ("beta", beta)] {
            if !(1e-9..=0.49).contains(&risk) {
                return invalid(name, risk, "a number from 0.000000001 to 0.49");
            }
        }
        Ok(Sprt { model, elo0, elo1, alpha, beta })
    }

    /// How this test translates a difference in Elo into results.
    pub fn model(&self) -> SprtModel {
        self.model
    }

    /// The smaller difference in Elo.
    pub fn elo0(&self) -> f64 {
        self.elo0
    }

    /// The larger difference in Elo.
    pub fn elo1(&self) -> f64 {
        self.elo1
    }

    /// Bounds of the log-likelihood ratio: at or below the first `elo0` is accepted, at or above the second `elo1`.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The decision at this log-likelihood ratio; `None` while the test continues.
    pub fn decide(&self, llr: f64) -> Option<SprtDecision> {
        let (low, high) = self.bounds();
        if llr >= high {
            Some(SprtDecision::AcceptElo1)
        } else if llr <= low {
            Some(SprtDecision::AcceptElo0)
        } else {
            None
        }
    }

    /// The log-likelihood ratio after single games: losses, draws and wins of the subject.
    pub fn llr_games(&self, counts: [u64; 3]) -> f64 {
        let [losses, _, wins] = counts;
        self.llr(&[0.0, 0.5, 1.0], counts, losses as f64, wins as f64, 1.0)
    }

    /// The log-likelihood ratio after pairs of games: LL, LD, WL + DD, WD and WW of the subject.
    ///
    /// Only the bayesian model needs the number of drawn games, which pairs do not contain: it counts half of the even
    /// pairs as two draws and half as one win each.
    pub fn llr_pairs(&self, counts: [u64; 5]) -> f64 {
        let [lost, worse, even, better, won] = counts.map(|count| count as f64);
        let losses = lost + worse / 2.0 + even / 4.0;
        let wins = won + better / 2.0 + even / 4.0;
        self.llr(&[0.0, 0.25, 0.5, 0.75, 1.0], counts, losses, wins, 2.0)
    }

    fn llr<const N: usize>(
        &self,
        scores: &[f64; N],
        counts: [u64; N],
        losses: f64,
        wins: f64,
        games_per_unit: f64,
    ) -> f64 {
        if counts.iter().all(|&count| count == 0) {
            return 0.0;
        }
        let counts = counts.map(|count| (count as f64).max(UNSEEN_COUNT));
        let total: f64 = counts.iter().sum();
        let observed = ObservedShares { scores, shares: counts.map(|count| count / total) };
        let fit = |elo: f64| match self.model {
            SprtModel::Logistic => observed.with_mean(score_of_elo(elo)),
            SprtModel::Bayesian => {
                let share = |count: f64| count.max(UNSEEN_COUNT) / total;
                observed.with_mean(bayes_score(elo, share(losses), share(wins)))
            }
            SprtModel::Normalized => {
                observed.with_lead(elo * std::f64::consts::LN_10 / 800.0 * f64::sqrt(games_per_unit))
            }
        };
        let (under0, under1) = (fit(self.elo0), fit(self.elo1));
        let terms = observed.shares.iter().zip(under0.iter().zip(&under1));
        total * terms.map(|(share, (under0, under1))| share * (under1 / under0).ln()).sum::<f64>()
    }
}

/// The expected score at a difference in BayesElo, from the observed shares of lost and won games.
fn bayes_score(elo: f64, lost: f64, won: f64) -> f64 {
    // If all games were won there are no draws, by which the formula divides.
    let (lost, won) = (lost.min(1.0 - UNSEEN_COUNT), won.min(1.0 - UNSEEN_COUNT));
    let draw_elo = 200.0 * ((1.0 - lost) / lost * (1.0 - won) / won).log10();
    let won = score_of_elo(elo - draw_elo);
    let lost = score_of_elo(-elo - draw_elo);
    0.5 * (1.0 + won - lost)
}

/// Observed shares of results, all above 0.
struct ObservedShares<'a, const N: usize> {
    scores: &'a [f64; N],
    shares: [f64; N],
}

impl<const N: usize> ObservedShares<'_, N> {
    /// The maximum-likelihood distribution with this mean: pᵢ = p̂ᵢ/(1 + θ(xᵢ − s)).
    fn with_mean(&self, mean: f64) -> [f64; N] {
        self.tilted(self.scores.map(|score| score - mean))
    }

    /// The maximum-likelihood distribution whose mean is `lead` of its own standard deviations above ½.
    ///
    /// The condition is not linear, so each step replaces it by its tangent at the last distribution, until the
    /// distribution converges.
    fn with_lead(&self, lead: f64) -> [f64; N] {
        let mut shares = [1.0 / N as f64; N];
        let mut tangent = self.tangent(&shares, lead);
        if tangent.iter().all(|&slope| slope > 0.0) || tangent.iter().all(|&slope| slope < 0.0) {
            // The lead is so large that no distribution meets the tangent: start from a distribution that has the lead
            // and consists almost only of wins and losses.
            let rare = 0.5 - lead.abs() / (4.0 * (1.0 + lead * lead)).sqrt();
            shares = [UNSEEN_COUNT * rare; N];
            let (common, other) = if lead > 0.0 { (N - 1, 0) } else { (0, N - 1) };
            shares[common] = 1.0 - rare;
            shares[other] = rare;
            tangent = self.tangent(&shares, lead);
        }
        for _ in 0..MAX_STEPS {
            let next = self.tilted(tangent);
            let change =
                next.iter().zip(&shares).map(|(next, share)| (next - share).abs()).fold(0.0, f64::max);
            shares = next;
            if change < 1e-9 {
                break;
            }
            tangent = self.tangent(&shares, lead);
        }
        shares
    }

    /// The derivative of mean − ½ − lead · deviation with respect to each share, at this distribution.
    fn tangent(&self, shares: &[f64; N], lead: f64) -> [f64; N] {
        let weighted = || self.scores.iter().zip(shares);
        let mean: f64 = weighted().map(|(score, share)| score * share).sum();
        let variance: f64 = weighted().map(|(score, share)| share * (score - mean) * (score - mean)).sum();
        let deviation = variance.sqrt().max(1e-9);
        self.scores.map(|score| {
            let off = (score - mean) / deviation;
            score - 0.5 - 0.5 * lead * deviation * (1.0 + off * off)
        })
    }

    /// The maximum-likelihood distribution under which these slopes have mean 0.
    fn tilted(&self, slopes: [f64; N]) -> [f64; N] {
        let smallest = slopes.iter().copied().fold(f64::INFINITY, f64::min);
        let largest = slopes.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if smallest >= 0.0 || largest <= 0.0 {
            return self.shares;
        }
        // Σ p̂ᵢφᵢ/(1 + θφᵢ) falls from +∞ to −∞ between the two poles.
        let (mut low, mut high) = (-1.0 / largest, -1.0 / smallest);
        for _ in 0..BISECTIONS {
            let theta = 0.5 * (low + high);
            if theta <= low || theta >= high {
                break;
            }
            let sum: f64 = self
                .shares
                .iter()
                .zip(slopes)
                .map(|(share, slope)| share * slope / (1.0 + theta * slope))
                .sum();
            if sum > 0.0 { low = theta } else { high = theta }
        }
        let theta = 0.5 * (low + high);
        let mut tilted = self.shares;
        for (share, slope) in tilted.iter_mut().zip(slopes) {
            // Rounding at a pole may give 0 or less, and no share may be 0.
            *share /= (1.0 + theta * slope).max(1e-12);
        }
        tilted
    }
}
