//! Ratings as tables and sentences for people.

use super::super::output::{Align, Output, grouped, table};
use super::RatingReport;
use anyhow::Result;
use palestra_stats::{PlayerRating, Ratings, superiority_by_ratings};

/// A table of everybody against everybody is shown up to so many players.
const WIDEST: usize = 12;

/// Neighbors in the order are compared in words up to so many players; beyond, only the two best.
const MOST_SENTENCES: usize = 10;

/// Natural log-odds in Elo.
pub(super) fn elo(odds: f64) -> f64 {
    400.0 / std::f64::consts::LN_10 * odds
}

pub(super) fn print(found: &RatingReport, output: &mut Output) -> Result<()> {
    let ratings = &found.ratings;
    let order = ratings.order();
    let mut rows =
        vec![["", "player", "rating", "±", "95 % interval", "games", "score"].map(str::to_owned).to_vec()];
    if found.again.is_some() {
        rows[0].push("bootstrap".to_owned());
    }
    if found.nash.is_some() {
        rows[0].extend(["Nash share", "against it", "alpha-rank"].map(str::to_owned));
    }
    if found.glicko.is_some() {
        rows[0].push("Glicko-2".to_owned());
    }
    let mut rank = 0;
    for (place, &i) in order.iter().enumerate() {
        let rated = ratings.players()[i];
        let starts_group = place == 0 || ratings.players()[order[place - 1]].group != rated.group;
        rank = if starts_group { 1 } else { rank + 1 };
        rows.push(row(found, i, rank));
    }
    let mut align = vec![Align::Right; rows[0].len()];
    align[1] = Align::Left;
    output.line(table(&rows, &align))?;
    if let Some(side) = ratings.advantage() {
        output.line(format_args!("The first side is worth {:+.1} ± {:.1} Elo.\n", side.elo, side.error))?;
    }
    if (2..=WIDEST).contains(&order.len()) {
        output.line(
            "\nLikelihood in percent that the player of the row is better than that of the column:\n",
        )?;
        output.line(superiority(ratings, &order))?;
    }
    sentences(ratings).iter().try_for_each(|sentence| output.line(sentence))?;
    if found.again.is_some() {
        output.line("The bootstrap draws single games: this file does not say which games are pairs.")?;
    }
    let notes = ratings.notes().iter().chain(&found.warning);
    notes.clone().try_for_each(|note| output.line(format_args!("Note: {note}.")))
}

fn row(found: &RatingReport, i: usize, rank: usize) -> Vec<String> {
    let (name, rated) = (&found.ratings.names()[i], found.ratings.players()[i]);
    let mut cells = vec![
        rank.to_string(),
        name.clone(),
        rating(&rated),
        rated.error.map_or("-".to_owned(), |error| format!("{error:.1}")),
        interval(&rated),
        grouped(rated.games as u64),
        if rated.games > 0.0 { format!("{:.1} %", 100.0 * rated.score) } else { "-".to_owned() },
    ];
    if let Some(spread) = found.again.as_ref().map(|again| again[i]) {
        cells.push(format!("[{:+.0}, {:+.0}]", spread.low + 0.0, spread.high + 0.0));
    }
    if let Some(diagnosis) = &found.nash {
        let share = format!("{:.1} %", 100.0 * diagnosis.nash.mixture[i]);
        cells.push(match diagnosis.again.as_ref().map(|again| again[i]) {
            Some(spread) => format!("{share} [{:.0}, {:.0}]", 100.0 * spread.low, 100.0 * spread.high),
            None => share,
        });
        cells.push(format!("{:+.0}", elo(diagnosis.nash.skill[i]).round() + 0.0));
        cells.push(format!("{:.1} %", 100.0 * diagnosis.alpha_rank[i]));
    }
    if let Some(glicko) = found.glicko.as_ref().map(|glicko| glicko[i]) {
        cells.push(format!("{:.0} ± {:.0}", glicko.rating, 1.96 * glicko.deviation));
    }
    cells
}

/// A rating; where an end of its interval is missing, the bound that there is.
fn rating(rated: &PlayerRating) -> String {
    match (rated.low, rated.high) {
        (Some(low), None) => format!("> {low:+.0}"),
        (None, Some(high)) => format!("< {high:+.0}"),
        (None, None) if rated.games == 0.0 => "-".to_owned(),
        _ => format!("{:+.1}", (10.0 * rated.rating).round() / 10.0 + 0.0),
    }
}

fn interval(rated: &PlayerRating) -> String {
    match (rated.low, rated.high) {
        (Some(low), Some(high)) => format!("[{low:+.0}, {high:+.0}]"),
        _ => "open".to_owned(),
    }
}

fn superiority(ratings: &Ratings, order: &[usize]) -> String {
    let name = |i: usize| ratings.names()[i].chars().take(12).collect::<String>();
    let mut rows = vec![vec![String::new()]];
    rows[0].extend(order.iter().map(|&i| name(i)));
    for (los, &i) in superiority_by_ratings(ratings, order).iter().zip(order) {
        let cell = |los: &Option<f64>| match los {
            None => "-".to_owned(),
            Some(los) if *los > 0.9995 => "> 99.9".to_owned(),
            Some(los) if *los < 0.0005 => "< 0.1".to_owned(),
            Some(los) => format!("{:.1}", 100.0 * los),
        };
        rows.push(std::iter::once(name(i)).chain(los.iter().map(cell)).collect());
    }
    let mut align = vec![Align::Right; order.len() + 1];
    align[0] = Align::Left;
    table(&rows, &align)
}

/// Neighbors of the order in words.
pub(super) fn sentences(ratings: &Ratings) -> Vec<String> {
    let order = ratings.order();
    let most = if order.len() <= MOST_SENTENCES { order.len() } else { 2 };
    let couples =
        order[..most].windows(2).filter(|couple| ratings.difference(couple[0], couple[1]).is_some());
    couples.map(|couple| ratings.sentence(couple[0], couple[1])).collect()
}
