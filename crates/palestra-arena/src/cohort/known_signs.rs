//! What is known of all members of the set at hand.
//!
//! A *fact* is a difference of features, by its greatest common divisor, that all members weigh positive, or not
//! negative. What holds for a set holds for its parts, so facts pile up on the way down the tree and are taken back
//! on the way up.

use super::lane::{DifferenceTerm, Sign};
use super::scale::gcd;
use palestra_core::{Feature, MAX_FEATURES, Seed};

/// Every difference met so far, and what is known of it now.
pub(super) struct KnownSigns {
    /// The key of a row of features is the sum of each by its multiplier, so the key of a difference is the
    /// difference of two keys.
    multipliers: Vec<u64>,
    /// Whether no two differences share a key.
    is_exact: bool,
    /// Open addressing; a key of 0 is no difference at all and marks a free slot.
    slots: Vec<Slot>,
    n_used: usize,
    /// The rows of the slots, where keys are not exact.
    rows: Vec<i32>,
    known: Vec<Sign>,
    terms: Vec<DifferenceTerm>,
    /// For each fact, where its terms start, and whether their sum stays within sixteen bits.
    starts: Vec<(u32, bool)>,
    extents: Vec<f64>,
    /// What to take back: a fact, and what was known of it.
    log: Vec<(u32, Sign)>,
}

#[derive(Clone, Copy, Default)]
struct Slot {
    key: u64,
    fact: u32,
    row: u32,
}

impl KnownSigns {
    /// `extents` are the largest magnitudes of the members' factors.
    pub(super) fn new(features: &[Feature], extents: &[f64]) -> KnownSigns {
        let bits: Vec<u32> = features.iter().map(|f| 33 - f.high.abs_diff(f.low).leading_zeros()).collect();
        let is_exact = bits.iter().sum::<u32>() <= 64;
        let mut used = 0;
        let multiplier = |(i, bits): (usize, &u32)| {
            let place = used;
            used += bits;
            if is_exact { 1u64.wrapping_shl(place) } else { Seed(0).child(i as u64).0 | 1 }
        };
        let multipliers = bits.iter().enumerate().map(multiplier).collect();
        KnownSigns {
            multipliers,
            is_exact,
            slots: vec![Slot::default(); 1 << 12],
            n_used: 0,
            rows: Vec::new(),
            known: Vec::new(),
            terms: Vec::new(),
            starts: Vec::new(),
            extents: extents.to_vec(),
            log: Vec::new(),
        }
    }

    /// What each feature adds to the key of a row.
    pub(super) fn multipliers(&self) -> &[u64] {
        &self.multipliers
    }

    /// Whether differences with the key 0 are 0.
    pub(super) fn is_exact(&self) -> bool {
        self.is_exact
    }

    /// The fact about a difference that is not 0, given its key and a way to fill in its row.
    #[inline]
    pub(super) fn find(&mut self, key: u64, fill: impl Fn(&mut [i32])) -> u32 {
        let first = self.slots[self.place(key)];
        if first.key == key && self.is_exact {
            return first.fact;
        }
        let mut row = [0; MAX_FEATURES];
        let row = &mut row[..self.multipliers.len()];
        fill(row);
        self.find_row(key, row)
    }

    fn find_row(&mut self, key: u64, row: &[i32]) -> u32 {
        let mut place = self.place(key);
        loop {
            let slot = self.slots[place];
            if slot.key == key && (self.is_exact || self.row(slot) == row) {
                return slot.fact;
            }
            if slot.key == 0 {
                return self.meet(key, row);
            }
            place = (place + 1) & (self.slots.len() - 1);
        }
    }

    #[inline]
    fn place(&self, key: u64) -> usize {
        (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - self.slots.len().ilog2())) as usize
    }

    fn row(&self, slot: Slot) -> &[i32] {
        let n = self.multipliers.len();
        &self.rows[slot.row as usize * n..][..n]
    }

    /// Makes room for a difference met for the first time; shares the fact with the same one, divided.
    #[cold]
    fn meet(&mut self, key: u64, row: &[i32]) -> u32 {
        let divisor = row.iter().fold(0, |divisor, &by| gcd(divisor, u64::from(by.unsigned_abs())));
        let fact = if divisor == 1 {
            self.add_fact(row)
        } else {
            let divided: Vec<i32> = row.iter().map(|by| by / divisor as i32).collect();
            self.find_row(self.key(&divided), &divided)
        };
        if 2 * self.n_used >= self.slots.len() {
            self.grow();
        }
        let slot = Slot { key, fact, row: (self.rows.len() / row.len()) as u32 };
        if !self.is_exact {
            self.rows.extend_from_slice(row);
        }
        self.insert(slot);
        self.n_used += 1;
        fact
    }

    fn key(&self, row: &[i32]) -> u64 {
        let parts = row.iter().zip(&self.multipliers);
        parts.fold(0, |key, (&by, multiplier)| {
            key.wrapping_add((i64::from(by) as u64).wrapping_mul(*multiplier))
        })
    }

    fn add_fact(&mut self, difference: &[i32]) -> u32 {
        let start = self.terms.len();
        let terms = difference.iter().enumerate().filter(|(_, times)| **times != 0);
        self.terms.extend(terms.map(|(feature, &times)| DifferenceTerm { feature: feature as u32, times }));
        let is_small = self.reach(&self.terms[start..]) <= f64::from(i16::MAX);
        self.starts.push((start as u32, is_small));
        self.known.push(Sign::Mixed);
        self.known.len() as u32 - 1
    }

    fn insert(&mut self, slot: Slot) {
        let mut place = self.place(slot.key);
        while self.slots[place].key != 0 {
            place = (place + 1) & (self.slots.len() - 1);
        }
        self.slots[place] = slot;
    }

    fn grow(&mut self) {
        let doubled = vec![Slot::default(); 2 * self.slots.len()];
        let slots = std::mem::replace(&mut self.slots, doubled);
        slots.into_iter().filter(|slot| slot.key != 0).for_each(|slot| self.insert(slot));
    }

    /// What is known of it; `Mixed` means nothing.
    #[inline]
    pub(super) fn known(&self, fact: u32) -> Sign {
        self.known[fact as usize]
    }

    /// The terms of a fact, and whether their sum stays within sixteen bits.
    #[inline]
    pub(super) fn terms(&self, fact: u32) -> (&[DifferenceTerm], bool) {
        let (start, is_small) = self.starts[fact as usize];
        let end = self.starts.get(fact as usize + 1).map_or(self.terms.len(), |next| next.0 as usize);
        (&self.terms[start as usize..end], is_small)
    }

    /// The largest magnitude that a sum of these terms can have.
    pub(super) fn reach(&self, terms: &[DifferenceTerm]) -> f64 {
        terms.iter().map(|term| self.extents[term.feature as usize] * f64::from(term.times.abs())).sum()
    }

    /// From now on this is known.
    #[inline]
    pub(super) fn learn(&mut self, fact: u32, sign: Sign) {
        let known = &mut self.known[fact as usize];
        if sign > *known {
            self.log.push((fact, *known));
            *known = sign;
        }
    }

    /// How much is known, for [`KnownSigns::forget`].
    pub(super) fn checkpoint(&self) -> usize {
        self.log.len()
    }

    /// Takes back what was learnt since.
    pub(super) fn forget(&mut self, mark: usize) {
        for (fact, sign) in self.log.drain(mark..).rev() {
            self.known[fact as usize] = sign;
        }
    }
}
