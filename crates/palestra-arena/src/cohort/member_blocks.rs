//! Large sets of members, by blocks of sixty-four that never move: a set is a list of blocks with a mask for each.
//!
//! Blocks hold members with similar factors, so that most of a large set's blocks are full or nearly so, and what
//! one half of the members chooses is found by a few instructions for each block. Small sets are scattered over too
//! many blocks; they are carried together by [`super::members::Members`].

use super::lane::{DifferenceTerm, Lane, Sign, sign_of_minimum};
use super::members::{MemberSlice, Members};
use super::order::morton_order;
use std::ops::Range;

/// Members of a block.
const BLOCK: usize = 64;

/// All members, in an order of their own.
pub(super) struct MemberBlocks<T> {
    n_features: usize,
    n_members: usize,
    /// Who is where.
    numbers: Vec<u32>,
    /// Block after block, and in each feature after feature.
    factors: Vec<[T; BLOCK]>,
    /// The smallest and largest factor of each feature, block after block: most blocks are of one mind, and that
    /// can be seen without looking at their members.
    bounds: Vec<[T; 2]>,
    /// The sets at hand, one behind the other: those met later lie higher.
    lists: Vec<BlockMask>,
    /// Buffers: the lists of the parts, and numbers being told.
    parts: Vec<Vec<BlockMask>>,
    chosen: Vec<u64>,
    told: Vec<u32>,
}

/// Some members of one block.
#[derive(Clone, Copy, Debug)]
struct BlockMask {
    block: u32,
    mask: u64,
}

/// A set: where its list lies, and how many members there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct BlockSpan {
    start: usize,
    end: usize,
    pub(super) n_members: usize,
}

impl<T: Lane> MemberBlocks<T> {
    /// `factors` are rows, one a member.
    pub(super) fn new(n_features: usize, factors: &[f64]) -> MemberBlocks<T> {
        let numbers = morton_order(n_features, factors);
        let n_members = numbers.len();
        let mut blocks = vec![[T::default(); BLOCK]; n_members.div_ceil(BLOCK) * n_features];
        for (place, &number) in numbers.iter().enumerate() {
            let row = &factors[number as usize * n_features..][..n_features];
            let block = &mut blocks[place / BLOCK * n_features..][..n_features];
            for (lanes, &factor) in block.iter_mut().zip(row) {
                lanes[place % BLOCK] = T::of(factor);
            }
        }
        // The last block is filled up with its first member, so that it is bounded by members only.
        let n_last = (n_members + BLOCK - 1) % BLOCK + 1;
        for lanes in blocks.iter_mut().rev().take(n_features) {
            let first = lanes[0];
            lanes[n_last..].fill(first);
        }
        let bounds = blocks.iter().map(|lanes| [least(lanes), most(lanes)]).collect();
        MemberBlocks {
            n_features,
            n_members,
            numbers,
            factors: blocks,
            bounds,
            lists: Vec::new(),
            parts: Vec::new(),
            chosen: Vec::new(),
            told: Vec::new(),
        }
    }

    pub(super) fn n_members(&self) -> usize {
        self.n_members
    }

    /// Everyone; all other sets are gone.
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

    /// Forgets all sets met after this one.
    pub(super) fn enter(&mut self, span: BlockSpan) {
        self.lists.truncate(span.end);
    }

    /// The factors of one member.
    pub(super) fn some_member(&self, span: BlockSpan) -> impl Iterator<Item = T> {
        let share = self.lists[span.start];
        let lane = share.mask.trailing_zeros() as usize;
        self.block(share.block).iter().map(move |lanes| lanes[lane % BLOCK])
    }

    #[inline]
    fn block(&self, block: u32) -> &[[T; BLOCK]] {
        &self.factors[block as usize * self.n_features..][..self.n_features]
    }

    /// The numbers of a set, in the order of the crowd.
    pub(super) fn numbers(&mut self, span: BlockSpan) -> &[u32] {
        self.told.clear();
        for share in &self.lists[span.start..span.end] {
            let numbers = &self.numbers[share.block as usize * BLOCK..];
            self.told.extend(lanes(share.mask).map(|lane| numbers[lane]));
        }
        &self.told
    }

    /// Carries a small set together.
    pub(super) fn gather(&self, span: BlockSpan, members: &mut Members<T>) -> MemberSlice {
        let shares = self.lists[span.start..span.end].iter();
        let rows = shares.flat_map(|share| {
            let block = self.block(share.block);
            let numbers = &self.numbers[share.block as usize * BLOCK..];
            lanes(share.mask).map(move |lane| (numbers[lane], block.iter().map(move |lanes| lanes[lane])))
        });
        members.refill(rows)
    }

    /// The sign of a difference for all members of a set: see [`Lane::sign`].
    pub(super) fn sign(
        &self,
        span: BlockSpan,
        terms: &[DifferenceTerm],
        is_small: bool,
        least: Sign,
    ) -> Sign {
        let mut sign = Sign::Positive;
        for share in &self.lists[span.start..span.end] {
            let [low, _] = self.range(share.block, terms);
            if low > T::Value::default() {
                continue;
            }
            sign = sign.min(T::sign_in_block(self.block(share.block), share.mask, terms, is_small));
            if sign < least {
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
            let [least, most] = bounds[term.feature as usize];
            let is_up = term.times > 0;
            low = if is_up { least } else { most }.plus(low, term.times);
            high = if is_up { most } else { least }.plus(high, term.times);
        }
        [low, high]
    }

    /// Parts a set by what its members choose among candidates. Returns the sets, in the order of the candidates.
    pub(super) fn split(
        &mut self,
        span: BlockSpan,
        candidates: &ChildCandidates<'_>,
    ) -> impl Iterator<Item = BlockSpan> {
        let n_candidates = candidates.stretches.len();
        self.parts.resize_with(self.parts.len().max(n_candidates), Vec::new);
        self.parts.iter_mut().for_each(Vec::clear);
        let (mut ranges, mut possible) = (vec![Default::default(); n_candidates], Vec::new());
        for share in &self.lists[span.start..span.end] {
            let mut low: Option<T::Value> = None;
            for (range, stretch) in ranges.iter_mut().zip(candidates.stretches) {
                *range = self.range(share.block, &candidates.terms[stretch.clone()]);
                low = low.filter(|low| *low >= range[0]).or(Some(range[0]));
            }
            possible.clear();
            possible.extend((0..n_candidates).filter(|&i| low.is_none_or(|low| ranges[i][1] >= low)));
            if let [certain] = possible[..] {
                self.parts[certain].push(*share);
                continue;
            }
            let block = &self.factors[share.block as usize * self.n_features..][..self.n_features];
            self.chosen.resize(possible.len(), 0);
            T::choose_in_block(block, candidates, &possible, &mut self.chosen);
            for (&i, chosen) in possible.iter().zip(&self.chosen) {
                let mask = share.mask & chosen;
                if mask != 0 {
                    self.parts[i].push(BlockMask { mask, ..*share });
                }
            }
        }
        let lists = &mut self.lists;
        self.parts[..n_candidates].iter().map(|part| {
            let start = lists.len();
            lists.extend_from_slice(part);
            let n_members = part.iter().map(|share| share.mask.count_ones() as usize).sum();
            BlockSpan { start, end: lists.len(), n_members }
        })
    }
}

/// What members choose among.
pub(super) struct ChildCandidates<'a> {
    /// The terms of their values, beside some common value.
    pub(super) terms: &'a [DifferenceTerm],
    /// Which of these are whose.
    pub(super) stretches: &'a [Range<usize>],
    /// Whether the later one of equals is chosen.
    pub(super) later_wins: bool,
    /// Whether all values stay within sixteen bits.
    pub(super) is_small: bool,
}

/// Which members of a block choose which of the candidates that are possible there, as masks.
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
        let terms = &candidates.terms[candidates.stretches[candidate].clone()];
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

fn least<T: Lane>(lanes: &[T; BLOCK]) -> T {
    lanes.iter().fold(lanes[0], |least, &lane| if lane < least { lane } else { least })
}

fn most<T: Lane>(lanes: &[T; BLOCK]) -> T {
    lanes.iter().fold(lanes[0], |most, &lane| if lane > most { lane } else { most })
}

/// The lanes of a mask.
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
        // The product gathers the lowest bits of all bytes in the topmost one.
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
    // Mostly the block is of one mind.
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
