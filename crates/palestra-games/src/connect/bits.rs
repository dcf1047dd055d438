//! Bitboards of as many machine words as the board needs.

/// A set of cells. Column after column from the left, rows from the bottom, and one row above the board that is always
/// empty, so that no line runs from the top of one column into the bottom of the next:
///
/// ```text
/// rows = 3:   3  7 11 15   always empty
///             2  6 10 14
///             1  5  9 13
///             0  4  8 12
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct ConnectBitboard<const W: usize>([u64; W]);

impl<const W: usize> ConnectBitboard<W> {
    pub(super) const EMPTY: ConnectBitboard<W> = ConnectBitboard([0; W]);

    /// A set of cells in the first word only.
    #[inline]
    pub(super) fn from_word(word: u64) -> ConnectBitboard<W> {
        ConnectBitboard(std::array::from_fn(|i| if i == 0 { word } else { 0 }))
    }

    #[inline]
    pub(super) fn get(&self, i: usize) -> bool {
        if W == 1 { self.0[0].wrapping_shr(i as u32) & 1 != 0 } else { self.0[i / 64] >> (i % 64) & 1 != 0 }
    }

    /// Like [`ConnectBitboard::get`], for indexes that may lie beyond the last word.
    #[inline]
    pub(super) fn has(&self, i: usize) -> bool {
        self.0.get(i / 64).is_some_and(|word| word >> (i % 64) & 1 != 0)
    }

    #[inline]
    pub(super) fn set(&mut self, i: usize) {
        if W == 1 { self.0[0] |= 1u64.wrapping_shl(i as u32) } else { self.0[i / 64] |= 1 << (i % 64) }
    }

    #[inline]
    pub(super) fn words(&self) -> &[u64; W] {
        &self.0
    }

    /// The `width` bits from `start` on; `width` is at most 63.
    #[inline]
    pub(super) fn field(&self, start: usize, width: usize) -> u64 {
        let mask = (1u64 << width) - 1;
        if W == 1 {
            return self.0[0].wrapping_shr(start as u32) & mask;
        }
        let (word, shift) = (start / 64, start % 64);
        let low = self.0[word] >> shift;
        let high = if shift + width > 64 && word + 1 < W { self.0[word + 1] << (64 - shift) } else { 0 };
        (low | high) & mask
    }

    /// The first `n_fields` fields of `width` bits in reverse order; `width` is at most 63.
    #[inline]
    pub(super) fn mirrored(&self, n_fields: usize, width: usize) -> ConnectBitboard<W> {
        let mut mirrored = [0; W];
        for i in 0..n_fields {
            let field = self.field(i * width, width);
            let start = (n_fields - 1 - i) * width;
            mirrored[start / 64] |= field << (start % 64);
            if W > 1 && start % 64 + width > 64 && start / 64 + 1 < W {
                mirrored[start / 64 + 1] |= field >> (64 - start % 64);
            }
        }
        ConnectBitboard(mirrored)
    }

    #[inline]
    pub(super) fn union(&self, other: &ConnectBitboard<W>) -> ConnectBitboard<W> {
        ConnectBitboard(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }

    #[inline]
    pub(super) fn both(&self, other: &ConnectBitboard<W>) -> ConnectBitboard<W> {
        ConnectBitboard(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }

    #[inline]
    pub(super) fn without(&self, other: &ConnectBitboard<W>) -> ConnectBitboard<W> {
        ConnectBitboard(std::array::from_fn(|i| self.0[i] & !other.0[i]))
    }

    #[inline]
    pub(super) fn count(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// Every cell moved to an index lower by `by`; cells below 0 are dropped. On a single word `by` is less than 64: no
    /// line that fits such a board is longer.
    #[inline]
    pub(super) fn down(&self, by: usize) -> ConnectBitboard<W> {
        if W == 1 {
            debug_assert!(by < 64, "a shift by {by}");
            return ConnectBitboard([self.0[0].wrapping_shr(by as u32); W]);
        }
        let (words, bits) = (by / 64, by % 64);
        ConnectBitboard(std::array::from_fn(|i| {
            let low = self.0.get(i + words).map_or(0, |word| word >> bits);
            let high =
                if bits == 0 { 0 } else { self.0.get(i + words + 1).map_or(0, |word| word << (64 - bits)) };
            low | high
        }))
    }

    /// Every cell moved to an index higher by `by`; cells beyond the last word are dropped. On a single word `by` is
    /// less than 64.
    #[inline]
    pub(super) fn up(&self, by: usize) -> ConnectBitboard<W> {
        if W == 1 {
            debug_assert!(by < 64, "a shift by {by}");
            return ConnectBitboard([self.0[0].wrapping_shl(by as u32); W]);
        }
        let (words, bits) = (by / 64, by % 64);
        ConnectBitboard(std::array::from_fn(|i| {
            let high = i.checked_sub(words).map_or(0, |j| self.0[j] << bits);
            let low = match i.checked_sub(words + 1) {
                Some(j) if bits > 0 => self.0[j] >> (64 - bits),
                _ => 0,
            };
            low | high
        }))
    }

    /// The cells where a run of `length` cells begins, each `step` bits after the one before.
    /// Each round doubles the known length, so a run of seven takes three rounds.
    #[inline(always)]
    pub(super) fn runs(&self, step: usize, length: usize) -> ConnectBitboard<W> {
        let mut starts = *self;
        let mut known = 1;
        while known < length {
            let more = known.min(length - known);
            starts = starts.both(&starts.down(more * step));
            known += more;
        }
        starts
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn bits<const W: usize>(cells: &[usize]) -> ConnectBitboard<W> {
        let mut bits = ConnectBitboard::EMPTY;
        cells.iter().for_each(|&i| bits.set(i));
        bits
    }

    fn cells<const W: usize>(bits: &ConnectBitboard<W>) -> Vec<usize> {
        (0..64 * W).filter(|&i| bits.get(i)).collect()
    }

    proptest! {
        #[test]
        fn shifts_move_every_cell(set in prop::collection::btree_set(0usize..192, 0..40), by in 0usize..200) {
            let set: Vec<usize> = set.into_iter().collect();
            let board = bits::<3>(&set);
            let down: Vec<usize> = set.iter().filter(|&&i| i >= by).map(|i| i - by).collect();
            let up: Vec<usize> = set.iter().filter(|&&i| i + by < 192).map(|i| i + by).collect();
            prop_assert_eq!(cells(&board.down(by)), down);
            prop_assert_eq!(cells(&board.up(by)), up);
        }

        #[test]
        fn mirrors(set in prop::collection::btree_set(0usize..189, 0..90), width in 1usize..40) {
            let n_fields = 189 / width;
            let set: Vec<usize> = set.into_iter().filter(|&i| i < n_fields * width).collect();
            let mut mirrored: Vec<usize> =
                set.iter().map(|i| (n_fields - 1 - i / width) * width + i % width).collect();
            mirrored.sort_unstable();
            prop_assert_eq!(cells(&bits::<3>(&set).mirrored(n_fields, width)), mirrored);
        }

        #[test]
        fn fields_and_runs(set in prop::collection::btree_set(0usize..192, 0..150), start in 0usize..150) {
            let set: Vec<usize> = set.into_iter().collect();
            let board = bits::<3>(&set);
            let field = (0..20).filter(|i| board.get(start + i)).fold(0, |field, i| field | 1u64 << i);
            prop_assert_eq!(board.field(start, 20), field);
            for (step, length) in [(1, 3), (7, 4), (5, 7)] {
                let inside = |i: usize| (0..length).all(|k| i + k * step < 192 && board.get(i + k * step));
                let plain: Vec<usize> = (0..192).filter(|&i| inside(i)).collect();
                prop_assert_eq!(cells(&board.runs(step, length)), plain);
            }
        }
    }
}
