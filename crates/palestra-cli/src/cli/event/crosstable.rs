//! Crosstables in a terminal: results, and likelihood of superiority.

use super::table::TerminalStyle;
use super::text::{plain, points, short};
use crate::cli::output::{Align, table};
use palestra_tournament::{HeadToHead, Standings};

/// Won, drawn and lost games of the player of the row against the player of each column; points where that is too wide.
pub(crate) fn crosstable(standings: &Standings, style: TerminalStyle) -> String {
    let results = |head_to_head: &HeadToHead| {
        let count = head_to_head.count();
        format!("{}-{}-{}", count.wins, count.draws, count.losses)
    };
    let cell = |cell: fn(&HeadToHead) -> String| {
        move |row: usize, column: usize| standings.head_to_head(row, column).map(|result| cell(&result))
    };
    let wide = square(standings, style, &cell(results));
    let is_wide = wide.is_cut || wide.width > style.width;
    let drawn = if is_wide {
        square(standings, style, &cell(|head_to_head| points(head_to_head.points[0])))
    } else {
        wide
    };
    let what = if is_wide {
        "Points of the row against the column"
    } else {
        "Won-drawn-lost, the row against the column"
    };
    drawn.with_heading(what, style)
}

/// The likelihood, in percent, that the player of the row is better than the player of each column, by joint ratings.
pub(crate) fn superiority(standings: &Standings, style: TerminalStyle) -> String {
    let cell = |row: usize, column: usize| {
        // Never 0 or 100, because nothing is certain.
        standings.superiority(row, column).map(|los| (100.0 * los).round().clamp(1.0, 99.0).to_string())
    };
    square(standings, style, &cell)
        .with_heading("Likelihood in percent that the row is better than the column", style)
}

/// A crosstable as text.
struct CrosstableText {
    text: String,
    width: usize,
    /// Whether columns were left out.
    is_cut: bool,
}

impl CrosstableText {
    fn with_heading(self, what: &str, style: TerminalStyle) -> String {
        let what = if style.color { format!("\x1b[1m{what}\x1b[0m") } else { what.to_owned() };
        let rest = if self.is_cut {
            "… the rest does not fit; --site and --json have the whole table\n"
        } else {
            ""
        };
        format!("{what}\n{}{rest}", self.text)
    }
}

/// All players with games, in the order of the standings, against as many of them as fit.
fn square(
    standings: &Standings,
    style: TerminalStyle,
    cell: &dyn Fn(usize, usize) -> Option<String>,
) -> CrosstableText {
    let rows = standings.rows.iter().filter(|row| row.count().games() > 0);
    let players: Vec<usize> = rows.map(|row| row.player).collect();
    let names = players.iter().map(|&player| short(&standings.names[player]));
    let names: Vec<String> = names.map(|name| plain(&name)).collect();
    let mut n_columns = players.len().min(24);
    loop {
        let n_rows = if n_columns < players.len() { n_columns } else { players.len() };
        let head = (1..=n_columns).map(|number| number.to_string());
        let mut cells: Vec<Vec<String>> =
            vec![["#".to_owned(), "player".to_owned()].into_iter().chain(head).collect()];
        for (i, &row) in players[..n_rows].iter().enumerate() {
            let column = |&column: &usize| match cell(row, column) {
                _ if row == column => "·".to_owned(),
                Some(text) => text,
                None => String::new(),
            };
            let start = [(i + 1).to_string(), names[i].clone()];
            cells.push(start.into_iter().chain(players[..n_columns].iter().map(column)).collect());
        }
        let mut align = vec![Align::Right, Align::Left];
        align.resize(2 + n_columns, Align::Right);
        let text = table(&cells, &align);
        let width = text.lines().map(|line| line.chars().count()).max().unwrap_or(0);
        if width <= style.width || n_columns <= 2 {
            return CrosstableText { text, width, is_cut: n_columns < players.len() };
        }
        n_columns -= 1;
    }
}
