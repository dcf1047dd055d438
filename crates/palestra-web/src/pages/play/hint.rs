//! Suggested moves and the reasons for them.

use super::choices::spots_of;
use super::messages::number;
use super::session::PlaySession;
use crate::http_error::HttpError;
use palestra_arena::MoveReason;
use palestra_core::Seed;
use serde::Serialize;

/// Limit on the moves whose reasons are shown.
const MAX_MOVES: usize = 4;
/// Half the width of a bar, in SVG units.
const HALF: f64 = 100.0;

/// A suggested move.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Suggestion {
    #[serde(rename = "move")]
    pub(super) mv: String,
    /// The cells of its choices.
    pub(super) spots: Vec<usize>,
}

impl Suggestion {
    /// The move that the opponent would play in the person's place.
    pub(super) fn of(play: &mut PlaySession) -> Result<Suggestion, HttpError> {
        let seed = Seed(play.address.seed).child(play.moves.len() as u64);
        let answer = play.session.ask(&play.player, seed)?;
        Ok(Suggestion { spots: spots_of(&*play.session, &answer.mv), mv: answer.mv })
    }
}

/// The move of the strongest player of the ladder, with its reasons.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Hint {
    #[serde(flatten)]
    pub(super) suggestion: Suggestion,
    pub(super) player: String,
    /// The best moves, the suggested one first.
    #[serde(skip)]
    pub(super) reasons: Vec<Reason>,
}

/// A move with the contributions of its features.
#[derive(Clone, Debug)]
pub(super) struct Reason {
    pub(super) mv: String,
    pub(super) value: Option<f64>,
    pub(super) bars: Vec<FeatureBar>,
}

/// The contribution of one feature, as a bar.
#[derive(Clone, Debug)]
pub(super) struct FeatureBar {
    pub(super) name: &'static str,
    pub(super) feature: i32,
    pub(super) weight: f64,
    pub(super) amount: f64,
    pub(super) x: f64,
    pub(super) width: f64,
}

impl Reason {
    pub(super) fn value_text(&self) -> Option<String> {
        self.value.map(number)
    }
}

impl FeatureBar {
    pub(super) fn weight_text(&self) -> String {
        number(self.weight)
    }

    pub(super) fn amount_text(&self) -> String {
        number(self.amount)
    }

    pub(super) fn is_against(&self) -> bool {
        self.amount < 0.0
    }
}

impl Hint {
    pub(super) fn of(play: &mut PlaySession) -> Result<Hint, HttpError> {
        let player = play.game.ladder().pop().unwrap_or_else(|| play.game.opponent());
        let explained = play.session.explain(&player, Seed(play.address.seed));
        let mv = explained.chosen.clone().unwrap_or_default();
        let mut moves = explained.moves.clone();
        let value = |reason: &MoveReason| reason.value.unwrap_or(f64::NEG_INFINITY);
        moves.sort_by(|a, b| {
            (b.mv == mv, value(b)).partial_cmp(&(a.mv == mv, value(a))).unwrap_or(a.mv.cmp(&b.mv))
        });
        moves.truncate(MAX_MOVES);
        let amounts = moves.iter().flat_map(|reason| &reason.contributions);
        let largest = amounts.fold(f64::MIN_POSITIVE, |largest, amount| largest.max(amount.abs()));
        let bar = |reason: &MoveReason, i: usize| {
            let amount = reason.contributions[i];
            let width = HALF * amount.abs() / largest;
            let x = if amount < 0.0 { HALF - width } else { HALF };
            let (name, feature, weight) = (explained.names[i], reason.features[i], explained.weights[i]);
            FeatureBar { name, feature, weight, amount, x, width }
        };
        let reasons = moves.iter().map(|reason| Reason {
            mv: reason.mv.clone(),
            value: reason.value,
            bars: (0..reason.contributions.len()).map(|i| bar(reason, i)).collect(),
        });
        let suggestion = Suggestion { spots: spots_of(&*play.session, &mv), mv };
        Ok(Hint { suggestion, player: explained.player.clone(), reasons: reasons.collect() })
    }
}
