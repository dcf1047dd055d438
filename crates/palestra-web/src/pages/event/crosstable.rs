//! Who did what to whom; cells open the games.

use super::address::EventUrls;
use crate::viewer::Language;
use palestra_review::event::EventReport;
use palestra_review::event::text::points;
use palestra_tournament::WinDrawLoss;

/// Players whose crosstable stands on the page of the event.
pub(super) const MAX_PLAYERS_INLINE: usize = 40;

/// Players whose crosstable fits on a page of its own.
pub(super) const MAX_PLAYERS: usize = 80;

/// All against all, in the order of the table.
pub(super) struct Crosstable {
    pub(super) rows: Vec<CrosstableRow>,
    /// Players who have games.
    pub(super) n_players: usize,
}

/// What one player did.
pub(super) struct CrosstableRow {
    pub(super) number: usize,
    pub(super) name: String,
    pub(super) link: String,
    pub(super) cells: Vec<CrosstableCell>,
}

/// What one player did to another.
pub(super) enum CrosstableCell {
    /// The same player.
    Oneself,
    /// They have not met.
    Empty,
    Met {
        text: String,
        link: String,
        /// In words.
        label: String,
        /// The class: who is ahead.
        class: &'static str,
    },
}

impl Crosstable {
    pub(super) fn of(event: &EventReport<'_>, at: &EventUrls, most: usize, language: Language) -> Crosstable {
        let standings = event.standings();
        let rows = standings.rows.iter().filter(|row| row.count().games() > 0);
        let players: Vec<usize> = rows.map(|row| row.player).collect();
        let shown = &players[..players.len().min(most)];
        let cell = |row: usize, column: usize| {
            if row == column {
                return CrosstableCell::Oneself;
            }
            let Some(crossing) = standings.head_to_head(row, column) else { return CrosstableCell::Empty };
            let count = crossing.count();
            let [name, rival] = [row, column].map(|player| event.name(player));
            CrosstableCell::Met {
                text: results(count),
                link: at.games(name, Some(rival)),
                label: label(name, rival, count, &points(crossing.points[0]), language),
                class: match count.wins.cmp(&count.losses) {
                    std::cmp::Ordering::Greater => "ahead",
                    std::cmp::Ordering::Less => "behind",
                    std::cmp::Ordering::Equal => "level",
                },
            }
        };
        let row = |(i, &player): (usize, &usize)| CrosstableRow {
            number: i + 1,
            name: event.name(player).to_owned(),
            link: at.player(event.name(player)),
            cells: shown.iter().map(|&column| cell(player, column)).collect(),
        };
        Crosstable { rows: shown.iter().enumerate().map(row).collect(), n_players: players.len() }
    }
}

/// Results as `3-1-0`.
pub(super) fn results(count: WinDrawLoss) -> String {
    match count.games() {
        0 => "–".to_owned(),
        _ => format!("{}-{}-{}", count.wins, count.draws, count.losses),
    }
}

fn label(name: &str, rival: &str, count: WinDrawLoss, points: &str, language: Language) -> String {
    let WinDrawLoss { wins, draws, losses } = count;
    match language {
        Language::English => {
            format!("{name} against {rival}: won {wins}, drawn {draws}, lost {losses}; {points} points")
        }
        Language::Spanish => {
            format!("{name} contra {rival}: ganó {wins}, empató {draws}, perdió {losses}; {points} puntos")
        }
    }
}
