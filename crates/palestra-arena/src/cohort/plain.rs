//! Members with any weights: every sum is computed, in the order and precision of the convention.

use super::members::{MemberSlice, Members};
use super::splitter::{ChildFeatures, CohortPart, CohortSplitter, MemberSet};
use palestra_core::{FeatureTable, SumPrecision, TieRule};

/// Members summed together: their sums stay in the first-level cache.
const CHUNK: usize = 128;

pub(super) struct PlainSplitter {
    members: Members<f64>,
    everyone: MemberSlice,
    sum: SumPrecision,
    ties: TieRule,
    choices: Vec<u16>,
    children: Vec<usize>,
    row: Vec<i32>,
    parts: Vec<CohortPart>,
}

impl PlainSplitter {
    /// `factors` has one row per member.
    pub(super) fn new(n_features: usize, factors: &[f64], sum: SumPrecision, ties: TieRule) -> PlainSplitter {
        let mut members = Members::with_capacity(factors.len() / n_features, n_features);
        let rows = factors.chunks_exact(n_features).map(|row| row.iter().copied());
        let everyone = members.refill((0..).zip(rows));
        PlainSplitter {
            choices: vec![0; members.capacity()],
            members,
            everyone,
            sum,
            ties,
            children: Vec::new(),
            row: Vec::new(),
            parts: Vec::new(),
        }
    }

    /// Sums of a child's features for the members from `start` on: vectorized across members, never across the terms of
    /// one sum, so they equal [`palestra_core::Linear::sum`] to the bit.
    fn sums(&self, set: MemberSlice, start: usize, sums: &mut [f64]) {
        let range = start..start + sums.len();
        let column = |feature: usize| &self.members.column(set, feature)[range.clone()];
        match self.sum {
            SumPrecision::Double | SumPrecision::Whole => {
                for (feature, &value) in self.row.iter().enumerate() {
                    let column = column(feature);
                    for (sum, factor) in sums.iter_mut().zip(column) {
                        *sum += factor * f64::from(value);
                    }
                }
                if self.sum == SumPrecision::Whole {
                    sums.iter_mut().for_each(|sum| *sum = sum.trunc());
                }
            }
            SumPrecision::Single(order) => {
                let mut singles = [0f32; CHUNK];
                for &feature in order {
                    for (sum, &factor) in singles.iter_mut().zip(column(feature)) {
                        *sum += factor as f32 * self.row[feature] as f32;
                    }
                }
                sums.iter_mut().zip(singles).for_each(|(sum, single)| *sum = f64::from(single));
            }
        }
    }

    /// Writes every member's choice to `choices`.
    fn choose(&mut self, set: MemberSlice, features: &FeatureTable, ended: &[(usize, f64)]) {
        for start in (0..set.len()).step_by(CHUNK) {
            let len = CHUNK.min(set.len() - start);
            let mut best = [0.0; CHUNK];
            self.choices[start..start + len].fill(0);
            for child in 0..features.n_children() {
                let mut sums = [0.0; CHUNK];
                if let Some((_, value)) = ended.iter().find(|ended| ended.0 == child) {
                    sums.fill(*value);
                } else {
                    self.row.clear();
                    self.row.extend(features.child(child));
                    self.sums(set, start, &mut sums[..len]);
                }
                if child == 0 {
                    best = sums;
                    continue;
                }
                let better = best.iter_mut().zip(&sums).zip(&mut self.choices[start..start + len]);
                match self.ties {
                    TieRule::First => better.for_each(|((best, &sum), choice)| {
                        *choice = if sum > *best { child as u16 } else { *choice };
                        *best = if sum > *best { sum } else { *best };
                    }),
                    TieRule::Last => better.for_each(|((best, &sum), choice)| {
                        *choice = if sum >= *best { child as u16 } else { *choice };
                        *best = if sum >= *best { sum } else { *best };
                    }),
                }
            }
        }
    }
}

impl CohortSplitter for PlainSplitter {
    fn n_members(&self) -> usize {
        self.members.capacity()
    }

    fn everyone(&mut self) -> MemberSet {
        MemberSet::Slice(self.everyone)
    }

    fn choose_child(&mut self, group: MemberSet, children: &mut ChildFeatures) -> Option<usize> {
        let MemberSet::Slice(set) = group else { unreachable!("all members are in one slice") };
        self.choose(set, &children.features, &children.ended);
        let choices = &self.choices[..set.len()];
        if choices.iter().all(|choice| *choice == choices[0]) {
            return Some(usize::from(choices[0]));
        }
        self.children.clear();
        self.children.extend(0..children.features.n_children());
        self.members.split(set, choices, &self.children, &mut self.parts);
        None
    }

    fn parts(&self) -> &[CohortPart] {
        &self.parts
    }

    fn numbers(&mut self, group: MemberSet) -> &[u32] {
        let MemberSet::Slice(set) = group else { unreachable!("all members are in one slice") };
        self.members.numbers(set)
    }
}
