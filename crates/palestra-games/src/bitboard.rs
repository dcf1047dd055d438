//! Bitboards of as many machine words as the board needs.

/// A set of cells, by their bits. Each game decides which bit is which cell, and leaves a bit between columns or rows empty,
/// so that no line runs from the end of one into the next.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Bitboard<const W: usize>([u64; W]);

impl<const W: usize> Bitboard<W> {
    pub(crate) const EMPTY: Bitboard<W> = Bitboard([0; W]);

    /// A set of cells in the first word only.
    #[inline]
    pub(crate) fn from_word(word: u64) -> Bitboard<W> {
        Bitboard(std::array::from_fn(|i| if i == 0 { word } else { 0 }))
    }

    #[inline]
    pub(crate) fn get(&self, i: usize) -> bool {
        if W == 1 { self.0[0].wrapping_shr(i as u32) & 1 != 0 } else { self.0[i / 64] >> (i % 64) & 1 != 0 }
    }

    /// Like [`Bitboard::get`], for indexes that may lie beyond the last word.
    #[inline]
    pub(crate) fn has(&self, i: usize) -> bool {
        self.0.get(i / 64).is_some_and(|word| word >> (i % 64) & 1 != 0)
    }

    #[inline]
    pub(crate) fn set(&mut self, i: usize) {
        if W == 1 { self.0[0] |= 1u64.wrapping_shl(i as u32) } else { self.0[i / 64] |= 1 << (i % 64) }
    }

    #[inline]
    pub(crate) fn words(&self) -> &[u64; W] {
        &self.0
    }

    /// The `width` bits from `start` on; `width` is at most 63.
    #[inline]
    pub(crate) fn field(&self, start: usize, width: usize) -> u64 {
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
    pub(crate) fn mirrored(&self, n_fields: usize, width: usize) -> Bitboard<W> {
        let mut mirrored = [0; W];
        for i in 0..n_fields {
            let field = self.field(i * width, width);
            let start = (n_fields - 1 - i) * width;
            mirrored[start / 64] |= field << (start % 64);
            if W > 1 && start % 64 + width > 64 && start / 64 + 1 < W {
                mirrored[start / 64 + 1] |= field >> (64 - start % 64);
            }
        }
        Bitboard(mirrored)
    }

    #[inline]
    pub(crate) fn union(&self, other: &Bitboard<W>) -> Bitboard<W> {
        Bitboard(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }

    #[inline]
    pub(crate) fn both(&self, other: &Bitboard<W>) -> Bitboard<W> {
        Bitboard(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }

    #[inline]
    pub(crate) fn without(&self, other: &Bitboard<W>) -> Bitboard<W> {
        Bitboard(std::array::from_fn(|i| self.0[i] & !other.0[i]))
    }

    #[inline]
    pub(crate) fn count(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// Every cell moved to an index lower by `by`; cells below 0 are dropped. On a single word `by` is less than 64: no
    /// line that fits such a board is longer.
    #[inline]
    pub(crate) fn down(&self, by: usize) -> Bitboard<W> {
        if W == 1 {
            debug_assert!(by < 64, "a shift by {by}");
            return Bitboard([self.0[0].wrapping_shr(by as u32); W]);
        }
        let (words, bits) = (by / 64, by % 64);
        Bitboard(std::array::from_fn(|i| {
            let low = self.0.get(i + words).map_or(0, |word| word >> bits);
            let high =
                if bits == 0 { 0 } else { self.0.get(i + words + 1).map_or(0, |word| word << (64 - bits)) };
            low | high
        }))
    }

    /// Every cell moved to an index higher by `by`; cells beyond the last word are dropped. On a single word `by` is
    /// less than 64.
    #[inline]
    pub(crate) fn up(&self, by: usize) -> Bitboard<W> {
        if W == 1 {
            debug_assert!(by < 64, "a shift by {by}");
            return Bitboard([self.0[0].wrapping_shl(by as u32); W]);
        }
        let (words, bits) = (by / 64, by % 64);
        Bitboard(std::array::from_fn(|i| {
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
    pub(crate) fn runs(&self, step: usize, length: usize) -> Bitboard<W> {
        let mut starts = *self;
        let mut known = 1;
        while known < length {
            let more = known.min(length - known);
            starts = starts.both(&starts.down(more * step));
            known += more;
        }
        starts
    }

    /// Every cell moved to an index lower by `by`, 1 to 63; cells below 0 are dropped. Faster than
    /// [`Bitboard::down`] on several words.
    #[inline]
    pub(crate) fn step_down(&self, by: usize) -> Bitboard<W> {
        debug_assert!((1..64).contains(&by), "a shift by {by}");
        Bitboard(std::array::from_fn(|i| {
            let next = if i + 1 < W { self.0[i + 1] } else { 0 };
            self.0[i] >> by | next << (64 - by)
        }))
    }

    /// Every cell moved to an index higher by `by`, 1 to 63; cells beyond the last word are dropped.
    #[inline]
    pub(crate) fn step_up(&self, by: usize) -> Bitboard<W> {
        debug_assert!((1..64).contains(&by), "a shift by {by}");
        Bitboard(std::array::from_fn(|i| {
            let previous = if i > 0 { self.0[i - 1] } else { 0 };
            self.0[i] << by | previous >> (64 - by)
        }))
    }

    /// The cells, in order.
    #[inline]
    pub(crate) fn ones(&self) -> impl Iterator<Item = usize> {
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

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn bits<const W: usize>(cells: &[usize]) -> Bitboard<W> {
        let mut bits = Bitboard::EMPTY;
        cells.iter().for_each(|&i| bits.set(i));
        bits
    }

    fn cells<const W: usize>(bits: &Bitboard<W>) -> Vec<usize> {
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
        fn steps_equal_shifts(set in prop::collection::btree_set(0usize..192, 0..80), by in 1usize..64) {
            let set: Vec<usize> = set.into_iter().collect();
            let board = bits::<3>(&set);
            prop_assert_eq!(board.ones().collect::<Vec<_>>(), set.clone());
            prop_assert_eq!(board.count() as usize, set.len());
            prop_assert_eq!(board.step_down(by), board.down(by));
            prop_assert_eq!(board.step_up(by), board.up(by));
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
