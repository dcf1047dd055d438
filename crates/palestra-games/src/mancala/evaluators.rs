//! The course's evaluations, which take no weights. All of them value a position for the side to move there, and an
//! ended one like any other.

use super::cups::{CupRow, SowingGame};
use super::rules::{Mancala, Ply, Position};
use super::seeds::outcomes;
use super::sowing::{N_HOLES, sow};
use palestra_core::{
    Convention, Evaluator, Feature, Game, ParametricEvaluator, Side, TerminalValue, TieRule, Viewpoint,
};

/// Conventions of the course's search: ended positions as evaluated, the first of equal moves, values from the side to
/// move's viewpoint.
pub(crate) const COURSE_CONVENTION: Convention = Convention {
    endings: TerminalValue::AsEvaluated,
    ties: TieRule::First,
    sum: palestra_core::SumPrecision::Double,
    viewpoint: Viewpoint::SideToMove,
};

/// An evaluation that takes no weights.
pub(crate) struct FixedEvaluator<E>(pub(crate) E);

impl<G: Game, E: Evaluator<G> + Clone + 'static> ParametricEvaluator<G> for FixedEvaluator<E> {
    type Evaluator = E;

    fn parameters(&self) -> &[Feature] {
        &[]
    }

    fn build(&self, _weights: &[f64]) -> Option<E> {
        Some(self.0.clone())
    }
}

/// The value for `view` of a value for the side to move.
#[inline(always)]
fn for_view<G: Game>(game: &G, at: &G::Position, view: Side, value: i32) -> f64 {
    f64::from(if game.to_move(at) == view { value } else { -value })
}

/// The own row minus the other one, stores included.
#[inline(always)]
fn margin<R: CupRow>(own: R, other: R) -> i32 {
    own.total() as i32 - other.total() as i32
}

/// The evaluation `regular`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RegularEvaluator;

impl<G: SowingGame> Evaluator<G> for RegularEvaluator {
    type Accumulator = ();

    #[inline]
    fn begin(&self, _game: &G, _at: &G::Position) {}

    #[inline]
    fn advance(&self, _game: &G, _accumulator: &mut (), _at: &G::Position, _mv: G::Move) {}

    #[inline(always)]
    fn value(&self, game: &G, at: &G::Position, _accumulator: &(), view: Side) -> f64 {
        // Antisymmetric, so the side to move does not matter.
        f64::from(margin(game.row(at, view), game.row(at, view.other())))
    }

    #[inline]
    fn convention(&self) -> Convention {
        COURSE_CONVENTION
    }
}

/// The evaluation `bueno`: the best margin after one more ply.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bueno {
    /// Value of an ended game for the side to move.
    pub(super) ended: EndedValue,
}

/// How `bueno` values an ended game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum EndedValue {
    /// As in the course's program: this value, won or lost.
    Constant(i32),
    /// As corrected in the report: this value, negated where the side to move has fewer seeds.
    Decided(i32),
}

impl Bueno {
    pub(super) const COURSE: Bueno = Bueno { ended: EndedValue::Constant(-50) };
    pub(super) const FIXED: Bueno = Bueno { ended: EndedValue::Decided(10_000) };

    #[inline(always)]
    fn evaluate(self, game: &Mancala, at: &Position) -> i32 {
        let margin = margin(at.own, at.other);
        if game.is_over(at) {
            return match self.ended {
                EndedValue::Constant(value) => value,
                EndedValue::Decided(value) if margin < 0 => -value,
                EndedValue::Decided(value) => value,
            };
        }
        match at.must_pass {
            // The next ply is the pass, which moves no seed.
            true => margin,
            false if game.fuga => best_margin(game, at),
            false => margin + 2 * best_gain(at),
        }
    }
}

/// The best margin after one more ply, by playing each.
pub(super) fn best_margin(game: &Mancala, at: &Position) -> i32 {
    let margin_after = |hole: u8| {
        let mut after = at.clone();
        game.play(&mut after, Ply::Sow(hole));
        margin(after.other, after.own)
    };
    let holes = (0..N_HOLES as u8).filter(|&hole| at.own.get(usize::from(hole)) > 0);
    holes.map(margin_after).max().expect("a side that has not lost its seeds can sow")
}

/// Seeds that the best sowing captures, minus those it sows into the other row, without playing any: the margin does
/// not depend on the cup within a row. Empty holes have a `crossed` larger than all captures.
#[inline(always)]
pub(super) fn best_gain(at: &Position) -> i32 {
    let mut best = i32::MIN;
    for hole in 0..N_HOLES {
        let (own, other, effect) = sow(at.own, at.other, hole);
        best = best.max(effect.captured(own, other) as i32 - i32::from(effect.crossed));
    }
    best
}

impl Evaluator<Mancala> for Bueno {
    type Accumulator = ();

    #[inline]
    fn begin(&self, _game: &Mancala, _at: &Position) {}

    #[inline]
    fn advance(&self, _game: &Mancala, _accumulator: &mut (), _at: &Position, _mv: Ply) {}

    #[inline]
    fn value(&self, game: &Mancala, at: &Position, _accumulator: &(), view: Side) -> f64 {
        for_view(game, at, view, self.evaluate(game, at))
    }

    #[inline]
    fn convention(&self) -> Convention {
        COURSE_CONVENTION
    }
}

/// The evaluation `habia-una-vez`: `seeds` with the report's weights.
#[derive(Clone, Copy, Debug)]
pub(super) struct HabiaUnaVez;

/// Weights of the holes, the one farthest from the store first, of the side that is not to move.
const OTHER_HOLES: [i32; N_HOLES] = [0, -68, -4, 16, 112, 108];
/// The same of the side to move.
const OWN_HOLES: [i32; N_HOLES] = [52, 96, 24, -4, -60, -100];
/// Weights of holes whose sowing would end past the store, before it or in it, and of the seeds that captures face.
const OWN_OUTCOMES: [i32; 4] = [-104, 72, 80, -8];
/// The same of the side that is not to move.
const OTHER_OUTCOMES: [i32; 4] = [-80, 76, -56, 56];
/// Value of an ended game: the sum of the 1000 and the 10000 of the report's two functions.
pub(super) const ENDED: i32 = 11_000;

impl HabiaUnaVez {
    /// All weights, in the order of the feature set `seeds`.
    #[cfg(test)]
    pub(super) fn weights() -> Vec<f64> {
        let parts = [&OTHER_HOLES[..], &OWN_HOLES, &OWN_OUTCOMES, &OTHER_OUTCOMES, &[1]];
        parts.concat().into_iter().map(f64::from).collect()
    }
}

impl Evaluator<Mancala> for HabiaUnaVez {
    type Accumulator = ();

    #[inline]
    fn begin(&self, _game: &Mancala, _at: &Position) {}

    #[inline]
    fn advance(&self, _game: &Mancala, _accumulator: &mut (), _at: &Position, _mv: Ply) {}

    #[inline]
    fn value(&self, game: &Mancala, at: &Position, _accumulator: &(), view: Side) -> f64 {
        let (own, other) = (at.own, at.other);
        let mut sum = margin(own, other);
        if game.is_over(at) {
            sum += if sum < 0 { -ENDED } else { ENDED };
        }
        for hole in 0..N_HOLES {
            sum += OTHER_HOLES[hole] * other.get(hole) as i32 + OWN_HOLES[hole] * own.get(hole) as i32;
        }
        for (weights, counts) in
            [(OWN_OUTCOMES, outcomes(own, other, N_HOLES)), (OTHER_OUTCOMES, outcomes(other, own, N_HOLES))]
        {
            sum += (0..4).map(|i| weights[i] * counts[i]).sum::<i32>();
        }
        for_view(game, at, view, sum)
    }

    #[inline]
    fn convention(&self) -> Convention {
        COURSE_CONVENTION
    }
}
