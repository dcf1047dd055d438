//! Statistics of game results: how strong players are, and how certain that is.
//!
//! Results of two players are counts, seen from one of them, the subject. A [`Verdict`] has the score, Elo with a 95 %
//! profile-likelihood interval, likelihood of superiority, normalized Elo, and a sentence for people. [`Sprt`] is a
//! sequential test that decides when to stop a match. No result is infinite or NaN: what the results do not bound is
//! `None`.
//!
//! For many players, [`rate`] fits joint ratings, [`nash_average`] and [`alpha_rank()`] rank players in the presence of
//! cycles, which [`cycles`] finds, and [`tie_break_scores`] breaks ties of points.
//!
//! ```
//! use palestra_stats::{Outcomes, RatingOptions, ResultRow, Verdict, rate, score_interval};
//!
//! // Five wins, one draw and two losses.
//! let verdict = Verdict::of_games(5, 1, 2);
//! assert_eq!(
//!     verdict.sentence("Optimum", "Start"),
//!     "Optimum and Start are not distinguishable yet: +137 Elo [-95, +406], \
//!      likelihood of superiority 89.2 %; about 13 more games would settle a difference of this size",
//! );
//!
//! // Ten wins in ten games: the normal approximation has no error here, the likelihood interval has.
//! let interval = score_interval(&Outcomes::games(10, 0, 0));
//! assert!(interval.low > 0.82 && interval.high == 1.0);
//!
//! // Joint ratings of three players. A and C never met, but both met B.
//! let names = ["A", "B", "C"].map(str::to_owned);
//! let row = |first, second, wins, losses| ResultRow { first, second, wins, draws: 0.0, losses };
//! let rows = [row(0, 1, 30.0, 10.0), row(1, 2, 30.0, 10.0)];
//! let ratings = rate(&names, &rows, &RatingOptions::default())?;
//! assert_eq!(ratings.order(), [0, 1, 2]);
//! assert!(ratings.difference(0, 2).is_some_and(|difference| difference.los > 0.999));
//! # Ok::<(), palestra_core::InputError>(())
//! ```

mod alpha_rank;
mod duplicates;
mod elo;
mod estimate;
mod formatting;
mod glicko2;
mod los;
mod mean;
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
pub use estimate::{EloComparison, EloEstimate, EloWords, given_elo};
pub use formatting::signed as signed_elo;
pub use glicko2::Glicko;
pub use los::{LosConvention, likelihood_of_superiority, posterior_of_superiority, superiority_of_decisive};
pub use mean::mean_interval;
pub use nash::{NashAverage, nash_average};
pub use paired::{mcnemar, sign_flips};
pub use payoff::{Cycle, cycle_warning, cycles, cyclic_share, log_odds};
pub use rank::{RankTest, holm, mann_whitney, median, quantile, quartiles, reached, share_reached};
pub use ratings::{
    Advantage, PlayerRating, RatingDifference, RatingOptions, Ratings, ResultRow, bootstrap_games,
    bootstrap_pairs, rate,
};
pub use resample::{BootstrapInterval, bootstrap_head_to_head};
pub use score::Outcomes;
pub use sprt::{Sprt, SprtDecision, SprtModel};
pub use superiority::{superiority_by_head_to_head, superiority_by_ratings};
pub use ties::{ScoredGame, TieBreakScores, direct_encounter, tie_break_scores};
pub use verdict::Verdict;
