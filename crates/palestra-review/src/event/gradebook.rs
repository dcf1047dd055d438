//! The table for a gradebook.

use super::text::{percent, plain, rated};
use super::{EventReport, failures, n_forfeits, score_of};
use palestra_tournament::PlayerStanding;

/// The table as CSV: one line for each player, in the order of the table; columns are listed in docs/events.md.
#[must_use]
pub fn gradebook(event: &EventReport<'_>) -> Vec<u8> {
    let thresholds = event.thresholds();
    let mut writer = csv::Writer::from_writer(Vec::new());
    let mut head: Vec<String> = HEAD.map(str::to_owned).to_vec();
    head.extend(thresholds.iter().map(|&rung| safe(&format!("above {}", event.name(rung)))));
    head.extend(["grade", "note"].map(str::to_owned));
    // A vector takes whatever is written.
    let _ = writer.write_record(&head);
    for row in &event.standings().rows {
        let _ = writer.write_record(line(event, row, &thresholds));
    }
    writer.into_inner().unwrap_or_default()
}

const HEAD: [&str; 12] = [
    "player",
    "rank",
    "points",
    "games",
    "wins",
    "draws",
    "losses",
    "score",
    "rating",
    "rating_low",
    "rating_high",
    "forfeits",
];

fn line(event: &EventReport<'_>, row: &PlayerStanding, thresholds: &[usize]) -> Vec<String> {
    let standings = event.standings();
    let count = row.count();
    let decimals = |value: Option<f64>, places: usize| {
        value.map_or_else(String::new, |value| format!("{value:.places$}"))
    };
    let rated = rated(standings, row.player);
    let mut cells = vec![
        safe(event.name(row.player)),
        row.rank.map_or_else(String::new, |rank| rank.to_string()),
        super::text::points(row.points),
        count.games().to_string(),
        count.wins.to_string(),
        count.draws.to_string(),
        count.losses.to_string(),
        decimals(score_of(row), 4),
        decimals(rated.map(|rated| rated.rating), 1),
        decimals(rated.and_then(|rated| rated.low), 1),
        decimals(rated.and_then(|rated| rated.high), 1),
        n_forfeits(row).to_string(),
    ];
    for &rung in thresholds {
        // Never more than is known, and never certainty.
        let los = standings.superiority(row.player, rung).filter(|_| rung != row.player);
        cells.push(decimals(los.map(|los| (los * 1e4).floor().clamp(1.0, 9999.0) / 1e4), 4));
    }
    let mark = standings.mark_of(row.player, event.marks);
    cells.push(mark.as_ref().map_or_else(String::new, |mark| super::text::points(mark.grade)));
    cells.push(safe(&note(event, row, mark.map(|mark| mark.sentence), thresholds)));
    cells
}

/// What a teacher has to know about the line, in words.
fn note(event: &EventReport<'_>, row: &PlayerStanding, mark: Option<String>, thresholds: &[usize]) -> String {
    let standings = event.standings();
    let mut said: Vec<String> = Vec::new();
    if row.quarantined_at.is_some() {
        said.push(format!("out of the event: {}; its games count for nobody", failures(row)));
    } else if n_forfeits(row) > 0 {
        said.push(format!("failed: {}", failures(row)));
    }
    if event.entrants[row.player].staff {
        said.push("of the house".to_owned());
    } else if let Some(mark) = mark {
        said.push(mark);
    } else if row.quarantined_at.is_none() && !thresholds.is_empty() {
        let best =
            thresholds.iter().filter_map(|&rung| Some((standings.superiority(row.player, rung)?, rung)));
        match best.max_by(|one, other| one.0.total_cmp(&other.0)) {
            Some((los, rung)) => said.push(format!("above {} with {}", event.name(rung), percent(los))),
            None => said.push("nothing connects it with the players of the house".to_owned()),
        }
        if !event.marks.is_empty() {
            said.push("no threshold passed".to_owned());
        }
    }
    said.join("; ")
}

/// A text that a spreadsheet takes for a text: whatever would begin a formula gets an apostrophe before it.
fn safe(text: &str) -> String {
    let text = plain(text);
    if text.trim_start().starts_with(['=', '+', '-', '@']) { format!("'{text}") } else { text }
}
