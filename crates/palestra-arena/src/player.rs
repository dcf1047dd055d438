//! Players: search or policy behind one trait.

use palestra_core::{BoxedEvaluator, Evaluator, Game, Policy, Seed};
use palestra_search::{ScoredMove, Search, SearchReport, SearchResult};

/// A player of one game. It is called dynamically, a few times per move and never per node.
pub trait Player<G: Game>: Send {
    /// Starts a new game at this position.
    fn begin(&mut self, game: &G, at: &G::Position);

    /// Either side plays `mv` at `at`.
    fn observe(&mut self, game: &G, at: &G::Position, mv: G::Move);

    /// Chooses one of the legal moves.
    fn choose(&mut self, turn: &TurnContext<'_, G>) -> MoveChoice<G::Move>;

    /// Whether it may choose differently with another seed.
    fn is_stochastic(&self) -> bool;

    /// Depth and principal variation of the last choice, from searches that choose their depth themselves.
    fn report(&self) -> Option<SearchReport<G::Move>> {
        None
    }

    /// From now on, values every legal move exactly, where the player's search supports it.
    fn score_every_move(&mut self) {}

    /// Values of legal moves from the last choice; empty for players that do not value moves.
    fn scored_moves(&self) -> Vec<ScoredMove<G::Move>> {
        Vec::new()
    }
}

/// The position in which a player has to choose.
#[derive(Debug)]
pub struct TurnContext<'a, G: Game> {
    /// The rules.
    pub game: &'a G,
    /// The position, which has not ended.
    pub at: &'a G::Position,
    /// All legal moves, in the game's order.
    pub moves: &'a [G::Move],
    /// Seed of this ply.
    pub seed: Seed,
}

/// A player's move and what the search for it took.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MoveChoice<M> {
    /// The move.
    pub mv: M,
    /// The player's value of the move, for itself.
    pub value: Option<f64>,
    /// Positions searched below the root moves.
    pub nodes: u64,
    /// Root moves searched.
    pub root_moves: u64,
}

/// A policy as a player; it keeps no state during a game.
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

/// Search × evaluation × weights. Keeps the evaluator's accumulator during the game.
pub(crate) struct SearchPlayer<G: Game, E: Evaluator<G>> {
    search: Box<dyn Search<G, E>>,
    evaluator: E,
    accumulator: Option<E::Accumulator>,
}

impl<G: Game, E: Evaluator<G>> SearchPlayer<G, E> {
    pub(crate) fn new(search: Box<dyn Search<G, E>>, evaluator: E) -> SearchPlayer<G, E> {
        SearchPlayer { search, evaluator, accumulator: None }
    }
}

impl<G: Game, E: Evaluator<G>> Player<G> for SearchPlayer<G, E> {
    fn begin(&mut self, game: &G, at: &G::Position) {
        self.accumulator = Some(self.evaluator.begin(game, at));
    }

    fn observe(&mut self, game: &G, at: &G::Position, mv: G::Move) {
        if let Some(accumulator) = &mut self.accumulator {
            self.evaluator.advance(game, accumulator, at, mv);
        }
    }

    fn choose(&mut self, turn: &TurnContext<'_, G>) -> MoveChoice<G::Move> {
        let accumulator = self.accumulator.get_or_insert_with(|| self.evaluator.begin(turn.game, turn.at));
        let result = self.search.find(turn.game, &self.evaluator, &turn.game.unclocked(turn.at), accumulator);
        let SearchResult { mv, value, nodes, root_moves } = result;
        MoveChoice { mv, value: Some(value), nodes, root_moves }
    }

    fn report(&self) -> Option<SearchReport<G::Move>> {
        self.search.report().cloned()
    }

    /// No search uses the seed.
    fn is_stochastic(&self) -> bool {
        false
    }

    fn score_every_move(&mut self) {
        self.search.score_every_move();
    }

    fn scored_moves(&self) -> Vec<ScoredMove<G::Move>> {
        self.search.scored_moves()
    }
}

/// A search over random values, drawn from the seed of each turn.
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

    fn score_every_move(&mut self) {
        self.0.score_every_move();
    }

    fn scored_moves(&self) -> Vec<ScoredMove<G::Move>> {
        self.0.scored_moves()
    }
}
