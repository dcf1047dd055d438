//! The rules of the course's engine, version 11.0. Rule numbers in comments are those of `rules.txt`.

use super::clock::{MancalaClock, MancalaStop};
use super::cups::{CupRow, SowingGain, SowingGame};
use super::sowing::{N_HOLES, N_SEEDS, STORE, sow};
use palestra_core::{Ending, Game, Seed, Side};
use std::borrow::Cow;
use std::fmt;

/// Seeds in each hole at the start (rule 1).
const SEEDS_PER_HOLE: u32 = 3;
/// A store with more than this wins a game that the referee stops (rule 8).
const HALF: u32 = N_SEEDS as u32 / 2;

/// The course's game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mancala {
    /// Whether a side with one seed in its holes may get another, as in engine 10.0.
    pub(super) fuga: bool,
}

/// A turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ply {
    /// Sows this hole, counted from 0 in sowing order; its text counts from 1.
    Sow(u8),
    /// Forced where the opponent sows again (rule 6).
    Pass,
}

impl fmt::Display for Ply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ply::Sow(hole) => (hole + 1).fmt(f),
            Ply::Pass => f.write_str("pass"),
        }
    }
}

/// Both rows, from the viewpoint of the side to move, and the referee's counts.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    /// The row of the side to move: holes in sowing order from the lowest byte on, then the store.
    pub(super) own: u64,
    /// The other row.
    pub(super) other: u64,
    pub(super) clock: MancalaClock,
    pub(super) to_move: Side,
    /// Whether the side to move has to pass (rule 6).
    pub(super) must_pass: bool,
    pub(super) end: Option<MancalaEnd>,
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum MancalaEnd {
    /// One side's holes are empty (rule 7).
    SideEmpty,
    /// The referee (rule 8).
    Stopped(MancalaStop),
}

impl Position {
    /// A position from which a game starts; the referee starts to count here.
    pub(super) fn new(rows: [u64; 2], to_move: Side, must_pass: bool) -> Position {
        let (own, other) = (rows[to_move.index()], rows[to_move.other().index()]);
        let clock = MancalaClock::start(rows.map(in_holes));
        let end = is_over(own, other).then_some(MancalaEnd::SideEmpty);
        Position { own, other, clock, to_move, must_pass, end }
    }

    #[inline]
    pub(super) fn row(&self, side: Side) -> u64 {
        if side == self.to_move { self.own } else { self.other }
    }

    pub(super) fn rows(&self) -> [u64; 2] {
        Side::BOTH.map(|side| self.row(side))
    }

    /// Changes the turn, with the rows of the side that moved and of the side to move next.
    #[inline(always)]
    fn end_turn(&mut self, moved: u64, next: u64, must_pass: bool) {
        self.own = next;
        self.other = moved;
        self.to_move = self.to_move.other();
        self.must_pass = must_pass;
        if is_over(moved, next) {
            self.end = Some(MancalaEnd::SideEmpty);
        } else if self.clock.is_running() {
            self.end = self.clock.tick(self.rows().map(in_holes)).map(MancalaEnd::Stopped);
        }
    }
}

/// Seeds in the six holes of a row.
#[inline]
fn in_holes(row: u64) -> u32 {
    row.total() - row.get(STORE)
}

/// Whether a side has no seeds to sow, no matter which is to move (rule 7).
#[inline(always)]
pub(super) fn is_over(one: u64, two: u64) -> bool {
    one.is_bare(N_HOLES) || two.is_bare(N_HOLES)
}

impl Mancala {
    /// Both rows after a hole of `own_before` is sown, and whether the same side sows again.
    #[inline(always)]
    pub(super) fn sown(&self, own_before: u64, other_before: u64, hole: usize) -> (u64, u64, bool) {
        let (mut own, mut other, effect) = sow(own_before, other_before, hole);
        let captured = effect.captured(own, other);
        if captured > 0 {
            let [near, far] = effect.pair;
            other -= captured << far;
            if effect.required_own == 1 {
                // Rule 3: the last seed and those facing it go into the store.
                own = own - (1 << near) + ((captured + 1) << (8 * STORE));
            } else {
                // Rule 4: the seeds go into the facing own hole, not into the store.
                own += captured << near;
            }
        }
        if self.fuga && leaks(own_before, own, other) {
            other -= 1 << (8 * STORE);
            own += 1;
        }
        // Rule 2: a store that was empty gives no extra turn.
        (own, other, effect.ends_in_store && own.get(STORE) > 1)
    }

    /// Rule 9, the accumulated count of a sequence of moves: for each side, the seeds that its row gained in its own
    /// plies; losses are ignored. The course's engine shows it; it has no effect on the game.
    pub fn accumulated(&self, start: &Position, moves: &[Ply]) -> [u32; 2] {
        let mut at = start.clone();
        let mut gained = [0; 2];
        for &mv in moves {
            let side = at.to_move;
            let before = at.row(side).total();
            self.play(&mut at, mv);
            gained[side.index()] += at.row(side).total().saturating_sub(before);
        }
        gained
    }
}

/// Fuga: a side with exactly one seed in its holes, whose row gained and lost none in this sowing, gets one from an
/// opponent with more than 3 seeds in the store and more than 10 in the holes.
#[inline]
fn leaks(before: u64, own: u64, other: u64) -> bool {
    in_holes(own) == 1 && own.total() == before.total() && other.get(STORE) > 3 && in_holes(other) > 10
}

impl Game for Mancala {
    type Position = Position;
    type Move = Ply;

    fn start(&self) -> Position {
        let row = (0..N_HOLES).fold(0u64, |row, hole| row.with(hole, SEEDS_PER_HOLE));
        Position::new([row; 2], Side::First, false)
    }

    #[inline]
    fn to_move(&self, at: &Position) -> Side {
        at.to_move
    }

    fn history_index(&self, ply: Ply) -> usize {
        match ply {
            Ply::Sow(hole) => usize::from(hole),
            Ply::Pass => 0,
        }
    }

    /// The hole next to the store first.
    fn order_hint(&self, _at: &Position, ply: Ply) -> i32 {
        self.history_index(ply) as i32
    }

    /// Holes in sowing order, the one farthest from the store first (rule 1).
    #[inline]
    fn moves(&self, at: &Position, out: &mut Vec<Ply>) {
        if at.end.is_some() {
            return;
        }
        if at.must_pass {
            out.push(Ply::Pass);
            return;
        }
        let mut filled = at.own.filled(N_HOLES);
        while filled != 0 {
            out.push(Ply::Sow(filled.trailing_zeros() as u8));
            filled &= filled - 1;
        }
    }

    #[inline(always)]
    fn play(&self, at: &mut Position, mv: Ply) {
        match mv {
            Ply::Sow(hole) => {
                let (own, other, again) = self.sown(at.own, at.other, usize::from(hole));
                // Rules 5 and 6: the turn always changes; a side that sows again does so after the opponent's pass.
                at.end_turn(own, other, again);
            }
            Ply::Pass => at.end_turn(at.own, at.other, false),
        }
    }

    /// Rule 7 counts whole rows, and the margin is their difference. A game that the referee stops (rule 8) is won by a
    /// store with more than half of the seeds, and its margin is the difference of the stores; otherwise it is drawn.
    #[inline]
    fn ending(&self, at: &Position) -> Option<Ending> {
        let counts = match at.end? {
            MancalaEnd::SideEmpty => at.rows().map(CupRow::total),
            MancalaEnd::Stopped(_) => {
                let stores = at.rows().map(|row| row.get(STORE));
                if stores.iter().any(|&store| store > HALF) { stores } else { [0; 2] }
            }
        };
        let reason = match at.end? {
            MancalaEnd::SideEmpty => "side empty",
            MancalaEnd::Stopped(MancalaStop::Plies) => "60 plies",
            MancalaEnd::Stopped(MancalaStop::Starvation) => "starvation",
        };
        Some(decided(counts, reason))
    }

    #[inline]
    fn unclocked<'a>(&self, at: &'a Position) -> Cow<'a, Position> {
        let end = at.end.filter(|end| *end == MancalaEnd::SideEmpty);
        Cow::Owned(Position { clock: MancalaClock::STOPPED, end, ..*at })
    }

    #[inline]
    fn key(&self, at: &Position) -> u64 {
        let flags = at.to_move.index() as u64 | u64::from(at.must_pass) << 1;
        let board = Seed(at.own).child(at.other).child(flags);
        if at.clock.is_running() { board.child(at.clock.digest()).0 } else { board.0 }
    }
}

/// The side with the larger count wins by the difference.
pub(crate) fn decided([first, second]: [u32; 2], reason: &'static str) -> Ending {
    let winner = match first.cmp(&second) {
        std::cmp::Ordering::Greater => Some(Side::First),
        std::cmp::Ordering::Less => Some(Side::Second),
        std::cmp::Ordering::Equal => None,
    };
    Ending { winner, margin: first.abs_diff(second), reason }
}

impl SowingGame for Mancala {
    type Row = u64;

    #[inline(always)]
    fn n_holes(&self) -> usize {
        N_HOLES
    }

    fn n_seeds(&self) -> u32 {
        N_SEEDS as u32
    }

    #[inline(always)]
    fn row(&self, at: &Position, side: Side) -> u64 {
        at.row(side)
    }

    #[inline(always)]
    fn is_over(&self, at: &Position) -> bool {
        is_over(at.own, at.other)
    }

    #[inline]
    fn sower(&self, at: &Position) -> Side {
        if at.must_pass { at.to_move.other() } else { at.to_move }
    }

    #[inline]
    fn sowing_gain(&self, own: u64, other: u64, hole: usize) -> SowingGain {
        let (own, other, effect) = sow(own, other, hole);
        let captured = effect.captured(own, other) as u32;
        SowingGain { captured, again: effect.ends_in_store && own.get(STORE) > 1 }
    }
}
