//! Open lines counted by length, packed so that a stone's change to all counts is one addition per word.

/// Number of open lines of a side: the total in the lowest 16 bits, then a field for each length from two up. Lines of
/// length one have no field: they are the rest.
///
/// Fields are 8 bits wide on boards of up to 16 × 15 cells, where no side has more than 240 lines of two or more
/// stones, and 16 bits on larger ones. Changes are negative in some fields; addition with wrap-around is still exact,
/// because the final counts fit. Words are added without carry between them: no field spans two words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct LineCounts<const K: usize>([u64; K]);

impl<const K: usize> LineCounts<K> {
    pub(super) const NONE: LineCounts<K> = LineCounts([0; K]);

    const WIDTH: usize = if K <= 2 { 8 } else { 16 };
    const TOTAL_BITS: usize = 16;

    /// Adds one line of this length.
    pub(super) fn count(&mut self, length: usize) {
        self.change(length, 1);
    }

    /// Removes one line of this length.
    pub(super) fn discount(&mut self, length: usize) {
        self.change(length, u64::MAX);
    }

    /// `by` is 1 or, with wrap-around, -1.
    fn change(&mut self, length: usize, by: u64) {
        self.0[0] = self.0[0].wrapping_add(by);
        if length > 1 {
            let bit = Self::TOTAL_BITS + (length - 2) * Self::WIDTH;
            let word = &mut self.0[bit / 64];
            *word = word.wrapping_add(by << (bit % 64));
        }
    }

    #[inline(always)]
    pub(super) fn add(&mut self, change: &LineCounts<K>) {
        for (word, change) in self.0.iter_mut().zip(&change.0) {
            *word = word.wrapping_add(*change);
        }
    }

    #[inline(always)]
    pub(super) fn subtract(&mut self, change: &LineCounts<K>) {
        for (word, change) in self.0.iter_mut().zip(&change.0) {
            *word = word.wrapping_sub(*change);
        }
    }

    /// Number of open lines.
    #[inline]
    pub(super) fn total(&self) -> i32 {
        i32::from(self.0[0] as u16)
    }

    /// Length of the longest open line, 0 if there is none.
    #[inline(always)]
    pub(super) fn longest(&self) -> i32 {
        let top = (1..K).rev().find(|&word| self.0[word] != 0).unwrap_or(0);
        let bit = 64 * top as i32 + 63 - (self.0[top] | 1).leading_zeros() as i32;
        let any = i32::from(self.0[top] != 0);
        // With both widths the index of the highest bit divided by the width gives the length; if only the total is
        // not 0, all lines have length one.
        if Self::WIDTH == 8 { (bit / 8).max(any) } else { bit / 16 + any }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check<const K: usize>(lengths: &[usize], gone: usize) {
        let mut counts = LineCounts::<K>::NONE;
        lengths.iter().for_each(|&length| counts.count(length));
        let mut change = LineCounts::<K>::NONE;
        lengths[..gone].iter().for_each(|&length| change.discount(length));
        counts.add(&change);
        let left = &lengths[gone..];
        assert_eq!(counts.total() as usize, left.len());
        assert_eq!(counts.longest() as usize, left.iter().copied().max().unwrap_or(0));
    }

    proptest! {
        #[test]
        fn counts_like_a_list(lengths in prop::collection::vec(1usize..8, 0..120), gone in 0usize..120) {
            let gone = gone.min(lengths.len());
            check::<1>(&lengths, gone);
            check::<2>(&lengths, gone);
            check::<8>(&lengths, gone);
        }

        #[test]
        fn long_lines_fit(lengths in prop::collection::vec(1usize..32, 0..400)) {
            check::<8>(&lengths, lengths.len() / 2);
        }
    }
}
