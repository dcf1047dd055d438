//! What an evaluation may look at.
//!
//! `extract` is the definition and reads the board. The other forms only make it cheaper: `begin` and `advance` keep
//! an accumulator along a line of play, `extract_incremental` reads the features from it, `extract_child` gives those
//! after one transition and `extract_children` those of all children. All must equal `extract`. A feature with a
//! fixed weight is summed and explained, but takes no weight of the player.

use crate::{Convention, Game, Side, Viewpoint};
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
    /// The weight it always has; `None` where a player chooses it.
    pub fixed: Option<f64>,
}

impl Feature {
    /// A feature that a player weighs, one point a unit.
    pub const fn new(name: &'static str, meaning: &'static str, low: i32, high: i32) -> Feature {
        Feature { name, meaning, low, high, unit: 1.0, fixed: None }
    }
}

/// A list of features, taken together. Whole numbers; weights are `f64`; sums run in the order of the list.
///
/// A set may keep a *memo* along a line of play so that the features of children cost the change and not the
/// board. Whatever it keeps, `recall` and `extract_children` must equal plain `extract`; the conformance kit
/// holds every set to that.
pub trait FeatureSet<G: Game>: Send + Sync {
    /// What is kept along a line of play; `()` where nothing is.
    type Accumulator: Clone + Send;

    /// The features, in the order in which their weights are written.
    fn features(&self) -> &[Feature];

    /// The plain form: reads every feature off the board, as `view` sees it. `out` is as long as `features`.
    fn extract(&self, game: &G, at: &G::Position, view: Side, out: &mut [i32]);

    /// The memo of a position met without history.
    fn begin(&self, game: &G, at: &G::Position) -> Self::Accumulator;

    /// Brings the memo of `at` to the position after `mv`, a legal move there.
    fn advance(&self, game: &G, memo: &mut Self::Accumulator, at: &G::Position, mv: G::Move);

    /// The same as [`FeatureSet::extract`], with the help of the position's memo.
    fn extract_incremental(
        &self,
        game: &G,
        at: &G::Position,
        _memo: &Self::Accumulator,
        view: Side,
        out: &mut [i32],
    ) {
        self.extract(game, at, view, out);
    }

    /// The features after `mv`, which leads from `at`, whose memo is given, to `after`. Must equal `extract`
    /// there; what a memo knows of the parent makes it cheaper.
    fn extract_child(
        &self,
        game: &G,
        step: &Transition<'_, G>,
        memo: &Self::Accumulator,
        view: Side,
        out: &mut [i32],
    ) {
        let mut memo = memo.clone();
        self.advance(game, &mut memo, step.at, step.mv);
        self.extract_incremental(game, step.after, &memo, view, out);
    }

    /// The features of every child, which `out` is reset to hold. `moves` are all legal moves, in the game's
    /// order. Must equal play-then-extract.
    fn extract_children(
        &self,
        game: &G,
        at: &G::Position,
        memo: &Self::Accumulator,
        view: Side,
        moves: &[G::Move],
        out: &mut FeatureTable,
    ) {
        children_one_by_one(self, game, at, moves, out, |step, row| {
            self.extract_child(game, step, memo, view, row);
        });
    }

    /// Whether all features of a position and of its images under the game's symmetries
    /// ([`Game::symmetric_key`]) are always the same.
    fn is_symmetric(&self) -> bool {
        false
    }

    /// How the study behind this set scores endings and breaks ties.
    fn convention(&self) -> Convention {
        Convention::default()
    }
}

/// A move and the positions on both sides of it.
#[derive(Debug)]
pub struct Transition<'a, G: Game> {
    /// Where the move is played.
    pub at: &'a G::Position,
    /// The move.
    pub mv: G::Move,
    /// Where it leads.
    pub after: &'a G::Position,
}

/// Children worked on together when sums are made.
pub const LANES: usize = 8;

/// Features of many children, laid out so that sums run across children: blocks of [`LANES`] children, and in
/// each block feature after feature. The last block is padded with values that mean nothing.
#[derive(Clone, Default, Debug)]
pub struct FeatureTable {
    n_features: usize,
    n_children: usize,
    rows: Vec<[i32; LANES]>,
}

impl FeatureTable {
    /// Makes room for so many features of so many children; all values are unspecified until set.
    #[inline]
    pub fn reset(&mut self, n_features: usize, n_children: usize) {
        self.n_features = n_features;
        self.n_children = n_children;
        self.rows.resize(n_features * n_children.div_ceil(LANES), [0; LANES]);
    }

    /// Sets all features of one child.
    #[inline]
    pub fn set_child(&mut self, child: usize, features: &[i32]) {
        let start = child / LANES * self.n_features;
        let block = &mut self.rows[start..start + features.len()];
        for (row, &value) in block.iter_mut().zip(features) {
            row[child % LANES] = value;
        }
    }

    /// Resets to `F` features of so many children, and hands out the blocks to fill: `block[feature][lane]`.
    /// For sets whose number of features the compiler knows.
    #[inline]
    pub fn fill<const F: usize>(&mut self, n_children: usize) -> &mut [[[i32; LANES]; F]] {
        self.reset(F, n_children);
        self.rows.as_chunks_mut::<F>().0
    }

    /// The features of one child, in order.
    pub fn child(&self, child: usize) -> impl Iterator<Item = i32> {
        assert!(child < self.n_children, "the table holds {} children", self.n_children);
        let block = &self.rows[child / LANES * self.n_features..][..self.n_features];
        block.iter().map(move |row| row[child % LANES])
    }

    /// How many features each child has.
    #[inline]
    pub fn n_features(&self) -> usize {
        self.n_features
    }

    /// How many children there are.
    #[inline]
    pub fn n_children(&self) -> usize {
        self.n_children
    }

    /// The rows of every block of children: one row for each feature, one lane for each child.
    #[inline]
    pub fn blocks(&self) -> std::slice::ChunksExact<'_, [i32; LANES]> {
        self.rows.chunks_exact(self.n_features.max(1))
    }
}

/// A shared set is a set: several players may weigh the same one.
impl<G: Game, F: FeatureSet<G>> FeatureSet<G> for Arc<F> {
    type Accumulator = F::Accumulator;

    fn features(&self) -> &[Feature] {
        (**self).features()
    }

    fn extract(&self, game: &G, at: &G::Position, view: Side, out: &mut [i32]) {
        (**self).extract(game, at, view, out);
    }

    fn begin(&self, game: &G, at: &G::Position) -> F::Accumulator {
        (**self).begin(game, at)
    }

    #[inline]
    fn advance(&self, game: &G, memo: &mut F::Accumulator, at: &G::Position, mv: G::Move) {
        (**self).advance(game, memo, at, mv);
    }

    fn extract_incremental(
        &self,
        game: &G,
        at: &G::Position,
        memo: &F::Accumulator,
        view: Side,
        out: &mut [i32],
    ) {
        (**self).extract_incremental(game, at, memo, view, out);
    }

    #[inline]
    fn extract_child(
        &self,
        game: &G,
        step: &Transition<'_, G>,
        memo: &F::Accumulator,
        view: Side,
        out: &mut [i32],
    ) {
        (**self).extract_child(game, step, memo, view, out);
    }

    #[inline]
    fn extract_children(
        &self,
        game: &G,
        at: &G::Position,
        memo: &F::Accumulator,
        view: Side,
        moves: &[G::Move],
        out: &mut FeatureTable,
    ) {
        (**self).extract_children(game, at, memo, view, moves, out);
    }

    fn is_symmetric(&self) -> bool {
        (**self).is_symmetric()
    }

    fn convention(&self) -> Convention {
        (**self).convention()
    }
}

/// Most features a set may have, so that rows of them need no allocation.
pub const MAX_FEATURES: usize = 40;

/// The features of every child as the set's convention judges them for `view`: with the eyes of `view`, or of
/// the side to move in each child, turned around where that is the other side.
#[inline]
pub fn extract_oriented_children<G: Game, F: FeatureSet<G>>(
    set: &F,
    viewpoint: Viewpoint,
    game: &G,
    step: (&G::Position, &F::Accumulator, Side),
    moves: &[G::Move],
    out: &mut FeatureTable,
) {
    let (at, memo, view) = step;
    match viewpoint {
        Viewpoint::Requested => set.extract_children(game, at, memo, view, moves, out),
        Viewpoint::SideToMove => children_one_by_one(set, game, at, moves, out, |step, row| {
            extract_oriented_child(set, viewpoint, game, step, memo, view, row);
        }),
    }
}

/// The features of one child, likewise.
#[inline(always)]
pub(crate) fn extract_oriented_child<G: Game, F: FeatureSet<G>>(
    set: &F,
    viewpoint: Viewpoint,
    game: &G,
    step: &Transition<'_, G>,
    memo: &F::Accumulator,
    view: Side,
    row: &mut [i32],
) {
    let eyes = viewpoint.perspective(game, step.after, view);
    set.extract_child(game, step, memo, eyes, row);
    negate_if(row, eyes != view);
}

/// Turns a row of features around, if asked to.
#[inline(always)]
pub(crate) fn negate_if(row: &mut [i32], turned: bool) {
    if turned {
        row.iter_mut().for_each(|value| *value = -*value);
    }
}

/// Plays each move on a copy and reads the features there.
fn children_one_by_one<G: Game, F: FeatureSet<G> + ?Sized>(
    set: &F,
    game: &G,
    at: &G::Position,
    moves: &[G::Move],
    out: &mut FeatureTable,
    read: impl Fn(&Transition<'_, G>, &mut [i32]),
) {
    let n_features = set.features().len();
    assert!(n_features <= MAX_FEATURES, "a set has at most {MAX_FEATURES} features");
    out.reset(n_features, moves.len());
    let mut row = [0; MAX_FEATURES];
    for (child, &mv) in moves.iter().enumerate() {
        let mut after = at.clone();
        game.play(&mut after, mv);
        read(&Transition { at, mv, after: &after }, &mut row[..n_features]);
        out.set_child(child, &row[..n_features]);
    }
}
