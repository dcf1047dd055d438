//! Self-play games: the features of each leaf that a move was chosen by.

use crate::build::build;
use crate::player::{Player, TurnContext};
use crate::spec::{PlayerKind, PlayerSpec};
use crate::start_point::StartPoint;
use palestra_core::{EvaluationVisitor, FeatureSet, Game, Linear, ParametricEvaluator, Playable, Side};
use serde::{Deserialize, Serialize};

/// One game of self-play.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct SelfPlayGame {
    /// One leaf position per ply, in order.
    pub moments: Vec<SelfPlayPosition>,
    /// Result of the first side: 1 for a win, 0.5 for a draw, 0 for a loss.
    pub result: f64,
}

/// Features of the leaf whose value decided a move: the end of the principal variation.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct SelfPlayPosition {
    /// Values of the features with a free weight, in order, for the side that moved, multiplied by the feature's
    /// `unit`.
    pub features: Vec<f64>,
    /// Sum of the features with a fixed weight.
    pub offset: f64,
    /// Whether the first side moved.
    pub first: bool,
}

/// Plays one game of `spec`, a search over a weighted sum, against itself; `None` for any other player.
pub(crate) fn self_play<G: Playable>(
    game: &G,
    spec: &PlayerSpec,
    start: &StartPoint,
) -> Option<SelfPlayGame> {
    let PlayerKind::Search { evaluation, .. } = &spec.kind else { return None };
    let reader = game.evaluation(evaluation, ReadFeatures)??;
    let mut player = build(game, spec);
    let (mut at, _) = start.opening(game, &game.start());
    player.begin(game, &at);
    let mut moments = Vec::new();
    let mut moves = Vec::new();
    for ply in 0.. {
        if let Some(ending) = game.ending(&at) {
            let result = ending.value(0.5, Side::First) + 0.5;
            return Some(SelfPlayGame { moments, result });
        }
        moves.clear();
        game.moves(&at, &mut moves);
        let seed = start.game_seed(0).child(ply);
        let choice = player.choose(&TurnContext { game, at: &at, moves: &moves, seed });
        let side = game.to_move(&at);
        moments.push(reader(game, &leaf(game, &at, choice.mv, &*player), side));
        player.observe(game, &at, choice.mv);
        game.play(&mut at, choice.mv);
    }
    None
}

/// The end of the player's principal variation; the position after its move where the search reports none.
fn leaf<G: Game>(game: &G, at: &G::Position, mv: G::Move, player: &dyn Player<G>) -> G::Position {
    let report = player.report();
    let pv = report.as_ref().map_or(&[][..], |report| &report.pv);
    let mut leaf = game.unclocked(at).into_owned();
    let pv = if pv.first() == Some(&mv) { pv } else { std::slice::from_ref(&mv) };
    pv.iter().for_each(|&mv| game.play(&mut leaf, mv));
    leaf
}

/// Reads the features of a position for one side.
type PositionReader<G> = Box<dyn Fn(&G, &<G as Game>::Position, Side) -> SelfPlayPosition>;

struct ReadFeatures;

impl<G: Game> EvaluationVisitor<G> for ReadFeatures {
    type Out = Option<PositionReader<G>>;

    fn linear<F: FeatureSet<G> + 'static>(self, set: F) -> Self::Out {
        let features = set.features().to_vec();
        let n_free = features.iter().filter(|feature| feature.fixed.is_none()).count();
        let linear = Linear::new::<G>(set, &vec![1.0; n_free]);
        Some(Box::new(move |game, at, side| {
            let mut position = SelfPlayPosition { first: side == Side::First, ..SelfPlayPosition::default() };
            for (feature, value) in features.iter().zip(linear.oriented_features(game, at, side)) {
                let value = f64::from(value) * feature.unit;
                match feature.fixed {
                    None => position.features.push(value),
                    Some(weight) => position.offset += weight * value,
                }
            }
            position
        }))
    }

    fn other<T: ParametricEvaluator<G>>(self, _template: T) -> Self::Out {
        None
    }
}
