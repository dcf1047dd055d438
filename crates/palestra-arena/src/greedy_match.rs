//! Fast greedy games: two sets of weights over the same features share one accumulator.
//!
//! Plays exactly the moves of [`crate::AnyMatch`] between the two greedy players; a test checks it.

use crate::spec::{PlayerKind, PlayerSpec};
use palestra_core::{
    Ending, EvaluationVisitor, FeatureSet, Game, Linear, ParametricEvaluator, Playable, Side, TieRule,
};
use palestra_search::{Greedy, Search};
use std::sync::Arc;

/// Two greedy players over the same features, built once for many games.
pub trait GreedyMatch<G: Game>: Send {
    /// Plays one game from `start` to its end; `first` (0 or 1) is the player with the first side.
    /// The moves are appended to `played`.
    fn play(&mut self, game: &G, start: &G::Position, first: usize, played: &mut Vec<G::Move>) -> Ending;

    /// Changes the weights of one player: cheaper than a new match.
    fn reweigh(&mut self, player: usize, weights: &[f64]);
}

/// The greedy match of two players; `None` unless both are greedy, with the same tie rule and the same linear
/// evaluation.
pub fn greedy_match_of<G: Playable>(game: &G, players: [&PlayerSpec; 2]) -> Option<Box<dyn GreedyMatch<G>>> {
    let [a, b] = players.map(|player| match &player.kind {
        PlayerKind::Search { search, evaluation, weights } if search.is_greedy() => {
            Some((search, evaluation, weights))
        }
        _ => None,
    });
    let ((search, evaluation, weights), (other_search, other_evaluation, other_weights)) = (a?, b?);
    // One search plays for both sides, so its tie rule must be the same for both.
    if search != other_search || evaluation != other_evaluation {
        return None;
    }
    game.evaluation(evaluation, BuildGreedyMatch { weights: [weights, other_weights], ties: search.ties() })?
}

struct BuildGreedyMatch<'a> {
    weights: [&'a [f64]; 2],
    ties: Option<TieRule>,
}

impl<G: Game> EvaluationVisitor<G> for BuildGreedyMatch<'_> {
    type Out = Option<Box<dyn GreedyMatch<G>>>;

    fn linear<F: FeatureSet<G> + 'static>(self, set: F) -> Self::Out {
        let set = Arc::new(set);
        let evaluators = self.weights.map(|weights| Linear::new::<G>(Arc::clone(&set), weights));
        Some(Box::new(SharedGreedyMatch { evaluators, search: Greedy::<G::Move>::new(self.ties) }))
    }

    fn other<T: ParametricEvaluator<G>>(self, _template: T) -> Self::Out {
        None
    }
}

struct SharedGreedyMatch<F, M> {
    evaluators: [Linear<Arc<F>>; 2],
    search: Greedy<M>,
}

impl<G: Game, F: FeatureSet<G>> GreedyMatch<G> for SharedGreedyMatch<F, G::Move> {
    fn play(&mut self, game: &G, start: &G::Position, first: usize, played: &mut Vec<G::Move>) -> Ending {
        let set = Arc::clone(self.evaluators[0].set());
        let mut at = start.clone();
        let mut accumulator = set.begin(game, &at);
        loop {
            if let Some(ending) = game.ending(&at) {
                return ending;
            }
            let player = match game.to_move(&at) {
                Side::First => first,
                Side::Second => 1 - first,
            };
            let result = self.search.find(game, &self.evaluators[player], &game.unclocked(&at), &accumulator);
            set.advance(game, &mut accumulator, &at, result.mv);
            game.play(&mut at, result.mv);
            played.push(result.mv);
        }
    }

    fn reweigh(&mut self, player: usize, weights: &[f64]) {
        self.evaluators[player].reweigh::<G>(weights);
    }
}
