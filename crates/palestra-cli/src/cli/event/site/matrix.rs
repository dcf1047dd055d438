//! Everybody against everybody: results that lead to the games, and how sure it is who is better.

use super::EventSite;
use crate::cli::event::MAX_PAIRWISE_PLAYERS;
use crate::cli::event::player::results;
use crate::cli::event::text::percent;
use palestra_review::chart::escaped;
use palestra_review::html::{link, paragraph};

/// Players that a square of cells shows.
const MOST: usize = 40;

/// Results of the row against the column; every cell leads to the games of the two.
pub(super) fn crosstable(site: &EventSite<'_>) -> String {
    let standings = site.event.standings();
    let cell = |row: usize, column: usize| {
        let crossing = standings.head_to_head(row, column)?;
        let address = format!("players/{}.html#vs-{}", site.names.file(row), site.names.file(column));
        let count = crossing.count();
        let score = (f64::from(count.wins) + 0.5 * f64::from(count.draws)) / f64::from(count.games().max(1));
        Some((shade(score), link(&address, &results(count))))
    };
    square(site, "Won-drawn-lost, the row against the column. Each cell leads to the games.", &cell)
}

/// How likely it is that the row is better than the column.
pub(super) fn superiority(site: &EventSite<'_>) -> String {
    let standings = site.event.standings();
    if standings.ratings.is_none() || standings.names.len() > MAX_PAIRWISE_PLAYERS {
        return String::new();
    }
    let cell = |row: usize, column: usize| {
        let los = standings.superiority(row, column)?;
        // Never certainty: 100 would be a lie, and so would 0.
        let shown = (100.0 * los).round().clamp(1.0, 99.0);
        let said = format!(
            "{} is better than {} with {}",
            site.event.name(row),
            site.event.name(column),
            percent(los)
        );
        Some((shade(los), format!("<span title=\"{}\">{shown}</span>", escaped(&said))))
    };
    square(
        site,
        "Likelihood in percent that the row is better than the column, by joint ratings of all games.",
        &cell,
    )
}

/// One of eleven shades, from the column's color to the row's.
fn shade(share: f64) -> usize {
    (10.0 * share).round().clamp(0.0, 10.0) as usize
}

fn square(
    site: &EventSite<'_>,
    caption: &str,
    cell: &dyn Fn(usize, usize) -> Option<(usize, String)>,
) -> String {
    let rows = site.event.standings().rows.iter().filter(|row| row.count().games() > 0);
    let all: Vec<usize> = rows.map(|row| row.player).collect();
    let players = &all[..all.len().min(MOST)];
    if players.len() < 2 {
        return String::new();
    }
    let heads: String = (1..=players.len())
        .zip(players)
        .map(|(number, &player)| {
            format!(
                "<th scope=\"col\"><abbr title=\"{}\">{number}</abbr></th>",
                escaped(site.event.name(player))
            )
        })
        .collect();
    let mut text = format!(
        "<div class=\"wide\"><table class=\"square\">\n<caption>{}</caption>\n<thead><tr><th></th><th scope=\"col\">player</th>{heads}</tr></thead>\n<tbody>\n",
        escaped(caption)
    );
    for (number, &row) in (1..).zip(players) {
        let column = |&column: &usize| match cell(row, column) {
            _ if row == column => "<td class=\"self\"></td>".to_owned(),
            Some((shade, text)) => format!("<td class=\"shade-{shade}\">{text}</td>"),
            None => "<td></td>".to_owned(),
        };
        let cells: String = players.iter().map(column).collect();
        text.push_str(&format!(
            "<tr><td>{number}</td><th scope=\"row\">{}</th>{cells}</tr>\n",
            site.player("", row)
        ));
    }
    text.push_str("</tbody>\n</table></div>\n");
    if all.len() > MOST {
        text.push_str(&paragraph(&format!(
            "The first {MOST} of {}; the pages of players have the others.",
            all.len()
        )));
    }
    text
}
