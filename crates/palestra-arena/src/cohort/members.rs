//! The members in memory: feature after feature, so that one instruction works on many members, and every set of
//! members a stretch of its own.

use super::splitter::{CohortPart, MemberSet, SignCheckpoint};

/// A set of members: a stretch of one of the buffers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct MemberSlice {
    buffer: u8,
    pub(super) start: usize,
    pub(super) end: usize,
}

impl MemberSlice {
    /// Not members, but something that has this number: voters who keep no members have groups too.
    pub(super) fn number(number: usize) -> MemberSlice {
        MemberSlice { buffer: 0, start: number, end: number + 1 }
    }

    pub(super) fn len(self) -> usize {
        self.end - self.start
    }
}

/// Members worked on together when a set parts: their places stay in the nearest cache.
const STRETCH: usize = 2048;

/// Numbers and factors of members. They come into the first buffer; a set that parts moves to the other of
/// the remaining two, to the same stretch, where its parts lie one behind the other.
pub(super) struct Members<T> {
    room: usize,
    numbers: [Vec<u32>; 3],
    /// Feature after feature.
    factors: [Vec<T>; 3],
    places: Vec<u32>,
    counts: Vec<usize>,
}

impl<T: Copy + Default> Members<T> {
    /// Room for so many members.
    pub(super) fn with_capacity(n_members: usize, n_features: usize) -> Members<T> {
        let factors = || vec![T::default(); n_members * n_features];
        let numbers = || vec![0; n_members];
        Members {
            room: n_members,
            numbers: [numbers(), numbers(), numbers()],
            factors: [factors(), factors(), factors()],
            places: vec![0; STRETCH.min(n_members)],
            counts: Vec::new(),
        }
    }

    /// Takes these members instead of those that were there: numbers and factors.
    #[inline]
    pub(super) fn refill<R: Iterator<Item = T>>(
        &mut self,
        rows: impl Iterator<Item = (u32, R)>,
    ) -> MemberSlice {
        let mut end = 0;
        for (number, row) in rows {
            self.numbers[0][end] = number;
            for (feature, factor) in row.enumerate() {
                self.factors[0][feature * self.room + end] = factor;
            }
            end += 1;
        }
        MemberSlice { buffer: 0, start: 0, end }
    }

    pub(super) fn capacity(&self) -> usize {
        self.room
    }

    pub(super) fn numbers(&self, set: MemberSlice) -> &[u32] {
        &self.numbers[usize::from(set.buffer)][set.start..set.end]
    }

    /// The factors of one feature, of the members of a set.
    #[inline]
    pub(super) fn column(&self, set: MemberSlice, feature: usize) -> &[T] {
        let start = feature * self.room;
        &self.factors[usize::from(set.buffer)][start + set.start..start + set.end]
    }

    /// All factors of one member of a set.
    #[inline]
    pub(super) fn member(&self, set: MemberSlice, i: usize) -> impl Iterator<Item = T> {
        let column = &self.factors[usize::from(set.buffer)][set.start + i..];
        column.iter().step_by(self.room).copied()
    }

    /// Parts a set by what its members chose, numbers below `children.len()`. Order is kept within each part.
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
        for choices in choices.chunks(STRETCH) {
            self.find_places(choices);
            self.carry(set, done, choices.len(), usize::from(to));
            done += choices.len();
        }
    }

    /// Where the next members go, from `counts`, which moves on.
    fn find_places(&mut self, choices: &[u16]) {
        let places = &mut self.places[..choices.len()];
        if let [first, second] = self.counts[..] {
            // Without a detour through memory: half of the time goes here.
            let mut n_second = 0;
            for (i, (place, &choice)) in places.iter_mut().zip(choices).enumerate() {
                *place = if choice == 0 { first + i - n_second } else { second + n_second } as u32;
                n_second += usize::from(choice);
            }
            self.counts[0] = first + choices.len() - n_second;
            self.counts[1] = second + n_second;
        } else {
            for (place, &choice) in places.iter_mut().zip(choices) {
                let next = &mut self.counts[usize::from(choice)];
                *place = *next as u32;
                *next += 1;
            }
        }
    }

    /// Carries members of a set, from the `first` on, to their places in another buffer.
    fn carry(&mut self, set: MemberSlice, first: usize, count: usize, to: usize) {
        let from = usize::from(set.buffer);
        let places = &self.places[..count];
        let (stretch, len) = (set.start..set.end, self.room);
        let Ok([source, target]) = self.numbers.get_disjoint_mut([from, to]) else { return };
        scatter(&source[stretch.clone()][first..], places, &mut target[stretch.clone()]);
        let Ok([source, target]) = self.factors.get_disjoint_mut([from, to]) else { return };
        for (source, target) in source.chunks_exact(len).zip(target.chunks_exact_mut(len)) {
            scatter(&source[stretch.clone()][first..], places, &mut target[stretch.clone()]);
        }
    }
}

#[inline]
fn scatter<T: Copy>(source: &[T], places: &[u32], target: &mut [T]) {
    for (&value, &place) in source.iter().zip(places) {
        target[place as usize] = value;
    }
}
