//! What an evaluation may look at.

use crate::{Convention, Game, Side};
use std::sync::Arc;

/// One number read off a position, with what a person should know about it.
#[derive(Clone, PartialEq, Debug)]
pub struct Feature {
    /// Short name, unique within its set.
    pub name: &'static str,
    /// What it counts, in words.
    pub meaning: &'static str,
    /// Smallest value it can take in this game.
    pub low: i32,
    /// Largest value it can take in this game.
    pub high: i32,
    /// What one unit counts in the set's own points: a weight of 1 adds `unit` per unit.
    pub unit: f64,
}

/// A list of features, taken together. Whole numbers; weights are `f64`; sums run in the order of the list.
///
/// A set may keep a *memo* along a line of play so that the features of children cost the change and not the
/// board. Whatever it keeps, `recall` and `extract_children` must equal plain `extract`; the conformance kit
/// holds every set to that.
pub trait FeatureSet<G: Game>: Send + Sync {
    /// What is kept along a line of play; `()` where nothing is.
    type Memo: Clone + Send;

    /// The features, in the order in which their weights are written.
    fn features(&self) -> &[Feature];

    /// The plain form: reads every feature off the board, as `view` sees it. `out` is as long as `features`.
    fn extract(&self, game: &G, at: &G::Position, view: Side, out: &mut [i32]);

    /// The memo of a position met without history.
    fn begin(&self, game: &G, at: &G::Position) -> Self::Memo;

    /// Brings the memo of `at` to the position after `mv`, a legal move there.
    fn advance(&self, game: &G, memo: &mut Self::Memo, at: &G::Position, mv: G::Move);

    /// The same as [`FeatureSet::extract`], with the help of the position's memo.
    fn recall(&self, game: &G, at: &G::Position, _memo: &Self::Memo, view: Side, out: &mut [i32]) {
        self.extract(game, at, view, out);
    }

    /// The features of every child, feature after feature: `out[f * moves.len() + child]`.
    /// `out` is cleared first. Must equal play-then-extract.
    fn extract_children(
        &self,
        game: &G,
        at: &G::Position,
        memo: &Self::Memo,
        view: Side,
        moves: &[G::Move],
        out: &mut Vec<i32>,
    ) {
        children_one_by_one(self, game, at, memo, view, moves, out);
    }

    /// How the study behind this set scores endings and breaks ties.
    fn convention(&self) -> Convention {
        Convention::default()
    }
}

/// A shared set is a set: several players may weigh the same one.
impl<G: Game, F: FeatureSet<G>> FeatureSet<G> for Arc<F> {
    type Memo = F::Memo;

    fn features(&self) -> &[Feature] {
        (**self).features()
    }

    fn extract(&self, game: &G, at: &G::Position, view: Side, out: &mut [i32]) {
        (**self).extract(game, at, view, out);
    }

    fn begin(&self, game: &G, at: &G::Position) -> F::Memo {
        (**self).begin(game, at)
    }

    #[inline]
    fn advance(&self, game: &G, memo: &mut F::Memo, at: &G::Position, mv: G::Move) {
        (**self).advance(game, memo, at, mv);
    }

    fn recall(&self, game: &G, at: &G::Position, memo: &F::Memo, view: Side, out: &mut [i32]) {
        (**self).recall(game, at, memo, view, out);
    }

    #[inline]
    fn extract_children(
        &self,
        game: &G,
        at: &G::Position,
        memo: &F::Memo,
        view: Side,
        moves: &[G::Move],
        out: &mut Vec<i32>,
    ) {
        (**self).extract_children(game, at, memo, view, moves, out);
    }

    fn convention(&self) -> Convention {
        (**self).convention()
    }
}

/// Most features a set may have; lets [`children_one_by_one`] work without allocating.
pub(crate) const MAX_FEATURES: usize = 64;

/// Plays each move on a copy and extracts: what `extract_children` must equal.
pub(crate) fn children_one_by_one<G: Game, F: FeatureSet<G> + ?Sized>(
    set: &F,
    game: &G,
    at: &G::Position,
    memo: &F::Memo,
    view: Side,
    moves: &[G::Move],
    out: &mut Vec<i32>,
) {
    let n_features = set.features().len();
    assert!(n_features <= MAX_FEATURES, "a set has at most {MAX_FEATURES} features");
    out.clear();
    out.resize(n_features * moves.len(), 0);
    let mut row = [0; MAX_FEATURES];
    for (child, &mv) in moves.iter().enumerate() {
        let mut after = at.clone();
        game.play(&mut after, mv);
        let mut memo_after = memo.clone();
        set.advance(game, &mut memo_after, at, mv);
        set.recall(game, &after, &memo_after, view, &mut row[..n_features]);
        for (f, &value) in row[..n_features].iter().enumerate() {
            out[f * moves.len() + child] = value;
        }
    }
}
