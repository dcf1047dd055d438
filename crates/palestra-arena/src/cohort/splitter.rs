//! The interface between the walk through the tree of games and the sets of members that choose.
//!
//! The same walk with other splitters measures how far weights may move (`Sensitivity`) and cuts a slice of weight
//! space into regions with exact borders (`WeightMap`).

use super::member_blocks::BlockSpan;
use super::members::MemberSlice;
use palestra_core::{FeatureRow, FeatureTable, TieRule};

/// The children of one position.
#[derive(Default)]
pub(super) struct ChildFeatures {
    /// Features of the children, for the side that chooses, from the convention's viewpoint.
    pub(super) features: FeatureTable,
    /// Plies from the start.
    pub(super) ply: u32,
    /// Index and value of the children that end the game, where the convention gives these a value of their own.
    pub(super) ended: Vec<(usize, f64)>,
}

impl ChildFeatures {
    /// The parts of a child's value: that of its ending, 0 where it is not in `ended`, and the features that are
    /// summed, all 0 where it is.
    pub(super) fn counted(&self, child: usize) -> (f64, impl Iterator<Item = i32>) {
        let end = self.ended.iter().find(|ended| ended.0 == child).map(|ended| ended.1);
        let counts = i32::from(end.is_none());
        (end.unwrap_or(0.0), self.features.child(child).map(move |value| value * counts))
    }

    /// Lists the children that can be chosen into `live`. Requires that no sum reaches the value of a won game: then a
    /// won child is best and a lost one worst for all weights, and a drawn one counts as a row of zeros. `Some` where
    /// the ended children alone decide.
    #[inline]
    pub(super) fn resolve_terminals(&mut self, ties: TieRule, live: &mut Vec<usize>) -> Option<usize> {
        let n_children = self.features.n_children();
        live.clear();
        live.extend(0..n_children);
        if self.ended.is_empty() {
            return None;
        }
        let best = self.ended.iter().map(|ended| ended.1).fold(f64::NEG_INFINITY, f64::max);
        if best > 0.0 || (best < 0.0 && self.ended.len() == n_children) {
            let mut equal = self.ended.iter().filter(|ended| ended.1 == best).map(|ended| ended.0);
            return match ties {
                TieRule::First => equal.next(),
                TieRule::Last => equal.next_back(),
            };
        }
        let mut buffer = FeatureRow::default();
        let zeros = buffer.of(self.features.n_features());
        for &(child, value) in &self.ended {
            if value == 0.0 {
                self.features.set_child(child, zeros);
            }
        }
        live.retain(|child| !self.ended.iter().any(|ended| ended.0 == *child && ended.1 < 0.0));
        None
    }
}

/// A set of members.
#[derive(Clone, Copy, Debug)]
pub(super) enum MemberSet {
    /// Copied together, contiguous in memory.
    Slice(MemberSlice),
    /// In their blocks, as masks.
    Blocks(BlockSpan),
}

/// Members that chose the same child, or that have to choose again.
#[derive(Clone, Copy, Debug)]
pub(super) struct CohortPart {
    /// The child; `None` where they have not chosen yet.
    pub(super) child: Option<usize>,
    /// The members.
    pub(super) group: MemberSet,
    /// Restores, in [`CohortSplitter::enter`], what is known about them.
    pub(super) checkpoint: SignCheckpoint,
}

/// Lengths of two logs when a set was split: of the known signs, and of the signs that the choices of its parts imply.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct SignCheckpoint {
    pub(super) log: usize,
    pub(super) implied: usize,
}

/// A cohort's members and how they choose.
pub(super) trait CohortSplitter: Send {
    /// Number of members.
    fn n_members(&self) -> usize;

    /// The set of all members, at the beginning of a walk.
    fn everyone(&mut self) -> MemberSet;

    /// The child that all members of a set choose; `None` if they disagree, and [`CohortSplitter::parts`] lists the
    /// parts.
    fn choose_child(&mut self, group: MemberSet, children: &mut ChildFeatures) -> Option<usize>;

    /// The parts of the last set whose members disagreed; that set is no longer valid.
    fn parts(&self) -> &[CohortPart];

    /// Continues with a part. Parts are entered in the reverse order of their creation, and each with all its own parts
    /// before the next.
    fn enter(&mut self, part: &CohortPart) -> MemberSet {
        part.group
    }

    /// The numbers of the members of a set.
    fn numbers(&mut self, group: MemberSet) -> &[u32];
}
