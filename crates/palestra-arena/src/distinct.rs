//! Counts different values in bounded memory.

use palestra_core::Seed;
use std::collections::BTreeSet;

/// Most values that are kept: about 60 MB.
const MAX_KEPT: usize = 1 << 22;

/// The different values of a sequence, as hashes. The count is exact up to [`MAX_KEPT`] different values; then only those
/// in a sample are kept, which the hash alone chooses (adaptive sampling, Flajolet 1990). The result depends only on the
/// values and not on the threads that found them.
pub(crate) struct DistinctSample {
    kept: BTreeSet<u64>,
    max_kept: usize,
    /// The sample has the hashes that end with this many zero bits.
    level: u32,
}

impl Default for DistinctSample {
    fn default() -> Self {
        DistinctSample { kept: BTreeSet::new(), max_kept: MAX_KEPT, level: 0 }
    }
}

impl DistinctSample {
    /// Adds a value; true if it is in the sample and new.
    pub(crate) fn insert(&mut self, value: Seed) -> bool {
        if !is_sampled(value.0, self.level) || !self.kept.insert(value.0) {
            return false;
        }
        while self.kept.len() > self.max_kept {
            self.level += 1;
            let level = self.level;
            self.kept.retain(|&value| is_sampled(value, level));
        }
        true
    }

    /// Number of different values: exact unless [`Self::is_estimate`]; the standard error of an estimate is below 0.1 %.
    pub(crate) fn count(&self) -> u64 {
        (self.kept.len() as u64) << self.level
    }

    pub(crate) fn is_estimate(&self) -> bool {
        self.level > 0
    }
}

fn is_sampled(value: u64, level: u32) -> bool {
    value.trailing_zeros() >= level
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_exact_and_then_estimates_in_bounded_memory() {
        let mut sample = DistinctSample { max_kept: 4096, ..DistinctSample::default() };
        for i in 0..4096 {
            assert!(sample.insert(Seed(1).child(i)));
            assert!(!sample.insert(Seed(1).child(i / 2)));
        }
        assert_eq!((sample.count(), sample.is_estimate()), (4096, false));
        for i in 0..1_000_000 {
            sample.insert(Seed(1).child(i));
            assert!(sample.kept.len() <= 4096);
        }
        let error = (sample.count() as f64 / 1e6 - 1.0).abs();
        assert!(sample.is_estimate() && error < 0.06, "{}", sample.count());
    }
}
