//! Maximum matching in any graph: Edmonds' blossoms (1965), in the form with bases and parents.

use std::collections::VecDeque;

/// Who may be paired: everybody with everybody they have not met.
#[derive(Clone, Debug)]
pub(super) struct Graph {
    /// For each place those that it has met, in order.
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

    /// Only these places, which are in order.
    pub(super) fn part(&self, places: &[usize]) -> Graph {
        let inside =
            |known: &Vec<usize>| known.iter().filter_map(|other| places.binary_search(other).ok()).collect();
        Graph { met: places.iter().map(|&place| inside(&self.met[place])).collect() }
    }
}

/// As many pairs of places that have not met as there can be.
pub(super) fn maximum_matching(graph: &Graph) -> Vec<[usize; 2]> {
    let n = graph.met.len();
    let mut mate = vec![None; n];
    // Near ones first; what is left is found by paths.
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

/// Alternating paths from one free place.
struct Forest<'a> {
    graph: &'a Graph,
    mate: &'a mut Vec<Option<usize>>,
    parent: Vec<Option<usize>>,
    /// The place that stands for the blossom around each one.
    base: Vec<usize>,
    is_outer: Vec<bool>,
}

impl<'a> Forest<'a> {
    fn new(graph: &'a Graph, mate: &'a mut Vec<Option<usize>>) -> Forest<'a> {
        let n = mate.len();
        Forest { graph, mate, parent: vec![None; n], base: (0..n).collect(), is_outer: vec![false; n] }
    }

    /// Looks for a path from `root` to another free place and turns it around.
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
                        None => return self.turn(b),
                        Some(next) => {
                            self.is_outer[next] = true;
                            queue.push_back(next);
                        }
                    }
                }
            }
        }
    }

    /// Turns around the path that ends in a free place.
    fn turn(&mut self, end: usize) {
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

    /// Makes one place of the odd circle that the edge from `a` to `b` closes.
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
                // Both paths lead to the root, so they have met by now.
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

    /// Every subset of pairs, by brute force.
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
    fn as_many_as_brute_force_finds() {
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
