//! The standings, with the intervals of the ratings drawn.

use super::EventSite;
use super::page::page as shell;
use crate::cli::event::text::{points, rated, rating};
use crate::cli::event::{failures, n_forfeits, score_of};
use crate::cli::output::{counted, grouped};
use palestra_review::chart::escaped;
use palestra_review::html::{link, number_column, paragraph, table_of, text_column};
use palestra_stats::PlayerRating;
use palestra_tournament::{PlayerStanding, Standings, TieBreak};

/// Most rows on the index page; longer standings have a page of their own.
const MAX_ON_INDEX: usize = 200;
/// Size of the drawing of an interval, in pixels.
const WIDTH: f64 = 160.0;
const HEIGHT: f64 = 18.0;

/// Whether the standings are on the index page.
pub(super) fn fits(site: &EventSite<'_>) -> bool {
    site.event.standings().rows.len() <= MAX_ON_INDEX
}

/// The section of the index page.
pub(super) fn part(site: &EventSite<'_>) -> String {
    let standings = site.event.standings();
    let mut text = table(site, standings, MAX_ON_INDEX);
    if !fits(site) {
        let rest = grouped((standings.rows.len() - MAX_ON_INDEX) as u64);
        text.push_str(&format!("<p>… and {rest} more: {}.</p>\n", link("standings.html", "the whole table")));
    }
    text
}

/// The separate page.
pub(super) fn page(site: &EventSite<'_>) -> String {
    let table = table(site, site.event.standings(), usize::MAX);
    shell(site, "", "Standings", "", &[("standings", "All players", table)], false)
}

/// The first rows of the standings.
pub(super) fn table(site: &EventSite<'_>, standings: &Standings, max_rows: usize) -> String {
    let event = site.event;
    let scale = EloAxis::of(standings);
    let has = |what: fn(&PlayerStanding) -> bool| standings.rows.iter().any(what);
    let (forfeits, byes) = (has(|row| n_forfeits(row) > 0), has(|row| row.byes > 0));
    let uses = |tie_break: TieBreak| event.tie_breaks.contains(&tie_break);
    let (berger, buchholz) = (uses(TieBreak::SonnebornBerger), uses(TieBreak::Buchholz));
    let mut columns =
        vec![number_column("rank"), text_column("player"), number_column("points"), number_column("games")];
    columns.extend([
        number_column("won"),
        number_column("drawn"),
        number_column("lost"),
        number_column("score"),
    ]);
    if scale.is_some() {
        columns.extend([number_column("Elo [95 %]"), text_column("interval")]);
    }
    let optional = [(berger, "S–B"), (buchholz, "Buchholz"), (byes, "byes")];
    columns.extend(optional.into_iter().filter(|(shown, _)| *shown).map(|(_, head)| number_column(head)));
    columns.extend(forfeits.then(|| text_column("failures")));
    columns.extend((!event.marks.is_empty()).then(|| number_column("mark")));
    let mut rows = Vec::new();
    for row in standings.rows.iter().take(max_rows) {
        let count = row.count();
        let mut cells = vec![
            match (row.rank, row.quarantined_at) {
                (Some(rank), _) => rank.to_string(),
                (None, Some(_)) => "out".to_owned(),
                (None, None) => "–".to_owned(),
            },
            site.player("", row.player),
            points(row.points),
        ];
        cells.extend([count.games(), count.wins, count.draws, count.losses].map(|number| number.to_string()));
        cells.push(score_of(row).map_or("–".to_owned(), |score| format!("{:.1} %", 100.0 * score)));
        if let Some(scale) = &scale {
            let rated = rated(standings, row.player);
            cells.push(rated.map_or("–".to_owned(), |rated| escaped(&rating(rated))));
            cells.push(rated.map_or_else(String::new, |rated| scale.draw(rated)));
        }
        let numbers = [
            (berger, points(row.sonneborn_berger)),
            (buchholz, points(row.buchholz)),
            (byes, row.byes.to_string()),
        ];
        cells.extend(numbers.into_iter().filter(|(shown, _)| *shown).map(|(_, cell)| cell));
        cells.extend(forfeits.then(|| escaped(&failures(row))));
        if !event.marks.is_empty() {
            let mark = standings.mark_of(row.player, event.marks);
            let shown = |mark: palestra_tournament::EarnedMark| {
                format!("<abbr title=\"{}\">{}</abbr>", escaped(&mark.sentence), points(mark.grade))
            };
            cells.push(mark.map_or_else(String::new, shown));
        }
        rows.push(cells);
    }
    let caption = format!(
        "{} that count. A game gives {}.",
        counted(standings.duplicates.games, "game"),
        match event.points {
            palestra_tournament::PointSystem::Margin => "its own points".to_owned(),
            table => format!("{table} points for a win, a draw and a loss"),
        }
    );
    let mut text = table_of(&caption, &columns, &rows);
    if let Some(scale) = scale {
        text.push_str(&paragraph(&format!(
            "Intervals contain the true rating with a probability of 95 %; the scale is from {} to {} Elo. An arrow means that the games set no bound.",
            scale.low.round(),
            scale.high.round()
        )));
    }
    text
}

/// Scale of the drawings: from the lowest to the highest end of all intervals.
struct EloAxis {
    low: f64,
    high: f64,
}

impl EloAxis {
    fn of(standings: &Standings) -> Option<EloAxis> {
        let all = standings.rows.iter().filter_map(|row| rated(standings, row.player));
        let ends = all.flat_map(|rated| {
            [rated.low.unwrap_or(rated.rating), rated.rating, rated.high.unwrap_or(rated.rating)]
        });
        let (low, high) = ends.fold((f64::MAX, f64::MIN), |(low, high), end| (low.min(end), high.max(end)));
        (low <= high).then_some(EloAxis { low: low - 10.0, high: high + 10.0 })
    }

    fn x(&self, elo: f64) -> f64 {
        6.0 + (WIDTH - 12.0) * (elo - self.low) / (self.high - self.low)
    }

    /// Draws an interval as a line with a dot at the rating, and a thin line at 0.
    fn draw(&self, rated: &PlayerRating) -> String {
        let middle = HEIGHT / 2.0;
        let (left, right) =
            (rated.low.map_or(0.0, |low| self.x(low)), rated.high.map_or(WIDTH, |high| self.x(high)));
        let mut marks = String::new();
        if (self.low..self.high).contains(&0.0) {
            let zero = self.x(0.0);
            marks.push_str(&format!("<path class=\"zero\" d=\"M{zero:.1} 0V{HEIGHT}\"/>"));
        }
        marks.push_str(&format!("<path class=\"span\" d=\"M{left:.1} {middle}H{right:.1}\"/>"));
        if rated.low.is_none() {
            marks.push_str(&format!(
                "<path class=\"span\" d=\"M6 {}L1 {middle}L6 {}\"/>",
                middle - 4.0,
                middle + 4.0
            ));
        }
        if rated.high.is_none() {
            let (back, tip) = (WIDTH - 6.0, WIDTH - 1.0);
            marks.push_str(&format!(
                "<path class=\"span\" d=\"M{back} {}L{tip} {middle}L{back} {}\"/>",
                middle - 4.0,
                middle + 4.0
            ));
        }
        // With an open end the rating is only a guess, so that it has no dot.
        let dot = match (rated.low, rated.high) {
            (Some(_), Some(_)) => {
                format!("<circle class=\"dot\" cx=\"{:.1}\" cy=\"{middle}\" r=\"4\"/>", self.x(rated.rating))
            }
            _ => String::new(),
        };
        format!(
            "<svg class=\"interval\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" aria-hidden=\"true\">{marks}{dot}</svg>"
        )
    }
}
