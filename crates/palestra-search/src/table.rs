//! A table of positions already searched: bounded, shared between threads without locks.
//!
//! An entry is three words. The first is the position's key with the other two folded in, so an entry that two
//! threads wrote into each other does not match any key and is not found: nobody ever reads half of one entry and
//! half of another. Three entries share one line of the processor's cache, so that a position costs one look at
//! memory, found or not.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

/// How an entry's value relates to the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// It is the true one.
    Exact,
    /// The true one is not smaller.
    Lower,
    /// The true one is not larger.
    Upper,
}

/// What is known of a position.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TableEntry {
    /// Its value for the side the key was made for.
    pub value: f64,
    /// How sure that is.
    pub bound: Bound,
    /// Plies looked ahead, up to [`TableEntry::MAX_DEPTH`].
    pub depth: u16,
    /// The best move's place in the game's order; past the end where none is known.
    pub best: u16,
    /// Whether every line was looked at to its end: then looking deeper changes nothing.
    pub is_final: bool,
}

impl TableEntry {
    /// The largest depth an entry can say.
    pub const MAX_DEPTH: u16 = (1 << DEPTH_BITS) - 1;

    /// Whether its value is that of a look of so many plies.
    #[inline]
    fn counts_at(&self, depth: u32) -> bool {
        u32::from(self.depth) == depth || self.is_final && u32::from(self.depth) < depth
    }

    /// Whether it says all that a look of so many plies would, of which only values inside the window matter.
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

/// Entries that share a place: two that stay while they are deep, and the latest one.
const ENTRIES: usize = 3;
const LATEST: usize = ENTRIES - 1;

/// One line of the cache.
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

/// The table.
#[derive(Debug)]
pub struct Table {
    buckets: Vec<Bucket>,
}

impl Table {
    /// A table of at most so many bytes; it has at least one place.
    pub fn new(bytes: usize) -> Table {
        let n_buckets = (bytes / size_of::<Bucket>()).max(1);
        Table { buckets: (0..n_buckets).map(|_| Bucket::default()).collect() }
    }

    /// Bytes it takes.
    pub fn bytes(&self) -> usize {
        self.buckets.len() * size_of::<Bucket>()
    }

    /// Whether most places have no room left, as far as a few of them show.
    pub fn is_crowded(&self) -> bool {
        let step = (self.buckets.len() / 256).max(1);
        let is_full = |bucket: &Bucket| (0..ENTRIES).all(|i| bucket.words(i).2 != 0);
        let [mut n_full, mut n_looked_at] = [0; 2];
        for bucket in self.buckets.iter().step_by(step) {
            n_full += usize::from(is_full(bucket));
            n_looked_at += 1;
        }
        2 * n_full > n_looked_at
    }

    /// Another one, of at most so many bytes, that knows the same.
    #[must_use]
    pub fn resized(&self, bytes: usize) -> Table {
        let other = Table::new(bytes);
        for bucket in &self.buckets {
            for i in 0..ENTRIES {
                let (check, value, rest) = bucket.words(i);
                if rest != 0 {
                    // Folding the words in once more leaves the key.
                    other.put(checked(check, value, rest), unpack(value, rest));
                }
            }
        }
        other
    }

    /// The place of a key: its high bits decide, the whole key is compared.
    #[inline]
    fn bucket(&self, key: u64) -> &Bucket {
        let place = (u128::from(key) * self.buckets.len() as u128) >> 64;
        &self.buckets[place as usize]
    }

    /// What is known of the position with this key.
    #[inline]
    pub fn get(&self, key: u64) -> Option<TableEntry> {
        let bucket = self.bucket(key);
        (0..ENTRIES).find_map(|i| {
            let (check, value, rest) = bucket.words(i);
            (check == checked(key, value, rest) && rest != 0).then(|| unpack(value, rest))
        })
    }

    /// Keeps an entry, in the place of one of the same position, a shallower or an older one.
    #[inline]
    pub fn put(&self, key: u64, entry: TableEntry) {
        let bucket = self.bucket(key);
        let mut place = LATEST;
        let mut shallowest = u32::from(entry.depth);
        for i in 0..ENTRIES {
            let (check, value, rest) = bucket.words(i);
            if check == checked(key, value, rest) {
                place = i;
                break;
            }
            let depth = rest & u32::from(TableEntry::MAX_DEPTH);
            if i != LATEST && (rest == 0 || depth <= shallowest) {
                place = i;
                shallowest = if rest == 0 { 0 } else { depth };
            }
        }
        let (value, rest) = pack(entry);
        bucket.checks[place].store(checked(key, value, rest), Relaxed);
        bucket.values[place].store(value, Relaxed);
        bucket.rests[place].store(rest, Relaxed);
    }
}

/// The first word of an entry. The rest is spread over all bits: values of neighboring positions often differ in
/// few of them.
#[inline(always)]
fn checked(key: u64, value: u64, rest: u32) -> u64 {
    key ^ value ^ u64::from(rest).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

const DEPTH_BITS: u32 = 10;
const BEST_BITS: u32 = 16;

/// The value's bits, and a word for the rest that is never 0: depth, best move, bound, whether it is final.
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
