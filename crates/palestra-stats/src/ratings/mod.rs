//! Joint ratings of many players from all their results.
//!
//! The model is Bradley and Terry's on the Elo scale: the first side's expected score is that of
//! `rating(first) − rating(second) + advantage`, and a draw is half a win. Ratings have maximum likelihood, with mean
//! zero or relative to anchors.

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

/// Results of two players in games with the same sides.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ResultRow {
    /// Index of the player with the first side.
    pub first: usize,
    /// Index of the player with the second side.
    pub second: usize,
    /// Number of games that the first player won.
    pub wins: f64,
    /// Number of drawn games.
    pub draws: f64,
    /// Number of games that the first player lost.
    pub losses: f64,
}

/// Options of a rating.
#[derive(Clone, PartialEq, Debug)]
pub struct RatingOptions {
    /// Anchors: players with a given rating, in Elo.
    pub anchors: Vec<(usize, f64)>,
    /// Whether to fit an advantage of the first side; it is fitted only where two players changed sides.
    pub advantage: bool,
    /// Whether to compute intervals, which takes longer than all the rest.
    pub intervals: bool,
}

impl Default for RatingOptions {
    fn default() -> RatingOptions {
        RatingOptions { anchors: Vec::new(), advantage: true, intervals: true }
    }
}

/// One player's rating, in Elo. Errors and intervals are at 95 %, relative to the mean of the group or to its anchors.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize)]
pub struct PlayerRating {
    /// The rating; 0 for a player without games.
    pub rating: f64,
    /// The symmetric error from the covariance; `None` for a player without games, 0 for an anchor.
    pub error: Option<f64>,
    /// The lower end of the likelihood interval; `None` when the results do not bound it.
    pub low: Option<f64>,
    /// The upper end of the likelihood interval; `None` when the results do not bound it.
    pub high: Option<f64>,
    /// Number of games played.
    pub games: f64,
    /// Mean points per game, with ½ for a draw; ½ without games.
    pub score: f64,
    /// Index of the group of connected players; ratings are comparable only within a group.
    pub group: usize,
    /// Whether half a virtual draw was needed to keep the rating finite.
    pub prior: bool,
}

/// Advantage of the first side, in Elo, with its 95 % error.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Advantage {
    /// The advantage in Elo.
    pub elo: f64,
    /// The 95 % error in Elo.
    pub error: f64,
}

/// The difference of two ratings, in Elo, with its 95 % error.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RatingDifference {
    /// Rating of the first player minus that of the second.
    pub elo: f64,
    /// The error of the difference; it is not the sum of the two players' errors, because they are correlated.
    pub error: f64,
    /// The probability that the first player is the stronger one.
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

/// Maximum count of a row.
const MAX_GAMES: f64 = 1e18;
/// Maximum absolute rating of an anchor, in Elo.
const MAX_ANCHOR: f64 = 20_000.0;

/// Rates the players jointly from all rows; the names are for notes and sentences.
///
/// Where a player, or a group of players, won or lost all games against the rest, the maximum-likelihood rating is
/// infinite: half a virtual draw, spread over the games with the rest, keeps it finite, and a note names the players.
/// Players that no games connect are rated within their groups and not compared.
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
        // As given: the conversion to natural units and back rounds.
        let anchor = &mut ratings.players[player];
        (anchor.rating, anchor.low, anchor.high) = (rating, Some(rating), Some(rating));
    }
    ratings.notes = description::notes(&ratings, &priors, options);
    Ok(ratings)
}

/// Maximum-likelihood ratings without errors.
struct MaximumLikelihood {
    model: BradleyTerry,
    groups: Groups,
    priors: Vec<Prior>,
    /// Ratings in natural units, followed by the advantage.
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
    let check_index = |index: usize, key: &str| match names.get(index) {
        Some(_) => Ok(()),
        None => Err(InputError::new(key, index.to_string(), format!("an index below {}", names.len()))),
    };
    for row in rows {
        check_index(row.first, "first player of a row of results")?;
        check_index(row.second, "second player of a row of results")?;
        let key = || format!("results of {} against {}", names[row.first], names[row.second]);
        if row.first == row.second {
            return Err(InputError::new(key(), names[row.second].clone(), "two different players"));
        }
        for count in [row.wins, row.draws, row.losses] {
            if !(0.0..=MAX_GAMES).contains(&count) {
                return Err(InputError::new(key(), count.to_string(), "a number of games from 0 to 1e18"));
            }
        }
    }
    for &(player, rating) in &options.anchors {
        check_index(player, "player of an anchor")?;
        if !(-MAX_ANCHOR..=MAX_ANCHOR).contains(&rating) {
            let key = format!("rating of anchor {}", names[player]);
            return Err(InputError::new(key, rating.to_string(), "a rating from -20000 to 20000"));
        }
    }
    Ok(())
}

impl Ratings {
    /// The ratings in the order of the names.
    pub fn players(&self) -> &[PlayerRating] {
        &self.players
    }

    /// The names of the players.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The advantage of the first side; `None` if the options exclude it, or no two players changed sides.
    pub fn advantage(&self) -> Option<Advantage> {
        self.advantage
    }

    /// Notes for readers: players with a virtual draw, players that cannot be compared, how errors were computed.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Number of groups that no games connect; 1 where all players can be compared.
    pub fn n_groups(&self) -> usize {
        self.n_groups
    }

    /// Indices of the players from the highest rating to the lowest, group by group.
    pub fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.players.len()).collect();
        let key = |i: usize| (self.players[i].group, self.players[i].rating);
        order.sort_by(|&i, &j| key(i).0.cmp(&key(j).0).then(key(j).1.total_cmp(&key(i).1)).then(i.cmp(&j)));
        order
    }

    /// The rating difference of two players; `None` where no games connect them, or for the same player twice.
    pub fn difference(&self, i: usize, j: usize) -> Option<RatingDifference> {
        let (one, other) = (self.players.get(i)?, self.players.get(j)?);
        if i == j || one.group != other.group {
            return None;
        }
        let elo = one.rating - other.rating;
        let deviation = ELO * self.system.variance_of_difference(&self.model, i, j).sqrt();
        // The difference of two anchors is exact.
        let los = match (deviation > 0.0, elo == 0.0) {
            (true, _) => Normal::standard().cdf(elo / deviation),
            (false, true) => 0.5,
            (false, false) => f64::from(u8::from(elo > 0.0)),
        };
        Some(RatingDifference { elo, error: NORMAL_QUANTILE * deviation, los })
    }

    /// The covariances of one player's rating with the ratings of all players, in squared Elo.
    pub fn covariances(&self, i: usize) -> Vec<f64> {
        self.system.column(&self.model, i).iter().take(self.model.n).map(|value| ELO * ELO * value).collect()
    }
}
