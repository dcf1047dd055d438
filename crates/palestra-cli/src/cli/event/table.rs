//! The final standings in a terminal, with the conclusions below them.

use super::text::{plain, points, rated, short};
use super::{EventReport, end_reasons, failures, groups, has_groups, n_forfeits, score_of, sentences};
use crate::cli::output::{Align, counted, grouped, table};
use palestra_arena::program_name;
use palestra_stats::given_elo;
use palestra_store::EventGame;
use palestra_tournament::{PlayerStanding, TieBreak};

/// Most sentences about neighbors that are shown.
const MAX_SENTENCES: usize = 10;
/// Most games of a list, unless the style has more rows.
const MAX_GAMES: usize = 200;

/// Colors and size of the output.
#[derive(Clone, Copy)]
pub(crate) struct TerminalStyle {
    /// Whether to use colors.
    pub(crate) color: bool,
    /// Most rows of a table.
    pub(crate) max_rows: usize,
    /// Columns of the terminal.
    pub(crate) width: usize,
}

impl Default for TerminalStyle {
    fn default() -> TerminalStyle {
        TerminalStyle { color: false, max_rows: 20, width: 100 }
    }
}

/// The standings, and below them sentences about neighbors, warnings, notes and endings.
pub(crate) fn final_table(event: &EventReport<'_>, style: TerminalStyle) -> String {
    let mut text = String::new();
    for stage in &event.stages[..event.stages.len() - 1] {
        let best = stage.standings.rows.iter().filter(|row| row.rank == Some(1));
        let best: Vec<String> = best.map(|row| plain(event.name(row.player))).collect();
        text.push_str(&format!("{}: won by {}\n", plain(&stage.name), best.join(" and ")));
    }
    if event.stages.len() > 1 {
        let last = event.stages.last().map_or("", |stage| stage.name.as_str());
        text.push_str(&format!("\n{}\n", plain(last)));
    }
    text.push_str(&rows(event, style));
    text.push_str(&of_groups(event, style));
    text.push_str(&below(event));
    text
}

fn rows(event: &EventReport<'_>, style: TerminalStyle) -> String {
    let standings = event.standings();
    let all = &standings.rows;
    // A note about a single row would be as long as the row itself.
    let n_shown = if all.len() <= style.max_rows + 1 { all.len() } else { style.max_rows };
    let columns = columns(event);
    let heads: Vec<String> = columns.iter().map(|column| column.head.to_owned()).collect();
    let mut cells = vec![heads];
    cells.extend(all[..n_shown].iter().map(|row| columns.iter().map(|column| (column.cell)(row)).collect()));
    let align: Vec<Align> = columns.iter().map(|column| column.align).collect();
    let text = table(&cells, &align);
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    if style.color {
        lines[0] = format!("\x1b[1m{}\x1b[0m", lines[0]);
        for (line, row) in lines[1..].iter_mut().zip(all) {
            let color = match (row.rank, row.quarantined_at) {
                (_, Some(_)) => "\x1b[31m",
                (Some(1), _) => "\x1b[1;32m",
                (None, _) => "\x1b[2m",
                _ => continue,
            };
            *line = format!("{color}{line}\x1b[0m");
        }
    }
    let mut text = lines.join("\n") + "\n";
    if n_shown < all.len() {
        let rest = grouped((all.len() - n_shown) as u64);
        let name = plain(&event.run.name);
        text.push_str(&format!(
            "… and {rest} more: {} event {name} --csv FILE or --json has all of them\n",
            program_name()
        ));
    }
    text
}

/// The results of the groups, the players without one last.
fn of_groups(event: &EventReport<'_>, style: TerminalStyle) -> String {
    let groups = groups(event);
    if groups.is_empty() {
        return String::new();
    }
    let has_marks = !event.marks.is_empty();
    let mut head = vec!["group", "students", "mean score [95 %]", "best", "failed"];
    if has_marks {
        head.extend(["mean grade", "passed"]);
    }
    let mut cells: Vec<Vec<String>> = vec![head.iter().map(|&head| head.to_owned()).collect()];
    let share = |share: f64| format!("{:.1}", 100.0 * share);
    for group in groups.iter().take(style.max_rows) {
        let score = match (group.score, group.score_low, group.score_high) {
            (None, ..) => "–".to_owned(),
            (Some(mean), Some(low), Some(high)) => {
                format!("{} % [{}, {}]", share(mean), share(low), share(high))
            }
            (Some(mean), ..) => format!("{} %", share(mean)),
        };
        let best = match (&group.best[..], group.best_score) {
            ([first, others @ ..], Some(score)) => {
                let more =
                    if others.is_empty() { String::new() } else { format!(" and {} more", others.len()) };
                format!("{}{more}, {} %", short(first), share(score))
            }
            _ => "–".to_owned(),
        };
        let name = group.group.as_deref().map_or_else(|| "(none)".to_owned(), short);
        let mut row = vec![name, group.students.to_string(), score, best, group.failed.to_string()];
        if has_marks {
            row.push(group.grade.map_or("–".to_owned(), points));
            row.push(group.passed.map_or(String::new(), |passed| passed.to_string()));
        }
        cells.push(row);
    }
    let (left, right) = (Align::Left, Align::Right);
    let align = [left, right, left, left, right, right, right];
    let more = groups.len().saturating_sub(style.max_rows);
    let more = if more > 0 { format!("… and {more} more: see --json\n") } else { String::new() };
    format!("\n{}{more}", table(&cells, &align[..head.len()]))
}

struct Column<'a> {
    head: &'static str,
    align: Align,
    cell: Box<dyn Fn(&PlayerStanding) -> String + 'a>,
}

/// The columns of the standings; tie-breaks, byes, failures and marks only where there are any.
fn columns<'a>(event: &'a EventReport<'_>) -> Vec<Column<'a>> {
    let standings = event.standings();
    let mut columns: Vec<Column<'a>> = Vec::new();
    let mut add = |head, align, cell: Box<dyn Fn(&PlayerStanding) -> String + 'a>| {
        columns.push(Column { head, align, cell });
    };
    let rank = |row: &PlayerStanding| match (row.rank, row.quarantined_at) {
        (Some(rank), _) => rank.to_string(),
        (None, Some(_)) => "out".to_owned(),
        (None, None) => "–".to_owned(),
    };
    let score = |row: &PlayerStanding| {
        score_of(row).map_or("–".to_owned(), |share| format!("{:.1} %", 100.0 * share))
    };
    add("rank", Align::Right, Box::new(rank));
    add("player", Align::Left, Box::new(|row| short(event.name(row.player))));
    if has_groups(event) {
        let group =
            |row: &PlayerStanding| event.entrants[row.player].group.as_deref().map_or(String::new(), short);
        add("group", Align::Left, Box::new(group));
    }
    add("points", Align::Right, Box::new(|row| points(row.points)));
    add("games", Align::Right, Box::new(|row| row.count().games().to_string()));
    add("W", Align::Right, Box::new(|row| row.count().wins.to_string()));
    add("D", Align::Right, Box::new(|row| row.count().draws.to_string()));
    add("L", Align::Right, Box::new(|row| row.count().losses.to_string()));
    add("score", Align::Right, Box::new(score));
    if standings.ratings.is_some() {
        let cell = |row: &PlayerStanding| {
            rated(standings, row.player).map_or("–".to_owned(), |rated| rated.estimate().cell())
        };
        add("Elo [95 %]", Align::Left, Box::new(cell));
    }
    for tie_break in event.shown_tie_breaks() {
        match tie_break {
            TieBreak::SonnebornBerger => {
                add("S–B", Align::Right, Box::new(|row| points(row.sonneborn_berger)));
            }
            TieBreak::Buchholz => add("Buchholz", Align::Right, Box::new(|row| points(row.buchholz))),
            // The others are in the table already, or concern two players only.
            TieBreak::Direct | TieBreak::Wins | TieBreak::Rating => {}
        }
    }
    if standings.rows.iter().any(|row| row.byes > 0) {
        add("byes", Align::Right, Box::new(|row| row.byes.to_string()));
    }
    if standings.rows.iter().any(|row| n_forfeits(row) > 0) {
        add("forfeits", Align::Left, Box::new(|row| plain(&failures(row))));
    }
    if !event.marks.is_empty() {
        let cell = |row: &PlayerStanding| {
            let mark = standings.mark_of(row.player, event.marks);
            mark.map_or("–".to_owned(), |mark| {
                format!("{} ({})", points(mark.grade), plain(&mark.sentence))
            })
        };
        add("mark", Align::Left, Box::new(cell));
    }
    columns
}

/// The sections below the standings.
fn below(event: &EventReport<'_>) -> String {
    let standings = event.standings();
    let mut text = String::new();
    let mut section = |heading: &str, lines: &[String]| {
        if !lines.is_empty() {
            text.push_str(&format!("\n{heading}\n"));
            lines.iter().for_each(|line| text.push_str(&format!("  {}\n", plain(line))));
        }
    };
    let (mut sentences, n_more) = sentences(standings, MAX_SENTENCES);
    if n_more > 0 {
        sentences.push(format!("… and {} of neighbors (see --json)", counted(n_more as u64, "more pair")));
    }
    section("Conclusions", &sentences);
    section("Warnings", &event.warnings());
    let mut notes = event.notes();
    if standings.ratings.is_some() {
        notes.push(zero(event));
    }
    section("Notes", &notes);
    section("Endings", &endings(event));
    text
}

/// The zero point of the rating scale.
fn zero(event: &EventReport<'_>) -> String {
    let anchors = event.entrants.iter().filter_map(|entrant| Some((entrant, entrant.anchor?)));
    let anchors: Vec<String> =
        anchors.map(|(entrant, anchor)| format!("{} = {}", entrant.name, given_elo(anchor))).collect();
    match anchors.is_empty() {
        true => "Elo 0 is the mean of the comparable players; brackets are 95 % intervals".to_owned(),
        false => format!("Elo is measured from {}; brackets are 95 % intervals", anchors.join(", ")),
    }
}

fn endings(event: &EventReport<'_>) -> Vec<String> {
    let reasons = end_reasons(event);
    let parts: Vec<String> =
        reasons.iter().map(|(reason, n)| format!("{reason} {}", grouped(u64::from(*n)))).collect();
    if parts.is_empty() { Vec::new() } else { vec![parts.join(", ")] }
}

/// A table of the games with their numbers, the arguments of `palestra engine replay`.
pub(crate) fn game_list(games: &[EventGame], style: TerminalStyle) -> String {
    let mut cells =
        vec![["game", "round", "first", "second", "result", "plies", "end"].map(str::to_owned).to_vec()];
    let max_games = style.max_rows.max(MAX_GAMES);
    for game in games.iter().take(max_games) {
        let record = &game.game.record;
        let end = match &record.forfeit {
            Some(forfeit) => format!("{}: {}", record.reason, forfeit.detail),
            None => record.reason.clone(),
        };
        cells.push(vec![
            game.id.to_string(),
            (game.place.round + 1).to_string(),
            short(&game.place.first),
            short(&game.place.second),
            super::result(game.game.record.winner).to_owned(),
            game.game.record.plies.to_string(),
            cut(&plain(&end)),
        ]);
    }
    let (left, right) = (Align::Left, Align::Right);
    let mut text = table(&cells, &[right, right, left, left, left, right, left]);
    if games.len() > max_games {
        let rest = counted((games.len() - max_games) as u64, "more game");
        text.push_str(&format!("… and {rest}: --jsonl FILE or --pgn FILE writes all of them\n"));
    }
    text
}

/// The start of a long text, with an ellipsis.
fn cut(text: &str) -> String {
    cut_at(text, 72)
}

/// The start of a text that is longer than `max` characters.
pub(super) fn cut_at(text: &str, max: usize) -> String {
    if text.chars().count() <= max {
        return text.to_owned();
    }
    text.chars().take(max - 1).chain(['…']).collect()
}
