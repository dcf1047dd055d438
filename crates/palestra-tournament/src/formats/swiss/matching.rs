//! Maximum matching in a general graph: Edmonds' blossom algorithm (1965), with base and parent arrays.

use std::collections::VecDeque;

/// Places and the pairs that are not allowed: an edge joins two places that have not met.
#[derive(Clone, Debug)]
pub(super) struct Graph {
    /// By place: the places that it has met, in ascending order.
    pub(super) met: Vec<Vec<usize>>,
}

impl Graph {
    pub(super) fn have_met(&self, a: usize, b: usize) -> bool {
        self.met[a].binary_search(&b).is_ok()
    }

    pub(super) fn meet(&mut self, a: usize, b: usize) {
        for (a, b) in [(a, b), (b, a)] {
            if let Err(i) = self.met[a].binary_search(&b) {
                self.met[a].insert(i, b);
            }
        }
    }

    pub(super) fn forget(&mut self, a: usize, b: usize) {
        for (a, b) in [(a, b), (b, a)] {
            if let Ok(i) = self.met[a].binary_search(&b) {
                self.met[a].remove(i);
            }
        }
    }

    /// The subgraph of these places, which are in ascending order.
    pub(super) fn part(&self, places: &[usize]) -> Graph {
        let inside =
            |known: &Vec<usize>| known.iter().filter_map(|other| places.binary_search(other).ok()).collect();
        Graph { met: places.iter().map(|&place| inside(&self.met[place])).collect() }
    }
}

/// The largest possible set of disjoint pairs of places that have not met.
pub(super) fn maximum_matching(graph: &Graph) -> Vec<[usize; 2]> {
    let n = graph.met.len();
    let mut mate = vec![None; n];
    // A greedy matching of near places first; augmenting paths then complete it.
    for a in 0..n {
        if mate[a].is_none()
            && let Some(b) = (a + 1..n).find(|&b| mate[b].is_none() && !graph.have_met(a, b))
        {
            (mate[a], mate[b]) = (Some(b), Some(a));
        }
    }
    for root in 0..n {
        if mate[root].is_none() {
            Forest::new(graph, &mut mate).augment(root);
        }
    }
    (0..n).filter_map(|a| mate[a].filter(|&b| a < b).map(|b| [a, b])).collect()
}

/// The alternating forest that is grown from one free place.
struct Forest<'a> {
    graph: &'a Graph,
    mate: &'a mut Vec<Option<usize>>,
    parent: Vec<Option<usize>>,
    /// By place: the base of the blossom that contains it.
    base: Vec<usize>,
    is_outer: Vec<bool>,
}

impl<'a> Forest<'a> {
    fn new(graph: &'a Graph, mate: &'a mut Vec<Option<usize>>) -> Forest<'a> {
        let n = mate.len();
        Forest { graph, mate, parent: vec![None; n], base: (0..n).collect(), is_outer: vec![false; n] }
    }

    /// Searches an augmenting path from `root` to another free place and flips it.
    fn augment(&mut self, root: usize) {
        let n = self.mate.len();
        self.is_outer[root] = true;
        let mut queue = VecDeque::from([root]);
        while let Some(a) = queue.pop_front() {
            for b in 0..n {
                let is_edge = a != b && !self.graph.have_met(a, b);
                if !is_edge || self.base[a] == self.base[b] || self.mate[a] == Some(b) {
                    continue;
                }
                let is_outer = b == root || self.mate[b].is_some_and(|mate| self.parent[mate].is_some());
                if is_outer {
                    self.shrink(a, b, &mut queue);
                } else if self.parent[b].is_none() {
                    self.parent[b] = Some(a);
                    match self.mate[b] {
                        None => return self.flip(b),
                        Some(next) => {
                            self.is_outer[next] = true;
                            queue.push_back(next);
                        }
                    }
                }
            }
        }
    }

    /// Flips the augmenting path that ends in a free place.
    fn flip(&mut self, end: usize) {
        let mut at = Some(end);
        while let Some(b) = at {
            let a = self.parent[b];
            at = a.and_then(|a| self.mate[a]);
            self.mate[b] = a;
            if let Some(a) = a {
                self.mate[a] = Some(b);
            }
        }
    }

    /// Contracts the odd cycle that the edge from `a` to `b` closes.
    fn shrink(&mut self, a: usize, b: usize, queue: &mut VecDeque<usize>) {
        let base = self.common_base(a, b);
        let mut in_blossom = vec![false; self.mate.len()];
        self.mark(a, base, b, &mut in_blossom);
        self.mark(b, base, a, &mut in_blossom);
        for place in 0..self.mate.len() {
            if in_blossom[self.base[place]] {
                self.base[place] = base;
                if !self.is_outer[place] {
                    self.is_outer[place] = true;
                    queue.push_back(place);
                }
            }
        }
    }

    fn common_base(&self, a: usize, b: usize) -> usize {
        let mut on_path = vec![false; self.mate.len()];
        let mut at = a;
        loop {
            at = self.base[at];
            on_path[at] = true;
            match self.mate[at].and_then(|mate| self.parent[mate]) {
                Some(up) => at = up,
                None => break,
            }
        }
        let mut at = b;
        loop {
            at = self.base[at];
            if on_path[at] {
                return at;
            }
            match self.mate[at].and_then(|mate| self.parent[mate]) {
                Some(up) => at = up,
                // Not reached: both paths end at the root.
                None => return at,
            }
        }
    }

    fn mark(&mut self, from: usize, base: usize, mut child: usize, in_blossom: &mut [bool]) {
        let mut at = from;
        while self.base[at] != base {
            let Some(mate) = self.mate[at] else { return };
            in_blossom[self.base[at]] = true;
            in_blossom[self.base[mate]] = true;
            self.parent[at] = Some(child);
            child = mate;
            match self.parent[mate] {
                Some(up) => at = up,
                None => return,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palestra_core::Seed;
    use rand::RngExt as _;

    /// Size of the largest matching, by brute force.
    fn largest(graph: &Graph, free: u32) -> usize {
        if free == 0 {
            return 0;
        }
        let a = free.trailing_zeros() as usize;
        let rest = free & !(1 << a);
        let partners = (0..graph.met.len()).filter(|&b| rest >> b & 1 == 1 && !graph.have_met(a, b));
        let with = partners.map(|b| 1 + largest(graph, rest & !(1 << b))).max().unwrap_or(0);
        with.max(largest(graph, rest))
    }

    #[test]
    fn the_matching_is_as_large_as_by_brute_force() {
        let mut rng = Seed(3).rng();
        for case in 0..3000 {
            let n = rng.random_range(1..=10);
            let density: f64 = rng.random();
            let mut graph = Graph { met: vec![Vec::new(); n] };
            for a in 0..n {
                for b in a + 1..n {
                    if rng.random::<f64>() < density {
                        graph.meet(a, b);
                    }
                }
            }
            let pairs = maximum_matching(&graph);
            assert_eq!(pairs.len(), largest(&graph, (1 << n) - 1), "case {case}: {graph:?}");
            let mut busy: Vec<usize> = pairs.iter().flatten().copied().collect();
            busy.sort_unstable();
            busy.dedup();
            assert_eq!(busy.len(), 2 * pairs.len());
            assert!(pairs.iter().all(|&[a, b]| !graph.have_met(a, b)));
        }
    }
}
