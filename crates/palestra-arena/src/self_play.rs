//! Games of a player against itself, position by position, as its evaluation sees them.

use crate::build::build;
use crate::player::{Player, TurnContext};
use crate::spec::{PlayerKind, PlayerSpec};
use crate::start_point::StartPoint;
use palestra_core::{EvaluationVisitor, FeatureSet, Game, Linear, ParametricEvaluator, Playable, Side};
use serde::{Deserialize, Serialize};

/// One game of self-play.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct SelfPlayGame {
    /// The positions that the evaluation was asked about, in order.
    pub moments: Vec<SelfPlayPosition>,
    /// What the first side got: 1 for a win, 0.5 for a draw, 0 for a loss.
    pub result: f64,
}

/// A position as the evaluation sees it: the leaf that the mover's choice rests on.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct SelfPlayPosition {
    /// The features with a weight to choose, in order, as they count for the side that moved: `unit` included.
    pub features: Vec<f64>,
    /// What the features with a fixed weight add.
    pub offset: f64,
    /// Whether the first side moved.
    pub first: bool,
}

/// Plays one game of `spec`, a search over a weighted sum, against itself; `None` for any other player.
pub(crate) fn self_play<G: Playable>(
    game: &G,
    spec: &PlayerSpec,
    scene: &StartPoint,
) -> Option<SelfPlayGame> {
    let PlayerKind::Search { evaluation, .. } = &spec.kind else { return None };
    let reader = game.evaluation(evaluation, ReadFeatures)??;
    let mut player = build(game, spec);
    let (mut at, _) = scene.opening(game, &game.start());
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
        let seed = scene.game_seed(0).child(ply);
        let choice = player.choose(&TurnContext { game, at: &at, moves: &moves, seed });
        let mover = game.to_move(&at);
        moments.push(reader(game, &leaf(game, &at, choice.mv, &*player), mover));
        player.observe(game, &at, choice.mv);
        game.play(&mut at, choice.mv);
    }
    None
}

/// Where the line ends that the player expects: after its move, unless its search says more.
fn leaf<G: Game>(game: &G, at: &G::Position, mv: G::Move, player: &dyn Player<G>) -> G::Position {
    let report = player.report();
    let line = report.as_ref().map_or(&[][..], |report| &report.pv);
    let mut leaf = game.unclocked(at).into_owned();
    let line = if line.first() == Some(&mv) { line } else { std::slice::from_ref(&mv) };
    line.iter().for_each(|&mv| game.play(&mut leaf, mv));
    leaf
}

/// What a position is to an evaluation, for one side.
type PositionReader<G> = Box<dyn Fn(&G, &<G as Game>::Position, Side) -> SelfPlayPosition>;

struct ReadFeatures;

impl<G: Game> EvaluationVisitor<G> for ReadFeatures {
    type Out = Option<PositionReader<G>>;

    fn linear<F: FeatureSet<G> + 'static>(self, set: F) -> Self::Out {
        let features = set.features().to_vec();
        let n_free = features.iter().filter(|feature| feature.fixed.is_none()).count();
        let linear = Linear::new::<G>(set, &vec![1.0; n_free]);
        Some(Box::new(move |game, at, side| {
            let mut moment = SelfPlayPosition { first: side == Side::First, ..SelfPlayPosition::default() };
            for (feature, value) in features.iter().zip(linear.oriented_features(game, at, side)) {
                let value = f64::from(value) * feature.unit;
                match feature.fixed {
                    None => moment.features.push(value),
                    Some(weight) => moment.offset += weight * value,
                }
            }
            moment
        }))
    }

    fn other<T: ParametricEvaluator<G>>(self, _template: T) -> Self::Out {
        None
    }
}
