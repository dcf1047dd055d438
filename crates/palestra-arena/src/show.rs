//! Everything there is to see in a position.

use palestra_core::{EvaluationVisitor, Feature, FeatureSet, Game, ParametricEvaluator, Playable, Side};
use serde::{Serialize, Serializer};

/// A position, as the terminal and `--json` show it.
#[derive(Clone, Debug, Serialize)]
pub struct PositionSummary {
    /// The game, canonically.
    pub game: String,
    /// The position as a setup string.
    pub setup: String,
    /// Whose turn it is; nobody's in an ended game.
    pub to_move: Option<String>,
    /// How it ended, if it did.
    pub ended: Option<EndingText>,
    /// The points of both sides so far, in games that count them during play.
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
    /// The first side's.
    pub first: u32,
    /// The second side's.
    pub second: u32,
}

/// How a game ended, as text.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct EndingText {
    /// `first`, `second` or nobody.
    pub winner: Option<String>,
    /// By how much.
    pub margin: u32,
    /// Why.
    pub end: &'static str,
}

/// The values of one feature set.
#[derive(Clone, Debug, Serialize)]
pub struct FeatureRows {
    /// The set's name.
    #[serde(skip)]
    pub set: &'static str,
    /// The features' names.
    pub names: Vec<&'static str>,
    /// Their meanings.
    #[serde(skip)]
    pub meanings: Vec<&'static str>,
    /// Their values seen from the first side.
    pub first: Vec<i32>,
    /// Their values seen from the second side.
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
            end: ending.reason,
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

/// The features that a player weighs, with their places in the set.
fn weighed(features: &[Feature]) -> impl Iterator<Item = (usize, &Feature)> {
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
            weighed(set.features()).map(|(_, feature)| read(feature)).collect::<Vec<_>>()
        };
        let [first, second] = Side::BOTH.map(|view| {
            let mut row = vec![0; set.features().len()];
            set.extract(self.game, self.at, view, &mut row);
            weighed(set.features()).map(|(i, _)| row[i]).collect()
        });
        let (names, meanings) = (column(|feature| feature.name), column(|feature| feature.meaning));
        Some(FeatureRows { set: self.set, names, meanings, first, second })
    }

    /// What is not a list of features has no values of its own to show.
    fn other<T: ParametricEvaluator<G>>(self, _template: T) -> Self::Out {
        None
    }
}
