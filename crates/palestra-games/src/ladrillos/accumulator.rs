//! What is known of a position before its moves are looked at, so that a child costs the change and not the
//! board.
//!
//! A brick joins the own islands it touches. Most bricks touch at most one, and then the joined island has
//! that one's cells and two more: what its whole border gains can be summed up beforehand, one number an
//! island, and a brick only adds the up to six cells around it.

use super::bits::LadrillosBitboard;
use super::rules::{Brick, Ladrillos, Position, is_of, neighbors};
use super::zones::Zones;
use palestra_core::Side;

/// The size of the largest touching island, for a place that is not free: larger than any.
const TAKEN: i16 = i16::MAX;

/// More than one island, where a label is asked for. No label is as large.
const SEVERAL: u8 = u8::MAX;

/// The numbers of one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct IslandTotals {
    pub(super) points: i32,
    pub(super) expansion: i32,
    pub(super) reach: i32,
    pub(super) distance: i32,
    pub(super) from_walls: i32,
    /// By version 1 and by version 2.
    pub(super) divisions: [i32; 2],
}

/// What a brick changes.
#[derive(Clone, Copy, Debug)]
pub(super) struct BrickEffect {
    /// Points of the side that lays it.
    pub(super) points: i32,
    /// Expansion of that side, and of the other.
    pub(super) expansion: [i32; 2],
    pub(super) distance: i32,
    /// The parts of walls that are joined to the middle afterwards.
    pub(super) joined: u16,
}

/// One island of the side to move.
#[derive(Clone, Copy, Debug)]
struct Island<const W: usize> {
    /// Its cells.
    size: i32,
    /// What the free cells around it would gain together if it had two cells more.
    gain: i32,
    /// A free cell that touches no larger island than this gains from a brick at this island, unless it is
    /// counted in `gain` already.
    limit: i32,
    /// Whether the size alone tells which free cells touch this island: no other own island has it.
    is_unique: bool,
    /// The zones it has cells in.
    zones: u16,
    /// The free cells that touch it.
    border: LadrillosBitboard<W>,
}

impl<const W: usize> Island<W> {
    /// No island: what a brick joins that touches none.
    const NONE: Island<W> =
        Island { size: 0, gain: 0, limit: 1, is_unique: true, zones: 0, border: LadrillosBitboard::EMPTY };
}

/// A position prepared for the side to move.
#[derive(Clone, Debug)]
pub(super) struct IslandAccumulator<const W: usize, const C: usize, const L: usize> {
    /// The numbers of the first and the second side.
    pub(super) totals: [IslandTotals; 2],
    /// For each free place the mover's island that touches it: its label, 0 for none, or `SEVERAL`.
    touching: [u8; C],
    /// For each free place the size of the largest touching island of the mover, and of the other side.
    nearest: [[i16; C]; 2],
    /// The mover's islands by label; 0 is what a brick that touches none joins.
    islands: [Island<W>; L],
    /// The parts of walls that the mover's islands join to the middle.
    joined: u16,
}

impl<const W: usize, const C: usize, const L: usize> IslandAccumulator<W, C, L> {
    /// Knows nothing yet.
    pub(super) fn blank() -> Self {
        IslandAccumulator {
            totals: [IslandTotals::default(); 2],
            touching: [0; C],
            nearest: [[TAKEN; C]; 2],
            islands: [Island::NONE; L],
            joined: 0,
        }
    }

    /// Prepares for `at`, whatever was there before.
    pub(super) fn set(&mut self, game: &Ladrillos<W, C, L>, zones: &Zones<C>, at: &Position<W, C, L>) {
        let mover = at.to_move.index();
        self.touching = [0; C];
        for side in 0..2 {
            self.totals[side] = self.tally(game, zones, at, side);
        }
        self.measure(at);
        let free = game.free(at);
        for place in free.both(&game.around(&at.bricks[mover])).ones() {
            self.open(at, place + game.stride(), game.stride());
        }
        self.divide(zones, at, game.n as i32);
    }

    /// Adds up the numbers of one side, except reach and divisions, and finds the largest island of it that
    /// touches each free place.
    fn tally(
        &mut self,
        game: &Ladrillos<W, C, L>,
        zones: &Zones<C>,
        at: &Position<W, C, L>,
        side: usize,
    ) -> IslandTotals {
        let stride = game.stride();
        let mut tally = IslandTotals { points: at.points[side] as i32, ..IslandTotals::default() };
        let mut sizes = [0i16; C];
        for place in at.bricks[side].ones() {
            let i = place + stride;
            sizes[i] = at.sizes[usize::from(at.labels[i])] as i16;
            tally.distance += i32::from(zones.distance[i]);
            tally.from_walls += i32::from(zones.from_walls[i]);
        }
        // All places at once: shifted rows side by side, so that the compiler can take many in one step.
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
        tally.expansion = nearest.iter().map(|&size| if size == TAKEN { 0 } else { i32::from(size) }).sum();
        tally
    }

    /// Sizes of the mover's islands, and whether they are the only ones as large.
    fn measure(&mut self, at: &Position<W, C, L>) {
        let mover = at.to_move.index();
        self.islands.fill(Island::NONE);
        let labels = || (1 + mover..usize::from(at.next[mover]).min(L)).step_by(2);
        for label in labels() {
            let size = i32::from(at.sizes[label]);
            let island = &mut self.islands[label];
            (island.size, island.limit) = (size, size);
            island.is_unique = labels().filter(|&other| i32::from(at.sizes[other]) == size).count() == 1;
        }
    }

    /// Takes in a free place that touches islands of the mover.
    #[inline]
    fn open(&mut self, at: &Position<W, C, L>, i: usize, stride: usize) {
        let mover = at.to_move.index();
        let nearest = i32::from(self.nearest[0][i]);
        let labels = [i - stride, i - 1, i + 1, i + stride].map(|j| at.labels[j]);
        for (k, &label) in labels.iter().enumerate() {
            if is_of(label, mover) && !labels[..k].contains(&label) {
                let island = &mut self.islands[usize::from(label)];
                island.border.set(i - stride);
                island.gain += (island.size + 2 - nearest).max(0);
                self.touching[i] = if self.touching[i] == 0 { label } else { SEVERAL };
            }
        }
    }

    /// Adds the reach of both sides, which only the report's features ask for.
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

    /// Works out which parts of walls are joined to the middle.
    fn divide(&mut self, zones: &Zones<C>, at: &Position<W, C, L>, n: i32) {
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

    /// What a brick of the side to move changes.
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
        let joint = match (self.touching[a], self.touching[b]) {
            (SEVERAL, _) | (_, SEVERAL) => self.join_many(at, places, stride),
            (0, label) | (label, 0) => self.join_one(label, places, stride),
            (label, other) if label == other => self.join_one(label, places, stride),
            _ => self.join_many(at, places, stride),
        };
        let [own, other] =
            self.nearest.each_ref().map(|nearest| i32::from(nearest[a]) + i32::from(nearest[b]));
        BrickEffect {
            points: joint.points,
            expansion: [joint.gain - own, -other],
            distance: i32::from(zones.distance[a]) + i32::from(zones.distance[b]),
            joined: self.joined | Zones::<C>::joined(joint.zones | zones.of[a] | zones.of[b]),
        }
    }

    /// The brick touches one own island, or (label 0) none.
    #[inline(always)]
    fn join_one(&self, label: u8, places: [usize; 2], stride: usize) -> JoinedIslands {
        let island = &self.islands[usize::from(label)];
        if !island.is_unique {
            return self.join(*island, places, stride);
        }
        // A free place where nothing larger touches gains. Where it is this island that touches, the sum for the
        // whole border has it already, and only that of the brick's own cells must go.
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

    /// The brick touches several own islands: takes them for one, two cells smaller than they will be.
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
        let mut joint = self.join(all, places, stride);
        joint.points += all.size * all.size - squares;
        joint
    }

    /// A brick at an island whose border is looked at cell by cell.
    #[inline(never)]
    fn join(&self, island: Island<W>, places: [usize; 2], stride: usize) -> JoinedIslands {
        let size = island.size + 2;
        let mut gain = island.gain;
        for place in places {
            gain -= if island.border.get(place) { self.gain(size, place + stride) } else { 0 };
        }
        for i in neighbors(places, stride) {
            let gained = self.gain(size, i);
            // Only free places gain, and these are on the board.
            gain += if gained > 0 && !island.border.get(i - stride) { gained } else { 0 };
        }
        JoinedIslands { points: 4 * island.size + 4, gain, zones: island.zones }
    }

    /// What a place gains from an own island of this size that touches it; what is not free gains nothing.
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
        let mover = at.to_move.index();
        let labels = neighbors(places, stride).map(|i| at.labels[i]);
        let is_new = move |&k: &usize| is_of(labels[k], mover) && !labels[..k].contains(&labels[k]);
        (0..6).filter(is_new).map(move |k| usize::from(labels[k]))
    }

    /// What a brick changes in the reach of the side that lays it, and of the other.
    pub(super) fn reach_change(
        &self,
        game: &Ladrillos<W, C, L>,
        at: &Position<W, C, L>,
        mv: Brick,
    ) -> [i32; 2] {
        let stride = game.stride();
        let places = mv.places(stride);
        let mut brick = LadrillosBitboard::EMPTY;
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
        let rival = at.to_move.other().index();
        let lost = |place: usize| -> i32 {
            let i = place + stride;
            let around = [i - stride, i - 1, i + 1, i + stride].map(|j| at.labels[j]);
            let touches = |k: &usize| is_of(around[*k], rival) && !around[..*k].contains(&around[*k]);
            (0..4).filter(touches).map(|k| i32::from(at.sizes[usize::from(around[k])])).sum()
        };
        [gained, -places.into_iter().map(lost).sum::<i32>()]
    }
}

/// What a brick and the islands it joins come to.
struct JoinedIslands {
    /// More points.
    points: i32,
    /// What the free cells around gain in the size of their largest touching island.
    gain: i32,
    /// The zones of the islands joined.
    zones: u16,
}
