//! Random choices of the torture: the same for the same seed, part and case.

/// A SplitMix64 generator: small, and enough for choosing inputs.
pub(crate) struct Draw(u64);

impl Draw {
    /// The choices of one case, independent of all other cases.
    pub(crate) fn new(seed: u64, part: &str, case: usize) -> Draw {
        let mut draw = Draw(seed);
        for byte in part.bytes() {
            draw.0 = draw.next() ^ u64::from(byte);
        }
        draw.0 = draw.next() ^ case as u64;
        draw
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`, which must not be 0.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    /// A number from `low` to `high`, both included.
    pub(crate) fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low + 1)
    }

    pub(crate) fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub(crate) fn pick<'a, T: ?Sized>(&mut self, from: &[&'a T]) -> &'a T {
        from[self.below(from.len())]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases_are_repeatable_and_differ() {
        let first = |part, case| Draw::new(7, part, case).next();
        assert_eq!(first("inputs", 3), first("inputs", 3));
        assert_ne!(first("inputs", 3), first("inputs", 4));
        assert_ne!(first("inputs", 3), first("stores", 3));
    }
}
