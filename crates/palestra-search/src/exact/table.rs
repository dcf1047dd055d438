//! Bounds of positions, in a table of limited size that threads share without locks.
//!
//! An entry is two words, the first XORed with the second: an entry that mixes the words of two writers matches no key,
//! so no thread reads half of one entry and half of another. Four entries share one cache line.

use bytemuck::allocation::try_zeroed_vec;
use palestra_core::StateKey;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};

/// Number of words in a bucket: one cache line.
const BUCKET: usize = 8;

/// A table of bounds. It starts small, so that a small tree stays in the processor's cache, and doubles as it fills, up
/// to its full size. The operating system provides memory as it is used.
#[derive(Debug)]
pub struct BoundsTable {
    words: Vec<AtomicU64>,
    /// Index of the first word at the start of a cache line.
    start: usize,
    /// Number of buckets in use minus one; the number is a power of two.
    mask: AtomicUsize,
    /// Number of entries that were evicted since the table last grew.
    n_evicted: AtomicUsize,
    is_growing: AtomicBool,
    max_buckets: usize,
}

/// Bounds of the value of a position for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// Lower bound of the value.
    pub low: i16,
    /// Upper bound of the value.
    pub high: i16,
    /// The move to try first; 255 where none is known.
    pub mv: u8,
    /// Logarithm of the nodes searched for these bounds, at least 1; entries with less are evicted first.
    pub work: u8,
}

/// Initial number of buckets: 1 MiB.
const FIRST_BUCKETS: usize = 1 << 14;

impl BoundsTable {
    /// A table of at most `bytes` bytes, or of as many as can be allocated; it has at least one bucket.
    pub fn new(bytes: usize) -> BoundsTable {
        let mut max_buckets = 1 << (bytes / (8 * BUCKET)).max(2).ilog2();
        let words: Vec<AtomicU64> = loop {
            match try_zeroed_vec((max_buckets + 1) * BUCKET) {
                Ok(words) => break words,
                Err(()) => max_buckets /= 2,
            }
            assert!(max_buckets > 0, "no memory for a single bucket");
        };
        let past_line = words.as_ptr() as usize / 8 % BUCKET;
        BoundsTable {
            words,
            start: (BUCKET - past_line) % BUCKET,
            mask: AtomicUsize::new(max_buckets.min(FIRST_BUCKETS) - 1),
            n_evicted: AtomicUsize::new(0),
            is_growing: AtomicBool::new(false),
            max_buckets,
        }
    }

    #[inline]
    fn bucket(&self, key: StateKey, mask: usize) -> &[AtomicU64; BUCKET] {
        let from = self.start + (spread(key) & mask) * BUCKET;
        let bucket = &self.words[from..from + BUCKET];
        bucket.try_into().expect("a slice of as many words")
    }

    /// Counts evicted entries; the table grows when there are more than buckets in use.
    pub fn record_evictions(&self, n_entries: usize) {
        let n_evicted = self.n_evicted.fetch_add(n_entries, Relaxed) + n_entries;
        let n_buckets = self.mask.load(Relaxed) + 1;
        if n_evicted > n_buckets && n_buckets < self.max_buckets && !self.is_growing.swap(true, Relaxed) {
            self.grow(n_buckets);
            self.n_evicted.store(0, Relaxed);
            self.is_growing.store(false, Relaxed);
        }
    }

    /// Doubles the number of buckets in use. Entries whose bucket is now in the new half move there; other threads
    /// continue meanwhile, and at worst miss an entry that is being moved.
    fn grow(&self, n_buckets: usize) {
        let mask = 2 * n_buckets - 1;
        self.mask.store(mask, Relaxed);
        for bucket in 0..n_buckets {
            let from = self.start + bucket * BUCKET;
            for i in (from..from + BUCKET).step_by(2) {
                let rest = self.words[i + 1].load(Relaxed);
                let key = StateKey { main: self.words[i].load(Relaxed) ^ rest, more: (rest >> 32) as u16 };
                if rest != 0 && spread(key) & mask >= n_buckets {
                    self.put(key, unpack(rest));
                    self.words[i + 1].store(0, Relaxed);
                    self.words[i].store(0, Relaxed);
                }
            }
        }
    }

    /// The bounds with this key.
    #[inline]
    pub fn get(&self, key: StateKey) -> Option<Bounds> {
        let bucket = self.bucket(key, self.mask.load(Relaxed));
        for i in 0..BUCKET / 2 {
            let check = bucket[2 * i].load(Relaxed);
            let rest = bucket[2 * i + 1].load(Relaxed);
            if check ^ rest == key.main && rest != 0 && (rest >> 32) as u16 == key.more {
                return Some(unpack(rest));
            }
        }
        None
    }

    /// The bounds with this key, and the slot for new bounds of this key: its own slot, a free one, or that of the
    /// entry with the least work.
    #[inline]
    pub fn find(&self, key: StateKey) -> (Option<Bounds>, usize) {
        let from = self.start + (spread(key) & self.mask.load(Relaxed)) * BUCKET;
        let bucket = &self.words[from..from + BUCKET];
        let mut slot = 0;
        let mut min_work = u64::MAX;
        for i in (0..BUCKET).step_by(2) {
            let rest = bucket[i + 1].load(Relaxed);
            if bucket[i].load(Relaxed) ^ rest == key.main && rest != 0 && (rest >> 32) as u16 == key.more {
                return (Some(unpack(rest)), from + i);
            }
            // The work is in the highest bits; it is 0 in a free slot.
            if rest >> 56 < min_work {
                (slot, min_work) = (i, rest >> 56);
            }
        }
        (None, from + slot)
    }

    /// Stores an entry in a slot from [`BoundsTable::find`]. Returns whether it evicted another position's entry.
    #[inline]
    pub fn put_at(&self, slot: usize, key: StateKey, bounds: Bounds) -> bool {
        let old = self.words[slot + 1].load(Relaxed);
        let is_evicted = old != 0 && self.words[slot].load(Relaxed) ^ old != key.main;
        let rest = pack(key, bounds);
        self.words[slot].store(key.main ^ rest, Relaxed);
        self.words[slot + 1].store(rest, Relaxed);
        is_evicted
    }

    /// Finds a slot for an entry and stores it there. Returns whether it evicted another position's entry.
    pub fn put(&self, key: StateKey, bounds: Bounds) -> bool {
        self.put_at(self.find(key).1, key, bounds)
    }

    /// Writes all entries, two words each; the format does not depend on the size of the table.
    pub fn save(&self, out: &mut dyn io::Write) -> io::Result<()> {
        for entry in self.words[self.start..].chunks_exact(2) {
            let [check, rest] = [&entry[0], &entry[1]].map(|word| word.load(Relaxed));
            if rest != 0 {
                out.write_all(&check.to_le_bytes())?;
                out.write_all(&rest.to_le_bytes())?;
            }
        }
        Ok(())
    }

    /// Stores all entries that another table wrote.
    pub fn load(&self, from: &mut dyn io::Read) -> io::Result<()> {
        let mut words = [0; 16];
        loop {
            match from.read_exact(&mut words) {
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(()),
                other => other?,
            }
            let [check, rest] = [0, 8].map(|i| u64::from_le_bytes(std::array::from_fn(|j| words[i + j])));
            if rest >> 56 != 0 {
                let key = StateKey { main: check ^ rest, more: (rest >> 32) as u16 };
                let is_evicted = self.put(key, unpack(rest));
                self.record_evictions(usize::from(is_evicted));
            }
        }
    }
}

/// A hash whose low bits select the bucket.
#[inline]
fn spread(key: StateKey) -> usize {
    let spread = (key.main ^ u64::from(key.more) << 48).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (spread ^ spread >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93) as usize >> 20
}

/// The second word of an entry; never 0, because the work is at least 1.
#[inline]
fn pack(key: StateKey, bounds: Bounds) -> u64 {
    debug_assert!(bounds.work > 0, "an entry without work");
    u64::from(bounds.low as u16)
        | u64::from(bounds.high as u16) << 16
        | u64::from(key.more) << 32
        | u64::from(bounds.mv) << 48
        | u64::from(bounds.work) << 56
}

#[inline]
fn unpack(rest: u64) -> Bounds {
    Bounds {
        low: rest as u16 as i16,
        high: (rest >> 16) as u16 as i16,
        mv: (rest >> 48) as u8,
        work: (rest >> 56) as u8,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bounds(work: u8) -> Bounds {
        Bounds { low: -3, high: 7, mv: 5, work }
    }

    fn key(main: u64) -> StateKey {
        StateKey { main, more: 9 }
    }

    #[test]
    fn keeps_what_was_put() {
        let table = BoundsTable::new(1 << 12);
        assert_eq!(table.get(key(1)), None);
        assert!(!table.put(key(1), bounds(4)));
        assert_eq!(table.get(key(1)), Some(bounds(4)));
        assert_eq!((table.get(StateKey { main: 1, more: 8 }), table.get(key(0))), (None, None));
        assert!(!table.put(key(1), bounds(1)), "the same position");
        assert_eq!(table.get(key(1)), Some(bounds(1)));
    }

    #[test]
    fn a_table_larger_than_memory_is_made_smaller() {
        let table = BoundsTable::new(usize::MAX / 4);
        assert!(!table.put(key(1), bounds(4)));
        assert_eq!(table.get(key(1)), Some(bounds(4)));
    }

    #[test]
    fn the_entry_with_the_least_work_is_evicted() {
        let table = BoundsTable::new(0);
        table.mask.store(0, Relaxed);
        let evicted: Vec<bool> = (1..=6).map(|i| table.put(key(i), bounds(10 - i as u8))).collect();
        assert_eq!(evicted, [false, false, false, false, true, true]);
        let kept: Vec<u64> = (1..=6).filter(|&i| table.get(key(i)).is_some()).collect();
        assert_eq!(kept, [1, 2, 3, 6]);
    }

    #[test]
    fn growing_keeps_all_entries() {
        let table = BoundsTable::new(1 << 22);
        table.mask.store(63, Relaxed);
        for i in 0..150 {
            table.put(key(i), bounds(3));
        }
        let kept: Vec<u64> = (0..150).filter(|&i| table.get(key(i)).is_some()).collect();
        table.record_evictions(65);
        assert_eq!(table.mask.load(Relaxed), 127);
        assert!(kept.iter().all(|&i| table.get(key(i)) == Some(bounds(3))));
        table.record_evictions(64);
        assert_eq!(table.mask.load(Relaxed), 127, "half as many evictions as needed");
    }

    /// Every interleaving of the stores of two writers and the loads of a reader, each in either order.
    #[test]
    fn no_interleaving_mixes_entries() {
        let entries = [bounds(1), Bounds { low: 2, high: 2, mv: 1, work: 200 }];
        let stores = entries.map(|entry| {
            let rest = pack(key(77), entry);
            [77 ^ rest, rest]
        });
        let mut n_cases = 0;
        for flips in 0..8 {
            for order in 0..729 {
                let steps: [usize; 6] = std::array::from_fn(|i| order / 3usize.pow(i as u32) % 3);
                if (0..3).any(|thread| steps.iter().filter(|&&step| step == thread).count() != 2) {
                    continue;
                }
                let (mut words, mut read, mut next) = ([0u64; 2], [0u64; 2], [0; 3]);
                for thread in steps {
                    let i = next[thread] ^ (flips >> thread & 1);
                    next[thread] += 1;
                    match thread {
                        2 => read[i] = words[i],
                        _ => words[i] = stores[thread][i],
                    }
                }
                let [check, rest] = read;
                if check ^ rest == 77 && rest != 0 && (rest >> 32) as u16 == 9 {
                    assert!(entries.contains(&unpack(rest)), "{steps:?}");
                }
                n_cases += 1;
            }
        }
        assert_eq!(n_cases, 8 * 90);
    }
}
