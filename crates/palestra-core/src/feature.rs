//! Features: the numbers that an evaluation reads from a position.
//!
//! `extract` is the definition and reads the board. The other forms only make it cheaper: `begin` and `advance` keep
//! an accumulator along a line of play, `extract_incremental` reads the features from it, `extract_child` gives those
//! after one transition and `extract_children` those of all children. All must equal `extract`. A feature with a
//! fixed weight is summed and explained, but takes no weight of the player.

use crate::{Convention, Game, Side, Viewpoint};
use std::sync::Arc;

/// One number read from a position, with its name, meaning and range.
#[derive(Clone, PartialEq, Debug)]
pub struct Feature {
    /// Short name, unique within its set.
    pub name: &'static str,
    /// What it counts, as a phrase for people.
    pub meaning: &'static str,
    /// Smallest value that it can take in this game.
    pub low: i32,
    /// Largest value that it can take in this game.
    pub high: i32,
    /// Factor between the feature and the set's points: with weight 1, a value of 1 adds `unit` points.
    pub unit: f64,
    /// The constant weight of this feature; `None` where the player's weights set it.
    pub fixed: Option<f64>,
}

impl Feature {
    /// A feature with a free weight and a unit of 1 point.
    pub const fn new(name: &'static str, meaning: &'static str, low: i32, high: i32) -> Feature {
        Feature { name, meaning, low, high, unit: 1.0, fixed: None }
    }
}

/// An ordered list of features. Features are whole numbers, weights are `f64`, and sums run in the order of the list.
///
/// A set may keep an *accumulator* along a line of play, so that the features of a child cost as much as the change
/// and not as much as the board. All incremental forms must equal plain `extract`; the conformance kit checks it.
pub trait FeatureSet<G: Game>: Send + Sync {
    /// Incremental state of the features along a line of play; `()` where the set keeps none.
    type Accumulator: Clone + Send;

    /// The features, in the order in which their weights are written.
    fn features(&self) -> &[Feature];

    /// The plain form: reads every feature from the board, as seen by `view`. `out` is as long as `features`.
    fn extract(&self, game: &G, at: &G::Position, view: Side, out: &mut [i32]);

    /// The accumulator of a position, computed from the board alone.
    fn begin(&self, game: &G, at: &G::Position) -> Self::Accumulator;

    /// Updates the accumulator of `at` to the position after `mv`, a legal move there.
    fn advance(&self, game: &G, accumulator: &mut Self::Accumulator, at: &G::Position, mv: G::Move);

    /// The same numbers as [`FeatureSet::extract`], read from the position's accumulator where that is cheaper.
    fn extract_incremental(
        &self,
        game: &G,
        at: &G::Position,
        _accumulator: &Self::Accumulator,
        view: Side,
        out: &mut [i32],
    ) {
        self.extract(game, at, view, out);
    }

    /// The features of `step.after`, given the accumulator of `step.at`. Must equal `extract` of `step.after`.
    fn extract_child(
        &self,
        game: &G,
        step: &Transition<'_, G>,
        accumulator: &Self::Accumulator,
        view: Side,
        out: &mut [i32],
    ) {
        let mut accumulator = accumulator.clone();
        self.advance(game, &mut accumulator, step.at, step.mv);
        self.extract_incremental(game, step.after, &accumulator, view, out);
    }

    /// The features of every child; resets `out` to hold them. `moves` are all legal moves, in the game's order.
    /// Must equal playing each move and calling `extract`.
    fn extract_children(
        &self,
        game: &G,
        at: &G::Position,
        accumulator: &Self::Accumulator,
        view: Side,
        moves: &[G::Move],
        out: &mut FeatureTable,
    ) {
        children_one_by_one(self, game, at, moves, out, |step, row| {
            self.extract_child(game, step, accumulator, view, row);
        });
    }

    /// Whether a position and its images under the game's symmetries ([`Game::symmetric_key`]) always have the same
    /// features.
    fn is_symmetric(&self) -> bool {
        false
    }

    /// How the study behind this set scores endings and breaks ties.
    fn convention(&self) -> Convention {
        Convention::default()
    }
}

/// A move with the positions before and after it.
#[derive(Debug)]
pub struct Transition<'a, G: Game> {
    /// The position before the move.
    pub at: &'a G::Position,
    /// The move.
    pub mv: G::Move,
    /// The position after the move.
    pub after: &'a G::Position,
}

/// Number of children that are summed together, so that the compiler can use vector instructions.
pub const LANES: usize = 8;

/// Features of many children, laid out so that sums run across children: blocks of [`LANES`] children, and in each
/// block one row per feature. The last block is padded with unspecified values.
#[derive(Clone, Default, Debug)]
pub struct FeatureTable {
    n_features: usize,
    n_children: usize,
    rows: Vec<[i32; LANES]>,
}

impl FeatureTable {
    /// Resizes the table; all values are unspecified until set.
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

    /// Resets to `F` features of `n_children` children and returns the blocks to fill: `block[feature][lane]`.
    /// For sets whose number of features is known at compile time.
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

    /// Number of features of each child.
    #[inline]
    pub fn n_features(&self) -> usize {
        self.n_features
    }

    /// Number of children.
    #[inline]
    pub fn n_children(&self) -> usize {
        self.n_children
    }

    /// The blocks in order of the children: one row per feature, one lane per child.
    #[inline]
    pub fn blocks(&self) -> std::slice::ChunksExact<'_, [i32; LANES]> {
        self.rows.chunks_exact(self.n_features.max(1))
    }
}

/// Several players may share one set.
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
    fn advance(&self, game: &G, accumulator: &mut F::Accumulator, at: &G::Position, mv: G::Move) {
        (**self).advance(game, accumulator, at, mv);
    }

    fn extract_incremental(
        &self,
        game: &G,
        at: &G::Position,
        accumulator: &F::Accumulator,
        view: Side,
        out: &mut [i32],
    ) {
        (**self).extract_incremental(game, at, accumulator, view, out);
    }

    #[inline]
    fn extract_child(
        &self,
        game: &G,
        step: &Transition<'_, G>,
        accumulator: &F::Accumulator,
        view: Side,
        out: &mut [i32],
    ) {
        (**self).extract_child(game, step, accumulator, view, out);
    }

    #[inline]
    fn extract_children(
        &self,
        game: &G,
        at: &G::Position,
        accumulator: &F::Accumulator,
        view: Side,
        moves: &[G::Move],
        out: &mut FeatureTable,
    ) {
        (**self).extract_children(game, at, accumulator, view, moves, out);
    }

    fn is_symmetric(&self) -> bool {
        (**self).is_symmetric()
    }

    fn convention(&self) -> Convention {
        (**self).convention()
    }
}

/// A row of features: on the stack up to 40 of them, as all sets of the shipped games have, else on the heap.
///
/// ```
/// let mut buffer = palestra_core::FeatureRow::default();
/// assert_eq!(buffer.of(3), [0; 3]);
/// assert_eq!(buffer.of(640).len(), 640);
/// ```
#[derive(Debug)]
pub struct FeatureRow {
    short: [i32; FeatureRow::SHORT],
    long: Vec<i32>,
}

impl Default for FeatureRow {
    #[inline(always)]
    fn default() -> FeatureRow {
        FeatureRow { short: [0; FeatureRow::SHORT], long: Vec::new() }
    }
}

impl FeatureRow {
    /// Longest row on the stack.
    pub(crate) const SHORT: usize = 40;

    /// The row for `n` features. Its values are those of the last use, or 0.
    #[inline(always)]
    pub fn of(&mut self, n: usize) -> &mut [i32] {
        if n <= FeatureRow::SHORT { &mut self.short[..n] } else { self.long_row(n) }
    }

    #[cold]
    fn long_row(&mut self, n: usize) -> &mut [i32] {
        self.long.resize(n, 0);
        &mut self.long
    }
}

/// The features of every child as they count for `view`: read from the perspective that `viewpoint` names, and negated
/// where that is the other side's.
#[inline]
pub fn extract_oriented_children<G: Game, F: FeatureSet<G>>(
    set: &F,
    viewpoint: Viewpoint,
    game: &G,
    step: (&G::Position, &F::Accumulator, Side),
    moves: &[G::Move],
    out: &mut FeatureTable,
) {
    let (at, accumulator, view) = step;
    match viewpoint {
        Viewpoint::Requested => set.extract_children(game, at, accumulator, view, moves, out),
        Viewpoint::SideToMove => children_one_by_one(set, game, at, moves, out, |step, row| {
            extract_oriented_child(set, viewpoint, game, step, accumulator, view, row);
        }),
    }
}

/// The features of one child as they count for `view`; see [`extract_oriented_children`].
#[inline(always)]
pub(crate) fn extract_oriented_child<G: Game, F: FeatureSet<G>>(
    set: &F,
    viewpoint: Viewpoint,
    game: &G,
    step: &Transition<'_, G>,
    accumulator: &F::Accumulator,
    view: Side,
    row: &mut [i32],
) {
    let perspective = viewpoint.perspective(game, step.after, view);
    set.extract_child(game, step, accumulator, perspective, row);
    negate_if(row, perspective != view);
}

#[inline(always)]
pub(crate) fn negate_if(row: &mut [i32], negate: bool) {
    if negate {
        row.iter_mut().for_each(|value| *value = -*value);
    }
}

/// Fills `out` by playing each move on a copy and calling `read`.
fn children_one_by_one<G: Game, F: FeatureSet<G> + ?Sized>(
    set: &F,
    game: &G,
    at: &G::Position,
    moves: &[G::Move],
    out: &mut FeatureTable,
    read: impl Fn(&Transition<'_, G>, &mut [i32]),
) {
    let n_features = set.features().len();
    // A plain array where it is long enough, for the reason in `Linear::value`.
    if n_features > FeatureRow::SHORT {
        return long_children(n_features, game, at, moves, out, &read);
    }
    out.reset(n_features, moves.len());
    let mut row = [0; FeatureRow::SHORT];
    for (child, &mv) in moves.iter().enumerate() {
        let mut after = at.clone();
        game.play(&mut after, mv);
        read(&Transition { at, mv, after: &after }, &mut row[..n_features]);
        out.set_child(child, &row[..n_features]);
    }
}

/// The same for sets with more features than a stack buffer has.
#[cold]
#[inline(never)]
fn long_children<G: Game>(
    n_features: usize,
    game: &G,
    at: &G::Position,
    moves: &[G::Move],
    out: &mut FeatureTable,
    read: &dyn Fn(&Transition<'_, G>, &mut [i32]),
) {
    out.reset(n_features, moves.len());
    let mut row = vec![0; n_features];
    for (child, &mv) in moves.iter().enumerate() {
        let mut after = at.clone();
        game.play(&mut after, mv);
        read(&Transition { at, mv, after: &after }, &mut row);
        out.set_child(child, &row);
    }
}
