//! Who the members meet.

use crate::build::build;
use crate::player::{Player, TurnContext};
use crate::spec::{PlayerKind, PlayerSpec};
use palestra_core::{FeatureSet, Game, Linear, Playable, Seed};
use palestra_search::{Greedy, Search};
use std::sync::Arc;

/// A player whose choice depends on the position and the dice of the ply alone.
pub(super) enum CohortOpponent<G: Game, F> {
    /// Greedy over the members' own features: shares their memo.
    Sharing { evaluator: Linear<Arc<F>>, search: Greedy<G::Move> },
    /// Anyone else, who keeps a memo of its own.
    Other(StatefulOpponent<G>),
}

/// A player with a memo of its own, which is out of date after a jump to another part of the tree.
pub(super) struct StatefulOpponent<G: Game> {
    player: Box<dyn Player<G>>,
    is_up_to_date: bool,
    seed: Seed,
    moves: Vec<G::Move>,
}

impl<G: Playable, F: FeatureSet<G>> CohortOpponent<G, F> {
    /// `evaluation` is the members' own.
    pub(super) fn new(
        game: &G,
        spec: &PlayerSpec,
        set: &Arc<F>,
        evaluation: &str,
        seed: Seed,
    ) -> CohortOpponent<G, F> {
        match &spec.kind {
            PlayerKind::Search { search, evaluation: own, weights }
                if search.name() == "greedy" && own == evaluation =>
            {
                let evaluator = Linear::new::<G>(Arc::clone(set), weights);
                CohortOpponent::Sharing { evaluator, search: Greedy::new(search.ties()) }
            }
            _ => {
                let player = build(game, spec);
                CohortOpponent::Other(StatefulOpponent {
                    player,
                    is_up_to_date: false,
                    seed,
                    moves: Vec::new(),
                })
            }
        }
    }

    /// What it plays at `at`, after so many plies; `memo` is the members' there.
    #[inline]
    pub(super) fn choose(&mut self, game: &G, at: &G::Position, memo: &F::Accumulator, ply: u32) -> G::Move {
        match self {
            CohortOpponent::Sharing { evaluator, search } => {
                search.find(game, evaluator, &game.unclocked(at), memo).mv
            }
            CohortOpponent::Other(apart) => apart.choose(game, at, ply),
        }
    }

    /// The game goes on with `mv` at `at`.
    #[inline]
    pub(super) fn observe(&mut self, game: &G, at: &G::Position, mv: G::Move) {
        if let CohortOpponent::Other(apart) = self
            && apart.is_up_to_date
        {
            apart.player.observe(game, at, mv);
        }
    }

    /// The walk goes on elsewhere.
    pub(super) fn jump(&mut self) {
        if let CohortOpponent::Other(apart) = self {
            apart.is_up_to_date = false;
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
