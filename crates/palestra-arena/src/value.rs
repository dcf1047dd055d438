//! The value of a position by a player's evaluation, without search.

use crate::spec::{DICE, NOISE, PlayerKind, PlayerSpec};
use palestra_core::{
    EvaluationVisitor, Evaluator, FeatureSet, Game, Linear, Noise, ParametricEvaluator, Playable, Seed, Side,
    TerminalValue,
};

/// The value of `at` for `view` by the evaluation of `spec`; `None` where the player uses none.
pub(crate) fn value<G: Playable>(game: &G, at: &G::Position, spec: &PlayerSpec, view: Side) -> Option<f64> {
    let PlayerKind::Search { search, evaluation, weights } = &spec.kind else { return None };
    if !search.needs_evaluation() {
        return None;
    }
    let visitor = EvaluatePosition { game, at, view, weights, is_greedy: search.is_greedy() };
    if evaluation == NOISE.0 {
        return Some(visitor.evaluate(&Noise { seed: Seed(0) }));
    }
    // Its values depend on the seed of a turn, and there is no turn here.
    if evaluation == DICE.0 {
        return None;
    }
    game.evaluation(evaluation, visitor)
}

struct EvaluatePosition<'a, G: Game> {
    game: &'a G,
    at: &'a G::Position,
    view: Side,
    weights: &'a [f64],
    is_greedy: bool,
}

impl<G: Game> EvaluatePosition<'_, G> {
    fn evaluate<E: Evaluator<G>>(&self, evaluator: &E) -> f64 {
        let win = match evaluator.convention().endings {
            TerminalValue::Always(win) => Some(win),
            TerminalValue::SearchOnly(win) => (!self.is_greedy).then_some(win),
            TerminalValue::AsEvaluated => None,
        };
        if let Some((win, ending)) = win.zip(self.game.ending(self.at)) {
            return ending.value(win, self.view);
        }
        // Players evaluate positions without the referee's move clock.
        let at = self.game.unclocked(self.at);
        evaluator.value(self.game, &at, &evaluator.begin(self.game, &at), self.view)
    }
}

impl<G: Game> EvaluationVisitor<G> for EvaluatePosition<'_, G> {
    type Out = f64;

    fn linear<F: FeatureSet<G> + 'static>(self, set: F) -> f64 {
        self.evaluate(&Linear::new(set, self.weights))
    }

    fn other<T: ParametricEvaluator<G>>(self, template: T) -> f64 {
        self.evaluate(&template.build(self.weights).expect("the spec was parsed with these weights"))
    }
}
