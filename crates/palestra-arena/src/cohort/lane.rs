//! Arithmetic of exact factors, many members at a time.

use super::member_blocks::{ChildCandidates, choose_in_block, sign_in_block};
use super::members::{MemberSlice, Members};

/// One term of a weighted difference: a feature's factor, multiplied by `times`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct DifferenceTerm {
    pub(super) feature: u32,
    pub(super) times: i32,
}

/// Sign of a weighted difference over all members of a set; larger is stronger.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Sign {
    /// Negative for some members.
    Mixed,
    /// Negative for no member.
    NotNegative,
    /// Positive for all members.
    Positive,
}

/// A number type for factors, which are whole numbers.
pub(super) trait Lane: Copy + Default + PartialOrd + Send + 'static {
    /// Number type for sums.
    type Value: Copy + Default + PartialOrd + Send + 'static;

    /// Converts a factor, which must fit the type.
    fn of(factor: f64) -> Self;

    /// `sum + times × self`.
    fn plus(self, sum: Self::Value, times: i32) -> Self::Value;

    /// Sign of a difference for all members of a set; stops with `Mixed` at the first member whose sign is below
    /// `required`. `is_small` promises that no sum overflows `Self`.
    fn sign(
        members: &Members<Self>,
        set: MemberSlice,
        terms: &[DifferenceTerm],
        is_small: bool,
        required: Sign,
    ) -> Sign;

    /// The same for the members `mask` of a block, without stopping early.
    fn sign_in_block(block: &[[Self; 64]], mask: u64, terms: &[DifferenceTerm], is_small: bool) -> Sign;

    /// Writes the mask of the members of a block that choose each possible candidate to `chosen`.
    fn choose_in_block(
        block: &[[Self; 64]],
        candidates: &ChildCandidates<'_>,
        possible: &[usize],
        chosen: &mut [u64],
    );
}

impl Lane for i16 {
    type Value = i32;

    fn of(factor: f64) -> i16 {
        factor as i16
    }

    #[inline(always)]
    fn plus(self, sum: i32, times: i32) -> i32 {
        sum + i32::from(self) * times
    }

    #[inline]
    fn sign(
        members: &Members<i16>,
        set: MemberSlice,
        terms: &[DifferenceTerm],
        is_small: bool,
        required: Sign,
    ) -> Sign {
        if is_small {
            sign::<i16, i16, 16>(members, set, terms, required, (0, i16::MAX), plus_small)
        } else {
            sign::<i16, i32, 8>(members, set, terms, required, (0, i32::MAX), |sum, factor, times| {
                factor.plus(sum, times)
            })
        }
    }

    #[inline]
    fn sign_in_block(block: &[[i16; 64]], mask: u64, terms: &[DifferenceTerm], is_small: bool) -> Sign {
        if is_small {
            sign_in_block(block, mask, terms, 0, plus_small)
        } else {
            sign_in_block(block, mask, terms, 0, |sum, factor: i16, times| factor.plus(sum, times))
        }
    }

    #[inline]
    fn choose_in_block(
        block: &[[i16; 64]],
        candidates: &ChildCandidates<'_>,
        possible: &[usize],
        chosen: &mut [u64],
    ) {
        if candidates.is_small {
            choose_in_block(block, candidates, possible, chosen, 0, plus_small);
        } else {
            choose_in_block(block, candidates, possible, chosen, 0, |sum, factor: i16, times| {
                factor.plus(sum, times)
            });
        }
    }
}

impl Lane for f64 {
    type Value = f64;

    fn of(factor: f64) -> f64 {
        factor
    }

    #[inline(always)]
    fn plus(self, sum: f64, times: i32) -> f64 {
        sum + self * f64::from(times)
    }

    #[inline]
    fn sign(
        members: &Members<f64>,
        set: MemberSlice,
        terms: &[DifferenceTerm],
        _is_small: bool,
        required: Sign,
    ) -> Sign {
        let add = |sum: f64, factor: f64, times: i32| factor.plus(sum, times);
        sign::<f64, f64, 4>(members, set, terms, required, (0.0, f64::INFINITY), add)
    }

    #[inline]
    fn sign_in_block(block: &[[f64; 64]], mask: u64, terms: &[DifferenceTerm], _is_small: bool) -> Sign {
        sign_in_block(block, mask, terms, 0.0, |sum, factor: f64, times| factor.plus(sum, times))
    }

    #[inline]
    fn choose_in_block(
        block: &[[f64; 64]],
        candidates: &ChildCandidates<'_>,
        possible: &[usize],
        chosen: &mut [u64],
    ) {
        choose_in_block(block, candidates, possible, chosen, 0.0, |sum, factor: f64, times| {
            factor.plus(sum, times)
        });
    }
}

/// For sums that fit 16 bits, of which a vector register holds twice as many.
#[inline(always)]
fn plus_small(sum: i16, factor: i16, times: i32) -> i16 {
    sum.wrapping_add(factor.wrapping_mul(times as i16))
}

/// Dispatches on the number of terms, which is then a constant in the inner loop.
#[inline(always)]
fn sign<T: Lane, S: Copy + PartialOrd, const L: usize>(
    members: &Members<T>,
    set: MemberSlice,
    terms: &[DifferenceTerm],
    required: Sign,
    bounds: (S, S),
    add: impl Fn(S, T, i32) -> S,
) -> Sign {
    match terms.len() {
        1 => sign_of::<T, S, L, 1>(members, set, terms, required, bounds, add),
        2 => sign_of::<T, S, L, 2>(members, set, terms, required, bounds, add),
        3 => sign_of::<T, S, L, 3>(members, set, terms, required, bounds, add),
        4 => sign_of::<T, S, L, 4>(members, set, terms, required, bounds, add),
        5 => sign_of::<T, S, L, 5>(members, set, terms, required, bounds, add),
        6 => sign_of::<T, S, L, 6>(members, set, terms, required, bounds, add),
        _ => sign_of_many(members, set, terms, required, bounds, add),
    }
}

/// Groups of `L` members between two checks of the smallest sum so far.
const GROUPS: usize = 16;

fn sign_of<T: Lane, S: Copy + PartialOrd, const L: usize, const N: usize>(
    members: &Members<T>,
    set: MemberSlice,
    terms: &[DifferenceTerm],
    required: Sign,
    bounds: (S, S),
    add: impl Fn(S, T, i32) -> S,
) -> Sign {
    if set.len() < L {
        return sign_of_many(members, set, terms, required, bounds, add);
    }
    let (zero, max) = bounds;
    let columns: [&[T]; N] = std::array::from_fn(|i| members.column(set, terms[i].feature as usize));
    let times: [i32; N] = std::array::from_fn(|i| terms[i].times);
    let mut low = [max; L];
    let mut start = 0;
    while start < set.len() {
        let stop = (start + GROUPS * L).min(set.len());
        while start < stop {
            // The last group may overlap the one before, which does not change a minimum.
            let from = start.min(set.len() - L);
            let mut sums = [zero; L];
            for (column, &times) in columns.iter().zip(&times) {
                let Some((group, _)) = column[from..].split_first_chunk::<L>() else { return Sign::Mixed };
                for lane in 0..L {
                    sums[lane] = add(sums[lane], group[lane], times);
                }
            }
            for lane in 0..L {
                low[lane] = if sums[lane] < low[lane] { sums[lane] } else { low[lane] };
            }
            start += L;
        }
        let sign = sign_of_minimum(&low, zero);
        if sign < required {
            return Sign::Mixed;
        }
    }
    sign_of_minimum(&low, zero)
}

#[inline(always)]
pub(super) fn sign_of_minimum<S: Copy + PartialOrd>(low: &[S], zero: S) -> Sign {
    let is_mixed = low.iter().fold(false, |any, &low| any | (low < zero));
    let is_positive = low.iter().fold(true, |all, &low| all & (low > zero));
    match (is_mixed, is_positive) {
        (true, _) => Sign::Mixed,
        (false, true) => Sign::Positive,
        (false, false) => Sign::NotNegative,
    }
}

/// The same member by member, for many terms or few members.
fn sign_of_many<T: Lane, S: Copy + PartialOrd>(
    members: &Members<T>,
    set: MemberSlice,
    terms: &[DifferenceTerm],
    required: Sign,
    (zero, _): (S, S),
    add: impl Fn(S, T, i32) -> S,
) -> Sign {
    let mut sign = Sign::Positive;
    for i in 0..set.len() {
        let mut sum = zero;
        for term in terms {
            sum = add(sum, members.column(set, term.feature as usize)[i], term.times);
        }
        sign = sign.min(sign_of_minimum(&[sum], zero));
        if sign < required {
            return Sign::Mixed;
        }
    }
    sign
}
