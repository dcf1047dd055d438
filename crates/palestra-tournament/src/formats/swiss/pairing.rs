//! One round: everybody with the nearest they have not met.
//!
//! From the top down, each takes the next one it has not met. Where that leaves people over who have all met, the last
//! pairs are undone, more and more of them, until what is free can be paired: first by trying in order with a bound on
//! steps, then by a maximum matching, which finds a way whenever there is one. Where there is none, as few as possible meet
//! again.

use super::matching::{Graph, maximum_matching};

/// Who meets whom in a round.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RoundPairs {
    /// Pairs, the better placed first.
    pub pairs: Vec<[usize; 2]>,
    /// Who sits out.
    pub bye: Option<usize>,
}

/// Steps of one search in order.
const STEPS: u32 = 20_000;

/// Up to so many places are searched in order; with more a search would only run out of steps.
const LARGEST_SEARCH: usize = 64;

/// Up to so many places a round looks ahead: whether the rounds that are left can be paired without a rematch.
const LARGEST_LOOKAHEAD: usize = 16;

/// Pairs places 0 (the best) to n − 1: `met[i]` are those that `i` has met, `sat_out` those who had a bye.
/// No two meet again as long as that can be avoided, and nobody sits out twice as long as that can be avoided.
/// `rounds_left` counts this round.
#[must_use]
pub fn pair_up(mut met: Vec<Vec<usize>>, sat_out: &[usize], rounds_left: u32) -> RoundPairs {
    let n = met.len();
    if n == 0 {
        return RoundPairs::default();
    }
    // A bye is a meeting with an empty place below all others.
    if n % 2 == 1 {
        sat_out.iter().for_each(|&i| met[i].push(n));
        met.push(sat_out.to_vec());
    }
    for known in &mut met {
        known.sort_unstable();
        known.dedup();
    }
    let graph = Graph { met };
    let mut pairs = far_sighted(&graph, rounds_left).unwrap_or_else(|| nearest(&graph));
    pairs.sort_unstable();
    let bye = pairs.iter().position(|pair| pair[1] == n).map(|i| pairs.remove(i)[0]);
    RoundPairs { pairs, bye }
}

/// The first pairing in order that leaves a way to pair all rounds that are left, where that is in doubt and the field is
/// small; `None` where it is not, or where it took too long to find out.
fn far_sighted(graph: &Graph, rounds_left: u32) -> Option<Vec<[usize; 2]>> {
    let n = graph.met.len();
    let rounds_left = rounds_left.max(1);
    let most_met = graph.met.iter().map(Vec::len).max().unwrap_or(0);
    // Where everybody still has half of the others before them, there is always a way (Dirac 1952).
    let met_at_last = most_met + rounds_left as usize - 1;
    let safe = n > met_at_last + n / 2;
    let hopeless = n < met_at_last + 2;
    if rounds_left < 2 || safe || hopeless || n > LARGEST_LOOKAHEAD {
        return None;
    }
    let mut search = PairingSearch { graph: graph.clone(), steps: 20 * STEPS };
    let mut pairs = Vec::new();
    search.pair_rounds(rounds_left, &mut vec![false; n], &mut pairs).then(|| pairs[..n / 2].to_vec())
}

/// A search in order: the first free place takes the nearest free one it has not met, and goes on to the next if that
/// leads nowhere.
struct PairingSearch {
    graph: Graph,
    steps: u32,
}

impl PairingSearch {
    /// Pairs this and all later rounds; pairs of all rounds are appended.
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

/// From the top down, each with the next one it has not met; then the rest.
fn nearest(graph: &Graph) -> Vec<[usize; 2]> {
    let n = graph.met.len();
    // The free places as a chain: next[i + 1] is the one after i, and next[0] is the first.
    let mut next: Vec<usize> = (0..=n).collect();
    let mut pairs = Vec::with_capacity(n / 2);
    let mut over = Vec::new();
    while next[0] < n {
        let a = next[0];
        next[0] = next[a + 1];
        let mut before = 0;
        loop {
            let b = next[before];
            if b >= n {
                over.push(a);
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
    if over.is_empty() { pairs } else { repair(graph, pairs, over) }
}

/// Undoes the last pairs until those who are over can be paired with them.
fn repair(graph: &Graph, mut pairs: Vec<[usize; 2]>, mut over: Vec<usize>) -> Vec<[usize; 2]> {
    let mut n_undone = 2;
    loop {
        let keep = pairs.len().saturating_sub(n_undone);
        over.extend(pairs.drain(keep..).flatten());
        over.sort_unstable();
        let free = graph.part(&over);
        let mut search = PairingSearch { graph: free, steps: STEPS };
        let mut found = Vec::new();
        let in_order =
            over.len() <= LARGEST_SEARCH && search.pair_rounds(1, &mut vec![false; over.len()], &mut found);
        if !in_order {
            found = maximum_matching(&graph.part(&over));
        }
        if 2 * found.len() == over.len() || pairs.is_empty() {
            pairs.extend(found.iter().map(|pair| pair.map(|place| over[place])));
            let mut is_paired = vec![false; over.len()];
            found.iter().flatten().for_each(|&place| is_paired[place] = true);
            // No way around a rematch: these have all met.
            let rest: Vec<usize> = (0..over.len()).filter(|&place| !is_paired[place]).collect();
            pairs.extend(rest.chunks(2).map(|pair| [over[pair[0]], over[pair[1]]]));
            return pairs;
        }
        n_undone *= 2;
    }
}
