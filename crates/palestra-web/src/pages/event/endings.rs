//! The reasons why games ended, by player.

use super::address::EventUrls;
use super::summary::EventSummary;
use crate::translation;
use crate::viewer::Language;
use palestra_review::event::EventReport;
use palestra_tournament::WinDrawLoss;

/// Limits on the reasons, which are columns, and on the players, which are rows.
const MAX_COLUMNS: usize = 8;
const MAX_ROWS: usize = 40;

/// Reasons by player.
pub(super) struct EndingsTable {
    /// The most frequent reasons, with the number of games and their share in percent.
    pub(super) reasons: Vec<(String, u32, String)>,
    /// Number of games that ended for other reasons.
    pub(super) n_others: u32,
    pub(super) rows: Vec<EndingsRow>,
    /// Number of players without a row.
    pub(super) n_more: usize,
}

/// The endings of a player's games.
pub(super) struct EndingsRow {
    pub(super) name: String,
    pub(super) link: String,
    /// Number of games and their results in words, in the order of the reasons.
    pub(super) cells: Vec<(u32, String)>,
}

impl EndingsTable {
    pub(super) fn of(
        summary: &EventSummary,
        event: &EventReport<'_>,
        at: &EventUrls,
        language: Language,
    ) -> EndingsTable {
        let n_all: u32 = summary.reasons.iter().map(|(_, n)| n).sum();
        let share = |n: u32| format!("{:.1} %", 100.0 * f64::from(n) / f64::from(n_all.max(1)));
        let shown = summary.reasons.iter().take(MAX_COLUMNS);
        let reasons: Vec<(String, u32, String)> =
            shown.map(|(reason, n)| (reason.clone(), *n, share(*n))).collect();
        let rows = event.standings().rows.iter().filter(|row| !row.endings.is_empty());
        let shown = rows.clone().take(MAX_ROWS).map(|row| EndingsRow {
            name: event.name(row.player).to_owned(),
            link: at.player(event.name(row.player)),
            cells: reasons
                .iter()
                .map(|(reason, ..)| {
                    let count = row.endings.get(reason).copied().unwrap_or_default();
                    (count.games(), in_words(count, language))
                })
                .collect(),
        });
        EndingsTable {
            rows: shown.collect(),
            n_others: summary.reasons.iter().skip(MAX_COLUMNS).map(|(_, n)| n).sum(),
            n_more: rows.count().saturating_sub(MAX_ROWS),
            reasons: reasons
                .into_iter()
                .map(|(reason, n, share)| (translation::translate(language, &reason).to_owned(), n, share))
                .collect(),
        }
    }
}

/// Won, drawn and lost games in words.
pub(super) fn in_words(count: WinDrawLoss, language: Language) -> String {
    let WinDrawLoss { wins, draws, losses } = count;
    match language {
        Language::English => format!("won {wins}, drawn {draws}, lost {losses}"),
        Language::Spanish => format!("ganadas {wins}, empatadas {draws}, perdidas {losses}"),
    }
}
