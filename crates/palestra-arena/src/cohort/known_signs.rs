//! Known signs of weighted feature differences, for all members of the current set.
//!
//! A *difference* is a row of feature differences, divided by its greatest common divisor. Its sign is known where its
//! weighted sum is positive, or not negative, for all members. What holds for a set holds for its parts, so signs are
//! added on the way down the tree and taken back on the way up.

use super::lane::{DifferenceTerm, Sign};
use super::scale::gcd;
use palestra_core::{Feature, FeatureRow, Seed};

/// All differences seen so far, with their known signs.
pub(super) struct KnownSigns {
    /// The key of a row is the sum of feature × multiplier, so the key of a difference is the difference of two keys.
    multipliers: Vec<u64>,
    /// Whether no two differences share a key.
    is_exact: bool,
    /// Hash table with open addressing; key 0 belongs to no difference and marks a free slot.
    slots: Vec<Slot>,
    n_used: usize,
    /// Rows of the slots, where keys are not exact.
    rows: Vec<i32>,
    known: Vec<Sign>,
    terms: Vec<DifferenceTerm>,
    /// For each difference, where its terms start, and whether their sum fits 16 bits.
    starts: Vec<(u32, bool)>,
    /// Largest magnitude of each feature's factor.
    extents: Vec<f64>,
    /// Undo log: a difference and the sign that was known before.
    log: Vec<(u32, Sign)>,
}

#[derive(Clone, Copy, Default)]
struct Slot {
    key: u64,
    difference: u32,
    row: u32,
}

impl KnownSigns {
    /// `extents` are the largest magnitudes of the members' factors, one per feature.
    pub(super) fn new(features: &[Feature], extents: &[f64]) -> KnownSigns {
        let bits: Vec<u32> = features.iter().map(|f| 33 - f.high.abs_diff(f.low).leading_zeros()).collect();
        let is_exact = bits.iter().sum::<u32>() <= 64;
        let mut used = 0;
        let multiplier = |(i, bits): (usize, &u32)| {
            let shift = used;
            used += bits;
            if is_exact { 1u64.wrapping_shl(shift) } else { Seed(0).child(i as u64).0 | 1 }
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

    /// Multiplier of each feature in the key of a row.
    pub(super) fn multipliers(&self) -> &[u64] {
        &self.multipliers
    }

    /// Whether a difference with key 0 is always 0.
    pub(super) fn is_exact(&self) -> bool {
        self.is_exact
    }

    /// The index of a difference other than 0, given its key; `fill` writes its row, which only some keys need.
    #[inline]
    pub(super) fn find(&mut self, key: u64, fill: impl Fn(&mut [i32])) -> u32 {
        let first = self.slots[self.slot_index(key)];
        if first.key == key && self.is_exact {
            return first.difference;
        }
        let mut buffer = FeatureRow::default();
        let row = buffer.of(self.multipliers.len());
        fill(row);
        self.find_row(key, row)
    }

    fn find_row(&mut self, key: u64, row: &[i32]) -> u32 {
        let mut index = self.slot_index(key);
        loop {
            let slot = self.slots[index];
            if slot.key == key && (self.is_exact || self.row(slot) == row) {
                return slot.difference;
            }
            if slot.key == 0 {
                return self.add_slot(key, row);
            }
            index = (index + 1) & (self.slots.len() - 1);
        }
    }

    #[inline]
    fn slot_index(&self, key: u64) -> usize {
        (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - self.slots.len().ilog2())) as usize
    }

    fn row(&self, slot: Slot) -> &[i32] {
        let n = self.multipliers.len();
        &self.rows[slot.row as usize * n..][..n]
    }

    /// Adds a new difference to the table; multiples of one difference share its index.
    #[cold]
    fn add_slot(&mut self, key: u64, row: &[i32]) -> u32 {
        let divisor = row.iter().fold(0, |divisor, &by| gcd(divisor, u64::from(by.unsigned_abs())));
        let difference = if divisor == 1 {
            self.add_difference(row)
        } else {
            let divided: Vec<i32> = row.iter().map(|by| by / divisor as i32).collect();
            self.find_row(self.key(&divided), &divided)
        };
        if 2 * self.n_used >= self.slots.len() {
            self.grow();
        }
        let slot = Slot { key, difference, row: (self.rows.len() / row.len()) as u32 };
        if !self.is_exact {
            self.rows.extend_from_slice(row);
        }
        self.insert(slot);
        self.n_used += 1;
        difference
    }

    fn key(&self, row: &[i32]) -> u64 {
        let parts = row.iter().zip(&self.multipliers);
        parts.fold(0, |key, (&by, multiplier)| {
            key.wrapping_add((i64::from(by) as u64).wrapping_mul(*multiplier))
        })
    }

    fn add_difference(&mut self, row: &[i32]) -> u32 {
        let start = self.terms.len();
        let terms = row.iter().enumerate().filter(|(_, times)| **times != 0);
        self.terms.extend(terms.map(|(feature, &times)| DifferenceTerm { feature: feature as u32, times }));
        let is_small = self.reach(&self.terms[start..]) <= f64::from(i16::MAX);
        self.starts.push((start as u32, is_small));
        self.known.push(Sign::Mixed);
        self.known.len() as u32 - 1
    }

    fn insert(&mut self, slot: Slot) {
        let mut index = self.slot_index(slot.key);
        while self.slots[index].key != 0 {
            index = (index + 1) & (self.slots.len() - 1);
        }
        self.slots[index] = slot;
    }

    fn grow(&mut self) {
        let doubled = vec![Slot::default(); 2 * self.slots.len()];
        let slots = std::mem::replace(&mut self.slots, doubled);
        slots.into_iter().filter(|slot| slot.key != 0).for_each(|slot| self.insert(slot));
    }

    /// The known sign of a difference; `Mixed` where nothing is known.
    #[inline]
    pub(super) fn known(&self, difference: u32) -> Sign {
        self.known[difference as usize]
    }

    /// The terms of a difference, and whether their sum fits 16 bits.
    #[inline]
    pub(super) fn terms(&self, difference: u32) -> (&[DifferenceTerm], bool) {
        let (start, is_small) = self.starts[difference as usize];
        let end = self.starts.get(difference as usize + 1).map_or(self.terms.len(), |next| next.0 as usize);
        (&self.terms[start as usize..end], is_small)
    }

    /// Upper bound of the magnitude of a sum of these terms.
    pub(super) fn reach(&self, terms: &[DifferenceTerm]) -> f64 {
        terms.iter().map(|term| self.extents[term.feature as usize] * f64::from(term.times.abs())).sum()
    }

    /// Records a sign, unless a stronger one is known.
    #[inline]
    pub(super) fn learn(&mut self, difference: u32, sign: Sign) {
        let known = &mut self.known[difference as usize];
        if sign > *known {
            self.log.push((difference, *known));
            *known = sign;
        }
    }

    /// Length of the undo log, for [`KnownSigns::forget`].
    pub(super) fn checkpoint(&self) -> usize {
        self.log.len()
    }

    /// Takes back all signs recorded since a checkpoint.
    pub(super) fn forget(&mut self, checkpoint: usize) {
        for (difference, sign) in self.log.drain(checkpoint..).rev() {
            self.known[difference as usize] = sign;
        }
    }
}
