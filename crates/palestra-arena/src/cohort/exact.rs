//! Members whose sums are exact: which of two children they prefer is the sign of a weighted difference.
//!
//! Then what children have in common does not matter, what is known of a set need not be looked at again, and most
//! positions are decided without touching the members.

use super::known_signs::KnownSigns;
use super::lane::{DifferenceTerm, Lane, Sign};
use super::member_blocks::{BlockSpan, ChildCandidates, MemberBlocks};
use super::members::{MemberSlice, Members};
use super::scale::ScaledFactors;
use super::splitter::{ChildFeatures, CohortPart, CohortSplitter, MemberSet, SignCheckpoint};
use palestra_core::{Feature, FeatureTable, LANES, TieRule};
use std::ops::Range;

/// So few members are asked one by one.
const FEW: usize = 4;

/// Members worked on together when they choose among several children.
const STRETCH: usize = 256;

/// So many members are worth carrying together.
const ROOM: usize = 2048;

pub(super) struct ExactSplitter<T: Lane> {
    crowd: MemberBlocks<T>,
    members: Members<T>,
    facts: KnownSigns,
    ties: TieRule,
    /// Buffers of one vote: the key and the leader's value of each child, the children that can be chosen at all,
    /// and those that not all members are known to think worse of than of the leader's choice.
    keys: Vec<u64>,
    leader: Vec<T>,
    values: Vec<T::Value>,
    live: Vec<usize>,
    doubts: Vec<UndecidedChild>,
    candidates: Vec<usize>,
    /// The terms of each candidate's value beside the leader's choice: most features cancel out.
    terms: Vec<DifferenceTerm>,
    stretches: Vec<Range<usize>>,
    choices: Vec<u16>,
    parts: Vec<CohortPart>,
    /// What parts have shown by parting, in the order of the parts.
    shown: Vec<(u32, Sign)>,
}

struct UndecidedChild {
    child: usize,
    fact: u32,
    /// What has to hold for the leader's choice to be everyone's.
    least: Sign,
}

impl<T: Lane> ExactSplitter<T> {
    pub(super) fn new(features: &[Feature], scaled: &ScaledFactors, ties: TieRule) -> ExactSplitter<T> {
        let crowd = MemberBlocks::new(features.len(), &scaled.factors);
        let members: Members<T> = Members::with_capacity(ROOM.min(crowd.n_members()), features.len());
        ExactSplitter {
            crowd,
            choices: vec![0; members.capacity()],
            members,
            facts: KnownSigns::new(features, &scaled.extents),
            ties,
            keys: Vec::new(),
            leader: Vec::new(),
            values: Vec::new(),
            live: Vec::new(),
            doubts: Vec::new(),
            candidates: Vec::new(),
            terms: Vec::new(),
            stretches: Vec::new(),
            parts: Vec::new(),
            shown: Vec::new(),
        }
    }

    /// What the leader chooses.
    #[inline]
    fn leading(&mut self, features: &FeatureTable) -> usize {
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

    /// Asks a few members one by one.
    fn ask_each(&mut self, set: MemberSlice, leading: usize, features: &FeatureTable) -> Option<usize> {
        self.choices[0] = leading as u16;
        let mut agree = true;
        for i in 1..set.len() {
            self.leader.clear();
            self.leader.extend(self.members.member(set, i));
            let choice = self.leading(features);
            self.choices[i] = choice as u16;
            agree &= choice == leading;
        }
        if agree {
            return Some(leading);
        }
        self.candidates.clear();
        self.candidates.extend(0..features.n_children());
        self.part(set);
        None
    }

    /// Lists the children that some members might prefer to the leading one, by what is known.
    #[inline]
    fn list_doubts(&mut self, leading: usize, features: &FeatureTable) {
        self.keys.clear();
        for block in features.blocks() {
            let mut keys = [0u64; LANES];
            for (row, multiplier) in block.iter().zip(self.facts.multipliers()) {
                for lane in 0..LANES {
                    keys[lane] = keys[lane].wrapping_add((row[lane] as i64 as u64).wrapping_mul(*multiplier));
                }
            }
            self.keys.extend_from_slice(&keys);
        }
        self.doubts.clear();
        for &child in &self.live {
            let key = self.keys[leading].wrapping_sub(self.keys[child]);
            if key == 0 && (self.facts.is_exact() || is_same(features, leading, child)) {
                continue;
            }
            let fact = self.facts.find(key, |row| fill_difference(features, leading, child, row));
            let least = least_sign(self.ties, leading, child);
            if self.facts.known(fact) < least {
                self.doubts.push(UndecidedChild { child, fact, least });
            }
        }
    }

    /// Looks at the members until the doubts are gone or one of them proves right; says whether they are gone.
    #[inline]
    fn is_unanimous(&mut self, group: MemberSet) -> bool {
        for UndecidedChild { fact, least, .. } in &self.doubts {
            if self.facts.known(*fact) >= *least {
                continue;
            }
            let (terms, is_small) = self.facts.terms(*fact);
            let sign = match group {
                MemberSet::Slice(set) => T::sign(&self.members, set, terms, is_small, *least),
                MemberSet::Blocks(span) => self.crowd.sign(span, terms, is_small, *least),
            };
            self.facts.learn(*fact, sign);
            if sign < *least {
                return false;
            }
        }
        true
    }

    /// Lists the leading child and the doubtful ones, in the game's order, and what tells their values apart.
    fn list_candidates(&mut self, leading: usize, features: &FeatureTable) {
        let facts = &self.facts;
        self.candidates.clear();
        self.candidates.push(leading);
        let doubts = self.doubts.iter().filter(|doubt| facts.known(doubt.fact) < doubt.least);
        self.candidates.extend(doubts.map(|doubt| doubt.child));
        self.candidates.sort_unstable();
        self.drop_beaten(features);
        self.terms.clear();
        self.stretches.clear();
        for &child in &self.candidates {
            let start = self.terms.len();
            let row = features.child(child).zip(features.child(leading)).enumerate();
            self.terms.extend(row.filter_map(|(feature, (of_child, of_leading))| {
                let times = of_child - of_leading;
                (times != 0).then_some(DifferenceTerm { feature: feature as u32, times })
            }));
            self.stretches.push(start..self.terms.len());
        }
    }

    /// Drops candidates that nobody can choose: all members are known to prefer another one.
    fn drop_beaten(&mut self, features: &FeatureTable) {
        let (facts, keys, ties) = (&mut self.facts, &self.keys, self.ties);
        let mut beats = |chosen: usize, other: usize| {
            let key = keys[chosen].wrapping_sub(keys[other]);
            let least = least_sign(ties, chosen, other);
            if key == 0 && (facts.is_exact() || is_same(features, chosen, other)) {
                return least == Sign::NotNegative;
            }
            let fact = facts.find(key, |row| fill_difference(features, chosen, other, row));
            facts.known(fact) >= least
        };
        let mut i = 0;
        while i < self.candidates.len() {
            let child = self.candidates[i];
            if self.candidates.iter().any(|&other| other != child && beats(other, child)) {
                self.candidates.remove(i);
            } else {
                i += 1;
            }
        }
    }

    /// Every member of a set chooses among the candidates.
    fn choose(&mut self, set: MemberSlice) {
        for start in (0..set.len()).step_by(STRETCH) {
            let end = (start + STRETCH).min(set.len());
            let mut best = [T::Value::default(); STRETCH];
            let choices = &mut self.choices[start..end];
            choices.fill(0);
            for (i, stretch) in self.stretches.iter().enumerate() {
                let mut values = [T::Value::default(); STRETCH];
                for term in &self.terms[stretch.clone()] {
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
        self.part(set);
    }

    /// Every member of a large set chooses among the candidates.
    fn choose_in_crowd(&mut self, span: BlockSpan) {
        let reach = |stretch: &Range<usize>| self.facts.reach(&self.terms[stretch.clone()]);
        let candidates = ChildCandidates {
            terms: &self.terms,
            stretches: &self.stretches,
            later_wins: self.ties == TieRule::Last,
            is_small: self.stretches.iter().all(|stretch| reach(stretch) <= f64::from(i16::MAX)),
        };
        let spans = self.crowd.split(span, &candidates);
        self.parts.clear();
        let mark = SignCheckpoint { log: self.facts.checkpoint(), shown: self.shown.len() };
        let parts = self.candidates.iter().zip(spans).filter(|(_, span)| span.n_members > 0);
        self.parts.extend(parts.map(|(&child, span)| CohortPart {
            child: Some(child),
            group: MemberSet::Blocks(span),
            checkpoint: mark,
        }));
    }

    fn part(&mut self, set: MemberSlice) {
        let choices = &self.choices[..set.len()];
        self.members.split(set, choices, &self.candidates, &mut self.parts);
        let mark = SignCheckpoint { log: self.facts.checkpoint(), shown: self.shown.len() };
        self.parts.iter_mut().for_each(|part| part.checkpoint = mark);
    }

    /// Keeps what every part has shown: that it thinks no other candidate better.
    fn keep_shown(&mut self, features: &FeatureTable) {
        for part in &mut self.parts {
            part.checkpoint.shown = self.shown.len();
            let Some(chosen) = part.child else { continue };
            for &child in &self.candidates {
                let key = self.keys[chosen].wrapping_sub(self.keys[child]);
                if key == 0 && (self.facts.is_exact() || is_same(features, chosen, child)) {
                    continue;
                }
                let fact = self.facts.find(key, |row| fill_difference(features, chosen, child, row));
                self.shown.push((fact, least_sign(self.ties, chosen, child)));
            }
        }
    }
}

/// What has to hold for `chosen` to be played rather than `other`: equals are left to the ties.
#[inline]
fn least_sign(ties: TieRule, chosen: usize, other: usize) -> Sign {
    let chosen_wins_ties = match ties {
        TieRule::First => chosen < other,
        TieRule::Last => chosen > other,
    };
    if chosen_wins_ties { Sign::NotNegative } else { Sign::Positive }
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
        self.crowd.n_members()
    }

    fn everyone(&mut self) -> MemberSet {
        self.facts.forget(0);
        self.shown.clear();
        MemberSet::Blocks(self.crowd.everyone())
    }

    fn choose_child(&mut self, group: MemberSet, ballot: &mut ChildFeatures) -> Option<usize> {
        if let Some(child) = ballot.resolve_terminals(self.ties, &mut self.live) {
            return Some(child);
        }
        let features = &ballot.features;
        self.leader.clear();
        match group {
            MemberSet::Slice(set) => self.leader.extend(self.members.member(set, 0)),
            MemberSet::Blocks(span) => self.leader.extend(self.crowd.some_member(span)),
        }
        let leading = self.leading(features);
        if let MemberSet::Slice(set) = group
            && set.len() <= FEW
        {
            return self.ask_each(set, leading, features);
        }
        self.list_doubts(leading, features);
        if self.doubts.is_empty() || self.is_unanimous(group) {
            return Some(leading);
        }
        self.list_candidates(leading, features);
        match group {
            MemberSet::Slice(set) => self.choose(set),
            MemberSet::Blocks(span) => self.choose_in_crowd(span),
        }
        self.keep_shown(features);
        None
    }

    fn parts(&self) -> &[CohortPart] {
        &self.parts
    }

    fn enter(&mut self, part: &CohortPart) -> MemberSet {
        self.facts.forget(part.checkpoint.log);
        for (fact, sign) in self.shown.drain(part.checkpoint.shown..) {
            self.facts.learn(fact, sign);
        }
        if let MemberSet::Blocks(span) = part.group {
            self.crowd.enter(span);
            if span.n_members <= self.members.capacity() {
                return MemberSet::Slice(self.crowd.gather(span, &mut self.members));
            }
        }
        part.group
    }

    fn numbers(&mut self, group: MemberSet) -> &[u32] {
        match group {
            MemberSet::Slice(set) => self.members.numbers(set),
            MemberSet::Blocks(span) => self.crowd.numbers(span),
        }
    }
}
