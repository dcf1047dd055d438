//! Large sets of members, in blocks of 64 that never move: a set is a list of blocks with a mask for each.
//!
//! Blocks hold members with similar factors, so that most blocks of a large set are full or nearly so, and a few
//! instructions per block find what its members choose. Small sets are scattered over too many blocks; they are copied
//! together into [`super::members::Members`].

use super::lane::{DifferenceTerm, Lane, Sign, sign_of_minimum};
use super::members::{MemberSlice, Members};
use super::order::morton_order;
use std::ops::Range;

/// Number of members in a block.
const BLOCK: usize = 64;

/// All members, in Morton order.
pub(super) struct MemberBlocks<T> {
    n_features: usize,
    n_members: usize,
    /// Number of the member at each index.
    numbers: Vec<u32>,
    /// Block after block, in each one array per feature.
    factors: Vec<[T; BLOCK]>,
    /// Smallest and largest factor of each feature, block after block: for most blocks these bounds already decide what
    /// all their members choose.
    bounds: Vec<[T; 2]>,
    /// Stack of the lists of the current sets, newer ones on top.
    lists: Vec<BlockMask>,
    // Buffers.
    /// Lists of the parts of a split.
    parts: Vec<Vec<BlockMask>>,
    /// Masks of the members of one block that choose each candidate.
    chosen: Vec<u64>,
    /// Result of [`MemberBlocks::numbers`].
    set_numbers: Vec<u32>,
}

/// Some members of one block.
#[derive(Clone, Copy, Debug)]
struct BlockMask {
    block: u32,
    mask: u64,
}

/// A set: the range of its list in `lists`, and its number of members.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct BlockSpan {
    start: usize,
    end: usize,
    pub(super) n_members: usize,
}

impl<T: Lane> MemberBlocks<T> {
    /// `factors` has one row per member.
    pub(super) fn new(n_features: usize, factors: &[f64]) -> MemberBlocks<T> {
        let numbers = morton_order(n_features, factors);
        let n_members = numbers.len();
        let mut blocks = vec![[T::default(); BLOCK]; n_members.div_ceil(BLOCK) * n_features];
        for (index, &number) in numbers.iter().enumerate() {
            let row = &factors[number as usize * n_features..][..n_features];
            let block = &mut blocks[index / BLOCK * n_features..][..n_features];
            for (lanes, &factor) in block.iter_mut().zip(row) {
                lanes[index % BLOCK] = T::of(factor);
            }
        }
        // The last block is padded with copies of its first member, so that its bounds are those of members.
        let n_last = (n_members + BLOCK - 1) % BLOCK + 1;
        for lanes in blocks.iter_mut().rev().take(n_features) {
            let first = lanes[0];
            lanes[n_last..].fill(first);
        }
        let bounds = blocks.iter().map(|lanes| [min_lane(lanes), max_lane(lanes)]).collect();
        MemberBlocks {
            n_features,
            n_members,
            numbers,
            factors: blocks,
            bounds,
            lists: Vec::new(),
            parts: Vec::new(),
            chosen: Vec::new(),
            set_numbers: Vec::new(),
        }
    }

    pub(super) fn n_members(&self) -> usize {
        self.n_members
    }

    /// The set of all members; invalidates all other sets.
    pub(super) fn everyone(&mut self) -> BlockSpan {
        let n_blocks = self.n_members.div_ceil(BLOCK);
        let mask = |block: usize| match self.n_members - block * BLOCK {
            rest if rest < BLOCK => (1 << rest) - 1,
            _ => u64::MAX,
        };
        self.lists.clear();
        self.lists.extend((0..n_blocks).map(|block| BlockMask { block: block as u32, mask: mask(block) }));
        BlockSpan { start: 0, end: n_blocks, n_members: self.n_members }
    }

    /// Drops all sets above this one.
    pub(super) fn enter(&mut self, span: BlockSpan) {
        self.lists.truncate(span.end);
    }

    /// The factors of the first member of a set.
    pub(super) fn some_member(&self, span: BlockSpan) -> impl Iterator<Item = T> {
        let entry = self.lists[span.start];
        let lane = entry.mask.trailing_zeros() as usize;
        self.block(entry.block).iter().map(move |lanes| lanes[lane % BLOCK])
    }

    #[inline]
    fn block(&self, block: u32) -> &[[T; BLOCK]] {
        &self.factors[block as usize * self.n_features..][..self.n_features]
    }

    /// The numbers of a set's members, in the order of the blocks.
    pub(super) fn numbers(&mut self, span: BlockSpan) -> &[u32] {
        self.set_numbers.clear();
        for entry in &self.lists[span.start..span.end] {
            let numbers = &self.numbers[entry.block as usize * BLOCK..];
            self.set_numbers.extend(lanes(entry.mask).map(|lane| numbers[lane]));
        }
        &self.set_numbers
    }

    /// Copies a small set into `members`.
    pub(super) fn gather(&self, span: BlockSpan, members: &mut Members<T>) -> MemberSlice {
        let entries = self.lists[span.start..span.end].iter();
        let rows = entries.flat_map(|entry| {
            let block = self.block(entry.block);
            let numbers = &self.numbers[entry.block as usize * BLOCK..];
            lanes(entry.mask).map(move |lane| (numbers[lane], block.iter().map(move |lanes| lanes[lane])))
        });
        members.refill(rows)
    }

    /// The sign of a difference for all members of a set: see [`Lane::sign`].
    pub(super) fn sign(
        &self,
        span: BlockSpan,
        terms: &[DifferenceTerm],
        is_small: bool,
        required: Sign,
    ) -> Sign {
        let mut sign = Sign::Positive;
        for entry in &self.lists[span.start..span.end] {
            let [low, _] = self.range(entry.block, terms);
            if low > T::Value::default() {
                continue;
            }
            sign = sign.min(T::sign_in_block(self.block(entry.block), entry.mask, terms, is_small));
            if sign < required {
                return Sign::Mixed;
            }
        }
        sign
    }

    /// Bounds of a sum over all members of a block.
    #[inline]
    fn range(&self, block: u32, terms: &[DifferenceTerm]) -> [T::Value; 2] {
        let bounds = &self.bounds[block as usize * self.n_features..][..self.n_features];
        let (mut low, mut high) = Default::default();
        for term in terms {
            let [min, max] = bounds[term.feature as usize];
            let is_up = term.times > 0;
            low = if is_up { min } else { max }.plus(low, term.times);
            high = if is_up { max } else { min }.plus(high, term.times);
        }
        [low, high]
    }

    /// Splits a set by its members' choices among candidates. Returns the parts, in the order of the candidates.
    pub(super) fn split(
        &mut self,
        span: BlockSpan,
        candidates: &ChildCandidates<'_>,
    ) -> impl Iterator<Item = BlockSpan> {
        let n_candidates = candidates.term_ranges.len();
        self.parts.resize_with(self.parts.len().max(n_candidates), Vec::new);
        self.parts.iter_mut().for_each(Vec::clear);
        let (mut ranges, mut possible) = (vec![Default::default(); n_candidates], Vec::new());
        for entry in &self.lists[span.start..span.end] {
            let mut low: Option<T::Value> = None;
            for (range, term_range) in ranges.iter_mut().zip(candidates.term_ranges) {
                *range = self.range(entry.block, &candidates.terms[term_range.clone()]);
                low = low.filter(|low| *low >= range[0]).or(Some(range[0]));
            }
            possible.clear();
            possible.extend((0..n_candidates).filter(|&i| low.is_none_or(|low| ranges[i][1] >= low)));
            if let [certain] = possible[..] {
                self.parts[certain].push(*entry);
                continue;
            }
            let block = &self.factors[entry.block as usize * self.n_features..][..self.n_features];
            self.chosen.resize(possible.len(), 0);
            T::choose_in_block(block, candidates, &possible, &mut self.chosen);
            for (&i, chosen) in possible.iter().zip(&self.chosen) {
                let mask = entry.mask & chosen;
                if mask != 0 {
                    self.parts[i].push(BlockMask { mask, ..*entry });
                }
            }
        }
        let lists = &mut self.lists;
        self.parts[..n_candidates].iter().map(|part| {
            let start = lists.len();
            lists.extend_from_slice(part);
            let n_members = part.iter().map(|entry| entry.mask.count_ones() as usize).sum();
            BlockSpan { start, end: lists.len(), n_members }
        })
    }
}

/// The children that members choose among.
pub(super) struct ChildCandidates<'a> {
    /// Terms of their values, without a part that all have in common.
    pub(super) terms: &'a [DifferenceTerm],
    /// Range of `terms` of each candidate.
    pub(super) term_ranges: &'a [Range<usize>],
    /// Whether the later one of equal candidates is chosen.
    pub(super) later_wins: bool,
    /// Whether all values fit 16 bits.
    pub(super) is_small: bool,
}

/// Masks of the members of a block that choose each of the possible candidates.
#[inline(always)]
pub(super) fn choose_in_block<T: Copy, S: Copy + PartialOrd>(
    block: &[[T; BLOCK]],
    candidates: &ChildCandidates<'_>,
    possible: &[usize],
    chosen: &mut [u64],
    zero: S,
    plus: impl Fn(S, T, i32) -> S + Copy,
) {
    let mut best = [zero; BLOCK];
    for (i, &candidate) in possible.iter().enumerate() {
        let terms = &candidates.terms[candidates.term_ranges[candidate].clone()];
        let values = sums(block, terms, zero, plus);
        if i == 0 {
            best = values;
            chosen[0] = u64::MAX;
            continue;
        }
        let mut is_better = [0u8; BLOCK];
        if candidates.later_wins {
            (0..BLOCK).for_each(|lane| is_better[lane] = u8::from(values[lane] >= best[lane]));
        } else {
            (0..BLOCK).for_each(|lane| is_better[lane] = u8::from(values[lane] > best[lane]));
        }
        let better = bits(&is_better);
        chosen[..i].iter_mut().for_each(|chosen| *chosen &= !better);
        chosen[i] = better;
        for lane in 0..BLOCK {
            best[lane] = if values[lane] > best[lane] { values[lane] } else { best[lane] };
        }
    }
}

#[inline(always)]
fn sums<T: Copy, S: Copy>(
    block: &[[T; BLOCK]],
    terms: &[DifferenceTerm],
    zero: S,
    plus: impl Fn(S, T, i32) -> S,
) -> [S; BLOCK] {
    let mut sums = [zero; BLOCK];
    for term in terms {
        let factors = &block[term.feature as usize];
        for lane in 0..BLOCK {
            sums[lane] = plus(sums[lane], factors[lane], term.times);
        }
    }
    sums
}

fn min_lane<T: Lane>(lanes: &[T; BLOCK]) -> T {
    lanes.iter().fold(lanes[0], |min, &lane| if lane < min { lane } else { min })
}

fn max_lane<T: Lane>(lanes: &[T; BLOCK]) -> T {
    lanes.iter().fold(lanes[0], |max, &lane| if lane > max { lane } else { max })
}

/// The lanes of the set bits of a mask.
fn lanes(mask: u64) -> impl Iterator<Item = usize> {
    let mut rest = mask;
    std::iter::from_fn(move || {
        let lane = (rest != 0).then(|| rest.trailing_zeros() as usize % BLOCK);
        rest &= rest.wrapping_sub(1);
        lane
    })
}

/// One bit for each byte, which is 0 or 1.
#[inline(always)]
fn bits(bytes: &[u8; BLOCK]) -> u64 {
    let (words, _) = bytes.as_chunks::<8>();
    words.iter().rev().fold(0, |bits, word| {
        // The product collects the lowest bits of all bytes in the highest byte.
        bits << 8 | u64::from_le_bytes(*word).wrapping_mul(0x0102_0408_1020_4080) >> 56
    })
}

/// The sign of a difference for some members of a block.
#[inline(always)]
pub(super) fn sign_in_block<T: Copy, S: Copy + PartialOrd>(
    block: &[[T; BLOCK]],
    mask: u64,
    terms: &[DifferenceTerm],
    zero: S,
    plus: impl Fn(S, T, i32) -> S,
) -> Sign {
    let sums = sums(block, terms, zero, plus);
    // In most blocks all members have the same sign.
    let sign = sign_of_minimum(&sums, zero);
    if sign == Sign::Positive || mask == u64::MAX {
        return sign;
    }
    if mask & bits(&sums.map(|sum| u8::from(sum < zero))) != 0 {
        return Sign::Mixed;
    }
    let is_positive = mask & bits(&sums.map(|sum| u8::from(sum <= zero))) == 0;
    if is_positive { Sign::Positive } else { Sign::NotNegative }
}
