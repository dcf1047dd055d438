//! The final table in a terminal, and what has to be said below it.

use super::text::{elo, plain, points, rated, rating, short};
use super::{EventReport, end_reasons, failures, n_forfeits, score_of, sentences};
use crate::cli::output::{Align, counted, grouped, table};
use palestra_store::EventGame;
use palestra_tournament::{PlayerStanding, TieBreak};

/// Sentences about neighbors that are shown.
const SENTENCES: usize = 10;
/// Games that a list shows unless it is asked for more.
const GAMES: usize = 200;

/// How an output looks.
#[derive(Clone, Copy)]
pub(crate) struct TerminalStyle {
    /// Whether to use colors.
    pub(crate) color: bool,
    /// Rows that are shown of a long table.
    pub(crate) max_rows: usize,
    /// Columns of the terminal.
    pub(crate) width: usize,
}

impl Default for TerminalStyle {
    fn default() -> TerminalStyle {
        TerminalStyle { color: false, max_rows: 20, width: 100 }
    }
}

/// The table, and below it what it means: neighbors, warnings, the first side, how games ended.
pub(crate) fn final_table(event: &EventReport<'_>, look: TerminalStyle) -> String {
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
    text.push_str(&rows(event, look));
    text.push_str(&below(event));
    text
}

fn rows(event: &EventReport<'_>, look: TerminalStyle) -> String {
    let standings = event.standings();
    let all = &standings.rows;
    // Whoever stands just behind the last one shown would be the only one left out.
    let n_shown = if all.len() <= look.max_rows + 1 { all.len() } else { look.max_rows };
    let columns = columns(event);
    let heads: Vec<String> = columns.iter().map(|column| column.head.to_owned()).collect();
    let mut cells = vec![heads];
    cells.extend(all[..n_shown].iter().map(|row| columns.iter().map(|column| (column.cell)(row)).collect()));
    let align: Vec<Align> = columns.iter().map(|column| column.align).collect();
    let text = table(&cells, &align);
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    if look.color {
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
            "… and {rest} more: palestra event {name} --csv FILE, or --json, has them all\n"
        ));
    }
    text
}

struct Column<'a> {
    head: &'static str,
    align: Align,
    cell: Box<dyn Fn(&PlayerStanding) -> String + 'a>,
}

/// The columns that say something: tie-breaks that are used, failures where there are any.
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
    add("points", Align::Right, Box::new(|row| points(row.points)));
    add("games", Align::Right, Box::new(|row| row.count().games().to_string()));
    add("W", Align::Right, Box::new(|row| row.count().wins.to_string()));
    add("D", Align::Right, Box::new(|row| row.count().draws.to_string()));
    add("L", Align::Right, Box::new(|row| row.count().losses.to_string()));
    add("score", Align::Right, Box::new(score));
    if standings.ratings.is_some() {
        let cell = |row: &PlayerStanding| rated(standings, row.player).map_or("–".to_owned(), rating);
        add("Elo [95 %]", Align::Left, Box::new(cell));
    }
    for tie_break in event.tie_breaks {
        match tie_break {
            TieBreak::SonnebornBerger => {
                add("S–B", Align::Right, Box::new(|row| points(row.sonneborn_berger)));
            }
            TieBreak::Buchholz => add("Buchholz", Align::Right, Box::new(|row| points(row.buchholz))),
            // The others stand in the table already, or are between two players only.
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

/// What the table means, in sentences.
fn below(event: &EventReport<'_>) -> String {
    let standings = event.standings();
    let mut text = String::new();
    let mut part = |heading: &str, lines: &[String]| {
        if !lines.is_empty() {
            text.push_str(&format!("\n{heading}\n"));
            lines.iter().for_each(|line| text.push_str(&format!("  {}\n", plain(line))));
        }
    };
    let (mut sentences, n_more) = sentences(standings, SENTENCES);
    if n_more > 0 {
        sentences
            .push(format!("… and {} of neighbors (--json has them)", counted(n_more as u64, "more pair")));
    }
    part("What it means", &sentences);
    part("Warnings", &event.warnings());
    let mut notes = event.notes();
    if standings.ratings.is_some() {
        notes.push(zero(event));
    }
    part("Notes", &notes);
    part("How games ended", &endings(event));
    text
}

/// Where the scale of ratings begins.
fn zero(event: &EventReport<'_>) -> String {
    let anchors = event.entrants.iter().filter_map(|entrant| Some((entrant, entrant.anchor?)));
    let anchors: Vec<String> =
        anchors.map(|(entrant, anchor)| format!("{} = {}", entrant.name, elo(anchor))).collect();
    match anchors.is_empty() {
        true => "Elo 0 is the mean of those who can be compared; brackets are 95 % intervals".to_owned(),
        false => format!("Elo is measured from {}; brackets are 95 % intervals", anchors.join(", ")),
    }
}

fn endings(event: &EventReport<'_>) -> Vec<String> {
    let reasons = end_reasons(event);
    let parts: Vec<String> =
        reasons.iter().map(|(reason, n)| format!("{reason} {}", grouped(u64::from(*n)))).collect();
    if parts.is_empty() { Vec::new() } else { vec![parts.join(", ")] }
}

/// The games with their numbers, as `palestra show` and `replay-failure` want them.
pub(crate) fn game_list(games: &[EventGame], look: TerminalStyle) -> String {
    let mut cells =
        vec![["game", "round", "first", "second", "result", "plies", "end"].map(str::to_owned).to_vec()];
    let most = look.max_rows.max(GAMES);
    for game in games.iter().take(most) {
        let detail = game.detail.as_deref().filter(|_| game.forfeit.is_some());
        let end = detail
            .map_or_else(|| game.game.reason.clone(), |detail| format!("{}: {detail}", game.game.reason));
        cells.push(vec![
            game.id.to_string(),
            (game.round + 1).to_string(),
            short(&game.first),
            short(&game.second),
            super::result(game.game.winner).to_owned(),
            game.game.plies.to_string(),
            cut(&plain(&end)),
        ]);
    }
    let (left, right) = (Align::Left, Align::Right);
    let mut text = table(&cells, &[right, right, left, left, left, right, left]);
    if games.len() > most {
        let rest = counted((games.len() - most) as u64, "more game");
        text.push_str(&format!("… and {rest}: --jsonl FILE or --pgn FILE writes them all\n"));
    }
    text
}

/// The beginning of a long text.
pub(super) fn cut(text: &str) -> String {
    const MOST: usize = 72;
    if text.chars().count() <= MOST {
        return text.to_owned();
    }
    text.chars().take(MOST - 1).chain(['…']).collect()
}
