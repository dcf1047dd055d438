//! Members whose sums are exact: which of two children a member prefers is the sign of a weighted difference.
//!
//! Features that children have in common cancel, a sign known for a set holds for its parts, and most positions are
//! decided without reading the members.

use super::known_signs::KnownSigns;
use super::lane::{DifferenceTerm, Lane, Sign};
use super::member_blocks::{BlockSpan, ChildCandidates, MemberBlocks};
use super::members::{MemberSlice, Members};
use super::scale::ScaledFactors;
use super::splitter::{ChildFeatures, CohortPart, CohortSplitter, MemberSet, SignCheckpoint};
use palestra_core::{Feature, FeatureTable, LANES, TieRule};
use std::ops::Range;

/// Sets of at most this many members choose one member at a time.
const FEW_MEMBERS: usize = 4;

/// Members processed together when they choose among several children.
const CHUNK: usize = 256;

/// Sets of at most this many members are copied together, out of their blocks.
const MAX_GATHERED: usize = 2048;

pub(super) struct ExactSplitter<T: Lane> {
    blocks: MemberBlocks<T>,
    members: Members<T>,
    known_signs: KnownSigns,
    ties: TieRule,
    // Buffers of one choice. The leader is one member of the set, whose choice is proved or refuted for the others.
    /// Key of each child's features.
    keys: Vec<u64>,
    /// Factors of the leader.
    leader: Vec<T>,
    /// The leader's value of each child.
    values: Vec<T::Value>,
    /// Children that can be chosen at all.
    live: Vec<usize>,
    /// Children that are not known to be worse than the leader's choice for all members.
    undecided: Vec<UndecidedChild>,
    /// The leader's choice and the undecided children, in the game's order.
    candidates: Vec<usize>,
    /// Terms of each candidate's value minus that of the leader's choice: most features cancel out.
    terms: Vec<DifferenceTerm>,
    /// Range of `terms` of each candidate.
    term_ranges: Vec<Range<usize>>,
    choices: Vec<u16>,
    parts: Vec<CohortPart>,
    /// Signs that the choices of the parts imply, in the order of the parts.
    implied: Vec<(u32, Sign)>,
}

struct UndecidedChild {
    child: usize,
    difference: u32,
    /// Sign that makes all members prefer the leader's choice.
    required: Sign,
}

impl<T: Lane> ExactSplitter<T> {
    pub(super) fn new(features: &[Feature], scaled: &ScaledFactors, ties: TieRule) -> ExactSplitter<T> {
        let blocks = MemberBlocks::new(features.len(), &scaled.factors);
        let capacity = MAX_GATHERED.min(blocks.n_members());
        let members: Members<T> = Members::with_capacity(capacity, features.len());
        ExactSplitter {
            blocks,
            choices: vec![0; members.capacity()],
            members,
            known_signs: KnownSigns::new(features, &scaled.extents),
            ties,
            keys: Vec::new(),
            leader: Vec::new(),
            values: Vec::new(),
            live: Vec::new(),
            undecided: Vec::new(),
            candidates: Vec::new(),
            terms: Vec::new(),
            term_ranges: Vec::new(),
            parts: Vec::new(),
            implied: Vec::new(),
        }
    }

    /// The leader's choice.
    #[inline]
    fn leader_choice(&mut self, features: &FeatureTable) -> usize {
        self.values.clear();
        for block in features.blocks() {
            let mut sums = [T::Value::default(); LANES];
            for (row, factor) in block.iter().zip(&self.leader) {
                for lane in 0..LANES {
                    sums[lane] = factor.plus(sums[lane], row[lane]);
                }
            }
            self.values.extend_from_slice(&sums);
        }
        let mut best = (self.live[0], self.values[self.live[0]]);
        for &child in &self.live[1..] {
            let value = self.values[child];
            let is_better = match self.ties {
                TieRule::First => value > best.1,
                TieRule::Last => value >= best.1,
            };
            best = if is_better { (child, value) } else { best };
        }
        best.0
    }

    /// Lets a few members choose one at a time.
    fn choose_each(&mut self, set: MemberSlice, leading: usize, features: &FeatureTable) -> Option<usize> {
        self.choices[0] = leading as u16;
        let mut agree = true;
        for i in 1..set.len() {
            self.leader.clear();
            self.leader.extend(self.members.member(set, i));
            let choice = self.leader_choice(features);
            self.choices[i] = choice as u16;
            agree &= choice == leading;
        }
        if agree {
            return Some(leading);
        }
        self.candidates.clear();
        self.candidates.extend(0..features.n_children());
        self.split(set);
        None
    }

    /// Lists the children that some members might prefer to the leading one, by the known signs.
    #[inline]
    fn list_undecided(&mut self, leading: usize, features: &FeatureTable) {
        self.keys.clear();
        for block in features.blocks() {
            let mut keys = [0u64; LANES];
            for (row, multiplier) in block.iter().zip(self.known_signs.multipliers()) {
                for lane in 0..LANES {
                    keys[lane] = keys[lane].wrapping_add((row[lane] as i64 as u64).wrapping_mul(*multiplier));
                }
            }
            self.keys.extend_from_slice(&keys);
        }
        self.undecided.clear();
        for &child in &self.live {
            let key = self.keys[leading].wrapping_sub(self.keys[child]);
            if key == 0 && (self.known_signs.is_exact() || is_same(features, leading, child)) {
                continue;
            }
            let difference = self.known_signs.find(key, |row| fill_difference(features, leading, child, row));
            let required = required_sign(self.ties, leading, child);
            if self.known_signs.known(difference) < required {
                self.undecided.push(UndecidedChild { child, difference, required });
            }
        }
    }

    /// Computes the signs of the undecided children until one is not what is required; returns whether all are.
    #[inline]
    fn is_unanimous(&mut self, group: MemberSet) -> bool {
        for UndecidedChild { difference, required, .. } in &self.undecided {
            if self.known_signs.known(*difference) >= *required {
                continue;
            }
            let (terms, is_small) = self.known_signs.terms(*difference);
            let sign = match group {
                MemberSet::Slice(set) => T::sign(&self.members, set, terms, is_small, *required),
                MemberSet::Blocks(span) => self.blocks.sign(span, terms, is_small, *required),
            };
            self.known_signs.learn(*difference, sign);
            if sign < *required {
                return false;
            }
        }
        true
    }

    /// Lists the leading child and the undecided ones, in the game's order, with the terms of their differences.
    fn list_candidates(&mut self, leading: usize, features: &FeatureTable) {
        let known_signs = &self.known_signs;
        self.candidates.clear();
        self.candidates.push(leading);
        let is_open = |other: &&UndecidedChild| known_signs.known(other.difference) < other.required;
        self.candidates.extend(self.undecided.iter().filter(is_open).map(|other| other.child));
        self.candidates.sort_unstable();
        self.drop_dominated(features);
        self.terms.clear();
        self.term_ranges.clear();
        for &child in &self.candidates {
            let start = self.terms.len();
            let row = features.child(child).zip(features.child(leading)).enumerate();
            self.terms.extend(row.filter_map(|(feature, (of_child, of_leading))| {
                let times = of_child - of_leading;
                (times != 0).then_some(DifferenceTerm { feature: feature as u32, times })
            }));
            self.term_ranges.push(start..self.terms.len());
        }
    }

    /// Drops candidates to which all members are known to prefer another one.
    fn drop_dominated(&mut self, features: &FeatureTable) {
        let (known_signs, keys, ties) = (&mut self.known_signs, &self.keys, self.ties);
        let mut dominates = |chosen: usize, other: usize| {
            let key = keys[chosen].wrapping_sub(keys[other]);
            let required = required_sign(ties, chosen, other);
            if key == 0 && (known_signs.is_exact() || is_same(features, chosen, other)) {
                return required == Sign::NotNegative;
            }
            let difference = known_signs.find(key, |row| fill_difference(features, chosen, other, row));
            known_signs.known(difference) >= required
        };
        let mut i = 0;
        while i < self.candidates.len() {
            let child = self.candidates[i];
            if self.candidates.iter().any(|&other| other != child && dominates(other, child)) {
                self.candidates.remove(i);
            } else {
                i += 1;
            }
        }
    }

    /// Every member of a set chooses among the candidates.
    fn choose(&mut self, set: MemberSlice) {
        for start in (0..set.len()).step_by(CHUNK) {
            let end = (start + CHUNK).min(set.len());
            let mut best = [T::Value::default(); CHUNK];
            let choices = &mut self.choices[start..end];
            choices.fill(0);
            for (i, range) in self.term_ranges.iter().enumerate() {
                let mut values = [T::Value::default(); CHUNK];
                for term in &self.terms[range.clone()] {
                    let column = &self.members.column(set, term.feature as usize)[start..end];
                    for (value, &factor) in values.iter_mut().zip(column) {
                        *value = factor.plus(*value, term.times);
                    }
                }
                let better = best.iter_mut().zip(&values).zip(choices.iter_mut());
                match self.ties {
                    _ if i == 0 => best = values,
                    TieRule::First => better.for_each(|((best, &value), choice)| {
                        *choice = if value > *best { i as u16 } else { *choice };
                        *best = if value > *best { value } else { *best };
                    }),
                    TieRule::Last => better.for_each(|((best, &value), choice)| {
                        *choice = if value >= *best { i as u16 } else { *choice };
                        *best = if value >= *best { value } else { *best };
                    }),
                }
            }
        }
        self.split(set);
    }

    /// Every member of a large set chooses among the candidates.
    fn choose_in_blocks(&mut self, span: BlockSpan) {
        let reach = |range: &Range<usize>| self.known_signs.reach(&self.terms[range.clone()]);
        let candidates = ChildCandidates {
            terms: &self.terms,
            term_ranges: &self.term_ranges,
            later_wins: self.ties == TieRule::Last,
            is_small: self.term_ranges.iter().all(|range| reach(range) <= f64::from(i16::MAX)),
        };
        let spans = self.blocks.split(span, &candidates);
        self.parts.clear();
        let checkpoint = SignCheckpoint { log: self.known_signs.checkpoint(), implied: self.implied.len() };
        let parts = self.candidates.iter().zip(spans).filter(|(_, span)| span.n_members > 0);
        self.parts.extend(parts.map(|(&child, span)| CohortPart {
            child: Some(child),
            group: MemberSet::Blocks(span),
            checkpoint,
        }));
    }

    fn split(&mut self, set: MemberSlice) {
        let choices = &self.choices[..set.len()];
        self.members.split(set, choices, &self.candidates, &mut self.parts);
        let checkpoint = SignCheckpoint { log: self.known_signs.checkpoint(), implied: self.implied.len() };
        self.parts.iter_mut().for_each(|part| part.checkpoint = checkpoint);
    }

    /// Records the signs that each part's choice implies: it prefers no other candidate.
    fn record_implied(&mut self, features: &FeatureTable) {
        for part in &mut self.parts {
            part.checkpoint.implied = self.implied.len();
            let Some(chosen) = part.child else { continue };
            for &child in &self.candidates {
                let key = self.keys[chosen].wrapping_sub(self.keys[child]);
                if key == 0 && (self.known_signs.is_exact() || is_same(features, chosen, child)) {
                    continue;
                }
                let difference =
                    self.known_signs.find(key, |row| fill_difference(features, chosen, child, row));
                self.implied.push((difference, required_sign(self.ties, chosen, child)));
            }
        }
    }
}

/// Sign of the difference that makes a member choose `chosen` rather than `other`; the tie rule decides equal values.
#[inline]
fn required_sign(ties: TieRule, chosen: usize, other: usize) -> Sign {
    if ties.wins_tie(chosen, other) { Sign::NotNegative } else { Sign::Positive }
}

fn is_same(features: &FeatureTable, a: usize, b: usize) -> bool {
    features.child(a).eq(features.child(b))
}

fn fill_difference(features: &FeatureTable, a: usize, b: usize, row: &mut [i32]) {
    for (by, (a, b)) in row.iter_mut().zip(features.child(a).zip(features.child(b))) {
        *by = a - b;
    }
}

impl<T: Lane> CohortSplitter for ExactSplitter<T> {
    fn n_members(&self) -> usize {
        self.blocks.n_members()
    }

    fn everyone(&mut self) -> MemberSet {
        self.known_signs.forget(0);
        self.implied.clear();
        MemberSet::Blocks(self.blocks.everyone())
    }

    fn choose_child(&mut self, group: MemberSet, children: &mut ChildFeatures) -> Option<usize> {
        if let Some(child) = children.resolve_terminals(self.ties, &mut self.live) {
            return Some(child);
        }
        let features = &children.features;
        self.leader.clear();
        match group {
            MemberSet::Slice(set) => self.leader.extend(self.members.member(set, 0)),
            MemberSet::Blocks(span) => self.leader.extend(self.blocks.some_member(span)),
        }
        let leading = self.leader_choice(features);
        if let MemberSet::Slice(set) = group
            && set.len() <= FEW_MEMBERS
        {
            return self.choose_each(set, leading, features);
        }
        self.list_undecided(leading, features);
        if self.undecided.is_empty() || self.is_unanimous(group) {
            return Some(leading);
        }
        self.list_candidates(leading, features);
        match group {
            MemberSet::Slice(set) => self.choose(set),
            MemberSet::Blocks(span) => self.choose_in_blocks(span),
        }
        self.record_implied(features);
        None
    }

    fn parts(&self) -> &[CohortPart] {
        &self.parts
    }

    fn enter(&mut self, part: &CohortPart) -> MemberSet {
        self.known_signs.forget(part.checkpoint.log);
        for (difference, sign) in self.implied.drain(part.checkpoint.implied..) {
            self.known_signs.learn(difference, sign);
        }
        if let MemberSet::Blocks(span) = part.group {
            self.blocks.enter(span);
            if span.n_members <= self.members.capacity() {
                return MemberSet::Slice(self.blocks.gather(span, &mut self.members));
            }
        }
        part.group
    }

    fn numbers(&mut self, group: MemberSet) -> &[u32] {
        match group {
            MemberSet::Slice(set) => self.members.numbers(set),
            MemberSet::Blocks(span) => self.blocks.numbers(span),
        }
    }
}
