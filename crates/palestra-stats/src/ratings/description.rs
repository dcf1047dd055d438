//! Ratings as sentences.

use super::groups::Prior;
use super::interval::MAX_PROFILE;
use super::{Advantage, PlayerRating, RatingDifference, RatingOptions, Ratings};
use crate::elo::NORMAL_QUANTILE;
use crate::estimate::{EloComparison, EloEstimate, EloWords};
use crate::formatting::{NO_DIFFERENCE, list, settled_by};

/// Maximum number of players that a note names.
const MAX_NAMED: usize = 8;

/// Notes that readers need to interpret the numbers.
pub(super) fn notes(ratings: &Ratings, priors: &[Prior], options: &RatingOptions) -> Vec<String> {
    let mut notes = Vec::new();
    let names_where = |chosen: &dyn Fn(usize) -> bool| -> Vec<&str> {
        (0..ratings.names.len()).filter(|&i| chosen(i)).map(|i| ratings.names[i].as_str()).collect()
    };
    let with_prior = names_where(&|i| priors[i].given);
    if !with_prior.is_empty() {
        let verb = if with_prior.len() == 1 { "has" } else { "have" };
        notes.push(format!(
            "{} {verb} half a virtual draw against the opponents met: all points in those games went to one \
             side, so the maximum-likelihood rating would be infinite",
            list(&with_prior, MAX_NAMED)
        ));
    }
    let idle = names_where(&|i| ratings.players[i].games == 0.0 && ratings.model.fixed[i].is_none());
    if !idle.is_empty() {
        let verb = if idle.len() == 1 { "has" } else { "have" };
        notes.push(format!("{} {verb} no games, and no rating", list(&idle, MAX_NAMED)));
    }
    let groups = (0..ratings.n_groups)
        .filter(|&group| ratings.players.iter().any(|player| player.group == group && player.games > 0.0));
    let n_groups = groups.count();
    if n_groups > 1 {
        notes.push(format!(
            "the players form {n_groups} groups that never met: each is rated separately, and ratings of \
             different groups must not be compared"
        ));
    }
    if options.advantage && ratings.advantage.is_none() {
        notes.push("no two players changed sides, so the first side's advantage is taken as 0".to_owned());
    }
    if ratings.model.advantage_prior > 0.0 {
        notes.push(
            "half a virtual draw between equal players keeps the first side's advantage finite, which the \
             results do not bound"
                .to_owned(),
        );
    }
    if !ratings.system.is_dense() {
        notes.push(
            "with this many players, errors are estimated from random vectors, to about 2 %".to_owned(),
        );
    }
    if options.intervals && ratings.names.len() > MAX_PROFILE {
        notes.push(format!(
            "with more than {MAX_PROFILE} players, the shape of an interval comes from the player's own games, \
             its width from the covariance"
        ));
    }
    notes
}

impl Ratings {
    /// The rating of one player as a sentence: `A is rated +191 Elo [+115, +277]`.
    pub fn describe(&self, i: usize) -> String {
        let (name, player) = (&self.names[i], &self.players[i]);
        if player.games == 0.0 && player.low.is_none() && player.high.is_none() {
            return format!("{name} has no games, and no rating");
        }
        format!("{name} is rated {}", player.estimate())
    }

    /// The comparison of two players as a sentence.
    pub fn sentence(&self, i: usize, j: usize) -> String {
        let (one, other) = (&self.names[i], &self.names[j]);
        match self.comparison(i, j) {
            Some(comparison) => EloWords::ENGLISH.comparison(&comparison),
            None => format!("{one} and {other} cannot be compared: no games connect them"),
        }
    }

    /// The comparison of two players; `None` where no games connect them.
    pub fn comparison(&self, i: usize, j: usize) -> Option<EloComparison<'_>> {
        let difference = self.difference(i, j)?;
        let deviation = difference.error / NORMAL_QUANTILE;
        let games = self.players[i].games + self.players[j].games;
        let needed = games * (NORMAL_QUANTILE * deviation / difference.elo).powi(2);
        let remark = match difference.elo == 0.0 {
            true => NO_DIFFERENCE.to_owned(),
            false => settled_by(needed - games),
        };
        let players = [&*self.names[i], &*self.names[j]];
        let (estimate, note) = (difference.estimate(), String::new());
        Some(EloComparison { players, estimate, note, los: difference.los, remark })
    }
}

impl PlayerRating {
    /// The rating with its interval; without an estimate where one end of the interval is open.
    pub fn estimate(&self) -> EloEstimate {
        let elo = (self.low.is_some() == self.high.is_some()).then_some(self.rating);
        EloEstimate { elo, low: self.low, high: self.high }
    }
}

impl RatingDifference {
    /// The difference with its interval.
    pub fn estimate(&self) -> EloEstimate {
        EloEstimate::with_error(self.elo, self.error)
    }
}

impl Advantage {
    /// The advantage with its interval.
    pub fn estimate(&self) -> EloEstimate {
        EloEstimate::with_error(self.elo, self.error)
    }
}
