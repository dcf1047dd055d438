//! Bitboards of as many machine words as the board needs.

/// A set of cells. Row after row from the top, with one bit of padding after each row that is always empty, so that a
/// step to the right of the last column does not reach the next row:
///
/// ```text
/// n = 3:   0  1  2  (3)
///          4  5  6  (7)
///          8  9 10
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct LadrillosBitboard<const W: usize>([u64; W]);

impl<const W: usize> LadrillosBitboard<W> {
    pub(super) const EMPTY: LadrillosBitboard<W> = LadrillosBitboard([0; W]);

    #[inline]
    pub(super) fn get(&self, i: usize) -> bool {
        self.0[i / 64] >> (i % 64) & 1 != 0
    }

    #[inline]
    pub(super) fn set(&mut self, i: usize) {
        self.0[i / 64] |= 1 << (i % 64);
    }

    #[inline]
    pub(super) fn words(&self) -> &[u64; W] {
        &self.0
    }

    #[inline]
    pub(super) fn union(&self, other: &LadrillosBitboard<W>) -> LadrillosBitboard<W> {
        LadrillosBitboard(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }

    #[inline]
    pub(super) fn both(&self, other: &LadrillosBitboard<W>) -> LadrillosBitboard<W> {
        LadrillosBitboard(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }

    #[inline]
    pub(super) fn without(&self, other: &LadrillosBitboard<W>) -> LadrillosBitboard<W> {
        LadrillosBitboard(std::array::from_fn(|i| self.0[i] & !other.0[i]))
    }

    #[inline]
    pub(super) fn count(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    /// Every cell moved to an index lower by `by`, 1 to 63; cells below 0 are dropped.
    #[inline]
    pub(super) fn down(&self, by: usize) -> LadrillosBitboard<W> {
        debug_assert!((1..64).contains(&by), "a shift by {by}");
        LadrillosBitboard(std::array::from_fn(|i| {
            let next = if i + 1 < W { self.0[i + 1] } else { 0 };
            self.0[i] >> by | next << (64 - by)
        }))
    }

    /// Every cell moved to an index higher by `by`, 1 to 63; cells beyond the last word are dropped.
    #[inline]
    pub(super) fn up(&self, by: usize) -> LadrillosBitboard<W> {
        debug_assert!((1..64).contains(&by), "a shift by {by}");
        LadrillosBitboard(std::array::from_fn(|i| {
            let previous = if i > 0 { self.0[i - 1] } else { 0 };
            self.0[i] << by | previous >> (64 - by)
        }))
    }

    /// The `width` bits from `start` on; `width` is at most 32.
    #[inline]
    pub(super) fn field(&self, start: usize, width: usize) -> u32 {
        let (word, shift) = (start / 64, start % 64);
        let low = self.0[word] >> shift;
        let high = if shift + width > 64 && word + 1 < W { self.0[word + 1] << (64 - shift) } else { 0 };
        ((low | high) & ((1 << width) - 1)) as u32
    }

    /// The cells, in order.
    #[inline]
    pub(super) fn ones(&self) -> impl Iterator<Item = usize> {
        self.0.iter().enumerate().flat_map(|(i, &word)| {
            let mut word = word;
            std::iter::from_fn(move || {
                let bit = word.trailing_zeros() as usize;
                (word != 0).then(|| {
                    word &= word - 1;
                    64 * i + bit
                })
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn sets_behave(set in prop::collection::btree_set(0usize..192, 0..80), by in 1usize..64, start in 0usize..172) {
            let mut board = LadrillosBitboard::<3>::EMPTY;
            set.iter().for_each(|&i| board.set(i));
            let cells: Vec<usize> = set.iter().copied().collect();
            prop_assert_eq!(board.ones().collect::<Vec<_>>(), cells.clone());
            prop_assert_eq!(board.count() as usize, cells.len());
            let down: Vec<usize> = cells.iter().filter(|&&i| i >= by).map(|i| i - by).collect();
            prop_assert_eq!(board.down(by).ones().collect::<Vec<_>>(), down);
            let up: Vec<usize> = cells.iter().filter(|&&i| i + by < 192).map(|i| i + by).collect();
            prop_assert_eq!(board.up(by).ones().collect::<Vec<_>>(), up);
            let field = (0..20).filter(|i| set.contains(&(start + i))).fold(0, |field, i| field | 1 << i);
            prop_assert_eq!(board.field(start, 20), field);
        }
    }
}
