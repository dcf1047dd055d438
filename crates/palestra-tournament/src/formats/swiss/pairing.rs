//! Pairing of one Swiss round: each entrant with the nearest one that it has not met.
//!
//! From the top down, each place takes the next one that it has not met. If the places that remain have all met each
//! other, the last pairs are undone, twice as many each time, until the free places can be paired: first by a search in
//! order with a bound on steps, then by a maximum matching, which finds a pairing whenever one exists. If none exists,
//! as few as possible meet again.

use super::matching::{Graph, maximum_matching};

/// The pairs of a round.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RoundPairs {
    /// Pairs in order, the better place of each first.
    pub pairs: Vec<[usize; 2]>,
    /// The place that has a bye.
    pub bye: Option<usize>,
}

/// Maximum number of steps of one search in order.
const STEPS: u32 = 20_000;

/// Maximum number of places for a search in order; with more, it would only run out of steps.
const MAX_SEARCH_PLACES: usize = 64;

/// Maximum number of places for which a round looks ahead, whether the rounds left can be paired without a rematch.
const MAX_LOOKAHEAD_PLACES: usize = 16;

/// Pairs places 0 (the best) to n − 1: `met[i]` are the places that `i` has met, `sat_out` those that had a bye.
/// Rematches and second byes occur only if no pairing avoids them.
/// `rounds_left` counts this round.
#[must_use]
pub fn pair_up(mut met: Vec<Vec<usize>>, sat_out: &[usize], rounds_left: u32) -> RoundPairs {
    let n = met.len();
    if n == 0 {
        return RoundPairs::default();
    }
    // A bye is a pair with an empty place below all others.
    if n % 2 == 1 {
        sat_out.iter().for_each(|&i| met[i].push(n));
        met.push(sat_out.to_vec());
    }
    for known in &mut met {
        known.sort_unstable();
        known.dedup();
    }
    let graph = Graph { met };
    let mut pairs = with_lookahead(&graph, rounds_left).unwrap_or_else(|| nearest(&graph));
    pairs.sort_unstable();
    let bye = pairs.iter().position(|pair| pair[1] == n).map(|i| pairs.remove(i)[0]);
    RoundPairs { pairs, bye }
}

/// The first pairing in order after which all remaining rounds can still be paired without a rematch. `None` if that is
/// certain or impossible anyway, if the field is large, or if the search ran out of steps.
fn with_lookahead(graph: &Graph, rounds_left: u32) -> Option<Vec<[usize; 2]>> {
    let n = graph.met.len();
    let rounds_left = rounds_left.max(1);
    let most_met = graph.met.iter().map(Vec::len).max().unwrap_or(0);
    // A graph of n vertices with at least n/2 neighbors each has a Hamiltonian cycle (Dirac 1952), and so a perfect
    // matching. If that holds for the last round, it holds for all rounds before it.
    let met_at_last = most_met + rounds_left as usize - 1;
    let safe = n > met_at_last + n / 2;
    let hopeless = n < met_at_last + 2;
    if rounds_left < 2 || safe || hopeless || n > MAX_LOOKAHEAD_PLACES {
        return None;
    }
    let mut search = PairingSearch { graph: graph.clone(), steps: 20 * STEPS };
    let mut pairs = Vec::new();
    search.pair_rounds(rounds_left, &mut vec![false; n], &mut pairs).then(|| pairs[..n / 2].to_vec())
}

/// A depth-first search in order: the first free place takes the nearest free place that it has not met, and tries the
/// next one if the rest cannot be paired.
struct PairingSearch {
    graph: Graph,
    steps: u32,
}

impl PairingSearch {
    /// Pairs this and all later rounds and appends the pairs of all of them.
    fn pair_rounds(&mut self, rounds: u32, paired: &mut Vec<bool>, pairs: &mut Vec<[usize; 2]>) -> bool {
        let n = paired.len();
        let Some(a) = paired.iter().position(|paired| !paired) else {
            if rounds == 1 {
                return true;
            }
            paired.fill(false);
            let done = self.pair_rounds(rounds - 1, paired, pairs);
            paired.fill(true);
            return done;
        };
        for b in a + 1..n {
            if paired[b] || self.graph.have_met(a, b) {
                continue;
            }
            if self.steps == 0 {
                return false;
            }
            self.steps -= 1;
            (paired[a], paired[b]) = (true, true);
            self.graph.meet(a, b);
            pairs.push([a, b]);
            if self.pair_rounds(rounds, paired, pairs) {
                return true;
            }
            pairs.pop();
            self.graph.forget(a, b);
            (paired[a], paired[b]) = (false, false);
        }
        false
    }
}

/// Greedy pairing from the top down, each place with the next one that it has not met; then [`repair`].
fn nearest(graph: &Graph) -> Vec<[usize; 2]> {
    let n = graph.met.len();
    // A linked list of the free places: next[i + 1] is the place after i, and next[0] is the first.
    let mut next: Vec<usize> = (0..=n).collect();
    let mut pairs = Vec::with_capacity(n / 2);
    let mut left = Vec::new();
    while next[0] < n {
        let a = next[0];
        next[0] = next[a + 1];
        let mut before = 0;
        loop {
            let b = next[before];
            if b >= n {
                left.push(a);
                break;
            }
            if !graph.have_met(a, b) {
                next[before] = next[b + 1];
                pairs.push([a, b]);
                break;
            }
            before = b + 1;
        }
    }
    if left.is_empty() { pairs } else { repair(graph, pairs, left) }
}

/// Undoes the last pairs until the places left over can be paired with theirs.
fn repair(graph: &Graph, mut pairs: Vec<[usize; 2]>, mut left: Vec<usize>) -> Vec<[usize; 2]> {
    let mut n_undone = 2;
    loop {
        let keep = pairs.len().saturating_sub(n_undone);
        left.extend(pairs.drain(keep..).flatten());
        left.sort_unstable();
        let free = graph.part(&left);
        let mut search = PairingSearch { graph: free, steps: STEPS };
        let mut found = Vec::new();
        let in_order = left.len() <= MAX_SEARCH_PLACES
            && search.pair_rounds(1, &mut vec![false; left.len()], &mut found);
        if !in_order {
            found = maximum_matching(&graph.part(&left));
        }
        if 2 * found.len() == left.len() || pairs.is_empty() {
            pairs.extend(found.iter().map(|pair| pair.map(|place| left[place])));
            let mut is_paired = vec![false; left.len()];
            found.iter().flatten().for_each(|&place| is_paired[place] = true);
            // Rematches are unavoidable: these places have all met.
            let rest: Vec<usize> = (0..left.len()).filter(|&place| !is_paired[place]).collect();
            pairs.extend(rest.chunks(2).map(|pair| [left[pair[0]], left[pair[1]]]));
            return pairs;
        }
        n_undone *= 2;
    }
}
