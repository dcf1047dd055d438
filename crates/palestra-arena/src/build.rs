//! Builds a player from its spec.
//!
//! [`build`] visits the game's evaluation, makes the evaluator, opens the search for exactly this pair of types and
//! boxes the result as `dyn Player`. Evaluations without an accumulator share one type per board (`BoxedEvaluator`),
//! which keeps the number of compiled searches small.

use crate::perfect::PerfectPlayer;
use crate::player::{Player, PolicyPlayer, SearchPlayer, StochasticPlayer};
use crate::spec::{DICE, NOISE, PlayerKind, PlayerSpec};
use palestra_core::{
    BoxedEvaluator, EvaluationVisitor, Evaluator, FeatureSet, FirstPolicy, Game, LastPolicy, Linear, Noise,
    ParametricEvaluator, Playable, Policy, RandomPolicy, Seed,
};
use palestra_search::SearchSpec;

/// The player of a spec, which was parsed for this game.
pub(crate) fn build<G: Playable>(game: &G, spec: &PlayerSpec) -> Box<dyn Player<G>> {
    match &spec.kind {
        PlayerKind::Policy(name) => {
            let policy: Box<dyn Policy<G>> = match name.as_str() {
                "random" => Box::new(RandomPolicy),
                "first" => Box::new(FirstPolicy),
                "last" => Box::new(LastPolicy),
                name => game.policy(name).expect("the spec was parsed for this game"),
            };
            Box::new(PolicyPlayer(policy))
        }
        PlayerKind::Perfect { memory, fallback } => {
            let bytes = *memory as usize * (1 << 20);
            let perfect = PerfectPlayer::new(game, bytes, build(game, fallback));
            Box::new(perfect.expect("the spec was parsed for a game that can be solved"))
        }
        PlayerKind::Search { search, evaluation, .. } if evaluation == NOISE.0 => {
            boxed(search, BoxedEvaluator::new(Noise { seed: Seed(0) }))
        }
        PlayerKind::Search { search, evaluation, .. } if evaluation == DICE.0 => {
            Box::new(StochasticPlayer(SearchPlayer::new(search.open(), BoxedEvaluator::stochastic(Seed(0)))))
        }
        PlayerKind::Search { search, evaluation, weights } => {
            let visitor = BuildPlayer { search, weights };
            game.evaluation(evaluation, visitor).expect("the spec was parsed for this game")
        }
    }
}

fn boxed<G: Game, E: Evaluator<G> + 'static>(search: &SearchSpec, evaluator: E) -> Box<dyn Player<G>> {
    Box::new(SearchPlayer::new(search.open(), evaluator))
}

struct BuildPlayer<'a> {
    search: &'a SearchSpec,
    weights: &'a [f64],
}

impl<G: Game> EvaluationVisitor<G> for BuildPlayer<'_> {
    type Out = Box<dyn Player<G>>;

    fn linear<F: FeatureSet<G> + 'static>(self, set: F) -> Self::Out {
        boxed(self.search, Linear::new(set, self.weights))
    }

    fn other<T: ParametricEvaluator<G>>(self, template: T) -> Self::Out {
        boxed(self.search, template.build(self.weights).expect("the spec was parsed with these weights"))
    }
}
