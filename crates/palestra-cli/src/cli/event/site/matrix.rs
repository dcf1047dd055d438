//! Crosstables: results with links to the games, and likelihood of superiority.

use super::EventSite;
use crate::cli::event::MAX_PAIRWISE_PLAYERS;
use crate::cli::event::player::results;
use crate::cli::event::text::percent;
use palestra_review::chart::escaped;
use palestra_review::html::{link, paragraph};

/// Most players of a crosstable.
const MAX_PLAYERS: usize = 40;

/// Results of the row against the column; every cell links to the games of the two.
pub(super) fn crosstable(site: &EventSite<'_>) -> String {
    let standings = site.event.standings();
    let cell = |row: usize, column: usize| {
        let head_to_head = standings.head_to_head(row, column)?;
        let address = format!("players/{}.html#vs-{}", site.names.file(row), site.names.file(column));
        let count = head_to_head.count();
        let score = (f64::from(count.wins) + 0.5 * f64::from(count.draws)) / f64::from(count.games().max(1));
        Some((shade(score), link(&address, &results(count))))
    };
    square(site, "Won-drawn-lost, the row against the column. Each cell links to the games.", &cell)
}

/// Likelihood that the row is better than the column.
pub(super) fn superiority(site: &EventSite<'_>) -> String {
    let standings = site.event.standings();
    if standings.ratings.is_none() || standings.names.len() > MAX_PAIRWISE_PLAYERS {
        return String::new();
    }
    let cell = |row: usize, column: usize| {
        let los = standings.superiority(row, column)?;
        // Never 0 or 100, because nothing is certain.
        let shown = (100.0 * los).round().clamp(1.0, 99.0);
        let title = format!(
            "{} is better than {} with {}",
            site.event.name(row),
            site.event.name(column),
            percent(los)
        );
        Some((shade(los), format!("<span title=\"{}\">{shown}</span>", escaped(&title))))
    };
    square(
        site,
        "Likelihood in percent that the row is better than the column, by joint ratings of all games.",
        &cell,
    )
}

/// One of eleven shades, from the column's color (0) to the row's (10).
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
    let players = &all[..all.len().min(MAX_PLAYERS)];
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
    if all.len() > MAX_PLAYERS {
        text.push_str(&paragraph(&format!(
            "The first {MAX_PLAYERS} of {}; the pages of players have the others.",
            all.len()
        )));
    }
    text
}
