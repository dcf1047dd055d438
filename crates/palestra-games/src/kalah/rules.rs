//! The rules of Kalah, for any board.

use crate::mancala::cups::{CupRow, SowingGain, SowingGame};
use crate::mancala::rules::decided;
use palestra_core::{Ending, Game, Rng, Side};
use rand::RngExt;
use std::fmt;
use std::sync::Arc;

/// A game on a board of any size, with rows of type `R`.
///
/// [`super::KalahFamily`] chooses `R`, so that usual boards have a row in one machine word.
#[derive(Clone, Debug)]
pub(crate) struct Kalah<R> {
    pub(super) n_holes: usize,
    /// Seeds in each hole at the start.
    pub(super) per_hole: u32,
    pub(super) capture: Capture,
    /// By hole, then by number of seeds in it.
    effects: Arc<[KalahSowingEffect<R>]>,
}

/// When a last seed in an empty own hole goes to the store.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Capture {
    /// Only if seeds face it.
    Standard,
    /// Always.
    Empty,
}

/// The effect of sowing a number of seeds from a hole.
#[derive(Clone, Copy, Debug)]
struct KalahSowingEffect<R> {
    /// Seeds added to the own row; the hole itself is emptied before.
    own: R,
    /// Seeds added to the other row.
    other: R,
    /// Index of the last seed's cup in the ring of own holes, own store and the opponent's holes.
    last: u8,
}

/// A hole to sow, counted from 0 in sowing order, and its side; its text counts from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Sowing {
    pub(super) side: Side,
    pub(super) hole: u8,
}

impl fmt::Display for Sowing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (self.hole + 1).fmt(f)
    }
}

/// Both rows, from the viewpoint of the side to move.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Position<R> {
    /// The row of the side to move: holes in sowing order, then the store.
    pub(super) own: R,
    pub(super) other: R,
    pub(super) to_move: Side,
}

impl<R: CupRow> Position<R> {
    pub(super) fn new(rows: [R; 2], to_move: Side) -> Position<R> {
        Position { own: rows[to_move.index()], other: rows[to_move.other().index()], to_move }
    }

    pub(super) fn rows(&self) -> [R; 2] {
        match self.to_move {
            Side::First => [self.own, self.other],
            Side::Second => [self.other, self.own],
        }
    }
}

impl<R: CupRow> Kalah<R> {
    pub(super) fn new(n_holes: usize, per_hole: u32, capture: Capture) -> Kalah<R> {
        let n_seeds = 2 * n_holes as u32 * per_hole;
        let effects = (0..n_holes)
            .flat_map(|hole| (0..=n_seeds).map(move |seeds| KalahSowingEffect::new(n_holes, hole, seeds)));
        Kalah { n_holes, per_hole, capture, effects: effects.collect() }
    }

    /// Number of seeds at the start.
    #[inline]
    pub(super) fn total_seeds(&self) -> u32 {
        2 * self.n_holes as u32 * self.per_hole
    }

    /// Both rows after a hole of `own` is sown, before any capture, and the cup of the last seed.
    #[inline(always)]
    pub(super) fn sow(&self, own: R, other: R, hole: usize) -> (R, R, usize) {
        let seeds = own.get(hole) as usize;
        let effect = &self.effects[hole * (self.total_seeds() as usize + 1) + seeds];
        (own.with(hole, 0).plus(effect.own), other.plus(effect.other), usize::from(effect.last))
    }

    /// Seeds that the last one, in cup `last`, captures from the other side; `None` if it stays where it is. The cup
    /// was empty before exactly if it now holds one seed.
    #[inline(always)]
    fn captured(&self, own: R, other: R, last: usize) -> Option<u32> {
        if last >= self.n_holes || own.get(last) != 1 {
            return None;
        }
        let facing = other.get(self.n_holes - 1 - last);
        (facing > 0 || self.capture == Capture::Empty).then_some(facing)
    }

    /// Both rows after the capture of the last seed, in cup `last`.
    #[inline(always)]
    pub(super) fn with_capture(&self, mut own: R, mut other: R, last: usize) -> [R; 2] {
        if let Some(captured) = self.captured(own, other, last) {
            let store = own.get(self.n_holes) + captured + 1;
            own = own.with(last, 0).with(self.n_holes, store);
            other = other.with(self.n_holes - 1 - last, 0);
        }
        [own, other]
    }

    /// A row with the seeds of its holes moved to its store.
    fn swept(&self, row: R) -> R {
        R::default().with(self.n_holes, row.total())
    }
}

impl<R: CupRow> KalahSowingEffect<R> {
    fn new(n_holes: usize, hole: usize, seeds: u32) -> KalahSowingEffect<R> {
        let n_cups = 2 * n_holes + 1;
        let (laps, rest) = (seeds as usize / n_cups, seeds as usize % n_cups);
        let seeds_into = |cup: usize| {
            let distance = (cup + n_cups - hole - 1) % n_cups;
            (laps + usize::from(distance < rest)) as u32
        };
        let cups = |from: usize, to: usize| {
            (from..to).fold(R::default(), |row, cup| row.with(cup - from, seeds_into(cup)))
        };
        KalahSowingEffect {
            own: cups(0, n_holes + 1),
            other: cups(n_holes + 1, n_cups),
            last: ((hole + seeds as usize) % n_cups) as u8,
        }
    }
}

impl<R: CupRow> Game for Kalah<R> {
    type Position = Position<R>;
    type Move = Sowing;

    fn start(&self) -> Position<R> {
        let row = (0..self.n_holes).fold(R::default(), |row, hole| row.with(hole, self.per_hole));
        Position::new([row; 2], Side::First)
    }

    #[inline]
    fn to_move(&self, at: &Position<R>) -> Side {
        at.to_move
    }

    fn history_index(&self, sowing: Sowing) -> usize {
        usize::from(sowing.hole)
    }

    /// The hole next to the store first.
    fn order_hint(&self, _at: &Position<R>, sowing: Sowing) -> i32 {
        i32::from(sowing.hole)
    }

    /// Holes in sowing order, the one farthest from the store first.
    #[inline]
    fn moves(&self, at: &Position<R>, out: &mut Vec<Sowing>) {
        if self.is_over(at) {
            return;
        }
        let mut filled = at.own.filled(self.n_holes);
        while filled != 0 {
            out.push(Sowing { side: at.to_move, hole: filled.trailing_zeros() as u8 });
            filled &= filled - 1;
        }
    }

    #[inline(always)]
    fn play(&self, at: &mut Position<R>, mv: Sowing) {
        let (own, other, last) = self.sow(at.own, at.other, usize::from(mv.hole));
        let [mut own, mut other] = self.with_capture(own, other, last);
        if own.is_bare(self.n_holes) || other.is_bare(self.n_holes) {
            (own, other) = (self.swept(own), self.swept(other));
        }
        if last == self.n_holes {
            (at.own, at.other) = (own, other);
        } else {
            (at.own, at.other) = (other, own);
            at.to_move = at.to_move.other();
        }
    }

    /// Draws the same move as from the move list, without making a list.
    #[inline]
    fn random_move(&self, at: &Position<R>, rng: &mut Rng, _scratch: &mut Vec<Sowing>) -> Option<Sowing> {
        if self.is_over(at) {
            return None;
        }
        let mut filled = at.own.filled(self.n_holes);
        for _ in 0..rng.random_range(0..filled.count_ones()) {
            filled &= filled - 1;
        }
        Some(Sowing { side: at.to_move, hole: filled.trailing_zeros() as u8 })
    }

    #[inline]
    fn ending(&self, at: &Position<R>) -> Option<Ending> {
        self.is_over(at).then(|| decided(at.rows().map(CupRow::total), "side empty"))
    }
}

impl<R: CupRow> SowingGame for Kalah<R> {
    type Row = R;

    #[inline(always)]
    fn n_holes(&self) -> usize {
        self.n_holes
    }

    fn n_seeds(&self) -> u32 {
        self.total_seeds()
    }

    #[inline(always)]
    fn row(&self, at: &Position<R>, side: Side) -> R {
        if side == at.to_move { at.own } else { at.other }
    }

    #[inline(always)]
    fn is_over(&self, at: &Position<R>) -> bool {
        at.own.is_bare(self.n_holes) || at.other.is_bare(self.n_holes)
    }

    #[inline]
    fn sower(&self, at: &Position<R>) -> Side {
        at.to_move
    }

    #[inline]
    fn sowing_gain(&self, own: R, other: R, hole: usize) -> SowingGain {
        let (own, other, last) = self.sow(own, other, hole);
        let captured = self.captured(own, other, last).unwrap_or(0);
        SowingGain { captured, again: last == self.n_holes }
    }
}
