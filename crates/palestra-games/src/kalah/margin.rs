//! The evaluation `margin`.

use super::rules::{Kalah, Position, Sowing};
use crate::mancala::cups::{CupRow, SowingGame};
use palestra_core::{Convention, Evaluator, Side, TerminalValue};

/// The evaluation `margin`: the margin of an ended game, and before that the difference of the stores. A search to the
/// end of all games finds the exact value with it.
#[derive(Clone, Copy, Debug)]
pub(super) struct MarginEvaluator;

impl<R: CupRow> Evaluator<Kalah<R>> for MarginEvaluator {
    type Accumulator = ();

    #[inline]
    fn begin(&self, _game: &Kalah<R>, _at: &Position<R>) {}

    #[inline]
    fn advance(&self, _game: &Kalah<R>, _accumulator: &mut (), _at: &Position<R>, _mv: Sowing) {}

    #[inline]
    fn value(&self, game: &Kalah<R>, at: &Position<R>, _accumulator: &(), view: Side) -> f64 {
        let is_over = game.is_over(at);
        let count = |side: Side| {
            let row = game.row(at, side);
            if is_over { row.total() } else { row.get(game.n_holes()) }
        };
        f64::from(count(view)) - f64::from(count(view.other()))
    }

    #[inline]
    fn convention(&self) -> Convention {
        Convention { endings: TerminalValue::AsEvaluated, ..Convention::default() }
    }
}
