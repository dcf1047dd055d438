//! A table of positions already searched: bounded, shared between threads without locks.
//!
//! An entry is three words. The first is the position's key with the other two folded in, so an entry that two
//! threads wrote into each other does not match any key and is not found: nobody ever reads half of one entry and
//! half of another.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

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
pub struct Entry {
    /// Its value for the side the key was made for.
    pub value: f64,
    /// How sure that is.
    pub bound: Bound,
    /// Plies looked ahead.
    pub depth: u16,
    /// The best move's place in the game's order; past the end where none is known.
    pub best: u16,
    /// Whether every line was looked at to its end: then looking deeper changes nothing.
    pub is_final: bool,
}

impl Entry {
    /// Whether its value is that of a look of so many plies.
    #[inline]
    pub fn counts_at(&self, depth: u32) -> bool {
        u32::from(self.depth) == depth || self.is_final && u32::from(self.depth) < depth
    }
}

/// Entries for one place: the deepest one, and the latest one.
#[derive(Debug, Default)]
struct Bucket {
    words: [[AtomicU64; 3]; 2],
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

    /// The place of a key: its high bits decide, the whole key is compared.
    #[inline]
    fn bucket(&self, key: u64) -> &Bucket {
        let place = (u128::from(key) * self.buckets.len() as u128) >> 64;
        &self.buckets[place as usize]
    }

    /// What is known of the position with this key.
    #[inline]
    pub fn get(&self, key: u64) -> Option<Entry> {
        self.bucket(key).words.iter().find_map(|words| {
            let [check, value, rest] = [0, 1, 2].map(|i| words[i].load(Relaxed));
            (check ^ value ^ rest == key && rest != 0).then(|| unpack(value, rest))
        })
    }

    /// Keeps an entry, in the place of a shallower or an older one.
    #[inline]
    pub fn put(&self, key: u64, entry: Entry) {
        let bucket = self.bucket(key);
        let [check, value, rest] = [0, 1, 2].map(|i| bucket.words[0][i].load(Relaxed));
        let is_same = check ^ value ^ rest == key;
        let place = if is_same || rest == 0 || entry.depth >= unpack(value, rest).depth { 0 } else { 1 };
        let (value, rest) = pack(entry);
        let words = &bucket.words[place];
        words[0].store(key ^ value ^ rest, Relaxed);
        words[1].store(value, Relaxed);
        words[2].store(rest, Relaxed);
    }
}

/// The value's bits, and a word for the rest that is never 0.
fn pack(entry: Entry) -> (u64, u64) {
    let bound = 1 + entry.bound as u64 + 4 * u64::from(entry.is_final);
    (entry.value.to_bits(), bound << 32 | u64::from(entry.depth) << 16 | u64::from(entry.best))
}

fn unpack(value: u64, rest: u64) -> Entry {
    let bound = match rest >> 32 & 3 {
        1 => Bound::Exact,
        2 => Bound::Lower,
        _ => Bound::Upper,
    };
    let is_final = rest >> 34 == 1;
    Entry { value: f64::from_bits(value), bound, depth: (rest >> 16) as u16, best: rest as u16, is_final }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(depth: u16) -> Entry {
        Entry { value: -0.5, bound: Bound::Upper, depth, best: 7, is_final: true }
    }

    #[test]
    fn keeps_what_was_put() {
        let table = Table::new(1 << 10);
        assert_eq!(table.get(5), None);
        table.put(5, entry(3));
        assert_eq!(table.get(5), Some(entry(3)));
        assert_eq!(table.get(0), None);
    }

    #[test]
    fn one_place_keeps_the_deepest_and_the_latest() {
        let table = Table::new(0);
        table.put(1, entry(9));
        table.put(2, entry(2));
        table.put(3, entry(3));
        assert_eq!([1, 2, 3].map(|key| table.get(key).map(|entry| entry.depth)), [Some(9), None, Some(3)]);
        table.put(4, entry(10));
        assert_eq!([1, 3, 4].map(|key| table.get(key).is_some()), [false, true, true]);
    }

    /// Every way in which the six stores of two writers and the three loads of a reader can fall between each
    /// other: what is found was put whole. All the stores of one thread keep their order; a weaker machine may
    /// also reorder them, so the three words of each writer are stored in every order.
    #[test]
    fn no_interleaving_mixes_entries() {
        let [a, b] =
            [entry(1), Entry { value: 2.0, bound: Bound::Exact, depth: 4, best: 1, is_final: false }];
        let key = 77u64;
        let stores = |entry| {
            let (value, rest) = pack(entry);
            [key ^ value ^ rest, value, rest]
        };
        let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
        let mut n_cases = 0;
        for [first, second, reader] in triples(&orders) {
            // Which of nine steps belong to whom: 0, 1 the writers, 2 the reader.
            schedule(&mut Vec::new(), [3, 3, 3], &mut |steps| {
                let mut words = [0u64; 3];
                let mut read = [0u64; 3];
                let mut next = [0; 3];
                for &who in steps {
                    let i = next[who];
                    next[who] += 1;
                    match who {
                        0 => words[first[i]] = stores(a)[first[i]],
                        1 => words[second[i]] = stores(b)[second[i]],
                        _ => read[reader[i]] = words[reader[i]],
                    }
                }
                let [check, value, rest] = read;
                if check ^ value ^ rest == key && rest != 0 {
                    let found = unpack(value, rest);
                    assert!(found == a || found == b, "{found:?} by {steps:?}");
                }
                n_cases += 1;
            });
        }
        assert_eq!(n_cases, 216 * 1680);
    }

    /// All triples of orders.
    fn triples(orders: &[[usize; 3]; 6]) -> impl Iterator<Item = [[usize; 3]; 3]> + '_ {
        orders
            .iter()
            .flat_map(move |&a| orders.iter().flat_map(move |&b| orders.iter().map(move |&c| [a, b, c])))
    }

    fn schedule(steps: &mut Vec<usize>, left: [usize; 3], run: &mut dyn FnMut(&[usize])) {
        if left == [0; 3] {
            run(steps);
        }
        for who in (0..3).filter(|&who| left[who] > 0) {
            let mut left = left;
            left[who] -= 1;
            steps.push(who);
            schedule(steps, left, run);
            steps.pop();
        }
    }
}
