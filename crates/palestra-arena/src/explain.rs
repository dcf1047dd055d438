//! Why a player chose its move: every legal move with its features, their contributions and its value.

use crate::build::build;
use crate::player::TurnContext;
use crate::show::{PositionSummary, show};
use crate::spec::{PlayerKind, PlayerSpec};
use palestra_core::{
    EvaluationVisitor, Feature, FeatureSet, Game, Linear, ParametricEvaluator, Playable, Seed,
};
use serde::Serialize;

/// A position with a player's reasons for its move.
#[derive(Clone, Debug, Serialize)]
pub struct ExplainedPosition {
    /// The position.
    #[serde(flatten)]
    pub shown: PositionSummary,
    /// Canonical player string.
    pub player: String,
    /// Whether it searches more than one ply.
    #[serde(skip)]
    pub looks_ahead: bool,
    /// Names of the features; empty where the player has no linear evaluation.
    pub names: Vec<&'static str>,
    /// Weight of each feature, the fixed ones included.
    pub weights: Vec<f64>,
    /// Every legal move, in the game's order.
    pub moves: Vec<MoveReason>,
    /// The move it plays; `None` in an ended game.
    pub chosen: Option<String>,
    /// Positions searched below the root moves; in a game `alphabeta` searches fewer, without exact values of all moves.
    pub nodes: u64,
    /// Root moves searched.
    pub root_moves: u64,
    /// Depth reached in plies, where the search chooses its depth itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Positions or playouts per second, where the search reports them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes_per_second: Option<u64>,
    /// Principal variation, the chosen move first; empty where the search reports none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub line: Vec<String>,
}

/// One legal move with its features and value, from the viewpoint of the side that plays it.
#[derive(Clone, Debug, Serialize)]
pub struct MoveReason {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// The features of the position it leads to.
    pub features: Vec<i32>,
    /// Contribution of each feature: weight × feature.
    pub contributions: Vec<f64>,
    /// The player's value of the move, a search's backed-up one; `None` if the player does not value this move.
    pub value: Option<f64>,
}

pub(crate) fn explain<G: Playable>(
    game: &G,
    at: &G::Position,
    spec: &PlayerSpec,
    seed: Seed,
) -> ExplainedPosition {
    let mut moves = Vec::new();
    game.moves(at, &mut moves);
    let mut player = build(game, spec);
    player.score_every_move();
    let choice = (!moves.is_empty()).then(|| {
        player.begin(game, at);
        player.choose(&TurnContext { game, at, moves: &moves, seed })
    });
    let scored = player.scored_moves();
    let report = player.report();
    let terms = terms(game, at, spec);
    let reason = |(i, mv): (usize, &G::Move)| MoveReason {
        mv: mv.to_string(),
        features: terms.features.get(i).cloned().unwrap_or_default(),
        contributions: terms.contributions.get(i).cloned().unwrap_or_default(),
        value: scored.iter().find(|scored| scored.mv == *mv).map(|scored| scored.value),
    };
    let reasons = moves.iter().enumerate().map(reason).collect();
    ExplainedPosition {
        shown: show(game, at),
        player: spec.to_string(),
        looks_ahead: matches!(&spec.kind, PlayerKind::Search { search, .. } if !search.is_greedy()),
        moves: reasons,
        chosen: choice.map(|choice| choice.mv.to_string()),
        nodes: choice.map_or(0, |choice| choice.nodes),
        root_moves: choice.map_or(0, |choice| choice.root_moves),
        depth: report.as_ref().map(|report| report.depth),
        nodes_per_second: report.as_ref().and_then(|report| report.nodes_per_second),
        line: report.iter().flat_map(|report| &report.pv).map(ToString::to_string).collect(),
        names: terms.names,
        weights: terms.weights,
    }
}

/// Features and contributions of every child.
#[derive(Default)]
struct ChildTerms {
    names: Vec<&'static str>,
    weights: Vec<f64>,
    features: Vec<Vec<i32>>,
    contributions: Vec<Vec<f64>>,
}

fn terms<G: Playable>(game: &G, at: &G::Position, spec: &PlayerSpec) -> ChildTerms {
    match &spec.kind {
        PlayerKind::Policy(_) | PlayerKind::Perfect { .. } => ChildTerms::default(),
        PlayerKind::Search { evaluation, weights, .. } => {
            game.evaluation(evaluation, ReadTerms { game, at, weights }).unwrap_or_default()
        }
    }
}

struct ReadTerms<'a, G: Game> {
    game: &'a G,
    at: &'a G::Position,
    weights: &'a [f64],
}

impl<G: Game> EvaluationVisitor<G> for ReadTerms<'_, G> {
    type Out = ChildTerms;

    fn linear<F: FeatureSet<G> + 'static>(self, set: F) -> ChildTerms {
        let view = self.game.to_move(self.at);
        let names = set.features().iter().map(|feature| feature.name).collect();
        let mut given = self.weights.iter().copied();
        let weight = |feature: &Feature| feature.fixed.or_else(|| given.next()).unwrap_or_default();
        let weights = set.features().iter().map(weight).collect();
        let evaluator = Linear::new(set, self.weights);
        let mut terms = ChildTerms { names, weights, ..ChildTerms::default() };
        let mut moves = Vec::new();
        self.game.moves(self.at, &mut moves);
        for &mv in &moves {
            let mut after = self.at.clone();
            self.game.play(&mut after, mv);
            let row = evaluator.oriented_features(self.game, &after, view);
            let contribution = |(factor, &feature): (&f64, &i32)| factor * f64::from(feature) + 0.0;
            terms.contributions.push(evaluator.factors().iter().zip(&row).map(contribution).collect());
            terms.features.push(row);
        }
        terms
    }

    /// Only a weighted sum has terms to show.
    fn other<T: ParametricEvaluator<G>>(self, _template: T) -> ChildTerms {
        ChildTerms::default()
    }
}
