//! Cohorts: many greedy players that play their common games once.
//!
//! Greedy players with linear evaluations share most of their games against the same opponent. So the whole *set* of
//! them walks down one tree of games: at the members' turn the features of the children are read once, every member
//! chooses, and the set is split where members disagree. The results equal those of [`crate::AnyMatch`] for each
//! member to the bit; tests check it.

mod erased;
mod exact;
mod gauntlet;
mod known_signs;
mod lane;
mod member_blocks;
mod members;
mod opponent;
mod order;
mod plain;
mod polygon;
mod region;
mod scale;
mod sensitivity;
mod splitter;
mod walk;

pub use erased::AnyCohort;
pub(crate) use erased::ErasedCohort;
pub use gauntlet::GauntletSpec;
pub(crate) use region::refine_map;
pub use region::{WeightMap, WeightRegion};
pub(crate) use sensitivity::sensitivity;
pub use sensitivity::{Decision, Sensitivity, WeightLimit, WeightRange};

use crate::spec::{PlayerKind, PlayerSpec};
use exact::ExactSplitter;
use palestra_core::{
    Convention, Ending, EvaluationVisitor, Feature, FeatureSet, Game, ParametricEvaluator, Playable,
    Progress, Seed, Side, TieRule,
};
use palestra_search::SearchSpec;
use plain::PlainSplitter;
pub(crate) use scale::{ScaledFactors, gcd};
use splitter::CohortSplitter;
use std::sync::Arc;
use walk::LinearCohort;

/// Greedy players over one feature set, which can play against any opponent that [`can_meet_cohort`].
pub trait Cohort<G: Game>: Send {
    /// Every member plays one game from `start` on `side` against `opponent`, whose randomness comes from `seed` as in
    /// [`crate::AnyMatch`]. Calls `leaf` for each different game with the numbers of the members that played it (in
    /// the cohort's own order), its ending and its number of plies from `start`. Every member is listed exactly once,
    /// unless `progress` is canceled; returns whether all games were played.
    #[expect(clippy::too_many_arguments, reason = "a game has no fewer parts")]
    fn play(
        &mut self,
        game: &G,
        start: &G::Position,
        side: Side,
        opponent: &PlayerSpec,
        seed: Seed,
        progress: &Progress,
        leaf: &mut dyn FnMut(&[u32], &Ending, u32),
    ) -> bool;

    /// Number of members.
    fn n_members(&self) -> usize;
}

/// The cohort of these players; `None` unless they are greedy over a linear evaluation that takes weights. `weights`
/// has one row per member, each with as many weights as the evaluation takes.
pub fn cohort_of<G: Playable>(
    game: &G,
    search: &SearchSpec,
    evaluation: &str,
    weights: &[f64],
) -> Option<Box<dyn Cohort<G>>> {
    make_cohort(game, search, MakeCohort { evaluation, weights, ties: search.ties(), may_be_exact: true })
}

/// The same cohort with the sums of single players, even where whole numbers would give the same choices.
pub(crate) fn plain_cohort_of<G: Playable>(
    game: &G,
    search: &SearchSpec,
    evaluation: &str,
    weights: &[f64],
) -> Option<Box<dyn Cohort<G>>> {
    make_cohort(game, search, MakeCohort { evaluation, weights, ties: search.ties(), may_be_exact: false })
}

fn make_cohort<G: Playable>(
    game: &G,
    search: &SearchSpec,
    visitor: MakeCohort<'_>,
) -> Option<Box<dyn Cohort<G>>> {
    if !search.is_greedy() {
        return None;
    }
    game.evaluation(visitor.evaluation, visitor)?
}

/// Whether this player's move depends only on the position and the seed of the ply. Only such a player can play against
/// a cohort, which visits positions in an order of its own.
pub fn can_meet_cohort(spec: &PlayerSpec) -> bool {
    match &spec.kind {
        PlayerKind::Policy(_) => true,
        PlayerKind::Search { search, .. } => search.is_function_of_position(),
        PlayerKind::Perfect { .. } => false,
    }
}

/// Makes a cohort for an evaluation of any type.
struct MakeCohort<'a> {
    evaluation: &'a str,
    weights: &'a [f64],
    ties: Option<TieRule>,
    /// Whether whole numbers may be used where they give the same choices.
    may_be_exact: bool,
}

impl<G: Playable> EvaluationVisitor<G> for MakeCohort<'_> {
    type Out = Option<Box<dyn Cohort<G>>>;

    fn linear<F: FeatureSet<G> + 'static>(self, set: F) -> Self::Out {
        let n_weights = set.features().iter().filter(|feature| feature.fixed.is_none()).count();
        if n_weights == 0 {
            return None;
        }
        let rows = self.weights.chunks_exact(n_weights);
        assert!(rows.remainder().is_empty(), "each member has {n_weights} weights");
        let factors = factors_of_all(set.features(), rows);
        let convention = set.convention();
        let ties = self.ties.unwrap_or(convention.ties);
        let splitter = new_splitter(set.features(), &convention, ties, &factors, self.may_be_exact);
        Some(Box::new(LinearCohort::new(Arc::new(set), self.evaluation.to_owned(), splitter)))
    }

    fn other<T: ParametricEvaluator<G>>(self, _template: T) -> Self::Out {
        None
    }
}

/// Weight × unit of each feature, the fixed ones included, one row per member.
pub(crate) fn factors_of_all<'a>(
    features: &[Feature],
    rows: impl ExactSizeIterator<Item = &'a [f64]>,
) -> Vec<f64> {
    let mut factors = Vec::with_capacity(rows.len() * features.len());
    for row in rows {
        let mut weights = row.iter();
        let mut weight =
            |feature: &Feature| feature.fixed.or_else(|| weights.next().copied()).unwrap_or_default();
        factors.extend(features.iter().map(|feature| weight(feature) * feature.unit));
    }
    factors
}

/// Not generic over the game, so that it is compiled once.
fn new_splitter(
    features: &[Feature],
    convention: &Convention,
    ties: TieRule,
    factors: &[f64],
    may_be_exact: bool,
) -> Box<dyn CohortSplitter> {
    let scaled = if may_be_exact { ScaledFactors::of(features, convention, factors) } else { None };
    match scaled {
        Some(scaled) if scaled.is_narrow => Box::new(ExactSplitter::<i16>::new(features, &scaled, ties)),
        Some(scaled) => Box::new(ExactSplitter::<f64>::new(features, &scaled, ties)),
        None => Box::new(PlainSplitter::new(features.len(), factors, convention.sum, ties)),
    }
}
