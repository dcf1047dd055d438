//! Arms in a few bits, and what a stone between two of them changes.

use super::tally::LineCounts;
use palestra_core::Side;
use std::sync::LazyLock;

/// What lies next to a cell in one direction, as a small number: 0 for an empty cell, 1 for the wall, and from 2
/// on the runs by length, color, and whether the far end is closed. The lowest bit says whether it is closed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct CellRay(u8);

const CLOSED: u8 = 1;

impl CellRay {
    /// Nothing: the next cell is empty.
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

    /// Whether there is an empty cell: next to us, or at the far end of the run next to us.
    fn ends_open(self) -> bool {
        self.0 & CLOSED == 0
    }

    /// Whether a line of `side` that comes from our cell has an open end this way.
    fn lengthened_ends_open(self, side: Side) -> bool {
        self.ends_open() && !self.is_of(side.other())
    }
}

/// The two arms of a cell along one line, behind and ahead, as one number: an index into tables.
/// `N` is the side of the tables the board fits in; runs next to an empty cell are shorter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct RayPair<const N: usize>(u16);

impl<const N: usize> RayPair<N> {
    /// Four numbers for each length below the side, and two more.
    const ARM_BITS: u32 = 2 + N.ilog2();
    const ARM_MASK: u16 = (1 << Self::ARM_BITS) - 1;
    const COUNT: usize = 1 << (2 * Self::ARM_BITS);

    #[inline]
    pub(super) fn new(arms: [CellRay; 2]) -> RayPair<N> {
        RayPair(u16::from(arms[0].0) | u16::from(arms[1].0) << Self::ARM_BITS)
    }

    /// The arm behind (0) or ahead (1).
    #[inline]
    pub(super) fn ray(self, which: usize) -> CellRay {
        CellRay((self.0 >> (which as u32 * Self::ARM_BITS) & Self::ARM_MASK) as u8)
    }

    /// The pair with one arm changed as a stone at the end of that arm demands.
    #[inline]
    pub(super) fn changed(self, which: usize, news: EndUpdate) -> RayPair<N> {
        let at = which as u32 * Self::ARM_BITS;
        RayPair(self.0 & !((u16::from(news.clear) & Self::ARM_MASK) << at) | u16::from(news.set) << at)
    }
}

/// How one stone changes the open lines of its owner and of the rival, along one line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct LineCountDelta<const K: usize> {
    pub(super) own: LineCounts<K>,
    pub(super) rival: LineCounts<K>,
}

impl<const K: usize> LineCountDelta<K> {
    #[inline(always)]
    pub(super) fn add(&mut self, other: &LineCountDelta<K>) {
        self.own.add(&other.own);
        self.rival.add(&other.rival);
    }

    #[inline(always)]
    fn subtract(&mut self, other: &LineCountDelta<K>) {
        self.own.subtract(&other.own);
        self.rival.subtract(&other.rival);
    }

    fn between(arms: [CellRay; 2], side: Side) -> LineCountDelta<K> {
        let mut delta = LineCountDelta { own: LineCounts::NONE, rival: LineCounts::NONE };
        let lengths = arms.map(|arm| usize::from(arm.length_of(side)));
        // The runs it joins had this cell for an open end, so they were open; so were the rival's.
        lengths.into_iter().filter(|&length| length > 0).for_each(|length| delta.own.discount(length));
        if arms.iter().any(|arm| arm.lengthened_ends_open(side)) {
            delta.own.count(lengths[0] + 1 + lengths[1]);
        }
        for arm in arms.into_iter().filter(|arm| arm.is_of(side.other()) && !arm.ends_open()) {
            delta.rival.discount(usize::from(arm.length()));
        }
        delta
    }
}

/// What the empty cells at both ends hear of a stone, along one line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct LineUpdate {
    /// Length of the line the stone is part of.
    pub(super) length: u8,
    /// Length of the longest own run it joins.
    pub(super) joined: u8,
    /// Behind and ahead.
    pub(super) ends: [EndUpdate; 2],
}

/// What one empty cell hears: how its arm toward the stone changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct EndUpdate {
    /// Cells from the stone; 0 if there is no empty cell that way.
    pub(super) distance: u8,
    /// Bits of the arm to clear, then to set.
    clear: u8,
    set: u8,
}

impl EndUpdate {
    /// Whether the cell now sees the stone's own line, rather than a rival's line that lost an end.
    #[inline]
    pub(super) fn is_own(self) -> bool {
        self.clear != 0
    }
}

impl LineUpdate {
    fn of(arms: [CellRay; 2], side: Side) -> LineUpdate {
        let lengths = arms.map(|arm| arm.length_of(side));
        let length = lengths[0] + 1 + lengths[1];
        let news = |way: usize| {
            let arm = arms[way];
            if !arm.ends_open() {
                // A wall, or a run that ends at one or at a stone: no empty cell sees a change.
                return EndUpdate { distance: 0, clear: 0, set: 0 };
            }
            let distance = 1 + arm.length();
            if arm.is_of(side.other()) {
                return EndUpdate { distance, clear: 0, set: CLOSED };
            }
            let seen = CellRay::run(side, length, arms[1 - way].lengthened_ends_open(side));
            EndUpdate { distance, clear: u8::MAX, set: seen.0 }
        };
        LineUpdate { length, joined: lengths[0].max(lengths[1]), ends: [news(0), news(1)] }
    }
}

/// What stones of one side change, by the pair of arms they are placed between.
#[derive(Debug)]
pub(super) struct StoneEffectTable<const K: usize> {
    deltas: Vec<LineCountDelta<K>>,
    echoes: Vec<LineUpdate>,
}

impl<const K: usize> StoneEffectTable<K> {
    fn new<const N: usize>(side: Side) -> StoneEffectTable<K> {
        let arms = |pair: usize| {
            let pair = RayPair::<N>(pair as u16);
            let arms = [pair.ray(0), pair.ray(1)];
            let line = 1 + arms.iter().map(|arm| usize::from(arm.length())).sum::<usize>();
            let is_open = arms.iter().any(|arm| arm.ends_open());
            // Numbers that no board can show are given to a stone between walls. A line from wall to wall has
            // no open end.
            if line < N || (line == N && !is_open) { arms } else { [CellRay::WALL; 2] }
        };
        StoneEffectTable {
            deltas: (0..RayPair::<N>::COUNT).map(|pair| LineCountDelta::between(arms(pair), side)).collect(),
            echoes: (0..RayPair::<N>::COUNT).map(|pair| LineUpdate::of(arms(pair), side)).collect(),
        }
    }
}

/// What stones of one side change.
#[derive(Clone, Copy, Debug)]
pub(super) struct StoneEffects<const N: usize, const K: usize> {
    deltas: &'static [LineCountDelta<K>],
    echoes: &'static [LineUpdate],
}

impl<const N: usize, const K: usize> StoneEffects<N, K> {
    /// For each side.
    pub(super) fn new() -> [StoneEffects<N, K>; 2]
    where
        SizeClass<N, K>: HasTables<K>,
    {
        SizeClass::<N, K>::tables()
            .each_ref()
            .map(|StoneEffectTable { deltas, echoes }| StoneEffects { deltas, echoes })
    }

    /// What a stone on a cell with these pairs changes in the open lines.
    #[inline(always)]
    pub(super) fn sum(self, pairs: [RayPair<N>; 4]) -> LineCountDelta<K> {
        let mut sum = LineCountDelta { own: LineCounts::NONE, rival: LineCounts::NONE };
        pairs.iter().for_each(|pair| sum.add(&self.deltas[usize::from(pair.0)]));
        sum
    }

    /// Corrects such a sum for one pair that has changed.
    #[inline(always)]
    pub(super) fn correct(self, sum: &mut LineCountDelta<K>, before: RayPair<N>, after: RayPair<N>) {
        sum.add(&self.deltas[usize::from(after.0)]);
        sum.subtract(&self.deltas[usize::from(before.0)]);
    }

    /// What the cells at both ends of a line hear of a stone between this pair.
    #[inline(always)]
    pub(super) fn line_update(self, pair: RayPair<N>) -> LineUpdate {
        self.echoes[usize::from(pair.0)]
    }
}

/// A board size: tables of side `N`, tallies of `K` words.
pub(super) struct SizeClass<const N: usize, const K: usize>;

/// Where the tables of a size live: they are the same for all boards of that size, and made once.
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
