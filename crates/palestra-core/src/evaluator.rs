//! How good a position is, in numbers.

use crate::{Convention, FeatureTable, Game, Seed, Side, TerminalValue, TieRule, Transition};
use std::sync::Arc;

/// The caller's buffers for [`Evaluator::child_values`].
#[derive(Clone, Default, Debug)]
pub struct ChildBuffers {
    /// Features of the children, where the evaluator is linear.
    pub features: FeatureTable,
    /// The value of each child, in the order of the moves.
    pub values: Vec<f64>,
}

/// Judges positions from either side's point of view. It may keep a memo along a line of play.
pub trait Evaluator<G: Game>: Send + Sync {
    /// What is kept along a line of play; `()` where nothing is.
    type Accumulator: Clone + Send;

    /// The memo of a position met without history.
    fn begin(&self, game: &G, at: &G::Position) -> Self::Accumulator;

    /// Brings the memo of `at` to the position after `mv`, a legal move there.
    fn advance(&self, game: &G, memo: &mut Self::Accumulator, at: &G::Position, mv: G::Move);

    /// The value of `at` for `view`; larger is better. `memo` is this position's. Ended positions are valued
    /// too; what a search makes of them is [`Convention::endings`].
    fn value(&self, game: &G, at: &G::Position, memo: &Self::Accumulator, view: Side) -> f64;

    /// The value after a move for `view`; `memo` is that of the position before it. Must equal `value` there,
    /// to the bit.
    #[inline]
    fn child_value(&self, game: &G, step: &Transition<'_, G>, memo: &Self::Accumulator, view: Side) -> f64 {
        let mut memo = memo.clone();
        self.advance(game, &mut memo, step.at, step.mv);
        self.value(game, step.after, &memo, view)
    }

    /// The values of every child into `buffers.values`. `moves` are all legal moves, in the game's order.
    /// Must equal play-then-`value`, to the bit.
    fn child_values(
        &self,
        game: &G,
        at: &G::Position,
        memo: &Self::Accumulator,
        view: Side,
        moves: &[G::Move],
        buffers: &mut ChildBuffers,
    ) {
        buffers.values.clear();
        for &mv in moves {
            let mut after = at.clone();
            game.play(&mut after, mv);
            buffers.values.push(self.child_value(game, &Transition { at, mv, after: &after }, memo, view));
        }
    }

    /// Whether a position and its images under the game's symmetries ([`Game::symmetric_key`]) always have the
    /// same value, to the bit.
    fn is_symmetric(&self) -> bool {
        false
    }

    /// How the study behind this evaluation scores endings and breaks ties.
    fn convention(&self) -> Convention {
        Convention::default()
    }
}

/// A value drawn from the position's key: the same position always gets the same one, and nothing else
/// about it means anything. Tests of searches use it, and studies used its like as the weakest evaluation.
#[derive(Clone, Copy, Debug)]
pub struct Noise {
    /// Different seeds give unrelated values.
    pub seed: Seed,
}

impl<G: Game> Evaluator<G> for Noise {
    type Accumulator = ();

    fn begin(&self, _game: &G, _at: &G::Position) {}

    fn advance(&self, _game: &G, _memo: &mut (), _at: &G::Position, _mv: G::Move) {}

    /// A whole number from -20000 to 19999, as the Connect-4 study drew them.
    fn value(&self, game: &G, at: &G::Position, _memo: &(), view: Side) -> f64 {
        let drawn = self.seed.child(view.index() as u64).child(game.key(at)).0;
        (drawn % 40_000) as f64 - 20_000.0
    }

    fn convention(&self) -> Convention {
        Convention {
            endings: TerminalValue::SearchOnly(20_000.0),
            ties: TieRule::Last,
            ..Convention::default()
        }
    }
}

/// Any evaluator that keeps nothing along a line of play, or [draws random values](BoxedEvaluator::stochastic): one type for each game,
/// so that every search is compiled once for all of them. A value costs one call through a pointer.
#[derive(Clone)]
pub struct BoxedEvaluator<G: Game>(BoxedKind<G>);

#[derive(Clone)]
enum BoxedKind<G: Game> {
    Board(Arc<dyn BoardEvaluator<G>>),
    Stochastic(PathNoise),
}

/// What is asked of an evaluator without memo.
trait BoardEvaluator<G: Game>: Send + Sync {
    fn value(&self, game: &G, at: &G::Position, view: Side) -> f64;
    fn is_symmetric(&self) -> bool;
    fn convention(&self) -> Convention;
}

impl<G: Game, E: Evaluator<G, Accumulator = ()>> BoardEvaluator<G> for E {
    fn value(&self, game: &G, at: &G::Position, view: Side) -> f64 {
        Evaluator::value(self, game, at, &(), view)
    }

    fn is_symmetric(&self) -> bool {
        Evaluator::is_symmetric(self)
    }

    fn convention(&self) -> Convention {
        Evaluator::convention(self)
    }
}

impl<G: Game> std::fmt::Debug for BoxedEvaluator<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("BoxedEvaluator").finish_non_exhaustive()
    }
}

impl<G: Game> BoxedEvaluator<G> {
    /// The same values as this evaluator's.
    pub fn new(evaluator: impl Evaluator<G, Accumulator = ()> + 'static) -> BoxedEvaluator<G> {
        BoxedEvaluator(BoxedKind::Board(Arc::new(evaluator)))
    }

    /// Values drawn by lot whenever a position is looked at: another way to the same position draws again. They are a
    /// function of the seed and of the line of play, so a search with the same seed sees the same values.
    pub fn stochastic(seed: Seed) -> BoxedEvaluator<G> {
        BoxedEvaluator(BoxedKind::Stochastic(PathNoise { seed }))
    }
}

impl<G: Game> Evaluator<G> for BoxedEvaluator<G> {
    /// What tells lines of play apart, for dice.
    type Accumulator = Seed;

    #[inline]
    fn begin(&self, _game: &G, _at: &G::Position) -> Seed {
        Seed(0)
    }

    #[inline]
    fn advance(&self, game: &G, line: &mut Seed, at: &G::Position, _mv: G::Move) {
        if let BoxedKind::Stochastic(_) = self.0 {
            *line = line.child(game.key(at));
        }
    }

    #[inline]
    fn value(&self, game: &G, at: &G::Position, line: &Seed, view: Side) -> f64 {
        match &self.0 {
            BoxedKind::Board(evaluator) => evaluator.value(game, at, view),
            BoxedKind::Stochastic(dice) => dice.value(game, at, *line, view),
        }
    }

    /// Nothing to carry over the move, except for dice.
    #[inline]
    fn child_value(&self, game: &G, step: &Transition<'_, G>, line: &Seed, view: Side) -> f64 {
        match &self.0 {
            BoxedKind::Board(evaluator) => evaluator.value(game, step.after, view),
            BoxedKind::Stochastic(dice) => dice.value(game, step.after, line.child(game.key(step.at)), view),
        }
    }

    fn is_symmetric(&self) -> bool {
        match &self.0 {
            BoxedKind::Board(evaluator) => evaluator.is_symmetric(),
            BoxedKind::Stochastic(_) => false,
        }
    }

    fn convention(&self) -> Convention {
        match &self.0 {
            BoxedKind::Board(evaluator) => evaluator.convention(),
            BoxedKind::Stochastic(dice) => Evaluator::<G>::convention(&Noise { seed: dice.seed }),
        }
    }
}

/// The dice of a turn.
#[derive(Clone, Copy)]
struct PathNoise {
    seed: Seed,
}

impl PathNoise {
    /// A whole number from -20000 to 19999, as [`Noise`] draws them.
    fn value<G: Game>(self, game: &G, at: &G::Position, line: Seed, view: Side) -> f64 {
        let line = line.child(game.key(at)).0;
        let drawn = self.seed.child(view.index() as u64).child(line).0;
        (drawn % 40_000) as f64 - 20_000.0
    }
}
