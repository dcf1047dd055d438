//! The standings as CSV, for a gradebook.

use super::text::{percent, plain, rated};
use super::{EventReport, LeftOutPlayer, failures, has_groups, n_forfeits, score_of};
use palestra_tournament::PlayerStanding;

/// The standings as CSV: one line for each player, in the order of the standings; `docs/events.md` lists the columns.
#[must_use]
pub fn gradebook(event: &EventReport<'_>) -> Vec<u8> {
    let thresholds = event.thresholds();
    let has_groups = has_groups(event);
    let mut head: Vec<String> = HEAD.map(str::to_owned).to_vec();
    if has_groups {
        head.insert(1, "group".to_owned());
    }
    head.extend(thresholds.iter().map(|&threshold| safe(&format!("above {}", event.name(threshold)))));
    head.extend(["grade", "note"].map(str::to_owned));
    let group = |mut cells: Vec<String>, group: Option<&String>| {
        if has_groups {
            cells.insert(1, safe(group.map_or("", String::as_str)));
        }
        cells
    };
    let rows = all_rows(event)
        .into_iter()
        .map(|row| group(line(event, &row, &thresholds), event.entrants[row.player].group.as_ref()));
    let left_out =
        event.noted.left_out.iter().map(|left_out| {
            group(line_of_left_out(event, left_out, thresholds.len()), left_out.group.as_ref())
        });
    let head: Vec<&str> = head.iter().map(String::as_str).collect();
    csv_with_mark(&head, rows.chain(left_out))
}

/// The rows of the last stage; then those of the players that it did not have, from their last stage and without a
/// rank.
pub(super) fn all_rows(event: &EventReport<'_>) -> Vec<PlayerStanding> {
    let mut rows = event.standings().rows.clone();
    let mut is_shown = vec![false; event.entrants.len()];
    rows.iter().for_each(|row| is_shown[row.player] = true);
    let others = (0..event.entrants.len()).filter(|&player| !is_shown[player]);
    rows.extend(others.map(|player| PlayerStanding { rank: None, ..event.last_standing(player).1 }));
    rows
}

/// A CSV file in UTF-8 with a byte-order mark, without which spreadsheets take accents for other characters.
pub(super) fn csv_with_mark(head: &[&str], lines: impl Iterator<Item = Vec<String>>) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer("\u{feff}".as_bytes().to_vec());
    // Writing to a vector does not fail.
    let _ = writer.write_record(head);
    for line in lines {
        let _ = writer.write_record(line);
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
    for &threshold in thresholds {
        // Rounded down to four decimals, and never 0 or 1.
        let los = standings.superiority(row.player, threshold).filter(|_| threshold != row.player);
        cells.push(decimals(los.map(|los| (los * 1e4).floor().clamp(1.0, 9999.0) / 1e4), 4));
    }
    let mark = standings.mark_of(row.player, event.marks);
    cells.push(mark.as_ref().map_or_else(String::new, |mark| super::text::points(mark.grade)));
    cells.push(safe(&note(event, row, mark.map(|mark| mark.sentence), thresholds)));
    cells
}

/// The line of a player that was left out: no games, no points, and the reason. With marks, its grade is 0.
fn line_of_left_out(event: &EventReport<'_>, left_out: &LeftOutPlayer, n_thresholds: usize) -> Vec<String> {
    let mut cells = vec![safe(&left_out.player), String::new()];
    cells.extend(["0"; 5].map(str::to_owned));
    cells.extend([""; 4].map(str::to_owned));
    cells.push("0".to_owned());
    cells.extend(vec![String::new(); n_thresholds]);
    cells.push(if event.marks.is_empty() { String::new() } else { "0".to_owned() });
    cells.push(safe(&format!("left out: {}", left_out.reason)));
    cells
}

/// The note for the teacher: faults, marks and the comparison with the thresholds.
fn note(event: &EventReport<'_>, row: &PlayerStanding, mark: Option<String>, thresholds: &[usize]) -> String {
    let standings = event.standings();
    let mut notes: Vec<String> = Vec::new();
    if row.quarantined_at.is_some() {
        notes.push(format!("disqualified: {}; its games do not count", failures(row)));
    } else if n_forfeits(row) > 0 {
        notes.push(format!("failed: {}", failures(row)));
    }
    if event.entrants[row.player].staff {
        notes.push("staff player".to_owned());
    } else if let Some(mark) = mark {
        notes.push(mark);
    } else if row.quarantined_at.is_none() && !thresholds.is_empty() {
        let superiority =
            |&threshold: &usize| Some((standings.superiority(row.player, threshold)?, threshold));
        let best = thresholds.iter().filter_map(superiority);
        match best.max_by(|one, other| one.0.total_cmp(&other.0)) {
            Some((los, threshold)) => {
                notes.push(format!("above {} with {}", event.name(threshold), percent(los)));
            }
            None => notes.push("not comparable: no games connect it with the staff players".to_owned()),
        }
        if !event.marks.is_empty() {
            notes.push("no threshold passed".to_owned());
        }
    }
    notes.join("; ")
}

/// Text that a spreadsheet does not take for a formula: one that would begin a formula gets an apostrophe before it.
pub(super) fn safe(text: &str) -> String {
    let text = plain(text);
    if text.trim_start().starts_with(['=', '+', '-', '@']) { format!("'{text}") } else { text }
}
