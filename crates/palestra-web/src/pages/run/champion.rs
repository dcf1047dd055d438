//! The champion, or the best candidate so far, with its weights explained.

use super::formatting;
use crate::http_error::HttpError;
use crate::translation;
use crate::viewer::Language;
use palestra_core::print_weights;
use palestra_review::number;
use palestra_review::tuning::{RunReport, describe_weights};
use palestra_store::Store;
use palestra_tune::TuningBoards;

/// A player with its weights explained.
pub(super) struct WeightsCard {
    /// Whether it is the champion of a finished run.
    pub(super) is_final: bool,
    /// The generation of the best candidate; 0 for a champion.
    pub(super) generation: u32,
    pub(super) rows: Vec<WeightRow>,
    pub(super) player: String,
    /// Its name in the store, where it was saved.
    pub(super) saved: Option<String>,
    /// URL to play against it.
    pub(super) play: Option<String>,
    /// The recommendation that was chosen, and the share of the points of each against all others.
    pub(super) recommendations: Option<(String, Vec<(String, String)>)>,
}

/// A weight with its meaning.
pub(super) struct WeightRow {
    pub(super) name: String,
    pub(super) value: String,
    /// Its part of the sum of absolute weights, in percent.
    pub(super) share: String,
    /// Length of its bar, from 0 to 100.
    pub(super) bar: String,
    /// CSS class: `wants`, `avoids` or `ignores`.
    pub(super) class: &'static str,
    /// The class in the page's language.
    pub(super) word: String,
    pub(super) meaning: String,
}

/// More weights than this are in a part of the page that opens on demand.
const SHOWN: usize = 24;

impl WeightsCard {
    /// The first rows.
    pub(super) fn shown(&self) -> &[WeightRow] {
        &self.rows[..self.rows.len().min(SHOWN)]
    }

    /// The other rows.
    pub(super) fn more(&self) -> &[WeightRow] {
        &self.rows[self.shown().len()..]
    }

    /// `None` where the run has no generations yet.
    pub(super) fn of(
        store: &Store,
        report: &RunReport,
        language: Language,
    ) -> Result<Option<WeightsCard>, HttpError> {
        let (is_final, generation, weights) = match (&report.outcome, report.best.last()) {
            (Some(outcome), _) => (true, 0, &outcome.weights),
            (None, Some((generation, weights))) => (false, *generation, weights),
            (None, None) => return Ok(None),
        };
        let row = |weight: palestra_review::tuning::WeightDescription<'_>| WeightRow {
            name: weight.name.to_owned(),
            value: number(weight.value),
            share: format!("{:.1} %", 100.0 * weight.share),
            bar: format!("{:.1}", 100.0 * weight.share),
            class: weight.word,
            word: translation::translate(language, weight.word).to_owned(),
            meaning: translation::translate(language, weight.meaning).to_owned(),
        };
        let rows =
            describe_weights(&report.run.weights, &report.meanings, weights).into_iter().map(row).collect();
        let player = match (&report.outcome, &report.plan) {
            (Some(outcome), _) => outcome.best.clone(),
            (None, Some(plan)) => format!("{}/{}", plan.player, print_weights(weights)),
            (None, None) => print_weights(weights),
        };
        let champions = store.champions()?;
        let saved = champions
            .into_iter()
            .find(|champion| is_final && champion.run == Some(report.run.id) && champion.player == player);
        let saved = saved.map(|champion| champion.name);
        let opponent = saved.as_ref().map_or_else(|| player.clone(), |name| format!("@{name}"));
        let play = game_of(report).map(|game| formatting::play_address(&game, &opponent));
        let recommendations = recommendations(report);
        Ok(Some(WeightsCard { is_final, generation, rows, player, saved, play, recommendations }))
    }
}

/// The comparison of the recommendations; `None` where there was only one.
fn recommendations(report: &RunReport) -> Option<(String, Vec<(String, String)>)> {
    let verification = report.outcome.as_ref()?.verification.as_ref()?;
    let share = |(label, share): &(String, f64)| (label.clone(), format!("{:.1} %", 100.0 * share));
    let rows: Vec<(String, String)> = verification.finals.iter().map(share).collect();
    (rows.len() > 1).then(|| (verification.label.clone(), rows))
}

/// The first board of the run; `None` for a pool.
fn game_of(report: &RunReport) -> Option<String> {
    match (&report.outcome, &report.plan) {
        (Some(outcome), _) => outcome.games_of.first().cloned(),
        (None, Some(plan)) => match &plan.boards {
            TuningBoards::Listed(games) => games.first().cloned(),
            TuningBoards::Pool(_) => None,
        },
        (None, None) => None,
    }
}
