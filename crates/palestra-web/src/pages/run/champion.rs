//! The champion, or the best so far, with each feature in words.

use super::formatting;
use crate::http_error::HttpError;
use crate::translation;
use crate::viewer::Language;
use palestra_core::print_weights;
use palestra_review::number;
use palestra_review::tuning::{RunReport, describe_weights};
use palestra_store::Store;
use palestra_tune::TuningBoards;

/// A player whose weights are told in words.
pub(super) struct WeightsCard {
    /// Whether it is the champion of a run that is done.
    pub(super) is_final: bool,
    /// The generation it is from, where it is not.
    pub(super) generation: u32,
    pub(super) rows: Vec<WeightRow>,
    pub(super) player: String,
    /// Its name in the store, where it was saved.
    pub(super) saved: Option<String>,
    /// Where to play against it.
    pub(super) play: Option<String>,
}

/// One weight in words.
pub(super) struct WeightRow {
    pub(super) name: String,
    pub(super) value: String,
    /// Of all weights, in percent.
    pub(super) share: String,
    /// The length of its bar, of 100.
    pub(super) bar: String,
    /// `wants`, `avoids`, `ignores`.
    pub(super) class: &'static str,
    pub(super) word: String,
    pub(super) meaning: String,
}

impl WeightsCard {
    /// Nobody, where no generation is on record.
    pub(super) fn of(
        store: &Store,
        story: &RunReport,
        language: Language,
    ) -> Result<Option<WeightsCard>, HttpError> {
        let (is_final, generation, weights) = match (&story.outcome, story.best.last()) {
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
            describe_weights(&story.run.weights, &story.meanings, weights).into_iter().map(row).collect();
        let player = match (&story.outcome, &story.plan) {
            (Some(outcome), _) => outcome.best.clone(),
            (None, Some(plan)) => format!("{}/{}", plan.player, print_weights(weights)),
            (None, None) => print_weights(weights),
        };
        let champions = store.champions()?;
        let saved = champions
            .into_iter()
            .find(|champion| is_final && champion.run == Some(story.run.id) && champion.player == player);
        let saved = saved.map(|champion| champion.name);
        let opponent = saved.as_ref().map_or_else(|| player.clone(), |name| format!("@{name}"));
        let play = game_of(story).map(|game| formatting::play_address(&game, &opponent));
        Ok(Some(WeightsCard { is_final, generation, rows, player, saved, play }))
    }
}

/// A board that it plays on.
fn game_of(story: &RunReport) -> Option<String> {
    match (&story.outcome, &story.plan) {
        (Some(outcome), _) => outcome.games_of.first().cloned(),
        (None, Some(plan)) => match &plan.boards {
            TuningBoards::Listed(games) => games.first().cloned(),
            TuningBoards::Pool(_) => None,
        },
        (None, None) => None,
    }
}
