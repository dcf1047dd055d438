//! Summary of a position: side to move, legal moves, ending and features.

use palestra_core::{EvaluationVisitor, Feature, FeatureSet, Game, ParametricEvaluator, Playable, Side};
use serde::{Serialize, Serializer};

/// A position, as the terminal and `--json` show it.
#[derive(Clone, Debug, Serialize)]
pub struct PositionSummary {
    /// Canonical game string.
    pub game: String,
    /// The position as a setup string.
    pub setup: String,
    /// Side to move; `None` in an ended game.
    pub to_move: Option<String>,
    /// How the game ended, if it has.
    pub ended: Option<EndingText>,
    /// Points of both sides so far, in games that count them during play.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<Score>,
    /// The legal moves, in the game's order.
    pub legal: Vec<String>,
    /// Every feature set, seen from both sides.
    #[serde(serialize_with = "by_set")]
    pub features: Vec<FeatureRows>,
}

/// Points during play.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Score {
    /// Points of the first side.
    pub first: u32,
    /// Points of the second side.
    pub second: u32,
}

/// How a game ended, as text.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct EndingText {
    /// `first` or `second`; `None` for a draw.
    pub winner: Option<String>,
    /// Margin, in the game's unit; 0 for a draw.
    pub margin: u32,
    /// Reason of the ending.
    pub end: String,
}

/// The values of one feature set.
#[derive(Clone, Debug, Serialize)]
pub struct FeatureRows {
    /// Name of the feature set.
    #[serde(skip)]
    pub set: &'static str,
    /// Names of the features.
    pub names: Vec<&'static str>,
    /// Meanings of the features.
    #[serde(skip)]
    pub meanings: Vec<&'static str>,
    /// Values of the features, from the first side's viewpoint.
    pub first: Vec<i32>,
    /// Values of the features, from the second side's viewpoint.
    pub second: Vec<i32>,
}

fn by_set<S: Serializer>(rows: &[FeatureRows], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(rows.iter().map(|row| (row.set, row)))
}

impl From<palestra_core::Ending> for EndingText {
    fn from(ending: palestra_core::Ending) -> EndingText {
        EndingText {
            winner: ending.winner.map(|side| side.to_string()),
            margin: ending.margin,
            end: ending.reason.to_owned(),
        }
    }
}

pub(crate) fn show<G: Playable>(game: &G, at: &G::Position) -> PositionSummary {
    let mut moves = Vec::new();
    game.moves(at, &mut moves);
    let ended = game.ending(at).map(EndingText::from);
    let rows = |name: &'static str| game.evaluation(name, ReadRows { game, at, set: name }).flatten();
    PositionSummary {
        game: game.to_string(),
        setup: game.setup(at),
        to_move: ended.is_none().then(|| game.to_move(at).to_string()),
        ended,
        score: game.score(at).map(|[first, second]| Score { first, second }),
        legal: moves.iter().map(ToString::to_string).collect(),
        features: game.evaluations().iter().filter_map(|info| rows(info.name)).collect(),
    }
}

/// The features with a free weight, with their indexes in the set.
fn free_features(features: &[Feature]) -> impl Iterator<Item = (usize, &Feature)> {
    features.iter().enumerate().filter(|(_, feature)| feature.fixed.is_none())
}

struct ReadRows<'a, G: Game> {
    game: &'a G,
    at: &'a G::Position,
    set: &'static str,
}

impl<G: Game> EvaluationVisitor<G> for ReadRows<'_, G> {
    type Out = Option<FeatureRows>;

    fn linear<F: FeatureSet<G> + 'static>(self, set: F) -> Self::Out {
        let column = |read: fn(&Feature) -> &'static str| {
            free_features(set.features()).map(|(_, feature)| read(feature)).collect::<Vec<_>>()
        };
        let [first, second] = Side::BOTH.map(|view| {
            let mut row = vec![0; set.features().len()];
            set.extract(self.game, self.at, view, &mut row);
            free_features(set.features()).map(|(i, _)| row[i]).collect()
        });
        let (names, meanings) = (column(|feature| feature.name), column(|feature| feature.meaning));
        Some(FeatureRows { set: self.set, names, meanings, first, second })
    }

    /// Only a feature set has feature values to show.
    fn other<T: ParametricEvaluator<G>>(self, _template: T) -> Self::Out {
        None
    }
}
