//! Rows of cups with seeds: one side's holes in sowing order, followed by its store. Shared by all sowing games.

use palestra_core::{Game, Side};
use std::fmt::Debug;
use std::hash::Hash;

/// A row of cups, small enough to copy.
pub(crate) trait CupRow: Copy + Default + Eq + Hash + Debug + Send + Sync + 'static {
    /// Number of seeds in one cup.
    fn get(self, cup: usize) -> u32;

    /// The row with another number of seeds in one cup.
    fn with(self, cup: usize, seeds: u32) -> Self;

    /// The sum of two rows, cup by cup.
    fn plus(self, more: Self) -> Self;

    /// Number of seeds in all cups.
    fn total(self) -> u32;

    /// The cups among the first `n` that are not empty, one bit each.
    fn filled(self, n: usize) -> u32;

    /// An 80-bit hash of a pair of rows.
    fn fingerprint(own: Self, other: Self) -> (u64, u16);

    /// Whether the first `n` cups are all empty.
    #[inline]
    fn is_bare(self, n: usize) -> bool {
        self.filled(n) == 0
    }
}

/// One byte per cup: at most 7 holes, and at most 255 seeds in all.
impl CupRow for u64 {
    #[inline(always)]
    fn get(self, cup: usize) -> u32 {
        (self >> (8 * cup)) as u32 & 0xff
    }

    #[inline(always)]
    fn with(self, cup: usize, seeds: u32) -> u64 {
        self & !(0xff << (8 * cup)) | u64::from(seeds) << (8 * cup)
    }

    #[inline(always)]
    fn plus(self, more: u64) -> u64 {
        self + more
    }

    /// The highest byte of the product is the sum of all bytes, which fits because there are at most 255 seeds.
    #[inline(always)]
    fn total(self) -> u32 {
        (self.wrapping_mul(0x0101_0101_0101_0101) >> 56) as u32
    }

    /// Sets the highest bit of each byte that is not 0; the product collects the eight bits.
    #[inline(always)]
    fn filled(self, n: usize) -> u32 {
        const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
        let marks = (((self & LOW) + LOW) | self) & !LOW;
        let bits = (marks >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        bits as u32 & !(!0 << n)
    }

    #[inline(always)]
    fn fingerprint(own: u64, other: u64) -> (u64, u16) {
        fingerprint(&[own, other])
    }

    #[inline(always)]
    fn is_bare(self, n: usize) -> bool {
        self & !(!0 << (8 * n)) == 0
    }
}

/// The same with at most 15 holes.
impl CupRow for u128 {
    #[inline(always)]
    fn get(self, cup: usize) -> u32 {
        (self >> (8 * cup)) as u32 & 0xff
    }

    #[inline(always)]
    fn with(self, cup: usize, seeds: u32) -> u128 {
        self & !(0xff << (8 * cup)) | u128::from(seeds) << (8 * cup)
    }

    #[inline(always)]
    fn plus(self, more: u128) -> u128 {
        self + more
    }

    #[inline(always)]
    fn total(self) -> u32 {
        (self as u64).total() + ((self >> 64) as u64).total()
    }

    #[inline(always)]
    fn filled(self, n: usize) -> u32 {
        let both = (self as u64).filled(8) | ((self >> 64) as u64).filled(8) << 8;
        both & !(!0 << n)
    }

    #[inline(always)]
    fn fingerprint(own: u128, other: u128) -> (u64, u16) {
        fingerprint(&[own as u64, (own >> 64) as u64, other as u64, (other >> 64) as u64])
    }

    #[inline(always)]
    fn is_bare(self, n: usize) -> bool {
        self & !(!0 << (8 * n)) == 0
    }
}

/// Multiplies two words at a time and folds the halves of the product into the hash.
#[inline(always)]
fn fingerprint(words: &[u64]) -> (u64, u16) {
    let mut code = [0x9E37_79B9_7F4A_7C15u64, 0xD6E8_FEB8_6659_FD93];
    for pair in words.chunks(2) {
        let [a, b] = [pair[0], pair.get(1).copied().unwrap_or(0)];
        let fold = |x: u64, y: u64| {
            let product = u128::from(a ^ x) * u128::from(b ^ y);
            product as u64 ^ (product >> 64) as u64
        };
        let folds = [
            fold(0xA076_1D64_78BD_642F, 0xE703_7ED1_A0B4_28DB),
            fold(0x8EBC_6AF0_9C88_C6E3, 0x5899_65CC_7537_4CC3),
        ];
        code =
            std::array::from_fn(|i| code[i].rotate_left(23).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ folds[i]);
    }
    (code[0], (code[1] >> 24) as u16)
}

/// For boards with more than 255 seeds.
impl CupRow for [u16; 13] {
    fn fingerprint(own: [u16; 13], other: [u16; 13]) -> (u64, u16) {
        let words: [u64; 26] =
            std::array::from_fn(|i| u64::from(if i < 13 { own[i] } else { other[i - 13] }));
        fingerprint(&words)
    }

    #[inline]
    fn get(self, cup: usize) -> u32 {
        u32::from(self[cup])
    }

    #[inline]
    fn with(mut self, cup: usize, seeds: u32) -> [u16; 13] {
        self[cup] = seeds as u16;
        self
    }

    #[inline]
    fn plus(self, more: [u16; 13]) -> [u16; 13] {
        std::array::from_fn(|cup| self[cup] + more[cup])
    }

    #[inline]
    fn total(self) -> u32 {
        self.iter().map(|&seeds| u32::from(seeds)).sum()
    }

    #[inline]
    fn filled(self, n: usize) -> u32 {
        (0..n).fold(0, |filled, cup| filled | u32::from(self[cup] > 0) << cup)
    }
}

/// The interface of a sowing game that evaluations need.
pub(crate) trait SowingGame: Game {
    /// Type of a row.
    type Row: CupRow;

    /// Number of holes on each side; the store follows them.
    fn n_holes(&self) -> usize;

    /// Number of seeds at the start.
    fn n_seeds(&self) -> u32;

    /// One side's row.
    fn row(&self, at: &Self::Position, side: Side) -> Self::Row;

    /// Whether the board itself has ended the game: one side has no seeds to sow.
    fn is_over(&self, at: &Self::Position) -> bool;

    /// The side that sows next; a pass before it is ignored.
    fn sower(&self, at: &Self::Position) -> Side;

    /// What sowing `hole`, which is not empty, gains for the side whose row is `own`.
    fn sowing_gain(&self, own: Self::Row, other: Self::Row, hole: usize) -> SowingGain;
}

/// What a sowing gains besides the seeds sown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct SowingGain {
    /// Seeds captured from the other side.
    pub(crate) captured: u32,
    /// Whether the same side sows again.
    pub(crate) again: bool,
}

/// A row with these cups.
pub(crate) fn row_of<R: CupRow>(cups: &[u32]) -> R {
    cups.iter().enumerate().fold(R::default(), |row, (cup, &seeds)| row.with(cup, seeds))
}
