//! What is known of a position before its moves are looked at, so that a child costs the change and not the
//! board.
//!
//! A brick joins the own islands it touches. Most bricks touch at most one, and then the joined island has
//! that one's cells and two more: what its whole border gains can be summed up beforehand, one number an
//! island, and a brick only adds the up to six cells around it.

use super::bits::Bits;
use super::rules::{Brick, Ladrillos, Position, is_of, neighbors};
use super::zones::Zones;
use palestra_core::Side;

/// The largest touching island of a place that is not free: larger than any.
const TAKEN: i16 = i16::MAX;

/// Numbers of both sides: quantity times two plus side.
pub(super) type Tally = [i32; 16];

/// Where a quantity of the first side stands in a [`Tally`]; the second side's is next to it.
pub(super) mod slot {
    pub(crate) const POINTS: usize = 0;
    pub(crate) const EXPANSION: usize = 2;
    pub(crate) const REACH: usize = 4;
    pub(crate) const DISTANCE: usize = 6;
    pub(crate) const FROM_WALLS: usize = 8;
    pub(crate) const DIVISIONS_ONE: usize = 10;
    pub(crate) const DIVISIONS_TWO: usize = 12;
    /// Always 0.
    pub(crate) const NOTHING: usize = 14;
}

/// A position prepared for the side to move.
#[derive(Clone, Debug)]
pub(super) struct Scene<const W: usize, const C: usize, const L: usize> {
    /// The position's own numbers.
    pub(super) tally: Tally,
    /// Labels of the mover's islands, 0 elsewhere; indexed like the position's labels.
    own: [u8; C],
    /// For each free place the size of the largest touching island of the mover, and of the other side.
    nearest: [[i16; C]; 2],
    /// The free cells that touch each of the mover's islands.
    borders: [Bits<W>; L],
    /// What those cells would gain together if the island had two cells more.
    gains: [i32; L],
    /// Which zones each island has cells in.
    zones: [u16; L],
    /// The parts of walls that the mover's islands join to the middle.
    joined: u16,
}

impl<const W: usize, const C: usize, const L: usize> Scene<W, C, L> {
    pub(super) fn new(game: &Ladrillos<W, C, L>, zones: &Zones<C>, at: &Position<W, C, L>) -> Self {
        let mut scene = Scene {
            tally: [0; 16],
            own: [0; C],
            nearest: [[TAKEN; C]; 2],
            borders: [Bits::EMPTY; L],
            gains: [0; L],
            zones: [0; L],
            joined: 0,
        };
        scene.fill(game, zones, at);
        scene
    }

    fn fill(&mut self, game: &Ladrillos<W, C, L>, zones: &Zones<C>, at: &Position<W, C, L>) {
        let mover = at.to_move.index();
        let stride = game.stride();
        // Odd labels are the first side's.
        let parity = 1 - mover as u8;
        for (own, &label) in self.own.iter_mut().zip(&at.labels) {
            *own = if label & 1 == parity { label } else { 0 };
        }
        let mut sizes = [[0; C]; 2];
        for side in Side::BOTH {
            let [own, other] = &mut sizes;
            let sizes = if side == at.to_move { own } else { other };
            for place in at.bricks[side.index()].ones() {
                let i = place + stride;
                sizes[i] = at.sizes[usize::from(at.labels[i])] as i16;
                self.tally[slot::DISTANCE + side.index()] += i32::from(zones.distance[i]);
                self.tally[slot::FROM_WALLS + side.index()] += i32::from(zones.from_walls[i]);
            }
            self.tally[slot::POINTS + side.index()] = at.points[side.index()] as i32;
        }
        for place in game.free(at).ones() {
            let i = place + stride;
            for (k, sizes) in sizes.iter().enumerate() {
                let nearest = sizes[i - stride].max(sizes[i - 1]).max(sizes[i + 1]).max(sizes[i + stride]);
                self.nearest[k][i] = nearest;
                self.tally[slot::EXPANSION + (mover ^ k)] += i32::from(nearest);
            }
            self.border(at, i, stride);
        }
        self.tally[slot::REACH + mover] = (0..usize::from(at.next[mover]))
            .map(|label| i32::from(at.sizes[label]) * self.borders[label].count() as i32)
            .sum();
        self.divide(zones, at, game.n as i32);
    }

    /// Adds a free place to the borders of the islands around it.
    #[inline]
    fn border(&mut self, at: &Position<W, C, L>, i: usize, stride: usize) {
        let mover = at.to_move.index();
        let around = [i - stride, i - 1, i + 1, i + stride].map(|j| at.labels[j]);
        for (k, &label) in around.iter().enumerate() {
            if label == 0 || around[..k].contains(&label) {
                continue;
            }
            let size = i32::from(at.sizes[usize::from(label)]);
            if is_of(label, mover) {
                let label = usize::from(label);
                self.borders[label].set(i - stride);
                self.gains[label] += (size + 2 - i32::from(self.nearest[0][i])).max(0);
            } else {
                self.tally[slot::REACH + 1 - mover] += size;
            }
        }
    }

    /// Works out which parts of walls are joined to the middle.
    fn divide(&mut self, zones: &Zones<C>, at: &Position<W, C, L>, n: i32) {
        for &i in &zones.places {
            let label = at.labels[usize::from(i)];
            self.zones[usize::from(label)] |= zones.of[usize::from(i)];
        }
        self.zones[0] = 0;
        let mut joined = [0; 2];
        for label in 1..at.next[0].max(at.next[1]) {
            if at.sizes[usize::from(label)] > 0 {
                joined[usize::from(label & 1 == 0)] |= Zones::<C>::joined(self.zones[usize::from(label)]);
            }
        }
        for side in 0..2 {
            let [one, two] = Zones::<C>::counts(joined[side]);
            self.tally[slot::DIVISIONS_ONE + side] = n * one;
            self.tally[slot::DIVISIONS_TWO + side] = n * two;
        }
        self.joined = joined[at.to_move.index()];
    }

    /// The numbers after a brick of the side to move.
    #[inline(always)]
    pub(super) fn after(
        &self,
        game: &Ladrillos<W, C, L>,
        zones: &Zones<C>,
        at: &Position<W, C, L>,
        mv: Brick,
        with_reach: bool,
    ) -> Tally {
        let mover = at.to_move.index();
        let stride = game.stride();
        let places = mv.places(stride);
        let around = neighbors(places, stride);
        let cells = places.map(|place| place + stride);
        let labels = around.map(|i| self.own[i]);
        let label = labels.into_iter().fold(0, u8::max);
        let is_alone = labels.into_iter().all(|other| other == 0 || other == label);
        let joint = if is_alone {
            self.join_one(at, usize::from(label), places, around, stride)
        } else {
            self.join_many(game, at, labels, places, around)
        };
        let mut tally = self.tally;
        let gone = cells.map(|i| self.nearest.each_ref().map(|nearest| i32::from(nearest[i])));
        tally[slot::POINTS + mover] += joint.points;
        tally[slot::EXPANSION + mover] += joint.gain - gone[0][0] - gone[1][0];
        tally[slot::EXPANSION + 1 - mover] -= gone[0][1] + gone[1][1];
        let [a, b] = cells;
        tally[slot::DISTANCE + mover] += i32::from(zones.distance[a]) + i32::from(zones.distance[b]);
        let joined = self.joined | Zones::<C>::joined(joint.zones | zones.of[a] | zones.of[b]);
        let [one, two] = Zones::<C>::counts(joined);
        tally[slot::DIVISIONS_ONE + mover] = game.n as i32 * one;
        tally[slot::DIVISIONS_TWO + mover] = game.n as i32 * two;
        if with_reach {
            tally[slot::FROM_WALLS + mover] +=
                i32::from(zones.from_walls[a]) + i32::from(zones.from_walls[b]);
            tally[slot::REACH + mover] += self.reach_gained(game, at, labels, places);
            tally[slot::REACH + 1 - mover] -= reach_lost(at, cells, stride);
        }
        tally
    }

    /// The brick touches one own island, or (label 0) none.
    #[inline(always)]
    fn join_one(
        &self,
        at: &Position<W, C, L>,
        label: usize,
        places: [usize; 2],
        around: [usize; 6],
        stride: usize,
    ) -> Joint {
        let before = i32::from(at.sizes[label]);
        let size = before + 2;
        let nearest = &self.nearest[0];
        let gain = |i: usize| (size - i32::from(nearest[i])).max(0);
        let border = &self.borders[label];
        let mut sum = self.gains[label];
        for place in places {
            sum -= if border.get(place) { gain(place + stride) } else { 0 };
        }
        for i in around {
            // What is not free gains nothing, for its nearest island is larger than any. A free place lies on the
            // board, so its bit exists; others are looked up on the brick itself.
            let gained = gain(i);
            if gained > 0 && !border.get(i - stride) {
                sum += gained;
            }
        }
        Joint { points: size * size - before * before, gain: sum, zones: self.zones[label] }
    }

    /// The brick touches several own islands.
    #[inline(never)]
    fn join_many(
        &self,
        game: &Ladrillos<W, C, L>,
        at: &Position<W, C, L>,
        labels: [u8; 6],
        places: [usize; 2],
        around: [usize; 6],
    ) -> Joint {
        let stride = game.stride();
        let (mut size, mut squares, mut zones) = (2, 0, 0);
        let mut border = Bits::EMPTY;
        for label in distinct(labels) {
            let cells = i32::from(at.sizes[label]);
            size += cells;
            squares += cells * cells;
            zones |= self.zones[label];
            border = border.union(&self.borders[label]);
        }
        let nearest = &self.nearest[0];
        let gain = |i: usize| (size - i32::from(nearest[i])).max(0);
        let mut sum = 0;
        for place in border.ones() {
            sum += gain(place + stride);
        }
        for place in places {
            sum -= if border.get(place) { gain(place + stride) } else { 0 };
        }
        for i in around {
            let gained = gain(i);
            if gained > 0 && !border.get(i - stride) {
                sum += gained;
            }
        }
        Joint { points: size * size - squares, gain: sum, zones }
    }

    /// What the mover's islands gain in size times free neighbors.
    fn reach_gained(
        &self,
        game: &Ladrillos<W, C, L>,
        at: &Position<W, C, L>,
        labels: [u8; 6],
        places: [usize; 2],
    ) -> i32 {
        let mut brick = Bits::EMPTY;
        places.iter().for_each(|&place| brick.set(place));
        let mut border = game.around(&brick).both(&game.free(at));
        let (mut size, mut before) = (2, 0);
        for label in distinct(labels) {
            let cells = i32::from(at.sizes[label]);
            size += cells;
            before += cells * self.borders[label].count() as i32;
            border = border.union(&self.borders[label]);
        }
        size * border.without(&brick).count() as i32 - before
    }
}

/// What a brick and the islands it joins come to.
struct Joint {
    /// More points.
    points: i32,
    /// What the free cells around gain in the size of their largest touching island.
    gain: i32,
    /// The zones of the islands joined.
    zones: u16,
}

/// The labels that occur, each once.
#[inline]
fn distinct(labels: [u8; 6]) -> impl Iterator<Item = usize> {
    let is_new = move |&k: &usize| labels[k] != 0 && !labels[..k].contains(&labels[k]);
    (0..6).filter(is_new).map(move |k| usize::from(labels[k]))
}

/// What the other side's islands lose in size times free neighbors when two cells are taken.
fn reach_lost<const W: usize, const C: usize, const L: usize>(
    at: &Position<W, C, L>,
    cells: [usize; 2],
    stride: usize,
) -> i32 {
    let rival = at.to_move.other().index();
    let lost = |i: usize| -> i32 {
        let around = [i - stride, i - 1, i + 1, i + stride].map(|j| at.labels[j]);
        let touches = |k: &usize| is_of(around[*k], rival) && !around[..*k].contains(&around[*k]);
        (0..4).filter(touches).map(|k| i32::from(at.sizes[usize::from(around[k])])).sum()
    };
    cells.into_iter().map(lost).sum()
}
