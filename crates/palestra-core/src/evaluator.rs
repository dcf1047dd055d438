//! Evaluators: functions from positions to numbers.

use crate::{Convention, FeatureTable, Game, Seed, Side, TerminalValue, TieRule, Transition};
use std::sync::Arc;

/// Reusable buffers for [`Evaluator::child_values`].
#[derive(Clone, Default, Debug)]
pub struct ChildBuffers {
    /// Features of the children; used by linear evaluators only.
    pub features: FeatureTable,
    /// The value of each child, in the order of the moves.
    pub values: Vec<f64>,
}

/// Values positions for either side. It may keep an accumulator along a line of play.
pub trait Evaluator<G: Game>: Send + Sync {
    /// Incremental state along a line of play; `()` where the evaluator keeps none.
    type Accumulator: Clone + Send;

    /// The accumulator of a position, computed from the board alone.
    fn begin(&self, game: &G, at: &G::Position) -> Self::Accumulator;

    /// Updates the accumulator of `at` to the position after `mv`, a legal move there.
    fn advance(&self, game: &G, accumulator: &mut Self::Accumulator, at: &G::Position, mv: G::Move);

    /// The value of `at` for `view`; larger is better. `accumulator` is that of `at`. Ended positions have a value too;
    /// [`Convention::endings`] says whether a search uses it.
    fn value(&self, game: &G, at: &G::Position, accumulator: &Self::Accumulator, view: Side) -> f64;

    /// The value of `step.after` for `view`; `accumulator` is that of `step.at`. Must equal `value` of `step.after`, to
    /// the bit.
    #[inline]
    fn child_value(
        &self,
        game: &G,
        step: &Transition<'_, G>,
        accumulator: &Self::Accumulator,
        view: Side,
    ) -> f64 {
        let mut accumulator = accumulator.clone();
        self.advance(game, &mut accumulator, step.at, step.mv);
        self.value(game, step.after, &accumulator, view)
    }

    /// Writes the values of all children into `buffers.values`. `moves` are all legal moves, in the game's order.
    /// Must equal playing each move and calling `value`, to the bit.
    fn child_values(
        &self,
        game: &G,
        at: &G::Position,
        accumulator: &Self::Accumulator,
        view: Side,
        moves: &[G::Move],
        buffers: &mut ChildBuffers,
    ) {
        buffers.values.clear();
        for &mv in moves {
            let mut after = at.clone();
            game.play(&mut after, mv);
            let step = Transition { at, mv, after: &after };
            buffers.values.push(self.child_value(game, &step, accumulator, view));
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

/// A pseudo-random value, computed from the position's key: the same position always has the same value. Tests of
/// searches use it, and the studies used such an evaluation as the weakest one.
#[derive(Clone, Copy, Debug)]
pub struct Noise {
    /// Different seeds give unrelated values.
    pub seed: Seed,
}

impl<G: Game> Evaluator<G> for Noise {
    type Accumulator = ();

    fn begin(&self, _game: &G, _at: &G::Position) {}

    fn advance(&self, _game: &G, _accumulator: &mut (), _at: &G::Position, _mv: G::Move) {}

    /// A whole number from -20000 to 19999, as the Connect-4 study drew them.
    fn value(&self, game: &G, at: &G::Position, _accumulator: &(), view: Side) -> f64 {
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

/// Any evaluator without accumulator, or one that [draws random values](BoxedEvaluator::stochastic). It is one type
/// per game, so that every search is compiled once for all of them. A value costs one call through a pointer.
#[derive(Clone)]
pub struct BoxedEvaluator<G: Game>(BoxedKind<G>);

#[derive(Clone)]
enum BoxedKind<G: Game> {
    Board(Arc<dyn BoardEvaluator<G>>),
    Stochastic(PathNoise),
}

/// The part of [`Evaluator`] that an evaluator without accumulator needs, as a trait object.
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
    /// Boxes an evaluator; the values stay the same.
    pub fn new(evaluator: impl Evaluator<G, Accumulator = ()> + 'static) -> BoxedEvaluator<G> {
        BoxedEvaluator(BoxedKind::Board(Arc::new(evaluator)))
    }

    /// Random values that depend on the seed and on the line of play: two move orders to the same position give
    /// independent values, and a search with the same seed sees the same values.
    pub fn stochastic(seed: Seed) -> BoxedEvaluator<G> {
        BoxedEvaluator(BoxedKind::Stochastic(PathNoise { seed }))
    }
}

impl<G: Game> Evaluator<G> for BoxedEvaluator<G> {
    /// Hash of the line of play, for random values.
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
            BoxedKind::Stochastic(noise) => noise.value(game, at, *line, view),
        }
    }

    /// Only random values depend on the line of play, so nothing is cloned.
    #[inline]
    fn child_value(&self, game: &G, step: &Transition<'_, G>, line: &Seed, view: Side) -> f64 {
        match &self.0 {
            BoxedKind::Board(evaluator) => evaluator.value(game, step.after, view),
            BoxedKind::Stochastic(noise) => {
                noise.value(game, step.after, line.child(game.key(step.at)), view)
            }
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
            BoxedKind::Stochastic(noise) => Evaluator::<G>::convention(&Noise { seed: noise.seed }),
        }
    }
}

/// Random values of one seed.
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
