//! Incremental features: what is computed once for a position, so that the cost of a child depends on the change, not
//! on the size of the board.
//!
//! A brick joins the own islands it touches. Most bricks touch at most one, and then the joined island has the cells of
//! that one and two more: the gain of its whole border is computed beforehand, one number per island, and a brick only
//! adds the up to six cells around it.

use super::rules::{Brick, Ladrillos, Position, is_of, neighbors};
use super::zones::Zones;
use crate::bitboard::Bitboard;
use palestra_core::Side;

/// Marks a place that is not free, in place of the size of the largest touching island: larger than any size.
const TAKEN: i16 = i16::MAX;

/// Marks more than one island, in place of a label: larger than any label.
const SEVERAL: u8 = u8::MAX;

/// The feature totals of one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct IslandTotals {
    pub(super) points: i32,
    pub(super) expansion: i32,
    pub(super) reach: i32,
    pub(super) distance: i32,
    pub(super) from_walls: i32,
    /// By version 1 and by version 2 of the feature.
    pub(super) divisions: [i32; 2],
}

/// The changes by a brick.
#[derive(Clone, Copy, Debug)]
pub(super) struct BrickEffect {
    /// Points gained by the side that lays it.
    pub(super) points: i32,
    /// Change of the expansion of that side, and of the other.
    pub(super) expansion: [i32; 2],
    pub(super) distance: i32,
    /// The parts of walls joined to the middle afterwards, one bit each.
    pub(super) joined: u16,
}

/// One island of the side to move.
#[derive(Clone, Copy, Debug)]
struct Island<const W: usize> {
    /// Number of cells.
    size: i32,
    /// Sum of what the free cells around it would gain if it had two cells more.
    gain: i32,
    /// A free cell whose largest touching island is smaller than this gains from a brick at this island and is not
    /// counted in `gain`.
    limit: i32,
    /// Whether no other own island has this size, so that the size identifies the island that touches a free cell.
    is_unique: bool,
    /// The zones in which it has cells, one bit each.
    zones: u16,
    /// The free cells next to it.
    border: Bitboard<W>,
}

impl<const W: usize> Island<W> {
    /// Stands for the island of a brick that touches none.
    const NONE: Island<W> =
        Island { size: 0, gain: 0, limit: 1, is_unique: true, zones: 0, border: Bitboard::EMPTY };
}

/// The totals of both sides, and what the children of the side to move need.
#[derive(Clone, Debug)]
pub(super) struct IslandAccumulator<const W: usize, const C: usize, const L: usize> {
    /// Totals of the first and the second side.
    pub(super) totals: [IslandTotals; 2],
    /// For each free place, the label of the own island that touches it, 0 for none, or `SEVERAL`. *Own* is the side to
    /// move.
    touching: [u8; C],
    /// For each free place, the size of the largest touching own island, and of the other side's; `TAKEN` elsewhere.
    nearest: [[i16; C]; 2],
    /// The own islands by label; 0 stands for none.
    islands: [Island<W>; L],
    /// The parts of walls that own islands join to the middle, one bit each.
    joined: u16,
}

impl<const W: usize, const C: usize, const L: usize> IslandAccumulator<W, C, L> {
    /// An accumulator that is not set yet.
    pub(super) fn blank() -> Self {
        IslandAccumulator {
            totals: [IslandTotals::default(); 2],
            touching: [0; C],
            nearest: [[TAKEN; C]; 2],
            islands: [Island::NONE; L],
            joined: 0,
        }
    }

    /// Sets the accumulator to `at`, without using its previous contents.
    pub(super) fn set(&mut self, game: &Ladrillos<W, C, L>, zones: &Zones<C>, at: &Position<W, C, L>) {
        let own_side = at.to_move.index();
        self.touching = [0; C];
        for side in 0..2 {
            self.totals[side] = self.total(game, zones, at, side);
        }
        self.measure(at);
        let free = game.free(at);
        for place in free.both(&game.around(&at.bricks[own_side])).ones() {
            self.add_border(at, place + game.stride(), game.stride());
        }
        self.set_divisions(zones, at, game.n as i32);
    }

    /// Computes the totals of one side, except reach and divisions, and its largest island next to each free place.
    fn total(
        &mut self,
        game: &Ladrillos<W, C, L>,
        zones: &Zones<C>,
        at: &Position<W, C, L>,
        side: usize,
    ) -> IslandTotals {
        let stride = game.stride();
        let mut totals = IslandTotals { points: at.points[side] as i32, ..IslandTotals::default() };
        let mut sizes = [0i16; C];
        for place in at.bricks[side].ones() {
            let i = place + stride;
            sizes[i] = at.sizes[usize::from(at.labels[i])] as i16;
            totals.distance += i32::from(zones.distance[i]);
            totals.from_walls += i32::from(zones.from_walls[i]);
        }
        // All places at once, over shifted slices, so that the compiler can vectorize the loop.
        let nearest = &mut self.nearest[side ^ at.to_move.index()];
        let n_places = game.n * stride;
        let [above, left, right, below] =
            [0, stride - 1, stride + 1, 2 * stride].map(|from| &sizes[from..][..n_places]);
        let (labels, walls) = (&at.labels[stride..][..n_places], &zones.walls[stride..][..n_places]);
        let nearest = &mut nearest[stride..][..n_places];
        for i in 0..n_places {
            let largest = above[i].max(left[i]).max(right[i]).max(below[i]);
            nearest[i] = if (labels[i] | walls[i]) == 0 { largest } else { TAKEN };
        }
        totals.expansion = nearest.iter().map(|&size| if size == TAKEN { 0 } else { i32::from(size) }).sum();
        totals
    }

    /// Sets the sizes of the own islands, and whether they are unique.
    fn measure(&mut self, at: &Position<W, C, L>) {
        let own_side = at.to_move.index();
        self.islands.fill(Island::NONE);
        let labels = || (1 + own_side..usize::from(at.next[own_side]).min(L)).step_by(2);
        for label in labels() {
            let size = i32::from(at.sizes[label]);
            let island = &mut self.islands[label];
            (island.size, island.limit) = (size, size);
            island.is_unique = labels().filter(|&other| i32::from(at.sizes[other]) == size).count() == 1;
        }
    }

    /// Adds a free place to the borders of the own islands it touches.
    #[inline]
    fn add_border(&mut self, at: &Position<W, C, L>, i: usize, stride: usize) {
        let own_side = at.to_move.index();
        let nearest = i32::from(self.nearest[0][i]);
        let labels = [i - stride, i - 1, i + 1, i + stride].map(|j| at.labels[j]);
        for (k, &label) in labels.iter().enumerate() {
            if is_of(label, own_side) && !labels[..k].contains(&label) {
                let island = &mut self.islands[usize::from(label)];
                island.border.set(i - stride);
                island.gain += (island.size + 2 - nearest).max(0);
                self.touching[i] = if self.touching[i] == 0 { label } else { SEVERAL };
            }
        }
    }

    /// Adds the reach of both sides, which only the report's features need.
    pub(super) fn set_reach(&mut self, game: &Ladrillos<W, C, L>, at: &Position<W, C, L>) {
        let stride = game.stride();
        for place in game.free(at).both(&game.around(&at.occupied())).ones() {
            let i = place + stride;
            let labels = [i - stride, i - 1, i + 1, i + stride].map(|j| at.labels[j]);
            for (k, &label) in labels.iter().enumerate() {
                if label != 0 && !labels[..k].contains(&label) {
                    self.totals[usize::from(is_of(label, 1))].reach +=
                        i32::from(at.sizes[usize::from(label)]);
                }
            }
        }
    }

    /// Computes which parts of walls are joined to the middle.
    fn set_divisions(&mut self, zones: &Zones<C>, at: &Position<W, C, L>, n: i32) {
        let mut of_label = [0; L];
        for &i in &zones.places {
            of_label[usize::from(at.labels[usize::from(i)])] |= zones.of[usize::from(i)];
        }
        let mut joined = [0; 2];
        for label in 1..usize::from(at.next[0].max(at.next[1])).min(L) {
            let side = usize::from(label % 2 == 0);
            joined[side] |= Zones::<C>::joined(of_label[label]);
            self.islands[label].zones = of_label[label];
        }
        for side in Side::BOTH {
            self.totals[side.index()].divisions =
                Zones::<C>::counts(joined[side.index()]).map(|count| n * count);
        }
        self.joined = joined[at.to_move.index()];
    }

    /// The changes by a brick of the side to move.
    #[inline(always)]
    pub(super) fn brick_effect(
        &self,
        zones: &Zones<C>,
        at: &Position<W, C, L>,
        mv: Brick,
        stride: usize,
    ) -> BrickEffect {
        let places = mv.places(stride);
        let [a, b] = places.map(|place| place + stride);
        let joined = match (self.touching[a], self.touching[b]) {
            (SEVERAL, _) | (_, SEVERAL) => self.join_many(at, places, stride),
            (0, label) | (label, 0) => self.join_one(label, places, stride),
            (label, other) if label == other => self.join_one(label, places, stride),
            _ => self.join_many(at, places, stride),
        };
        let [own, other] =
            self.nearest.each_ref().map(|nearest| i32::from(nearest[a]) + i32::from(nearest[b]));
        BrickEffect {
            points: joined.points,
            expansion: [joined.gain - own, -other],
            distance: i32::from(zones.distance[a]) + i32::from(zones.distance[b]),
            joined: self.joined | Zones::<C>::joined(joined.zones | zones.of[a] | zones.of[b]),
        }
    }

    /// The brick touches one own island, or (label 0) none.
    #[inline(always)]
    fn join_one(&self, label: u8, places: [usize; 2], stride: usize) -> JoinedIslands {
        let island = &self.islands[usize::from(label)];
        if !island.is_unique {
            return self.join(*island, places, stride);
        }
        // A free place gains unless a larger island touches it. Places that touch this island are in the sum for the
        // whole border already, from which the brick's own cells are subtracted.
        let size = island.size + 2;
        let mut gain = island.gain;
        for place in places {
            let is_border = i32::from(self.nearest[0][place + stride]) == island.size && label != 0;
            gain -= if is_border { 2 } else { 0 };
        }
        for i in neighbors(places, stride) {
            let nearest = i32::from(self.nearest[0][i]);
            gain += if nearest < island.limit { size - nearest } else { 0 };
        }
        JoinedIslands { points: 4 * island.size + 4, gain, zones: island.zones }
    }

    /// The brick touches several own islands: treats them as one island, before the two cells of the brick.
    #[inline(never)]
    fn join_many(&self, at: &Position<W, C, L>, places: [usize; 2], stride: usize) -> JoinedIslands {
        let mut all = self.islands[0];
        let mut squares = 0;
        for label in self.joined_labels(at, places, stride) {
            let island = &self.islands[label];
            all.size += island.size;
            squares += island.size * island.size;
            all.zones |= island.zones;
            all.border = all.border.union(&island.border);
        }
        let gains = all.border.ones().map(|place| self.gain(all.size + 2, place + stride));
        all.gain = gains.sum();
        let mut joined = self.join(all, places, stride);
        joined.points += all.size * all.size - squares;
        joined
    }

    /// A brick at an island whose border is checked cell by cell.
    #[inline(never)]
    fn join(&self, island: Island<W>, places: [usize; 2], stride: usize) -> JoinedIslands {
        let size = island.size + 2;
        let mut gain = island.gain;
        for place in places {
            gain -= if island.border.get(place) { self.gain(size, place + stride) } else { 0 };
        }
        for i in neighbors(places, stride) {
            let gained = self.gain(size, i);
            // Only free places gain, so that `i - stride` is on the board.
            gain += if gained > 0 && !island.border.get(i - stride) { gained } else { 0 };
        }
        JoinedIslands { points: 4 * island.size + 4, gain, zones: island.zones }
    }

    /// The gain of a place from an own island of this size that touches it; 0 for a place that is not free.
    #[inline(always)]
    fn gain(&self, size: i32, i: usize) -> i32 {
        (size - i32::from(self.nearest[0][i])).max(0)
    }

    /// The labels of the own islands that a brick touches, each once.
    #[inline]
    fn joined_labels(
        &self,
        at: &Position<W, C, L>,
        places: [usize; 2],
        stride: usize,
    ) -> impl Iterator<Item = usize> {
        let own_side = at.to_move.index();
        let labels = neighbors(places, stride).map(|i| at.labels[i]);
        let is_new = move |&k: &usize| is_of(labels[k], own_side) && !labels[..k].contains(&labels[k]);
        (0..6).filter(is_new).map(move |k| usize::from(labels[k]))
    }

    /// The changes by a brick of the reach of the side that lays it, and of the other.
    pub(super) fn reach_change(
        &self,
        game: &Ladrillos<W, C, L>,
        at: &Position<W, C, L>,
        mv: Brick,
    ) -> [i32; 2] {
        let stride = game.stride();
        let places = mv.places(stride);
        let mut brick = Bitboard::EMPTY;
        places.iter().for_each(|&place| brick.set(place));
        let mut border = game.around(&brick).both(&game.free(at));
        let (mut size, mut before) = (2, 0);
        for label in self.joined_labels(at, places, stride) {
            let island = &self.islands[label];
            size += island.size;
            before += island.size * island.border.count() as i32;
            border = border.union(&island.border);
        }
        let gained = size * border.without(&brick).count() as i32 - before;
        let opponent = at.to_move.other().index();
        let lost = |place: usize| -> i32 {
            let i = place + stride;
            let around = [i - stride, i - 1, i + 1, i + stride].map(|j| at.labels[j]);
            let touches = |k: &usize| is_of(around[*k], opponent) && !around[..*k].contains(&around[*k]);
            (0..4).filter(touches).map(|k| i32::from(at.sizes[usize::from(around[k])])).sum()
        };
        [gained, -places.into_iter().map(lost).sum::<i32>()]
    }
}

/// The result of joining a brick and islands.
struct JoinedIslands {
    /// Points gained.
    points: i32,
    /// Sum over the free cells around of the growth of their largest touching island.
    gain: i32,
    /// The zones of the islands joined.
    zones: u16,
}
