//! How games ended, and for whom.

use super::address::Addresses;
use super::folded::Folded;
use crate::visitor::Language;
use palestra_review::event::EventReport;
use palestra_tournament::WinDrawLoss;

/// Reasons that have a column of their own, and players that have a row.
const COLUMNS: usize = 8;
const ROWS: usize = 40;

/// Reasons by player.
pub(super) struct Endings {
    /// The most frequent reasons, with how many games ended so.
    pub(super) reasons: Vec<(String, u32)>,
    /// Games that ended otherwise.
    pub(super) n_others: u32,
    pub(super) rows: Vec<EndRow>,
    pub(super) n_more: usize,
}

/// How the games of a player ended.
pub(super) struct EndRow {
    pub(super) name: String,
    pub(super) link: String,
    /// How many games, and what they were in words; in the order of the reasons.
    pub(super) cells: Vec<(u32, String)>,
}

impl Endings {
    pub(super) fn of(folded: &Folded, event: &EventReport<'_>, at: &Addresses, language: Language) -> Endings {
        let reasons: Vec<(String, u32)> = folded.reasons.iter().take(COLUMNS).cloned().collect();
        let rows = event.standings().rows.iter().filter(|row| !row.endings.is_empty());
        let shown = rows.clone().take(ROWS).map(|row| EndRow {
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
        Endings {
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
