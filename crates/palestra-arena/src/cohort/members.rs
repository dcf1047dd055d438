//! Small sets of members in memory, as a structure of arrays: one column per feature, so that one instruction works on
//! many members, and every set is a contiguous slice.

use super::splitter::{CohortPart, MemberSet, SignCheckpoint};

/// A set of members: a slice of one of the buffers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct MemberSlice {
    buffer: u8,
    pub(super) start: usize,
    pub(super) end: usize,
}

impl MemberSlice {
    /// A set of one item with this number, for splitters that do not store members here.
    pub(super) fn number(number: usize) -> MemberSlice {
        MemberSlice { buffer: 0, start: number, end: number + 1 }
    }

    pub(super) fn len(self) -> usize {
        self.end - self.start
    }
}

/// Members moved together when a set is split: their targets stay in the first-level cache.
const CHUNK: usize = 2048;

/// Numbers and factors of members, in three buffers. New members go into the first one; a set that is split moves to
/// the same slice of one of the other two (not its own), where its parts follow each other.
pub(super) struct Members<T> {
    capacity: usize,
    numbers: [Vec<u32>; 3],
    /// One column per feature, one after the other.
    factors: [Vec<T>; 3],
    /// Target of each member of a chunk, relative to the slice of the set.
    targets: Vec<u32>,
    /// Members of each part; then the next target of each part.
    counts: Vec<usize>,
}

impl<T: Copy + Default> Members<T> {
    /// Buffers for up to `n_members` members.
    pub(super) fn with_capacity(n_members: usize, n_features: usize) -> Members<T> {
        let factors = || vec![T::default(); n_members * n_features];
        let numbers = || vec![0; n_members];
        Members {
            capacity: n_members,
            numbers: [numbers(), numbers(), numbers()],
            factors: [factors(), factors(), factors()],
            targets: vec![0; CHUNK.min(n_members)],
            counts: Vec::new(),
        }
    }

    /// Replaces all members by these, given as numbers and factors.
    #[inline]
    pub(super) fn refill<R: Iterator<Item = T>>(
        &mut self,
        rows: impl Iterator<Item = (u32, R)>,
    ) -> MemberSlice {
        let mut end = 0;
        for (number, row) in rows {
            self.numbers[0][end] = number;
            for (feature, factor) in row.enumerate() {
                self.factors[0][feature * self.capacity + end] = factor;
            }
            end += 1;
        }
        MemberSlice { buffer: 0, start: 0, end }
    }

    pub(super) fn capacity(&self) -> usize {
        self.capacity
    }

    pub(super) fn numbers(&self, set: MemberSlice) -> &[u32] {
        &self.numbers[usize::from(set.buffer)][set.start..set.end]
    }

    /// The factors of one feature, of the members of a set.
    #[inline]
    pub(super) fn column(&self, set: MemberSlice, feature: usize) -> &[T] {
        let start = feature * self.capacity;
        &self.factors[usize::from(set.buffer)][start + set.start..start + set.end]
    }

    /// All factors of one member of a set.
    #[inline]
    pub(super) fn member(&self, set: MemberSlice, i: usize) -> impl Iterator<Item = T> {
        let column = &self.factors[usize::from(set.buffer)][set.start + i..];
        column.iter().step_by(self.capacity).copied()
    }

    /// Splits a set by its members' choices, which are indexes into `children`. The order is kept within each part.
    pub(super) fn split(
        &mut self,
        set: MemberSlice,
        choices: &[u16],
        children: &[usize],
        parts: &mut Vec<CohortPart>,
    ) {
        debug_assert_eq!(choices.len(), set.len());
        let to = if set.buffer == 1 { 2 } else { 1 };
        self.counts.clear();
        self.counts.resize(children.len(), 0);
        if children.len() == 2 {
            self.counts[1] = choices.iter().map(|&choice| usize::from(choice)).sum();
            self.counts[0] = choices.len() - self.counts[1];
        } else {
            choices.iter().for_each(|&choice| self.counts[usize::from(choice)] += 1);
        }
        parts.clear();
        let mut start = set.start;
        for (count, &child) in self.counts.iter_mut().zip(children) {
            let end = start + *count;
            if *count > 0 {
                let group = MemberSet::Slice(MemberSlice { buffer: to, start, end });
                parts.push(CohortPart { child: Some(child), group, checkpoint: SignCheckpoint::default() });
            }
            *count = start - set.start;
            start = end;
        }
        let mut done = 0;
        for choices in choices.chunks(CHUNK) {
            self.find_targets(choices);
            self.move_members(set, done, choices.len(), usize::from(to));
            done += choices.len();
        }
    }

    /// Computes the targets of the next members from `counts`, and advances `counts`.
    fn find_targets(&mut self, choices: &[u16]) {
        let targets = &mut self.targets[..choices.len()];
        if let [first, second] = self.counts[..] {
            // Counters in registers instead of memory: half of the time is spent here.
            let mut n_second = 0;
            for (i, (target, &choice)) in targets.iter_mut().zip(choices).enumerate() {
                *target = if choice == 0 { first + i - n_second } else { second + n_second } as u32;
                n_second += usize::from(choice);
            }
            self.counts[0] = first + choices.len() - n_second;
            self.counts[1] = second + n_second;
        } else {
            for (target, &choice) in targets.iter_mut().zip(choices) {
                let next = &mut self.counts[usize::from(choice)];
                *target = *next as u32;
                *next += 1;
            }
        }
    }

    /// Copies `count` members of a set, from the `first` on, to their targets in buffer `to`.
    fn move_members(&mut self, set: MemberSlice, first: usize, count: usize, to: usize) {
        let from = usize::from(set.buffer);
        let targets = &self.targets[..count];
        let (slice, len) = (set.start..set.end, self.capacity);
        let Ok([source, target]) = self.numbers.get_disjoint_mut([from, to]) else { return };
        scatter(&source[slice.clone()][first..], targets, &mut target[slice.clone()]);
        let Ok([source, target]) = self.factors.get_disjoint_mut([from, to]) else { return };
        for (source, target) in source.chunks_exact(len).zip(target.chunks_exact_mut(len)) {
            scatter(&source[slice.clone()][first..], targets, &mut target[slice.clone()]);
        }
    }
}

#[inline]
fn scatter<T: Copy>(source: &[T], targets: &[u32], target: &mut [T]) {
    for (&value, &i) in source.iter().zip(targets) {
        target[i as usize] = value;
    }
}
