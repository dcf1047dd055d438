//! The table of standings, with rating intervals as numbers and as pictures.

use super::address::EventUrls;
use super::sentences;
use crate::viewer::Language;
use palestra_review::event::text::{points, rated};
use palestra_review::event::{EventReport, StageStandings, failures, has_groups, n_forfeits, score_of};
use palestra_stats::PlayerRating;
use palestra_tournament::{PlayerStanding, Standings, TieBreak};

/// Rows per page.
pub(super) const PAGE_SIZE: usize = 200;

/// Size of the picture of an interval, in pixels.
const WIDTH: f64 = 140.0;
const HEIGHT: f64 = 16.0;

/// A table of standings.
pub(super) struct StandingsTable {
    pub(super) caption: String,
    pub(super) has_groups: bool,
    pub(super) has_ratings: bool,
    /// The ends of the scale of the intervals, in Elo.
    pub(super) scale: Option<[String; 2]>,
    pub(super) tie_breaks: Vec<&'static str>,
    pub(super) has_byes: bool,
    pub(super) has_forfeits: bool,
    pub(super) has_marks: bool,
    pub(super) rows: Vec<StandingsTableRow>,
    /// The page, from 1, and the number of pages.
    pub(super) page: usize,
    pub(super) n_pages: usize,
}

/// A row of the table.
pub(super) struct StandingsTableRow {
    pub(super) player: usize,
    pub(super) rank: String,
    pub(super) name: String,
    pub(super) link: String,
    pub(super) group: String,
    pub(super) points: String,
    pub(super) games: u32,
    pub(super) wins: u32,
    pub(super) draws: u32,
    pub(super) losses: u32,
    pub(super) score: String,
    pub(super) rating: String,
    /// The interval as SVG, which the template does not escape.
    pub(super) interval: String,
    pub(super) tie_breaks: Vec<String>,
    pub(super) byes: u32,
    pub(super) forfeits: String,
    /// The grade and the sentence that explains it.
    pub(super) mark: Option<(String, String)>,
    pub(super) is_out: bool,
}

impl StandingsTable {
    /// A page of the standings of a stage; `None` where that page does not exist.
    pub(super) fn of(
        event: &EventReport<'_>,
        stage: &StageStandings,
        at: &EventUrls,
        (page, page_size): (usize, usize),
        language: Language,
    ) -> Option<StandingsTable> {
        let standings = &stage.standings;
        let n_pages = standings.rows.len().div_ceil(page_size).max(1);
        let start = (1..=n_pages).contains(&page).then(|| (page - 1) * page_size)?;
        let shown = standings.rows.iter().skip(start).take(page_size);
        let table = StandingsTable::with_rows(event, standings, shown, at, language);
        Some(StandingsTable { page, n_pages, ..table })
    }

    /// Some players in the standings of the last stage, with their ranks among all.
    pub(super) fn of_players(
        event: &EventReport<'_>,
        players: &[usize],
        at: &EventUrls,
        language: Language,
    ) -> StandingsTable {
        let standings = event.standings();
        let rows = standings.rows.iter().filter(|row| players.contains(&row.player));
        StandingsTable::with_rows(event, standings, rows, at, language)
    }

    fn with_rows<'a>(
        event: &EventReport<'_>,
        standings: &Standings,
        shown: impl Iterator<Item = &'a PlayerStanding>,
        at: &EventUrls,
        language: Language,
    ) -> StandingsTable {
        let scale = Scale::of(standings);
        let rows = shown.map(|row| table_row(event, standings, row, scale.as_ref(), at, language));
        let tie_breaks = event.shown_tie_breaks().iter().filter_map(|&tie_break| tie_break_name(tie_break));
        StandingsTable {
            caption: sentences::points_sentence(*event.points, standings.duplicates.games, language),
            scale: scale.as_ref().map(|scale| [scale.low, scale.high].map(|end| format!("{end:.0}"))),
            has_groups: has_groups(event),
            has_ratings: standings.ratings.is_some(),
            tie_breaks: tie_breaks.collect(),
            has_byes: standings.rows.iter().any(|row| row.byes > 0),
            has_forfeits: standings.rows.iter().any(|row| n_forfeits(row) > 0),
            has_marks: !event.marks.is_empty(),
            rows: rows.collect(),
            page: 1,
            n_pages: 1,
        }
    }
}

/// The column heading of a tie-break; `None` for those that the table shows anyway or that compare two players only.
fn tie_break_name(tie_break: TieBreak) -> Option<&'static str> {
    match tie_break {
        TieBreak::SonnebornBerger => Some("S–B"),
        TieBreak::Buchholz => Some("Buchholz"),
        TieBreak::Direct | TieBreak::Wins | TieBreak::Rating => None,
    }
}

fn table_row(
    event: &EventReport<'_>,
    standings: &Standings,
    row: &PlayerStanding,
    scale: Option<&Scale>,
    at: &EventUrls,
    language: Language,
) -> StandingsTableRow {
    let (count, name) = (row.count(), event.name(row.player));
    let rated = rated(standings, row.player);
    let tie_breaks = event.shown_tie_breaks().iter().filter_map(|tie_break| match tie_break {
        TieBreak::SonnebornBerger => Some(points(row.sonneborn_berger)),
        TieBreak::Buchholz => Some(points(row.buchholz)),
        TieBreak::Direct | TieBreak::Wins | TieBreak::Rating => None,
    });
    StandingsTableRow {
        player: row.player,
        rank: match (row.rank, row.quarantined_at) {
            (Some(rank), _) => rank.to_string(),
            (None, Some(_)) => language.pick("out", "fuera").to_owned(),
            (None, None) => "–".to_owned(),
        },
        name: name.to_owned(),
        link: at.player(name),
        group: event.entrants[row.player].group.clone().unwrap_or_default(),
        points: points(row.points),
        games: count.games(),
        wins: count.wins,
        draws: count.draws,
        losses: count.losses,
        score: score_of(row).map_or("–".to_owned(), |score| format!("{:.1} %", 100.0 * score)),
        rating: rated.map_or("–".to_owned(), |rated| rated.estimate().cell()),
        interval: rated.zip(scale).map_or_else(String::new, |(rated, scale)| scale.draw(rated)),
        tie_breaks: tie_breaks.collect(),
        byes: row.byes,
        forfeits: failures(row),
        mark: standings.mark_of(row.player, event.marks).map(|mark| (points(mark.grade), mark.sentence)),
        is_out: row.quarantined_at.is_some(),
    }
}

/// The range of all intervals, in Elo.
struct Scale {
    low: f64,
    high: f64,
}

impl Scale {
    fn of(standings: &Standings) -> Option<Scale> {
        let all = standings.rows.iter().filter_map(|row| rated(standings, row.player));
        let ends = all.flat_map(|rated| {
            [rated.low.unwrap_or(rated.rating), rated.rating, rated.high.unwrap_or(rated.rating)]
        });
        let (low, high) = ends.fold((f64::MAX, f64::MIN), |(low, high), end| (low.min(end), high.max(end)));
        (low <= high).then_some(Scale { low: low - 10.0, high: high + 10.0 })
    }

    fn x(&self, elo: f64) -> f64 {
        6.0 + (WIDTH - 12.0) * (elo - self.low) / (self.high - self.low)
    }

    /// A line from end to end with a dot at the rating and a thin line at 0; an arrow where an end is unbounded.
    fn draw(&self, rated: &PlayerRating) -> String {
        let middle = HEIGHT / 2.0;
        let (left, right) =
            (rated.low.map_or(0.0, |low| self.x(low)), rated.high.map_or(WIDTH, |high| self.x(high)));
        let mut marks = String::new();
        if (self.low..self.high).contains(&0.0) {
            marks.push_str(&format!("<path class=\"zero\" d=\"M{:.1} 0V{HEIGHT}\"/>", self.x(0.0)));
        }
        marks.push_str(&format!("<path class=\"span\" d=\"M{left:.1} {middle}H{right:.1}\"/>"));
        let (top, bottom) = (middle - 4.0, middle + 4.0);
        if rated.low.is_none() {
            marks.push_str(&format!("<path class=\"span\" d=\"M6 {top}L1 {middle}L6 {bottom}\"/>"));
        }
        if rated.high.is_none() {
            let (back, tip) = (WIDTH - 6.0, WIDTH - 1.0);
            marks.push_str(&format!(
                "<path class=\"span\" d=\"M{back} {top}L{tip} {middle}L{back} {bottom}\"/>"
            ));
        }
        // With an unbounded end the rating itself is not meaningful.
        if rated.low.is_some() && rated.high.is_some() {
            let x = self.x(rated.rating);
            marks.push_str(&format!("<circle class=\"dot\" cx=\"{x:.1}\" cy=\"{middle}\" r=\"4\"/>"));
        }
        format!(
            "<svg class=\"interval\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" aria-hidden=\"true\">{marks}</svg>"
        )
    }
}
