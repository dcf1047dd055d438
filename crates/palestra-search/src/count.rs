//! Counting a search's tree level by level, for whoever asks.

/// One level of a tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LevelCount {
    /// Positions looked at.
    pub nodes: u64,
    /// Fewest children looked at below one of them.
    pub min: u64,
    /// Most children.
    pub max: u64,
    /// All their children together.
    pub children: u64,
}

impl LevelCount {
    /// Children per position.
    pub fn mean(&self) -> f64 {
        self.children as f64 / self.nodes.max(1) as f64
    }
}

/// Counts every level, or nothing.
#[derive(Clone, Default, Debug)]
pub struct LevelCounter {
    counting: bool,
    counts: Vec<LevelCount>,
}

impl LevelCounter {
    /// Counts from now on.
    pub fn counting() -> LevelCounter {
        LevelCounter { counting: true, counts: Vec::new() }
    }

    /// A position so many plies below the root, with as many children as were looked at.
    #[inline(always)]
    pub fn visit(&mut self, level: u32, n_children: u64) {
        if self.counting {
            self.add(level, 1, n_children);
        }
    }

    /// So many positions without children, so many plies below the root.
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

    /// What was counted, from the root.
    pub fn levels(&self) -> &[LevelCount] {
        &self.counts
    }

    /// Forgets what was counted.
    pub fn clear(&mut self) {
        self.counts.clear();
    }
}
