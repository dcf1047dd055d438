//! The evaluations `margin` and `root`, which take no weights, for exact searches.

use super::rules::{Brick, Ladrillos, Position};
use palestra_core::{
    BoxedEvaluator, Convention, Evaluator, Feature, ParametricEvaluator, Side, TerminalValue,
};

/// An evaluation by points alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum PointsEvaluator {
    /// Own points minus the opponent's.
    Margin,
    /// Sign of the margin times its square root, rounded down: an event's points as whole numbers.
    Root,
}

impl PointsEvaluator {
    #[inline]
    fn of(self, margin: i32) -> f64 {
        match self {
            PointsEvaluator::Margin => f64::from(margin),
            PointsEvaluator::Root => f64::from(margin.signum() * margin.unsigned_abs().isqrt() as i32),
        }
    }
}

impl<const W: usize, const C: usize, const L: usize> ParametricEvaluator<Ladrillos<W, C, L>>
    for PointsEvaluator
{
    type Evaluator = BoxedEvaluator<Ladrillos<W, C, L>>;

    fn parameters(&self) -> &[Feature] {
        &[]
    }

    fn build(&self, _weights: &[f64]) -> Option<Self::Evaluator> {
        Some(BoxedEvaluator::new(*self))
    }
}

impl<const W: usize, const C: usize, const L: usize> Evaluator<Ladrillos<W, C, L>> for PointsEvaluator {
    type Accumulator = ();

    fn begin(&self, _game: &Ladrillos<W, C, L>, _at: &Position<W, C, L>) {}

    #[inline]
    fn advance(
        &self,
        _game: &Ladrillos<W, C, L>,
        _accumulator: &mut (),
        _at: &Position<W, C, L>,
        _mv: Brick,
    ) {
    }

    #[inline]
    fn value(
        &self,
        _game: &Ladrillos<W, C, L>,
        at: &Position<W, C, L>,
        _accumulator: &(),
        view: Side,
    ) -> f64 {
        self.of(at.margin(view))
    }

    fn is_symmetric(&self) -> bool {
        true
    }

    fn convention(&self) -> Convention {
        Convention { endings: TerminalValue::AsEvaluated, ..Convention::default() }
    }
}
