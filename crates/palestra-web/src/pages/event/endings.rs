//! How games ended, and for whom.

use super::address::EventUrls;
use super::summary::EventSummary;
use crate::viewer::Language;
use palestra_review::event::EventReport;
use palestra_tournament::WinDrawLoss;

/// Reasons that have a column of their own, and players that have a row.
const COLUMNS: usize = 8;
const ROWS: usize = 40;

/// Reasons by player.
pub(super) struct EndingsTable {
    /// The most frequent reasons, with how many games ended so.
    pub(super) reasons: Vec<(String, u32)>,
    /// Games that ended otherwise.
    pub(super) n_others: u32,
    pub(super) rows: Vec<EndingsRow>,
    pub(super) n_more: usize,
}

/// How the games of a player ended.
pub(super) struct EndingsRow {
    pub(super) name: String,
    pub(super) link: String,
    /// How many games, and what they were in words; in the order of the reasons.
    pub(super) cells: Vec<(u32, String)>,
}

impl EndingsTable {
    pub(super) fn of(
        folded: &EventSummary,
        event: &EventReport<'_>,
        at: &EventUrls,
        language: Language,
    ) -> EndingsTable {
        let reasons: Vec<(String, u32)> = folded.reasons.iter().take(COLUMNS).cloned().collect();
        let rows = event.standings().rows.iter().filter(|row| !row.endings.is_empty());
        let shown = rows.clone().take(ROWS).map(|row| EndingsRow {
            name: event.name(row.player).to_owned(),
            link: at.player(event.name(row.player)),
            cells: reasons
                .iter()
                .map(|(reason, _)| {
                    let count = row.endings.get(reason).copied().unwrap_or_default();
                    (count.games(), in_words(count, language))
                })
                .collect(),
        });
        EndingsTable {
            rows: shown.collect(),
            n_others: folded.reasons.iter().skip(COLUMNS).map(|(_, n)| n).sum(),
            n_more: rows.count().saturating_sub(ROWS),
            reasons,
        }
    }
}

/// Won, drawn and lost games.
pub(super) fn in_words(count: WinDrawLoss, language: Language) -> String {
    let WinDrawLoss { wins, draws, losses } = count;
    match language {
        Language::English => format!("won {wins}, drawn {draws}, lost {losses}"),
        Language::Spanish => format!("ganadas {wins}, empatadas {draws}, perdidas {losses}"),
    }
}
