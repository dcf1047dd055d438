//! What a set of members is asked, and who answers.
//!
//! The same walk with other splitters measures how far weights may move (`Sensitivity`), cuts a slice of weight space
//! into regions with exact borders (`WeightMap`) and proves what boxes of weights score (`WeightBox`).

use super::member_blocks::BlockSpan;
use super::members::MemberSlice;
use palestra_core::{FeatureTable, MAX_FEATURES, TieRule};

/// The children of one position.
#[derive(Default)]
pub(super) struct ChildFeatures {
    /// Their features, as the convention judges them for the side that chooses.
    pub(super) features: FeatureTable,
    /// Plies from the start.
    pub(super) ply: u32,
    /// What the children that end the game are worth, where their features do not count.
    pub(super) ended: Vec<(usize, f64)>,
}

impl ChildFeatures {
    /// Finds the children that can be chosen at all, where no sum comes near what a won game is worth: that one
    /// counts most and a lost one least, whatever the weights, and a drawn one counts as a row of zeros. `Some`
    /// where that decides.
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
            let mut equals = self.ended.iter().filter(|ended| ended.1 == best).map(|ended| ended.0);
            return match ties {
                TieRule::First => equals.next(),
                TieRule::Last => equals.next_back(),
            };
        }
        let zeros = [0; MAX_FEATURES];
        let n_features = self.features.n_features();
        for &(child, worth) in &self.ended {
            if worth == 0.0 {
                self.features.set_child(child, &zeros[..n_features]);
            }
        }
        live.retain(|child| !self.ended.iter().any(|ended| ended.0 == *child && ended.1 < 0.0));
        None
    }
}

/// Some members.
#[derive(Clone, Copy, Debug)]
pub(super) enum MemberSet {
    /// Carried together.
    Slice(MemberSlice),
    /// Where they are.
    Blocks(BlockSpan),
}

/// Members who chose the same child, or who are asked again.
#[derive(Clone, Copy, Debug)]
pub(super) struct CohortPart {
    /// The child; none where they have not chosen yet.
    pub(super) child: Option<usize>,
    /// Who they are.
    pub(super) group: MemberSet,
    /// Lets [`CohortSplitter::enter`] find what is known of them.
    pub(super) checkpoint: SignCheckpoint,
}

/// What was known when a set parted, and what its members have shown by parting.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct SignCheckpoint {
    pub(super) log: usize,
    pub(super) shown: usize,
}

/// The members, and how they choose.
pub(super) trait CohortSplitter: Send {
    /// How many members there are.
    fn n_members(&self) -> usize;

    /// All of them, at the beginning of a walk.
    fn everyone(&mut self) -> MemberSet;

    /// Lets the members of a set choose. `None` means that they disagree: [`CohortSplitter::parts`] says how.
    fn choose_child(&mut self, group: MemberSet, ballot: &mut ChildFeatures) -> Option<usize>;

    /// Who chose what in the last vote without agreement. Their parent is no set any more.
    fn parts(&self) -> &[CohortPart];

    /// Goes on with a part. Parts are gone on with in the reverse order of their making, each with all that
    /// comes of it before the next.
    fn enter(&mut self, part: &CohortPart) -> MemberSet;

    /// The numbers of the members of a set.
    fn numbers(&mut self, group: MemberSet) -> &[u32];
}
