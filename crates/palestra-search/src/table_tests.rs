//! The table alone, and with several writers.

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

/// Whatever an entry says survives being packed.
#[test]
fn entries_are_packed_whole() {
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
fn one_place_keeps_the_deepest_and_the_latest() {
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
    assert_eq!(depths(&[1, 4, 5]), [Some(1), Some(3), Some(8)], "an entry takes the place of its position's");
}

/// A larger table knows what the smaller one knew, and has room again.
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

/// Every way in which the six stores of two writers and the three loads of a reader can fall between each
/// other: what is found was put whole. All the stores of one thread keep their order; a weaker machine may
/// also reorder them, so the three words of each writer are stored in every order.
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
            let rest = rest as u32;
            if check == checked(key, value, rest) && rest != 0 {
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
    orders.iter().flat_map(move |&a| orders.iter().flat_map(move |&b| orders.iter().map(move |&c| [a, b, c])))
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
