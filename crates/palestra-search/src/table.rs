//! The transposition table: bounded, and shared between threads without locks.
//!
//! An entry is three words. The first is the position's key XORed with the other two, so an entry that mixes the words
//! of two writers matches no key and is not found: no thread reads half of one entry and half of another. Three entries
//! share one cache line, so that a probe costs one memory access, whether it hits or misses.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

/// How an entry's value relates to the true value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// The value is the true value.
    Exact,
    /// The value is a lower bound.
    Lower,
    /// The value is an upper bound.
    Upper,
}

/// What the table stores about a position.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TableEntry {
    /// Value for the side that the key was made for.
    pub value: f64,
    /// How the value relates to the true value.
    pub bound: Bound,
    /// Depth of the search in plies, up to [`TableEntry::MAX_DEPTH`].
    pub depth: u16,
    /// Index of the best move in the game's order; past the end where none is known.
    pub best: u16,
    /// Whether the search reached the end of the game on every line: then a deeper search has the same value.
    pub is_final: bool,
}

impl TableEntry {
    /// The largest depth that an entry can store.
    pub const MAX_DEPTH: u16 = (1 << DEPTH_BITS) - 1;

    /// Whether its value is that of a search of this depth.
    #[inline]
    fn counts_at(&self, depth: u32) -> bool {
        u32::from(self.depth) == depth || self.is_final && u32::from(self.depth) < depth
    }

    /// Whether it replaces a search of this depth with this window.
    #[inline]
    pub fn answers(&self, depth: u32, window: [f64; 2]) -> bool {
        self.counts_at(depth)
            && match self.bound {
                Bound::Exact => true,
                Bound::Lower => self.value >= window[1],
                Bound::Upper => self.value <= window[0],
            }
    }
}

/// Entries per bucket: two that only entries of at least their depth replace, and the latest one.
const ENTRIES: usize = 3;
const LATEST: usize = ENTRIES - 1;

/// One cache line.
#[derive(Debug, Default)]
#[repr(align(64))]
struct Bucket {
    checks: [AtomicU64; ENTRIES],
    values: [AtomicU64; ENTRIES],
    rests: [AtomicU32; ENTRIES],
}

impl Bucket {
    /// The words of an entry.
    #[inline(always)]
    fn words(&self, i: usize) -> (u64, u64, u32) {
        (self.checks[i].load(Relaxed), self.values[i].load(Relaxed), self.rests[i].load(Relaxed))
    }
}

/// A transposition table.
#[derive(Debug)]
pub struct Table {
    buckets: Vec<Bucket>,
}

impl Table {
    /// A table of at most `bytes` bytes, but at least one bucket.
    pub fn new(bytes: usize) -> Table {
        let n_buckets = (bytes / size_of::<Bucket>()).max(1);
        Table { buckets: (0..n_buckets).map(|_| Bucket::default()).collect() }
    }

    /// Size in bytes.
    pub fn bytes(&self) -> usize {
        self.buckets.len() * size_of::<Bucket>()
    }

    /// Whether most buckets are full, estimated from a sample of about 256.
    pub fn is_crowded(&self) -> bool {
        let step = (self.buckets.len() / 256).max(1);
        let is_full = |bucket: &Bucket| (0..ENTRIES).all(|i| bucket.words(i).2 != 0);
        let [mut n_full, mut n_sampled] = [0; 2];
        for bucket in self.buckets.iter().step_by(step) {
            n_full += usize::from(is_full(bucket));
            n_sampled += 1;
        }
        2 * n_full > n_sampled
    }

    /// A table of at most `bytes` bytes with the same entries, as far as they fit.
    #[must_use]
    pub fn resized(&self, bytes: usize) -> Table {
        let other = Table::new(bytes);
        for bucket in &self.buckets {
            for i in 0..ENTRIES {
                let (check, value, rest) = bucket.words(i);
                if rest != 0 {
                    // A second XOR of the words leaves the key.
                    other.put(checked(check, value, rest), unpack(value, rest));
                }
            }
        }
        other
    }

    /// The bucket of a key, chosen by its high bits.
    #[inline]
    fn bucket(&self, key: u64) -> &Bucket {
        let index = (u128::from(key) * self.buckets.len() as u128) >> 64;
        &self.buckets[index as usize]
    }

    /// The entry with this key.
    #[inline]
    pub fn get(&self, key: u64) -> Option<TableEntry> {
        let bucket = self.bucket(key);
        (0..ENTRIES).find_map(|i| {
            let (check, value, rest) = bucket.words(i);
            (check == checked(key, value, rest) && rest != 0).then(|| unpack(value, rest))
        })
    }

    /// Stores an entry. It replaces the entry of the same position, a shallower one or the latest one, in this order.
    #[inline]
    pub fn put(&self, key: u64, entry: TableEntry) {
        let bucket = self.bucket(key);
        let mut slot = LATEST;
        let mut shallowest = u32::from(entry.depth);
        for i in 0..ENTRIES {
            let (check, value, rest) = bucket.words(i);
            if check == checked(key, value, rest) {
                slot = i;
                break;
            }
            let depth = rest & u32::from(TableEntry::MAX_DEPTH);
            if i != LATEST && (rest == 0 || depth <= shallowest) {
                slot = i;
                shallowest = if rest == 0 { 0 } else { depth };
            }
        }
        let (value, rest) = pack(entry);
        bucket.checks[slot].store(checked(key, value, rest), Relaxed);
        bucket.values[slot].store(value, Relaxed);
        bucket.rests[slot].store(rest, Relaxed);
    }
}

/// The first word of an entry. `rest` is multiplied to spread it over all bits, because entries often differ in few of
/// its bits.
#[inline(always)]
fn checked(key: u64, value: u64, rest: u32) -> u64 {
    key ^ value ^ u64::from(rest).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

const DEPTH_BITS: u32 = 10;
const BEST_BITS: u32 = 16;

/// The value's bits, and a word with depth, best move, bound and `is_final` that is never 0.
#[inline]
fn pack(entry: TableEntry) -> (u64, u32) {
    debug_assert!(entry.depth <= TableEntry::MAX_DEPTH, "a depth of {}", entry.depth);
    let bound = 1 + entry.bound as u32 + 4 * u32::from(entry.is_final);
    let rest = (bound << BEST_BITS | u32::from(entry.best)) << DEPTH_BITS | u32::from(entry.depth);
    (entry.value.to_bits(), rest)
}

#[inline]
fn unpack(value: u64, rest: u32) -> TableEntry {
    let flags = rest >> (DEPTH_BITS + BEST_BITS);
    let bound = match flags & 3 {
        1 => Bound::Exact,
        2 => Bound::Lower,
        _ => Bound::Upper,
    };
    let depth = rest as u16 & TableEntry::MAX_DEPTH;
    let best = (rest >> DEPTH_BITS) as u16;
    TableEntry { value: f64::from_bits(value), bound, depth, best, is_final: flags >> 2 == 1 }
}

#[cfg(test)]
#[path = "table_tests.rs"]
mod tests;
