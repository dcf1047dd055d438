//! Ratings of many players from all their results at once.
//!
//! The model is Bradley and Terry's on the Elo scale: the first side's expected score is that of
//! `rating(first) − rating(second) + advantage`, and a draw is half a win. Ratings are those of maximum likelihood,
//! with mean zero, or as far from the anchors as the results say.

mod bootstrap;
mod description;
mod fit;
mod groups;
mod interval;
mod model;
mod system;
#[cfg(test)]
mod tests;

pub use bootstrap::{bootstrap_games, bootstrap_pairs};

use crate::elo::NORMAL_QUANTILE;
use groups::{Groups, Prior};
use model::{BradleyTerry, ELO};
use palestra_core::InputError;
use statrs::distribution::{ContinuousCDF, Normal};
use system::RatingCovariance;

/// What two players did to each other while the first named had the first side.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ResultRow {
    /// Who had the first side.
    pub first: usize,
    /// Who had the second side.
    pub second: usize,
    /// Games the first won.
    pub wins: f64,
    /// Games nobody won.
    pub draws: f64,
    /// Games the first lost.
    pub losses: f64,
}

/// How to rate.
#[derive(Clone, PartialEq, Debug)]
pub struct RatingOptions {
    /// Players whose rating is known, in Elo.
    pub anchors: Vec<(usize, f64)>,
    /// Whether to look for an advantage of the first side; it is found only where two players changed sides.
    pub advantage: bool,
    /// Whether to look for the ends of intervals, which takes longer than all the rest.
    pub intervals: bool,
}

impl Default for RatingOptions {
    fn default() -> RatingOptions {
        RatingOptions { anchors: Vec::new(), advantage: true, intervals: true }
    }
}

/// One player's rating, in Elo. Errors and intervals are at 95 %, relative to the mean of the group, or to its
/// anchors.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PlayerRating {
    /// The rating; 0 for a player without games.
    pub rating: f64,
    /// The symmetric error from the covariance; `None` for a player without games. An anchor has none: 0.
    pub error: Option<f64>,
    /// The lower end of the likelihood interval; `None` when the results do not bound it.
    pub low: Option<f64>,
    /// The upper end of the likelihood interval; `None` when the results do not bound it.
    pub high: Option<f64>,
    /// Games played.
    pub games: f64,
    /// Points per game, a draw being half; ½ without games.
    pub score: f64,
    /// Players are comparable within a group only.
    pub group: usize,
    /// Whether a virtual half of a draw was needed to keep the rating finite.
    pub prior: bool,
}

/// What having the first side is worth, in Elo, with its 95 % error.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Advantage {
    /// The advantage.
    pub elo: f64,
    /// Its error.
    pub error: f64,
}

/// The difference of two ratings, in Elo, with its 95 % error.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RatingDifference {
    /// How much higher the first player is rated.
    pub elo: f64,
    /// The error of the difference, which is not the sum of the two players' errors.
    pub error: f64,
    /// The probability that the first is the stronger one.
    pub los: f64,
}

/// The ratings of all players.
#[derive(Clone, Debug)]
pub struct Ratings {
    names: Vec<String>,
    players: Vec<PlayerRating>,
    advantage: Option<Advantage>,
    notes: Vec<String>,
    n_groups: usize,
    model: BradleyTerry,
    system: RatingCovariance,
}

/// The largest number of games a row may hold, and the farthest anchor.
const MOST_GAMES: f64 = 1e18;
const FARTHEST_ANCHOR: f64 = 20_000.0;

/// Rates the players, who are named for the notes, from all rows together.
///
/// Where a player, or a group of players, won or lost everything against the rest, no finite rating is the
/// likeliest: half a virtual draw, spread over the games with the rest, keeps it finite, and a note says who got
/// it. Players who never met, not even through others, are rated within their groups and not compared.
///
/// ```
/// use palestra_stats::{RatingOptions, ResultRow, rate};
///
/// let row = |first, second, wins, draws, losses| ResultRow { first, second, wins, draws, losses };
/// let rows = [row(0, 1, 18.0, 9.0, 3.0), row(1, 2, 18.0, 9.0, 3.0), row(0, 2, 24.0, 6.0, 0.0)];
/// let names = ["A", "B", "C"].map(str::to_owned);
/// let ratings = rate(&names, &rows, &RatingOptions::default()).unwrap();
/// assert_eq!(format!("{:.3}", ratings.players()[0].rating), "190.849");
/// ```
pub fn rate(names: &[String], rows: &[ResultRow], options: &RatingOptions) -> Result<Ratings, InputError> {
    check(names, rows, options)?;
    let MaximumLikelihood { model, groups, priors, theta } =
        MaximumLikelihood::of(names.len(), rows, options);
    let system = RatingCovariance::at(&model, &groups, theta);
    let mut ratings = Ratings {
        names: names.to_vec(),
        players: Vec::new(),
        advantage: system.advantage(&model),
        notes: Vec::new(),
        n_groups: groups.n,
        model,
        system,
    };
    ratings.players = interval::players(&ratings.model, &ratings.system, &groups, &priors, options.intervals);
    for &(player, rating) in &options.anchors {
        // As given, and not as rounded on the way to natural units and back.
        let anchor = &mut ratings.players[player];
        (anchor.rating, anchor.low, anchor.high) = (rating, Some(rating), Some(rating));
    }
    ratings.notes = description::notes(&ratings, &priors, options);
    Ok(ratings)
}

/// The likeliest ratings, without a word about their errors.
struct MaximumLikelihood {
    model: BradleyTerry,
    groups: Groups,
    priors: Vec<Prior>,
    /// Ratings in natural units, and the advantage behind them.
    theta: Vec<f64>,
}

impl MaximumLikelihood {
    fn of(n: usize, rows: &[ResultRow], options: &RatingOptions) -> MaximumLikelihood {
        let mut model = BradleyTerry::new(n, rows, options);
        let groups = Groups::of(&model);
        let priors = groups::add_priors(&mut model, &groups);
        let theta = fit::fit(&mut model, &groups);
        MaximumLikelihood { model, groups, priors, theta }
    }
}

fn check(names: &[String], rows: &[ResultRow], options: &RatingOptions) -> Result<(), InputError> {
    let known = |index: usize, place: &str| match names.get(index) {
        Some(_) => Ok(()),
        None => Err(InputError::new(place, index.to_string(), format!("a player below {}", names.len()))),
    };
    for row in rows {
        known(row.first, "first player of a row of results")?;
        known(row.second, "second player of a row of results")?;
        let place = || format!("results of {} against {}", names[row.first], names[row.second]);
        if row.first == row.second {
            return Err(InputError::new(place(), names[row.second].clone(), "another player"));
        }
        for count in [row.wins, row.draws, row.losses] {
            if !(0.0..=MOST_GAMES).contains(&count) {
                return Err(InputError::new(place(), count.to_string(), "a number of games"));
            }
        }
    }
    for &(player, rating) in &options.anchors {
        known(player, "an anchor")?;
        if !(-FARTHEST_ANCHOR..=FARTHEST_ANCHOR).contains(&rating) {
            let place = format!("the rating of anchor {}", names[player]);
            return Err(InputError::new(place, rating.to_string(), "a rating from -20000 to 20000"));
        }
    }
    Ok(())
}

impl Ratings {
    /// The players in the order they were named.
    pub fn players(&self) -> &[PlayerRating] {
        &self.players
    }

    /// Their names.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// What the first side is worth; `None` where it was not asked for, or no two players changed sides.
    pub fn advantage(&self) -> Option<Advantage> {
        self.advantage
    }

    /// What a reader has to know: who needed a virtual draw, who cannot be compared, how errors were found.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// How many groups there are that never met; one where everybody can be compared.
    pub fn n_groups(&self) -> usize {
        self.n_groups
    }

    /// Players from the highest rating to the lowest, group by group.
    pub fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.players.len()).collect();
        let key = |i: usize| (self.players[i].group, self.players[i].rating);
        order.sort_by(|&i, &j| key(i).0.cmp(&key(j).0).then(key(j).1.total_cmp(&key(i).1)).then(i.cmp(&j)));
        order
    }

    /// The difference of two players; `None` where nothing connects them, or they are the same.
    pub fn difference(&self, i: usize, j: usize) -> Option<RatingDifference> {
        let (one, other) = (self.players.get(i)?, self.players.get(j)?);
        if i == j || one.group != other.group {
            return None;
        }
        let elo = one.rating - other.rating;
        let deviation = ELO * self.system.variance_of_difference(&self.model, i, j).sqrt();
        // Two anchors are where they were put: nothing is left to doubt but equality.
        let los = match (deviation > 0.0, elo == 0.0) {
            (true, _) => Normal::standard().cdf(elo / deviation),
            (false, true) => 0.5,
            (false, false) => f64::from(u8::from(elo > 0.0)),
        };
        Some(RatingDifference { elo, error: NORMAL_QUANTILE * deviation, los })
    }

    /// The covariances of one player's rating with everybody's, in squared Elo.
    pub fn covariances(&self, i: usize) -> Vec<f64> {
        self.system.column(&self.model, i).iter().take(self.model.n).map(|value| ELO * ELO * value).collect()
    }
}
