//! Ratings as sentences.

use super::groups::Prior;
use super::interval::MAX_PROFILE;
use super::{PlayerRating, RatingOptions, Ratings};
use crate::elo::NORMAL_QUANTILE;
use crate::formatting::{SURE, list, more_games, percent, signed};

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
        format!("{name} is rated {}", rating_text(player))
    }

    /// The comparison of two players as a sentence.
    pub fn sentence(&self, i: usize, j: usize) -> String {
        let (one, other) = (&self.names[i], &self.names[j]);
        let Some(difference) = self.difference(i, j) else {
            return format!("{one} and {other} cannot be compared: no games connect them");
        };
        let (low, high) = (difference.elo - difference.error, difference.elo + difference.error);
        let evidence = format!(
            "{} Elo [{}, {}], likelihood of superiority {}",
            signed(difference.elo, 0),
            signed(low, 0),
            signed(high, 0),
            percent(difference.los)
        );
        if difference.los >= SURE {
            return format!("{one} is better than {other}: {evidence}");
        }
        if difference.los <= 1.0 - SURE {
            return format!("{one} is weaker than {other}: {evidence}");
        }
        let deviation = difference.error / NORMAL_QUANTILE;
        let games = self.players[i].games + self.players[j].games;
        let needed = games * (NORMAL_QUANTILE * deviation / difference.elo).powi(2);
        let games_needed = match difference.elo == 0.0 {
            true => "no difference seen".to_owned(),
            false => format!("{} would settle a difference of this size", more_games(needed - games)),
        };
        format!("{one} and {other} are not distinguishable yet: {evidence}; {games_needed}")
    }
}

/// A rating with its interval; where an end is missing, the other bound.
fn rating_text(player: &PlayerRating) -> String {
    let rating = signed(player.rating, 0);
    match (player.low, player.high) {
        (Some(low), Some(high)) => format!("{rating} Elo [{}, {}]", signed(low, 0), signed(high, 0)),
        (Some(low), None) => format!("> {} Elo", signed(low, 0)),
        (None, Some(high)) => format!("< {} Elo", signed(high, 0)),
        (None, None) => format!("{rating} Elo, unbounded"),
    }
}
