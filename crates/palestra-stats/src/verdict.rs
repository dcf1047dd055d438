//! The verdict on two players: the numbers of a report, and a sentence that states their meaning.

use super::elo::{
    NORMAL_QUANTILE, ScoreInterval, elo_error, elo_of_score, normalized_elo, normalized_elo_error,
    score_interval,
};
use super::estimate::{EloComparison, EloEstimate, EloWords};
use super::formatting::{NO_DIFFERENCE, settled_by};
use super::los::likelihood_of_superiority;
use super::score::Outcomes;
use serde::Serialize;

/// Statistics of the results of the subject against its opponent. All intervals and errors are at 95 %. It is part of
/// the JSON of `match`, `stats` and `run compare`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Verdict {
    /// The subject's mean score over all games; ½ when there are none.
    #[serde(skip)]
    pub score: f64,
    /// The Elo difference of that score; `None` when all games were won, all were lost, or none was played.
    pub elo: Option<f64>,
    /// The lower end of the profile-likelihood interval of the Elo; `None` when unbounded below.
    pub elo_low: Option<f64>,
    /// The upper end of the profile-likelihood interval of the Elo; `None` when unbounded above.
    pub elo_high: Option<f64>,
    /// The symmetric error of the Elo, as fastchess prints it; `None` where it is undefined.
    pub elo_error: Option<f64>,
    /// Normalized Elo; `None` when all results are equal.
    pub nelo: Option<f64>,
    /// The error of the normalized Elo; `None` when all results are equal.
    pub nelo_error: Option<f64>,
    /// The likelihood of superiority, from 0 to 1.
    pub los: f64,
    #[serde(skip)]
    games: Outcomes,
    #[serde(skip)]
    units: Outcomes,
}

impl Verdict {
    /// The verdict on games that are independent of each other.
    pub fn of_games(wins: u64, draws: u64, losses: u64) -> Verdict {
        let games = Outcomes::games(wins, draws, losses);
        Verdict::of(games, games)
    }

    /// The verdict on games played in pairs, counted as for [`Outcomes::pairs`]: score and Elo are those of all games,
    /// the rest is computed from the pairs, or from the games while there is no complete pair.
    pub fn of_pairs(pairs: [u64; 5], wins: u64, draws: u64, losses: u64) -> Verdict {
        let games = Outcomes::games(wins, draws, losses);
        let pairs = Outcomes::pairs(pairs);
        Verdict::of(games, if pairs.total() == 0 { games } else { pairs })
    }

    fn of(games: Outcomes, units: Outcomes) -> Verdict {
        let score = games.mean();
        let ScoreInterval { low, high } = score_interval(&units);
        Verdict {
            score,
            elo: elo_of_score(score).filter(|_| games.total() > 0),
            // Games outside complete pairs can move the score beyond an end; the interval must contain the estimate.
            elo_low: elo_of_score(low.min(score)),
            elo_high: elo_of_score(high.max(score)),
            elo_error: elo_error(&units),
            nelo: normalized_elo(&units),
            nelo_error: normalized_elo_error(&units),
            los: likelihood_of_superiority(&units),
            games,
            units,
        }
    }

    /// The verdict as a sentence with these names.
    pub fn sentence(&self, subject: &str, opponent: &str) -> String {
        if self.games.total() == 0 {
            return format!("{subject} and {opponent} have not played yet");
        }
        EloWords::ENGLISH.comparison(&EloComparison {
            players: [subject, opponent],
            estimate: self.estimate(),
            note: self.sweep(),
            los: self.los,
            remark: self.games_needed(),
        })
    }

    /// The Elo with its interval.
    pub fn estimate(&self) -> EloEstimate {
        EloEstimate { elo: self.elo, low: self.elo_low, high: self.elo_high }
    }

    /// The Elo with its interval as text, and the reason where there is no estimate.
    pub fn difference(&self) -> String {
        format!("{}{}", self.estimate(), self.sweep())
    }

    /// The reason for a missing estimate, in parentheses: all games were won, or all were lost.
    fn sweep(&self) -> String {
        let word = match self.games.counts() {
            _ if self.elo.is_some() => return String::new(),
            [0, _, 0, _, _] => "won",
            [_, _, 0, _, 0] => "lost",
            _ => return String::new(),
        };
        match self.games.total() {
            1 => format!(" (the only game {word})"),
            2 => format!(" (both games {word})"),
            n_games => format!(" (all {n_games} games {word})"),
        }
    }

    /// The number of further games that would prove a difference of the observed size, as text.
    fn games_needed(&self) -> String {
        let gap = self.score - 0.5;
        if gap == 0.0 {
            return NO_DIFFERENCE.to_owned();
        }
        // The width of the interval follows the variance of the pairs; where all pairs are equal, the games still have
        // a variance.
        let of_units = self.units.variance_per_game();
        let variance = if of_units > 0.0 { of_units } else { self.games.variance() };
        // The number of games at which the half-width of the normal 95 % interval equals the gap.
        let needed = variance * (NORMAL_QUANTILE / gap).powi(2);
        settled_by(needed - self.games.size())
    }
}
