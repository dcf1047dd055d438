//! Counting a search's tree level by level. A search that is not asked to count carries nothing for it.

/// Hears of every position a search looks at.
pub trait Count: Clone + Default + Send {
    /// A position so many plies below the root, with as many children as were looked at.
    fn visit(&mut self, level: u32, n_children: u64);

    /// What was counted since the start.
    fn levels(&self) -> &[LevelCount];

    /// Forgets everything.
    fn clear(&mut self);
}

/// Counts nothing.
#[derive(Clone, Copy, Default, Debug)]
pub struct NoCount;

impl Count for NoCount {
    #[inline(always)]
    fn visit(&mut self, _level: u32, _n_children: u64) {}

    fn levels(&self) -> &[LevelCount] {
        &[]
    }

    fn clear(&mut self) {}
}

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

/// Counts every level.
#[derive(Clone, Default, Debug)]
pub struct Levels(Vec<LevelCount>);

impl Count for Levels {
    fn visit(&mut self, level: u32, n_children: u64) {
        let level = level as usize;
        if self.0.len() <= level {
            self.0.resize(level + 1, LevelCount { nodes: 0, min: u64::MAX, max: 0, children: 0 });
        }
        let count = &mut self.0[level];
        count.nodes += 1;
        count.min = count.min.min(n_children);
        count.max = count.max.max(n_children);
        count.children += n_children;
    }

    fn levels(&self) -> &[LevelCount] {
        &self.0
    }

    fn clear(&mut self) {
        self.0.clear();
    }
}
