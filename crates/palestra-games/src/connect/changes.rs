//! Rays in a few bits, and what a stone between two of them changes.

use super::tally::LineCounts;
use palestra_core::Side;
use std::sync::LazyLock;

/// What lies next to a cell in one direction, as a small number: 0 for an empty cell, 1 for the wall, and from 2
/// on the runs by length, color, and whether the far end is closed. The lowest bit says whether it is closed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct CellRay(u8);

const CLOSED: u8 = 1;

impl CellRay {
    /// The next cell is empty.
    pub(super) const EMPTY: CellRay = CellRay(0);
    /// The edge of the board.
    pub(super) const WALL: CellRay = CellRay(CLOSED);

    /// A run of one color.
    fn run(side: Side, length: u8, open: bool) -> CellRay {
        CellRay(4 * length - 2 + 2 * side as u8 + u8::from(!open))
    }

    /// Length of the run; 0 if there is none.
    #[inline]
    fn length(self) -> u8 {
        (self.0 + 2) / 4
    }

    #[inline]
    fn is_of(self, side: Side) -> bool {
        self.0 >= 2 && (self.0 - 2) & 2 == 2 * side as u8
    }

    /// Length of the run, if it is this side's.
    #[inline]
    pub(super) fn length_of(self, side: Side) -> u8 {
        if self.is_of(side) { self.length() } else { 0 }
    }

    /// Whether there is an empty cell: the next one, or the one at the far end of the run.
    fn ends_open(self) -> bool {
        self.0 & CLOSED == 0
    }

    /// Whether a line of `side` through the cell of this ray has an open end in this direction.
    fn lengthened_ends_open(self, side: Side) -> bool {
        self.ends_open() && !self.is_of(side.other())
    }
}

/// The two rays of a cell along one line, behind and ahead, as one number: an index into tables.
/// `N` is the side of the tables that the board fits in; runs next to an empty cell are shorter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct RayPair<const N: usize>(u16);

impl<const N: usize> RayPair<N> {
    /// Bits of a ray: four numbers for each length below the side, and two more.
    const RAY_BITS: u32 = 2 + N.ilog2();
    const RAY_MASK: u16 = (1 << Self::RAY_BITS) - 1;
    const COUNT: usize = 1 << (2 * Self::RAY_BITS);

    #[inline]
    pub(super) fn new(rays: [CellRay; 2]) -> RayPair<N> {
        RayPair(u16::from(rays[0].0) | u16::from(rays[1].0) << Self::RAY_BITS)
    }

    /// The ray behind (0) or ahead (1).
    #[inline]
    pub(super) fn ray(self, which: usize) -> CellRay {
        CellRay((self.0 >> (which as u32 * Self::RAY_BITS) & Self::RAY_MASK) as u8)
    }

    /// The pair with one ray updated for a new stone at its end.
    #[inline]
    pub(super) fn changed(self, which: usize, update: EndUpdate) -> RayPair<N> {
        let at = which as u32 * Self::RAY_BITS;
        RayPair(self.0 & !((u16::from(update.clear) & Self::RAY_MASK) << at) | u16::from(update.set) << at)
    }
}

/// How one stone changes the open lines of its owner and of the opponent, along one line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct LineCountDelta<const K: usize> {
    pub(super) own: LineCounts<K>,
    pub(super) opponent: LineCounts<K>,
}

impl<const K: usize> LineCountDelta<K> {
    #[inline(always)]
    pub(super) fn add(&mut self, other: &LineCountDelta<K>) {
        self.own.add(&other.own);
        self.opponent.add(&other.opponent);
    }

    #[inline(always)]
    fn subtract(&mut self, other: &LineCountDelta<K>) {
        self.own.subtract(&other.own);
        self.opponent.subtract(&other.opponent);
    }

    fn between(rays: [CellRay; 2], side: Side) -> LineCountDelta<K> {
        let mut delta = LineCountDelta { own: LineCounts::NONE, opponent: LineCounts::NONE };
        let lengths = rays.map(|ray| usize::from(ray.length_of(side)));
        // This cell was an open end of the runs that the stone joins or blocks, so all of them were counted as open.
        lengths.into_iter().filter(|&length| length > 0).for_each(|length| delta.own.discount(length));
        if rays.iter().any(|ray| ray.lengthened_ends_open(side)) {
            delta.own.count(lengths[0] + 1 + lengths[1]);
        }
        for ray in rays.into_iter().filter(|ray| ray.is_of(side.other()) && !ray.ends_open()) {
            delta.opponent.discount(usize::from(ray.length()));
        }
        delta
    }
}

/// How a stone changes the rays of the empty cells at both ends, along one line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct LineUpdate {
    /// Length of the line that the stone is part of.
    pub(super) length: u8,
    /// Length of the longest own run it joins.
    pub(super) joined: u8,
    /// Behind and ahead.
    pub(super) ends: [EndUpdate; 2],
}

/// How the ray of one empty cell toward the stone changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct EndUpdate {
    /// Distance from the stone in cells; 0 if there is no empty cell in that direction.
    pub(super) distance: u8,
    /// Bits of the ray to clear, then to set.
    clear: u8,
    set: u8,
}

impl EndUpdate {
    /// Whether the ray now shows the stone's own line, rather than an opponent's line that lost its open end.
    #[inline]
    pub(super) fn is_own(self) -> bool {
        self.clear != 0
    }
}

impl LineUpdate {
    fn of(rays: [CellRay; 2], side: Side) -> LineUpdate {
        let lengths = rays.map(|ray| ray.length_of(side));
        let length = lengths[0] + 1 + lengths[1];
        let update = |way: usize| {
            let ray = rays[way];
            if !ray.ends_open() {
                // A wall, or a run that ends at a wall or at a stone: no empty cell is affected.
                return EndUpdate { distance: 0, clear: 0, set: 0 };
            }
            let distance = 1 + ray.length();
            if ray.is_of(side.other()) {
                return EndUpdate { distance, clear: 0, set: CLOSED };
            }
            let seen = CellRay::run(side, length, rays[1 - way].lengthened_ends_open(side));
            EndUpdate { distance, clear: u8::MAX, set: seen.0 }
        };
        LineUpdate { length, joined: lengths[0].max(lengths[1]), ends: [update(0), update(1)] }
    }
}

/// The effects of a stone of one side, by the pair of rays it is placed between.
#[derive(Debug)]
pub(super) struct StoneEffectTable<const K: usize> {
    deltas: Vec<LineCountDelta<K>>,
    line_updates: Vec<LineUpdate>,
}

impl<const K: usize> StoneEffectTable<K> {
    fn new<const N: usize>(side: Side) -> StoneEffectTable<K> {
        let rays = |pair: usize| {
            let pair = RayPair::<N>(pair as u16);
            let rays = [pair.ray(0), pair.ray(1)];
            let line = 1 + rays.iter().map(|ray| usize::from(ray.length())).sum::<usize>();
            let is_open = rays.iter().any(|ray| ray.ends_open());
            // Indexes that occur on no board get the entry of a stone between walls. A line from wall to wall has no
            // open end.
            if line < N || (line == N && !is_open) { rays } else { [CellRay::WALL; 2] }
        };
        StoneEffectTable {
            deltas: (0..RayPair::<N>::COUNT).map(|pair| LineCountDelta::between(rays(pair), side)).collect(),
            line_updates: (0..RayPair::<N>::COUNT).map(|pair| LineUpdate::of(rays(pair), side)).collect(),
        }
    }
}

/// The tables of one side, by index of a [`RayPair`].
#[derive(Clone, Copy, Debug)]
pub(super) struct StoneEffects<const N: usize, const K: usize> {
    deltas: &'static [LineCountDelta<K>],
    line_updates: &'static [LineUpdate],
}

impl<const N: usize, const K: usize> StoneEffects<N, K> {
    /// The tables of both sides.
    pub(super) fn new() -> [StoneEffects<N, K>; 2]
    where
        SizeClass<N, K>: HasTables<K>,
    {
        SizeClass::<N, K>::tables()
            .each_ref()
            .map(|StoneEffectTable { deltas, line_updates }| StoneEffects { deltas, line_updates })
    }

    /// How a stone on a cell with these pairs changes the open lines.
    #[inline(always)]
    pub(super) fn sum(self, pairs: [RayPair<N>; 4]) -> LineCountDelta<K> {
        let mut sum = LineCountDelta { own: LineCounts::NONE, opponent: LineCounts::NONE };
        pairs.iter().for_each(|pair| sum.add(&self.deltas[usize::from(pair.0)]));
        sum
    }

    /// Corrects such a sum after one pair has changed.
    #[inline(always)]
    pub(super) fn correct(self, sum: &mut LineCountDelta<K>, before: RayPair<N>, after: RayPair<N>) {
        sum.add(&self.deltas[usize::from(after.0)]);
        sum.subtract(&self.deltas[usize::from(before.0)]);
    }

    /// How a stone between this pair changes the rays at both ends of the line.
    #[inline(always)]
    pub(super) fn line_update(self, pair: RayPair<N>) -> LineUpdate {
        self.line_updates[usize::from(pair.0)]
    }
}

/// A board size: tables of side `N`, line counts of `K` words.
pub(super) struct SizeClass<const N: usize, const K: usize>;

/// Access to the tables of a size, which are the same for all its boards and computed once.
pub(super) trait HasTables<const K: usize> {
    fn tables() -> &'static [StoneEffectTable<K>; 2];
}

static SMALL: LazyLock<[StoneEffectTable<1>; 2]> =
    LazyLock::new(|| Side::BOTH.map(StoneEffectTable::new::<8>));
static MIDDLE: LazyLock<[StoneEffectTable<2>; 2]> =
    LazyLock::new(|| Side::BOTH.map(StoneEffectTable::new::<16>));
static LARGE: LazyLock<[StoneEffectTable<8>; 2]> =
    LazyLock::new(|| Side::BOTH.map(StoneEffectTable::new::<33>));

impl HasTables<1> for SizeClass<8, 1> {
    fn tables() -> &'static [StoneEffectTable<1>; 2] {
        &SMALL
    }
}

impl HasTables<2> for SizeClass<16, 2> {
    fn tables() -> &'static [StoneEffectTable<2>; 2] {
        &MIDDLE
    }
}

impl HasTables<8> for SizeClass<33, 8> {
    fn tables() -> &'static [StoneEffectTable<8>; 2] {
        &LARGE
    }
}
