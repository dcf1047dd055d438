//! The crosstable: results of every player against every other; cells link to the games.

use super::address::EventUrls;
use crate::viewer::Language;
use palestra_review::event::EventReport;
use palestra_review::event::text::points;
use palestra_tournament::WinDrawLoss;

/// Limit on the players of a crosstable on the page of the event.
pub(super) const MAX_PLAYERS_INLINE: usize = 40;

/// Limit on the players of a crosstable on its own page.
pub(super) const MAX_PLAYERS: usize = 80;

/// Results of all against all, in the order of the standings.
pub(super) struct Crosstable {
    pub(super) rows: Vec<CrosstableRow>,
    /// Number of players with games.
    pub(super) n_players: usize,
}

/// The results of one player.
pub(super) struct CrosstableRow {
    pub(super) number: usize,
    pub(super) name: String,
    pub(super) link: String,
    pub(super) cells: Vec<CrosstableCell>,
}

/// The results of one player against another.
pub(super) enum CrosstableCell {
    /// The same player.
    Oneself,
    /// They have no games.
    Empty,
    Met {
        text: String,
        /// URL of their games.
        link: Option<String>,
        /// The results in words, for screen readers.
        label: String,
        /// CSS class: `ahead`, `behind` or `level`.
        class: &'static str,
    },
}

impl Crosstable {
    /// The crosstable of the first `limit` players with games.
    pub(super) fn of(
        event: &EventReport<'_>,
        at: &EventUrls,
        limit: usize,
        language: Language,
    ) -> Crosstable {
        let standings = event.standings();
        Crosstable::with_cells(event, at, limit, |row, column| {
            let Some(crossing) = standings.head_to_head(row, column) else { return CrosstableCell::Empty };
            let count = crossing.count();
            let [name, opponent] = [row, column].map(|player| event.name(player));
            CrosstableCell::Met {
                text: results(count),
                link: Some(at.games(name, Some(opponent))),
                label: label(name, opponent, count, &points(crossing.points[0]), language),
                class: match count.wins.cmp(&count.losses) {
                    std::cmp::Ordering::Greater => "ahead",
                    std::cmp::Ordering::Less => "behind",
                    std::cmp::Ordering::Equal => "level",
                },
            }
        })
    }

    /// Cells of each of the first `limit` players with games against each other.
    pub(super) fn with_cells(
        event: &EventReport<'_>,
        at: &EventUrls,
        limit: usize,
        cell: impl Fn(usize, usize) -> CrosstableCell,
    ) -> Crosstable {
        let rows = event.standings().rows.iter().filter(|row| row.count().games() > 0);
        let players: Vec<usize> = rows.map(|row| row.player).collect();
        let shown = &players[..players.len().min(limit)];
        let cell = |row, column| if row == column { CrosstableCell::Oneself } else { cell(row, column) };
        let row = |(i, &player): (usize, &usize)| CrosstableRow {
            number: i + 1,
            name: event.name(player).to_owned(),
            link: at.player(event.name(player)),
            cells: shown.iter().map(|&column| cell(player, column)).collect(),
        };
        Crosstable { rows: shown.iter().enumerate().map(row).collect(), n_players: players.len() }
    }
}

/// Wins, draws and losses: `3-1-0`.
pub(super) fn results(count: WinDrawLoss) -> String {
    match count.games() {
        0 => "–".to_owned(),
        _ => format!("{}-{}-{}", count.wins, count.draws, count.losses),
    }
}

fn label(name: &str, opponent: &str, count: WinDrawLoss, points: &str, language: Language) -> String {
    let WinDrawLoss { wins, draws, losses } = count;
    match language {
        Language::English => {
            format!("{name} against {opponent}: won {wins}, drawn {draws}, lost {losses}; {points} points")
        }
        Language::Spanish => {
            format!("{name} contra {opponent}: ganó {wins}, empató {draws}, perdió {losses}; {points} puntos")
        }
    }
}
