//! The likelihood of superiority of every player over every other, and what no ranking explains.

use super::address::EventUrls;
use super::crosstable::{Crosstable, CrosstableCell, MAX_PLAYERS_INLINE};
use crate::viewer::Language;
use palestra_review::event::text::percent;
use palestra_review::event::{CycleAnalysis, EventReport, MAX_PAIRWISE_PLAYERS};

/// Likelihoods of all pairs, in the order of the standings.
pub(super) struct SuperiorityTable {
    pub(super) crosstable: Crosstable,
    /// The share of the results that no ranking explains, in a sentence.
    pub(super) cycles: Option<String>,
    /// Player, share in the Nash mixture, share of time in a long evolution.
    pub(super) nash: Vec<[String; 3]>,
}

impl SuperiorityTable {
    /// `None` without ratings, and with more players than can be compared in a short time.
    pub(super) fn of(
        event: &EventReport<'_>,
        at: &EventUrls,
        language: Language,
    ) -> Option<SuperiorityTable> {
        let standings = event.standings();
        if standings.ratings.is_none() || standings.names.len() > MAX_PAIRWISE_PLAYERS {
            return None;
        }
        let crosstable = Crosstable::with_cells(event, at, MAX_PLAYERS_INLINE, |row, column| {
            let Some(likelihood) = standings.superiority(row, column) else { return CrosstableCell::Empty };
            let [name, opponent] = [row, column].map(|player| event.name(player));
            CrosstableCell::Met {
                // Never 0 or 100, because nothing is certain.
                text: (100.0 * likelihood).round().clamp(1.0, 99.0).to_string(),
                link: None,
                label: format!("{name} – {opponent}: {}", percent(likelihood)),
                class: match likelihood {
                    likelihood if likelihood >= 0.95 => "ahead",
                    likelihood if likelihood <= 0.05 => "behind",
                    _ => "level",
                },
            }
        });
        let analysis = CycleAnalysis::of(standings);
        let full =
            analysis.iter().flat_map(|found| found.full_crosstable.iter().map(|full| (&found.players, full)));
        let share = |value: f64| if value < 5e-4 { "0".to_owned() } else { percent(value) };
        let nash = full.clone().flat_map(|(players, full)| {
            let shares = players.iter().zip(full.nash.iter().zip(&full.alpha_rank));
            shares
                .map(|(&player, (&nash, &alpha))| [event.name(player).to_owned(), share(nash), share(alpha)])
        });
        Some(SuperiorityTable {
            crosstable,
            cycles: full.clone().next().map(|(_, full)| {
                let share = full.cyclic_share;
                language.pick(
                    format!("Cyclic share of all results: {share:.2}; at 0 a ranking explains all results, at 1 they are like rock, paper, scissors."),
                    format!("Parte cíclica de los resultados: {share:.2}; con 0 una clasificación los explica todos, con 1 son como piedra, papel o tijera."),
                )
            }),
            nash: nash.collect(),
        })
    }
}
