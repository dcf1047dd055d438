//! How good a position is, in numbers.

use crate::feature::{LANES, MAX_FEATURES, Step};
use crate::{Ending, Feature, FeatureSet, FeatureTable, Game, Seed, Side};

/// The value of a won game where a study defines none: above every evaluation (see [`crate::MAX_VALUE`]).
pub const WIN: f64 = 1e300;

/// Which of equally good moves is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ties {
    /// The first in the game's move order.
    First,
    /// The last in the game's move order.
    Last,
}

/// How an evaluation scores ended games and breaks ties, as its study did.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Convention {
    /// Value of a won game; a lost one is its negative, a draw is 0.
    pub win: f64,
    /// Which of equally good moves is played.
    pub ties: Ties,
    /// Whether the weighted sum is cut toward zero to a whole number.
    pub whole: bool,
}

impl Ties {
    /// Whether `value`, met later, takes the place of `best`.
    #[inline]
    pub fn prefers(self, value: f64, best: f64) -> bool {
        match self {
            Ties::First => value > best,
            Ties::Last => value >= best,
        }
    }
}

impl Default for Convention {
    fn default() -> Convention {
        Convention { win: WIN, ties: Ties::First, whole: false }
    }
}

/// The caller's buffers for [`Evaluator::child_values`].
#[derive(Clone, Default, Debug)]
pub struct Children {
    /// Features of the children, where the evaluator is linear.
    pub features: FeatureTable,
    /// The value of each child, in the order of the moves.
    pub values: Vec<f64>,
}

/// Judges positions from either side's point of view. It may keep a memo along a line of play.
pub trait Evaluator<G: Game>: Send + Sync {
    /// What is kept along a line of play; `()` where nothing is.
    type Memo: Clone + Send;

    /// The memo of a position met without history.
    fn begin(&self, game: &G, at: &G::Position) -> Self::Memo;

    /// Brings the memo of `at` to the position after `mv`, a legal move there.
    fn advance(&self, game: &G, memo: &mut Self::Memo, at: &G::Position, mv: G::Move);

    /// The value of `at` for `view`; larger is better. `memo` is this position's.
    fn value(&self, game: &G, at: &G::Position, memo: &Self::Memo, view: Side) -> f64;

    /// The value after a move for `view`; `memo` is that of the position before it. Must equal `value` there,
    /// to the bit.
    fn child_value(&self, game: &G, step: &Step<'_, G>, memo: &Self::Memo, view: Side) -> f64 {
        let mut memo = memo.clone();
        self.advance(game, &mut memo, step.at, step.mv);
        self.value(game, step.after, &memo, view)
    }

    /// The values of every child into `buffers.values`. `moves` are all legal moves, in the game's order.
    /// Must equal play-then-`value`, to the bit.
    fn child_values(
        &self,
        game: &G,
        at: &G::Position,
        memo: &Self::Memo,
        view: Side,
        moves: &[G::Move],
        buffers: &mut Children,
    ) {
        buffers.values.clear();
        for &mv in moves {
            let mut after = at.clone();
            game.play(&mut after, mv);
            buffers.values.push(self.child_value(game, &Step { at, mv, after: &after }, memo, view));
        }
    }

    /// How the study behind this evaluation scores endings and breaks ties.
    fn convention(&self) -> Convention {
        Convention::default()
    }

    /// The value of an ended game for `view`.
    fn ended(&self, ending: &Ending, view: Side) -> f64 {
        match ending.winner {
            None => 0.0,
            Some(side) if side == view => self.convention().win,
            Some(_) => -self.convention().win,
        }
    }
}

/// A weighted sum of features: `0.0 + w1*f1 + w2*f2 + …`, added in that order.
#[derive(Clone, Debug)]
pub struct Linear<F> {
    set: F,
    /// Weight times unit, one for each feature.
    factors: Vec<f64>,
    convention: Convention,
}

impl<F> Linear<F> {
    /// Weighs the features of `set`. There must be as many weights as features.
    pub fn new<G: Game>(set: F, weights: &[f64]) -> Linear<F>
    where
        F: FeatureSet<G>,
    {
        let factors = factors(set.features(), weights);
        let convention = set.convention();
        Linear { set, factors, convention }
    }

    /// Puts other weights on the same features.
    pub fn reweigh<G: Game>(&mut self, weights: &[f64])
    where
        F: FeatureSet<G>,
    {
        self.factors = factors(self.set.features(), weights);
    }

    /// The features being weighed.
    pub fn set(&self) -> &F {
        &self.set
    }

    /// What one unit of each feature adds.
    pub fn factors(&self) -> &[f64] {
        &self.factors
    }

    /// The weighted sum of one row of features.
    #[inline]
    pub fn sum(&self, features: &[i32]) -> f64 {
        let sum = self.factors.iter().zip(features).fold(0.0, |sum, (w, &f)| sum + w * f64::from(f));
        if self.convention.whole { sum.trunc() } else { sum }
    }

    /// The weighted sums of many children at once.
    /// Runs across children, never across the terms of one sum, so it equals [`Linear::sum`] to the bit.
    #[inline]
    pub fn sums(&self, features: &FeatureTable, values: &mut Vec<f64>) {
        values.clear();
        for block in features.blocks() {
            let mut sums = [0.0; LANES];
            for (row, &w) in block.iter().zip(&self.factors) {
                for lane in 0..LANES {
                    sums[lane] += w * f64::from(row[lane]);
                }
            }
            values.extend_from_slice(&sums);
        }
        values.truncate(features.n_children());
        if self.convention.whole {
            for value in values {
                *value = value.trunc();
            }
        }
    }
}

fn factors(features: &[Feature], weights: &[f64]) -> Vec<f64> {
    assert_eq!(features.len(), weights.len(), "one weight for each feature");
    features.iter().zip(weights).map(|(feature, weight)| weight * feature.unit).collect()
}

impl<G: Game, F: FeatureSet<G>> Evaluator<G> for Linear<F> {
    type Memo = F::Memo;

    fn begin(&self, game: &G, at: &G::Position) -> F::Memo {
        self.set.begin(game, at)
    }

    #[inline]
    fn advance(&self, game: &G, memo: &mut F::Memo, at: &G::Position, mv: G::Move) {
        self.set.advance(game, memo, at, mv);
    }

    #[inline]
    fn value(&self, game: &G, at: &G::Position, memo: &F::Memo, view: Side) -> f64 {
        let mut row = [0; MAX_FEATURES];
        let row = &mut row[..self.factors.len()];
        self.set.recall(game, at, memo, view, row);
        self.sum(row)
    }

    #[inline(always)]
    fn child_value(&self, game: &G, step: &Step<'_, G>, memo: &F::Memo, view: Side) -> f64 {
        let mut row = [0; MAX_FEATURES];
        let row = &mut row[..self.factors.len()];
        self.set.extract_child(game, step, memo, view, row);
        self.sum(row)
    }

    #[inline]
    fn child_values(
        &self,
        game: &G,
        at: &G::Position,
        memo: &F::Memo,
        view: Side,
        moves: &[G::Move],
        buffers: &mut Children,
    ) {
        self.set.extract_children(game, at, memo, view, moves, &mut buffers.features);
        self.sums(&buffers.features, &mut buffers.values);
    }

    fn convention(&self) -> Convention {
        self.convention
    }
}

/// A value drawn from the position's key: the same position always gets the same one, and nothing else
/// about it means anything. Tests of searches use it, and studies used its like as the weakest evaluation.
#[derive(Clone, Copy, Debug)]
pub struct Noise {
    /// Different seeds give unrelated values.
    pub seed: Seed,
}

impl<G: Game> Evaluator<G> for Noise {
    type Memo = ();

    fn begin(&self, _game: &G, _at: &G::Position) {}

    fn advance(&self, _game: &G, _memo: &mut (), _at: &G::Position, _mv: G::Move) {}

    /// A whole number from -20000 to 19999, as the Connect-4 study drew them.
    fn value(&self, game: &G, at: &G::Position, _memo: &(), view: Side) -> f64 {
        let drawn = self.seed.child(view.index() as u64).child(game.key(at)).0;
        (drawn % 40_000) as f64 - 20_000.0
    }

    fn convention(&self) -> Convention {
        Convention { win: 20_000.0, ties: Ties::Last, whole: false }
    }
}
