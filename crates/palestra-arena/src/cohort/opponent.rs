//! The opponent of a cohort's members.

use crate::build::build;
use crate::player::{Player, TurnContext};
use crate::spec::{PlayerKind, PlayerSpec};
use palestra_core::{FeatureSet, Game, Linear, Playable, Seed};
use palestra_search::{Greedy, Search};
use std::sync::Arc;

/// A player whose choice depends only on the position and the seed of the ply.
pub(super) enum CohortOpponent<G: Game, F> {
    /// Greedy over the members' own features: uses their accumulator.
    SameFeatures { evaluator: Linear<Arc<F>>, search: Greedy<G::Move> },
    /// Any other player, with a state of its own.
    Stateful(StatefulOpponent<G>),
}

/// A player with a state of its own, which is out of date after a jump to another part of the tree.
pub(super) struct StatefulOpponent<G: Game> {
    player: Box<dyn Player<G>>,
    is_up_to_date: bool,
    seed: Seed,
    moves: Vec<G::Move>,
}

impl<G: Playable, F: FeatureSet<G>> CohortOpponent<G, F> {
    /// `evaluation` is the name of the members' evaluation, over the features `set`.
    pub(super) fn new(
        game: &G,
        spec: &PlayerSpec,
        set: &Arc<F>,
        evaluation: &str,
        seed: Seed,
    ) -> CohortOpponent<G, F> {
        match &spec.kind {
            PlayerKind::Search { search, evaluation: own, weights }
                if search.is_greedy() && own == evaluation =>
            {
                let evaluator = Linear::new::<G>(Arc::clone(set), weights);
                CohortOpponent::SameFeatures { evaluator, search: Greedy::new(search.ties()) }
            }
            _ => {
                let player = build(game, spec);
                CohortOpponent::Stateful(StatefulOpponent {
                    player,
                    is_up_to_date: false,
                    seed,
                    moves: Vec::new(),
                })
            }
        }
    }

    /// The move at `at`, `ply` plies from the start; `accumulator` is the members' at `at`.
    #[inline]
    pub(super) fn choose(
        &mut self,
        game: &G,
        at: &G::Position,
        accumulator: &F::Accumulator,
        ply: u32,
    ) -> G::Move {
        match self {
            CohortOpponent::SameFeatures { evaluator, search } => {
                search.find(game, evaluator, &game.unclocked(at), accumulator).mv
            }
            CohortOpponent::Stateful(stateful) => stateful.choose(game, at, ply),
        }
    }

    /// The game continues with `mv` at `at`.
    #[inline]
    pub(super) fn observe(&mut self, game: &G, at: &G::Position, mv: G::Move) {
        if let CohortOpponent::Stateful(stateful) = self
            && stateful.is_up_to_date
        {
            stateful.player.observe(game, at, mv);
        }
    }

    /// The walk continues at another position.
    pub(super) fn jump(&mut self) {
        if let CohortOpponent::Stateful(stateful) = self {
            stateful.is_up_to_date = false;
        }
    }
}

impl<G: Game> StatefulOpponent<G> {
    fn choose(&mut self, game: &G, at: &G::Position, ply: u32) -> G::Move {
        if !self.is_up_to_date {
            self.player.begin(game, at);
            self.is_up_to_date = true;
        }
        self.moves.clear();
        game.moves(at, &mut self.moves);
        let seed = self.seed.child(u64::from(ply));
        let mv = self.player.choose(&TurnContext { game, at, moves: &self.moves, seed }).mv;
        assert!(self.moves.contains(&mv), "a player chose {mv}, which is not legal");
        mv
    }
}
