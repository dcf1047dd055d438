//! What a set of results says about two players, and how surely it says it.
//!
//! Results go in as counts, seen from one player, the subject. A [`Verdict`] comes out: score, Elo with a
//! 95 % profile-likelihood interval, likelihood of superiority, normalized Elo, and a sentence for people.
//! Nothing here is ever infinite or not a number: what the results do not bound is `None`.
//!
//! ```
//! use palestra_stats::{Outcomes, Verdict, score_interval};
//!
//! let verdict = Verdict::of_games(5, 1, 2);
//! assert_eq!(
//!     verdict.sentence("Optimum", "Start"),
//!     "Optimum and Start are not distinguishable yet: +137 Elo [-95, +406], \
//!      likelihood of superiority 89.2 %; about 13 more games would settle a difference of this size",
//! );
//!
//! // Ten games won out of ten: the normal error breaks down, the interval does not.
//! let interval = score_interval(&Outcomes::games(10, 0, 0));
//! assert!(interval.low > 0.82 && interval.high == 1.0);
//! ```

mod alpha_rank;
mod duplicates;
mod elo;
mod formatting;
mod glicko2;
mod los;
mod nash;
mod paired;
mod payoff;
mod rank;
mod ratings;
mod resample;
mod score;
mod sprt;
#[cfg(test)]
mod sprt_tests;
mod superiority;
#[cfg(test)]
mod tests;
mod ties;
mod verdict;

pub use alpha_rank::{SelectionIntensity, alpha_rank};
pub use duplicates::{Duplicates, PlayedUnit, duplicates};
pub use elo::{
    ScoreInterval, elo_error, elo_of_score, normalized_elo, normalized_elo_error, score_interval,
    score_of_elo,
};
pub use glicko2::Glicko;
pub use los::{LosConvention, likelihood_of_superiority, posterior_of_superiority, superiority_of_decisive};
pub use nash::{NashAverage, nash_average};
pub use paired::{mcnemar, sign_flips};
pub use payoff::{Cycle, cycle_warning, cycles, cyclic_share, log_odds};
pub use rank::{RankTest, holm, mann_whitney, median, quantile, quartiles, reached, share_reached};
pub use ratings::{
    Advantage, PlayerRating, RatingDifference, RatingOptions, Ratings, ResultRow, bootstrap_games,
    bootstrap_pairs, rate,
};
pub use resample::{BootstrapInterval, bootstrap_duels};
pub use score::Outcomes;
pub use sprt::{Sprt, SprtDecision, SprtModel};
pub use superiority::{superiority_by_duels, superiority_by_ratings};
pub use ties::{ScoredGame, TieBreakScores, direct_encounter, tie_break_scores};
pub use verdict::Verdict;
