//! Weighted sums of features.
//!
//! The sum is `0.0 + w1*f1 + w2*f2 + ...`, added in that order or in the one that the convention names. A batch runs
//! across children and never across the terms of one sum, so the fast path equals the plain one to the bit.

use crate::feature::{LANES, Transition, extract_oriented_child, extract_oriented_children, negate_if};
use crate::{
    ChildBuffers, Convention, Evaluator, Feature, FeatureRow, FeatureSet, FeatureTable, Game, Side,
    SumPrecision,
};

/// A weighted sum of features, added in one fixed order: `0.0 + w1*f1 + w2*f2 + …` unless the set's
/// [`Convention`] says otherwise.
#[derive(Clone, Debug)]
pub struct Linear<F> {
    set: F,
    /// Weight times unit, one for each feature.
    factors: Vec<f64>,
    convention: Convention,
}

impl<F> Linear<F> {
    /// Weights the features of `set`. Panics unless there is one weight per feature without a fixed weight.
    pub fn new<G: Game>(set: F, weights: &[f64]) -> Linear<F>
    where
        F: FeatureSet<G>,
    {
        let factors = factors(set.features(), weights);
        let convention = set.convention();
        Linear { set, factors, convention }
    }

    /// Replaces the weights.
    pub fn reweigh<G: Game>(&mut self, weights: &[f64])
    where
        F: FeatureSet<G>,
    {
        self.factors = factors(self.set.features(), weights);
    }

    /// The feature set.
    pub fn set(&self) -> &F {
        &self.set
    }

    /// Weight times unit of each feature: what a value of 1 adds to the sum.
    pub fn factors(&self) -> &[f64] {
        &self.factors
    }

    /// The features of `at` as they count for `view`, read from the board. Where the convention takes the perspective
    /// of the side to move and that is the other side, they are negated.
    pub fn oriented_features<G: Game>(&self, game: &G, at: &G::Position, view: Side) -> Vec<i32>
    where
        F: FeatureSet<G>,
    {
        let mut row = vec![0; self.factors.len()];
        let perspective = self.convention.viewpoint.perspective(game, at, view);
        self.set.extract(game, at, perspective, &mut row);
        negate_if(&mut row, perspective != view);
        row
    }

    /// The weighted sum of one row of features.
    #[inline]
    pub fn sum(&self, features: &[i32]) -> f64 {
        let double = || self.factors.iter().zip(features).fold(0.0, |sum, (w, &f)| sum + w * f64::from(f));
        match self.convention.sum {
            SumPrecision::Double => double(),
            SumPrecision::Whole => double().trunc(),
            SumPrecision::Single(order) => {
                let term = |i: usize| self.factors[i] as f32 * features[i] as f32;
                f64::from(order.iter().fold(0.0, |sum, &i| sum + term(i)))
            }
        }
    }

    /// The weighted sums of many children.
    /// Runs across children, never across the terms of one sum, so it equals [`Linear::sum`] to the bit.
    #[inline]
    pub fn sums(&self, features: &FeatureTable, values: &mut Vec<f64>) {
        values.clear();
        if let SumPrecision::Single(order) = self.convention.sum {
            self.single_sums(order, features, values);
        } else {
            for block in features.blocks() {
                let mut sums = [0.0; LANES];
                for (row, &w) in block.iter().zip(&self.factors) {
                    for lane in 0..LANES {
                        sums[lane] += w * f64::from(row[lane]);
                    }
                }
                values.extend_from_slice(&sums);
            }
        }
        values.truncate(features.n_children());
        if self.convention.sum == SumPrecision::Whole {
            for value in values {
                *value = value.trunc();
            }
        }
    }

    fn single_sums(&self, order: &[usize], features: &FeatureTable, values: &mut Vec<f64>) {
        for block in features.blocks() {
            let mut sums = [0f32; LANES];
            for &i in order {
                let w = self.factors[i] as f32;
                for lane in 0..LANES {
                    sums[lane] += w * block[i][lane] as f32;
                }
            }
            values.extend(sums.map(f64::from));
        }
    }
}

impl<F> Linear<F> {
    #[inline(always)]
    fn value_in<G: Game>(
        &self,
        game: &G,
        at: &G::Position,
        accumulator: &F::Accumulator,
        view: Side,
        row: &mut [i32],
    ) -> f64
    where
        F: FeatureSet<G>,
    {
        let perspective = self.convention.viewpoint.perspective(game, at, view);
        self.set.extract_incremental(game, at, accumulator, perspective, row);
        negate_if(row, perspective != view);
        self.sum(row)
    }

    /// The value with more features than a stack buffer has.
    #[cold]
    #[inline(never)]
    fn long_value<G: Game>(&self, game: &G, at: &G::Position, accumulator: &F::Accumulator, view: Side) -> f64
    where
        F: FeatureSet<G>,
    {
        self.value_in(game, at, accumulator, view, &mut vec![0; self.factors.len()])
    }

    /// The value of a child with more features than a stack buffer has. It plays the move again: a reference to the
    /// child would keep the child in memory on the usual path too, which cost 3 % of an alpha-beta search.
    #[cold]
    #[inline(never)]
    fn long_child_value<G: Game>(
        &self,
        game: &G,
        (at, mv): (&G::Position, G::Move),
        accumulator: &F::Accumulator,
        view: Side,
    ) -> f64
    where
        F: FeatureSet<G>,
    {
        let mut after = at.clone();
        game.play(&mut after, mv);
        let step = Transition { at, mv, after: &after };
        let row = &mut vec![0; self.factors.len()];
        extract_oriented_child(&self.set, self.convention.viewpoint, game, &step, accumulator, view, row);
        self.sum(row)
    }
}

/// Weight times unit of each feature, including features with a fixed weight.
fn factors(features: &[Feature], weights: &[f64]) -> Vec<f64> {
    let mut weights = weights.iter().copied();
    let mut weight = |feature: &Feature| {
        feature.fixed.unwrap_or_else(|| weights.next().expect("a weight for each feature")) * feature.unit
    };
    let factors = features.iter().map(&mut weight).collect();
    assert!(weights.next().is_none(), "no more weights than features");
    factors
}

impl<G: Game, F: FeatureSet<G>> Evaluator<G> for Linear<F> {
    type Accumulator = F::Accumulator;

    fn begin(&self, game: &G, at: &G::Position) -> F::Accumulator {
        self.set.begin(game, at)
    }

    #[inline]
    fn advance(&self, game: &G, accumulator: &mut F::Accumulator, at: &G::Position, mv: G::Move) {
        self.set.advance(game, accumulator, at, mv);
    }

    #[inline]
    fn value(&self, game: &G, at: &G::Position, accumulator: &F::Accumulator, view: Side) -> f64 {
        // A plain array where it is long enough: a choice between two buffers cost 4 % of the instructions of an
        // alpha-beta search.
        if self.factors.len() > FeatureRow::SHORT {
            return self.long_value(game, at, accumulator, view);
        }
        let mut row = [0; FeatureRow::SHORT];
        self.value_in(game, at, accumulator, view, &mut row[..self.factors.len()])
    }

    #[inline(always)]
    fn child_value(
        &self,
        game: &G,
        step: &Transition<'_, G>,
        accumulator: &F::Accumulator,
        view: Side,
    ) -> f64 {
        if self.factors.len() > FeatureRow::SHORT {
            return self.long_child_value(game, (step.at, step.mv), accumulator, view);
        }
        let mut row = [0; FeatureRow::SHORT];
        let row = &mut row[..self.factors.len()];
        extract_oriented_child(&self.set, self.convention.viewpoint, game, step, accumulator, view, row);
        self.sum(row)
    }

    #[inline]
    fn child_values(
        &self,
        game: &G,
        at: &G::Position,
        accumulator: &F::Accumulator,
        view: Side,
        moves: &[G::Move],
        buffers: &mut ChildBuffers,
    ) {
        let viewpoint = self.convention.viewpoint;
        let step = (at, accumulator, view);
        extract_oriented_children(&self.set, viewpoint, game, step, moves, &mut buffers.features);
        self.sums(&buffers.features, &mut buffers.values);
    }

    fn is_symmetric(&self) -> bool {
        self.set.is_symmetric()
    }

    fn convention(&self) -> Convention {
        self.convention
    }
}
