//! Who chooses moves.

use palestra_core::{BoxedEvaluator, Evaluator, Game, Policy, Seed};
use palestra_search::{ScoredMove, Search, SearchReport, SearchResult};

/// A player of one game. One dynamic call a move.
pub trait Player<G: Game>: Send {
    /// A new game begins at this position.
    fn begin(&mut self, game: &G, at: &G::Position);

    /// Somebody plays `mv` at `at`.
    fn observe(&mut self, game: &G, at: &G::Position, mv: G::Move);

    /// Chooses one of the legal moves.
    fn choose(&mut self, turn: &TurnContext<'_, G>) -> MoveChoice<G::Move>;

    /// Whether it may choose differently with other dice.
    fn is_stochastic(&self) -> bool;

    /// How deep the last choice looked, and the line of play it expects, from searches that decide that.
    fn report(&self) -> Option<SearchReport<G::Move>> {
        None
    }

    /// What the last choice thought of each legal move; empty for players that do not weigh moves.
    fn scored_moves(&self) -> Vec<ScoredMove<G::Move>> {
        Vec::new()
    }
}

/// What a player is asked.
#[derive(Debug)]
pub struct TurnContext<'a, G: Game> {
    /// The rules.
    pub game: &'a G,
    /// The position, which has not ended.
    pub at: &'a G::Position,
    /// All legal moves, in the game's order.
    pub moves: &'a [G::Move],
    /// The dice of this ply.
    pub seed: Seed,
}

/// What a player answers.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MoveChoice<M> {
    /// The move.
    pub mv: M,
    /// What the player thinks it is worth to itself.
    pub value: Option<f64>,
    /// Positions looked at below the root moves.
    pub nodes: u64,
    /// Root moves looked at.
    pub root_moves: u64,
}

/// A policy as a player: it has no memory.
pub(crate) struct PolicyPlayer<P>(pub(crate) P);

impl<G: Game, P: Policy<G> + ?Sized> Player<G> for PolicyPlayer<Box<P>> {
    fn begin(&mut self, _game: &G, _at: &G::Position) {}

    fn observe(&mut self, _game: &G, _at: &G::Position, _mv: G::Move) {}

    fn choose(&mut self, turn: &TurnContext<'_, G>) -> MoveChoice<G::Move> {
        let mv = self.0.choose(turn.game, turn.at, turn.moves, &mut turn.seed.rng());
        MoveChoice { mv, value: None, nodes: 0, root_moves: 0 }
    }

    fn is_stochastic(&self) -> bool {
        self.0.is_stochastic()
    }
}

/// Search × evaluation × weights. Keeps the evaluator's memo along the game.
pub(crate) struct SearchPlayer<G: Game, E: Evaluator<G>> {
    search: Box<dyn Search<G, E>>,
    evaluator: E,
    memo: Option<E::Accumulator>,
}

impl<G: Game, E: Evaluator<G>> SearchPlayer<G, E> {
    pub(crate) fn new(search: Box<dyn Search<G, E>>, evaluator: E) -> SearchPlayer<G, E> {
        SearchPlayer { search, evaluator, memo: None }
    }
}

impl<G: Game, E: Evaluator<G>> Player<G> for SearchPlayer<G, E> {
    fn begin(&mut self, game: &G, at: &G::Position) {
        self.memo = Some(self.evaluator.begin(game, at));
    }

    fn observe(&mut self, game: &G, at: &G::Position, mv: G::Move) {
        if let Some(memo) = &mut self.memo {
            self.evaluator.advance(game, memo, at, mv);
        }
    }

    fn choose(&mut self, turn: &TurnContext<'_, G>) -> MoveChoice<G::Move> {
        let memo = self.memo.get_or_insert_with(|| self.evaluator.begin(turn.game, turn.at));
        let found = self.search.find(turn.game, &self.evaluator, &turn.game.unclocked(turn.at), memo);
        let SearchResult { mv, value, nodes, root_moves } = found;
        MoveChoice { mv, value: Some(value), nodes, root_moves }
    }

    fn report(&self) -> Option<SearchReport<G::Move>> {
        self.search.report().cloned()
    }

    /// Every search here is a function of the position.
    fn is_stochastic(&self) -> bool {
        false
    }

    fn scored_moves(&self) -> Vec<ScoredMove<G::Move>> {
        self.search.scored_moves()
    }
}

/// A search over values that are drawn by lot, anew for every turn.
pub(crate) struct StochasticPlayer<G: Game>(pub(crate) SearchPlayer<G, BoxedEvaluator<G>>);

impl<G: Game> Player<G> for StochasticPlayer<G> {
    fn begin(&mut self, game: &G, at: &G::Position) {
        self.0.begin(game, at);
    }

    fn observe(&mut self, game: &G, at: &G::Position, mv: G::Move) {
        self.0.observe(game, at, mv);
    }

    fn choose(&mut self, turn: &TurnContext<'_, G>) -> MoveChoice<G::Move> {
        self.0.evaluator = BoxedEvaluator::stochastic(turn.seed);
        self.0.choose(turn)
    }

    fn is_stochastic(&self) -> bool {
        true
    }

    fn report(&self) -> Option<SearchReport<G::Move>> {
        self.0.report()
    }

    fn scored_moves(&self) -> Vec<ScoredMove<G::Move>> {
        self.0.scored_moves()
    }
}
