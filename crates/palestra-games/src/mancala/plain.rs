//! Plain sowing, seed by seed around a ring of cups: the reference that tests compare the tables with.

use super::cups::{CupRow, row_of};
use palestra_core::{BoardGrid, CellContent};

/// The seeds in all cups: own holes first, then the own store, the other holes and the other store.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Ring {
    pub(crate) cups: Vec<u32>,
    pub(crate) n_holes: usize,
}

/// Number of seeds on the board in each frame.
pub(crate) fn seeds_of(frames: &[BoardGrid]) -> Vec<u32> {
    let seeds = |content| match content {
        CellContent::Seeds(n) | CellContent::Store(n) => u32::from(n),
        _ => 0,
    };
    frames.iter().map(|frame| frame.cells.iter().map(|cell| seeds(cell.content)).sum()).collect()
}

impl Ring {
    pub(crate) fn new<R: CupRow>(own: R, other: R, n_holes: usize) -> Ring {
        let cups = [own, other].into_iter().flat_map(|row| (0..=n_holes).map(move |cup| row.get(cup)));
        Ring { cups: cups.collect(), n_holes }
    }

    pub(crate) fn rows<R: CupRow>(&self) -> [R; 2] {
        let (own, other) = self.cups.split_at(self.n_holes + 1);
        [row_of(own), row_of(other)]
    }

    fn other_store(&self) -> usize {
        2 * self.n_holes + 1
    }

    /// The facing hole.
    fn facing(&self, cup: usize) -> usize {
        2 * self.n_holes - cup
    }

    /// Sows a hole, with or without the other store. Returns the last seed's cup and the seeds that were in it before.
    fn sow(&mut self, hole: usize, skips_store: bool) -> (usize, u32) {
        let mut hand = std::mem::take(&mut self.cups[hole]);
        let (mut cup, mut before) = (hole, 0);
        while hand > 0 {
            cup = (cup + 1) % self.cups.len();
            if cup == self.other_store() && skips_store {
                continue;
            }
            before = self.cups[cup];
            self.cups[cup] += 1;
            hand -= 1;
        }
        (cup, before)
    }

    fn row_total(&self) -> u32 {
        self.cups[..=self.n_holes].iter().sum()
    }

    /// One sowing by the course's rules 1 to 5, optionally with fuga; returns whether the side sows again.
    pub(crate) fn sow_uam(&mut self, hole: usize, fuga: bool) -> bool {
        let store = self.n_holes;
        let total = self.row_total();
        let (last, before) = self.sow(hole, false);
        let is_own = last < store;
        let is_others = (store + 1..self.other_store()).contains(&last);
        if is_own && before == 0 && self.cups[self.facing(last)] > 0 {
            let facing = self.facing(last);
            self.cups[store] += std::mem::take(&mut self.cups[last]) + std::mem::take(&mut self.cups[facing]);
        } else if is_others && before > 5 && self.cups[self.facing(last)] == 0 {
            let facing = self.facing(last);
            self.cups[facing] = std::mem::take(&mut self.cups[last]);
        }
        let in_holes = |cups: &[u32]| cups.iter().sum::<u32>();
        if fuga
            && in_holes(&self.cups[..store]) == 1
            && self.row_total() == total
            && self.cups[self.other_store()] > 3
            && in_holes(&self.cups[store + 1..self.other_store()]) > 10
        {
            self.cups[2 * store + 1] -= 1;
            self.cups[0] += 1;
        }
        last == store && before > 0
    }

    /// One sowing by the rules of Kalah; returns whether the side sows again.
    pub(crate) fn sow_kalah(&mut self, hole: usize, empty_capture: bool) -> bool {
        let store = self.n_holes;
        let (last, before) = self.sow(hole, true);
        if last < store && before == 0 {
            let facing = self.facing(last);
            if self.cups[facing] > 0 || empty_capture {
                self.cups[store] +=
                    std::mem::take(&mut self.cups[last]) + std::mem::take(&mut self.cups[facing]);
            }
        }
        let halves = self.cups.split_at_mut(store + 1);
        if halves.0[..store].iter().all(|&seeds| seeds == 0)
            || halves.1[..store].iter().all(|&seeds| seeds == 0)
        {
            for half in [halves.0, halves.1] {
                let total = half.iter().sum();
                half.fill(0);
                half[store] = total;
            }
        }
        last == store
    }
}
