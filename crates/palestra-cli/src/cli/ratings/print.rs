//! Ratings as text.

use super::super::output::{Align, Output, grouped, table};
use super::RatingReport;
use anyhow::Result;
use palestra_stats::{EloEstimate, PlayerRating, Ratings, signed_elo, superiority_by_ratings};

/// Most players of the table of superiority, which has a column per player.
const MAX_COLUMNS: usize = 12;

/// Most players whose neighbors in the order are compared in sentences; with more, only the two best are.
const MAX_SENTENCES: usize = 10;

/// Converts natural log-odds to Elo.
pub(super) fn elo(odds: f64) -> f64 {
    400.0 / std::f64::consts::LN_10 * odds
}

pub(super) fn print(report: &RatingReport, output: &mut Output) -> Result<()> {
    let ratings = &report.ratings;
    let order = ratings.order();
    let mut rows =
        vec![["", "player", "rating", "±", "95 % interval", "games", "score"].map(str::to_owned).to_vec()];
    if report.bootstrap.is_some() {
        rows[0].push("bootstrap".to_owned());
    }
    if report.nash.is_some() {
        rows[0].extend(["Nash share", "against it", "alpha-rank"].map(str::to_owned));
    }
    if report.glicko.is_some() {
        rows[0].push("Glicko-2".to_owned());
    }
    let mut rank = 0;
    for (k, &i) in order.iter().enumerate() {
        let rated = ratings.players()[i];
        let starts_group = k == 0 || ratings.players()[order[k - 1]].group != rated.group;
        rank = if starts_group { 1 } else { rank + 1 };
        rows.push(row(report, i, rank));
    }
    let mut align = vec![Align::Right; rows[0].len()];
    align[1] = Align::Left;
    output.line(table(&rows, &align))?;
    if let Some(side) = ratings.advantage() {
        output.line(format_args!(
            "Advantage of the first side: {} ± {:.1} Elo.\n",
            signed_elo(side.elo, 1),
            side.error
        ))?;
    }
    if (2..=MAX_COLUMNS).contains(&order.len()) {
        output
            .line("Likelihood in percent that the player of the row is better than that of the column:\n")?;
        output.line(superiority(ratings, &order))?;
    }
    sentences(ratings).iter().try_for_each(|sentence| output.line(sentence))?;
    if report.bootstrap.is_some() {
        output.line(
            "The bootstrap samples single games, because the file does not say which games are pairs.",
        )?;
    }
    let notes = ratings.notes().iter().chain(&report.warning);
    notes.clone().try_for_each(|note| output.line(format_args!("Note: {note}.")))
}

fn row(report: &RatingReport, i: usize, rank: usize) -> Vec<String> {
    let (name, rated) = (&report.ratings.names()[i], report.ratings.players()[i]);
    let mut cells = vec![
        rank.to_string(),
        name.clone(),
        rating(&rated),
        rated.error.map_or("-".to_owned(), |error| format!("{error:.1}")),
        rated.estimate().interval().unwrap_or_else(|| "open".to_owned()),
        grouped(rated.games as u64),
        if rated.games > 0.0 { format!("{:.1} %", 100.0 * rated.score) } else { "-".to_owned() },
    ];
    if let Some(spread) = report.bootstrap.as_ref().map(|intervals| intervals[i]) {
        let spread = EloEstimate { elo: None, low: Some(spread.low), high: Some(spread.high) };
        cells.extend(spread.interval());
    }
    if let Some(diagnosis) = &report.nash {
        let share = format!("{:.1} %", 100.0 * diagnosis.nash.mixture[i]);
        cells.push(match diagnosis.bootstrap.as_ref().map(|intervals| intervals[i]) {
            Some(spread) => format!("{share} [{:.0}, {:.0}]", 100.0 * spread.low, 100.0 * spread.high),
            None => share,
        });
        cells.push(signed_elo(elo(diagnosis.nash.skill[i]), 0));
        cells.push(format!("{:.1} %", 100.0 * diagnosis.alpha_rank[i]));
    }
    if let Some(glicko) = report.glicko.as_ref().map(|glicko| glicko[i]) {
        cells.push(format!("{:.0} ± {:.0}", glicko.rating, 1.96 * glicko.deviation));
    }
    cells
}

/// A rating; where one end of its interval is open, the other end as a bound.
fn rating(rated: &PlayerRating) -> String {
    match rated.estimate().bound() {
        Some(bound) => bound,
        None if rated.games == 0.0 && rated.low.is_none() => "-".to_owned(),
        None => signed_elo(rated.rating, 1),
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

/// Sentences that compare neighbors in the order.
pub(super) fn sentences(ratings: &Ratings) -> Vec<String> {
    let order = ratings.order();
    let n = if order.len() <= MAX_SENTENCES { order.len() } else { 2 };
    let neighbors = order[..n].windows(2).filter(|pair| ratings.difference(pair[0], pair[1]).is_some());
    neighbors.map(|pair| ratings.sentence(pair[0], pair[1])).collect()
}
