//! Counts of a search tree, level by level.

/// Counts of one level of a tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LevelCount {
    /// Number of positions searched.
    pub nodes: u64,
    /// Smallest number of searched children of one position.
    pub min: u64,
    /// Largest number of searched children of one position.
    pub max: u64,
    /// Sum of the searched children of all positions.
    pub children: u64,
}

impl LevelCount {
    /// Mean number of children per position.
    pub fn mean(&self) -> f64 {
        self.children as f64 / self.nodes.max(1) as f64
    }
}

/// Counts the positions of every level, or does nothing by default.
#[derive(Clone, Default, Debug)]
pub struct LevelCounter {
    counting: bool,
    counts: Vec<LevelCount>,
}

impl LevelCounter {
    /// A counter that counts.
    pub fn counting() -> LevelCounter {
        LevelCounter { counting: true, counts: Vec::new() }
    }

    /// Counts a position `level` plies below the root with its searched children.
    #[inline(always)]
    pub fn visit(&mut self, level: u32, n_children: u64) {
        if self.counting {
            self.add(level, 1, n_children);
        }
    }

    /// Counts positions without children, `level` plies below the root.
    #[inline(always)]
    pub fn visit_leaves(&mut self, level: u32, n_leaves: u64) {
        if self.counting && n_leaves > 0 {
            self.add(level, n_leaves, 0);
        }
    }

    #[cold]
    fn add(&mut self, level: u32, n_nodes: u64, n_children: u64) {
        let level = level as usize;
        if self.counts.len() <= level {
            self.counts.resize(level + 1, LevelCount { nodes: 0, min: u64::MAX, max: 0, children: 0 });
        }
        let count = &mut self.counts[level];
        count.nodes += n_nodes;
        count.min = count.min.min(n_children);
        count.max = count.max.max(n_children);
        count.children += n_children;
    }

    /// The counts by level, from the root.
    pub fn levels(&self) -> &[LevelCount] {
        &self.counts
    }

    /// Removes all counts.
    pub fn clear(&mut self) {
        self.counts.clear();
    }
}
