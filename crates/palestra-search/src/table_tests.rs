//! The transposition table with one writer and with several.

use super::*;

fn entry(depth: u16) -> TableEntry {
    TableEntry { value: -0.5, bound: Bound::Upper, depth, best: 7, is_final: true }
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
fn packing_round_trips() {
    for bound in [Bound::Exact, Bound::Lower, Bound::Upper] {
        for (depth, best) in [(1, 0), (1000, u16::MAX), (TableEntry::MAX_DEPTH, 517)] {
            for is_final in [false, true] {
                let entry = TableEntry { value: -1e300, bound, depth, best, is_final };
                let (value, rest) = pack(entry);
                assert_eq!(unpack(value, rest), entry);
                assert_ne!(rest, 0);
            }
        }
    }
}

#[test]
fn a_bucket_keeps_the_deepest_and_the_latest() {
    let table = Table::new(0);
    let depths = |keys: &[u64]| -> Vec<Option<u16>> {
        keys.iter().map(|&key| table.get(key).map(|entry| entry.depth)).collect()
    };
    table.put(1, entry(9));
    table.put(2, entry(7));
    table.put(3, entry(2));
    table.put(4, entry(3));
    assert_eq!(depths(&[1, 2, 3, 4]), [Some(9), Some(7), None, Some(3)]);
    table.put(5, entry(8));
    assert_eq!(depths(&[1, 2, 4, 5]), [Some(9), None, Some(3), Some(8)]);
    table.put(1, entry(1));
    assert_eq!(depths(&[1, 4, 5]), [Some(1), Some(3), Some(8)], "an entry replaces that of its position");
}

/// A larger table has all entries of the smaller one, and free buckets.
#[test]
fn tables_grow() {
    let small = Table::new(1 << 12);
    let keys = || (0..1000u64).map(|i| palestra_core::Seed(7).child(i).0);
    assert!(!small.is_crowded());
    keys().for_each(|key| small.put(key, entry((key % 50) as u16)));
    assert!(small.is_crowded());
    let large = small.resized(1 << 16);
    assert!(!large.is_crowded());
    assert_eq!(large.bytes(), 1 << 16);
    assert!(keys().filter(|&key| small.get(key).is_some()).count() > 100);
    assert!(keys().all(|key| small.get(key).is_none() || small.get(key) == large.get(key)));
}

/// In every interleaving of the six stores of two writers and the three loads of a reader, an entry that is found was
/// stored as a whole. A processor with a weak memory model may also reorder the accesses of one thread, so the three
/// words of each thread are accessed in every order.
#[test]
fn no_interleaving_mixes_entries() {
    let [a, b] =
        [entry(1), TableEntry { value: 2.0, bound: Bound::Exact, depth: 4, best: 1, is_final: false }];
    let key = 77u64;
    let stores = |entry| {
        let (value, rest) = pack(entry);
        [checked(key, value, rest), value, u64::from(rest)]
    };
    let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    let mut n_cases = 0;
    for [first, second, reader] in triples(&orders) {
        // The thread of each of the nine steps: 0 and 1 are the writers, 2 the reader.
        schedule(&mut Vec::new(), [3, 3, 3], &mut |steps| {
            let mut words = [0u64; 3];
            let mut read = [0u64; 3];
            let mut next = [0; 3];
            for &thread in steps {
                let i = next[thread];
                next[thread] += 1;
                match thread {
                    0 => words[first[i]] = stores(a)[first[i]],
                    1 => words[second[i]] = stores(b)[second[i]],
                    _ => read[reader[i]] = words[reader[i]],
                }
            }
            let [check, value, rest] = read;
            let rest = rest as u32;
            if check == checked(key, value, rest) && rest != 0 {
                let entry = unpack(value, rest);
                assert!(entry == a || entry == b, "{entry:?} by {steps:?}");
            }
            n_cases += 1;
        });
    }
    assert_eq!(n_cases, 216 * 1680);
}

fn triples(orders: &[[usize; 3]; 6]) -> impl Iterator<Item = [[usize; 3]; 3]> + '_ {
    orders.iter().flat_map(move |&a| orders.iter().flat_map(move |&b| orders.iter().map(move |&c| [a, b, c])))
}

/// Calls `run` with every order of the remaining steps of each thread.
fn schedule(steps: &mut Vec<usize>, left: [usize; 3], run: &mut dyn FnMut(&[usize])) {
    if left == [0; 3] {
        run(steps);
    }
    for thread in (0..3).filter(|&thread| left[thread] > 0) {
        let mut left = left;
        left[thread] -= 1;
        steps.push(thread);
        schedule(steps, left, run);
        steps.pop();
    }
}
