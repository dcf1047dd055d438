//! Ratings in words.

use super::groups::Prior;
use super::interval::LARGEST_PROFILE;
use super::{PlayerRating, RatingOptions, Ratings};
use crate::elo::NORMAL_QUANTILE;
use crate::formatting::{SURE, list, more_games, percent, signed};

/// The most players a note names.
const NAMED: usize = 8;

/// What a reader has to know beside the numbers.
pub(super) fn notes(ratings: &Ratings, priors: &[Prior], options: &RatingOptions) -> Vec<String> {
    let mut notes = Vec::new();
    let named = |chosen: &dyn Fn(usize) -> bool| -> Vec<&str> {
        (0..ratings.names.len()).filter(|&i| chosen(i)).map(|i| ratings.names[i].as_str()).collect()
    };
    let helped = named(&|i| priors[i].given);
    if !helped.is_empty() {
        let verb = if helped.len() == 1 { "has" } else { "have" };
        notes.push(format!(
            "{} {verb} half a virtual draw against the opponents met: all points in those games went one way, \
             and no finite rating would be the likeliest",
            list(&helped, NAMED)
        ));
    }
    let idle = named(&|i| ratings.players[i].games == 0.0 && ratings.model.fixed[i].is_none());
    if !idle.is_empty() {
        let verb = if idle.len() == 1 { "has" } else { "have" };
        notes.push(format!("{} {verb} no games, and no rating", list(&idle, NAMED)));
    }
    let groups = (0..ratings.n_groups)
        .filter(|&group| ratings.players.iter().any(|player| player.group == group && player.games > 0.0));
    let n_groups = groups.count();
    if n_groups > 1 {
        notes.push(format!(
            "the players fall into {n_groups} groups that never met: each is rated on its own, and ratings of \
             different groups must not be compared"
        ));
    }
    if options.advantage && ratings.advantage.is_none() {
        notes.push("no two players changed sides, so the first side's advantage is taken as 0".to_owned());
    }
    if ratings.model.advantage_prior > 0.0 {
        notes.push(
            "half a virtual draw between equals keeps the first side's advantage finite: the results do not"
                .to_owned(),
        );
    }
    if !ratings.system.is_whole() {
        notes.push(
            "with so many players errors are estimated from random signs, right to about 2 %".to_owned(),
        );
    }
    if options.intervals && ratings.names.len() > LARGEST_PROFILE {
        notes.push(format!(
            "with more than {LARGEST_PROFILE} players an interval has the shape of the player's own games and the \
             width of the covariance"
        ));
    }
    notes
}

impl Ratings {
    /// The rating of one player in words: `A is rated +191 Elo [+115, +277]`.
    pub fn describe(&self, i: usize) -> String {
        let (name, player) = (&self.names[i], &self.players[i]);
        format!("{name} is rated {}", in_words(player))
    }

    /// What the ratings say about two players, for a reader who knows their names.
    pub fn sentence(&self, i: usize, j: usize) -> String {
        let (one, other) = (&self.names[i], &self.names[j]);
        let Some(difference) = self.difference(i, j) else {
            return format!("{one} and {other} cannot be compared: nobody connects them");
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
        let outlook = match difference.elo == 0.0 {
            true => "no difference seen".to_owned(),
            false => format!("{} would settle a difference of this size", more_games(needed - games)),
        };
        format!("{one} and {other} are not distinguishable yet: {evidence}; {outlook}")
    }
}

/// A rating with its interval; where an end is missing, the bound that there is.
fn in_words(player: &PlayerRating) -> String {
    let rating = signed(player.rating, 0);
    match (player.low, player.high) {
        (Some(low), Some(high)) => format!("{rating} Elo [{}, {}]", signed(low, 0), signed(high, 0)),
        (Some(low), None) => format!("> {} Elo", signed(low, 0)),
        (None, Some(high)) => format!("< {} Elo", signed(high, 0)),
        (None, None) if player.games == 0.0 => "by nothing: it has no games".to_owned(),
        (None, None) => format!("{rating} Elo, unbounded"),
    }
}
