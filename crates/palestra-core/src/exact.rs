//! Interfaces for exact search: small states, ordered children, whole-number values.
//!
//! Values are for the side to move and count only what is gained from the state on, so positions with the same future
//! share a table entry.

use crate::Game;
use std::fmt::Debug;

/// Receives a game's interface for exact search. A visitor, because each game has its own types.
pub trait ExactVisitor<G: Game> {
    /// The result of the operation.
    type Out;

    /// For games in which no position can recur.
    fn tree<X: ExactTree<G>>(self, tree: X) -> Self::Out;

    /// For games whose positions can recur and are few enough to be numbered.
    fn graph<X: ExactGraph<G>>(self, graph: X) -> Self::Out;
}

/// A game whose positions can recur and can be numbered. Clocks are stopped: see [`Game::unclocked`].
///
/// Positions that differ only by swapping the sides share a number, because values are for the side to move. Other
/// positions of equal value, such as mirror images, may share one as well.
pub trait ExactGraph<G: Game>: Send + Sync + 'static {
    /// Exclusive upper bound of the numbers; `None` where there are too many positions.
    fn n_numbers(&self, game: &G) -> Option<usize>;

    /// The number of a position that has not ended. Only called where `n_numbers` is `Some`.
    fn number(&self, game: &G, at: &G::Position) -> usize;

    /// A position of that number, its clocks stopped; `None` where no position has it. It may have ended.
    fn position(&self, game: &G, number: usize) -> Option<G::Position>;
}

/// A game in which no position can recur.
pub trait ExactTree<G: Game>: Send + Sync + 'static {
    /// The rules of the tree below one position.
    type Rules: TreeRules;

    /// The root of a tree at `at`, which has not ended; `None` where the board does not fit a state.
    fn root(&self, game: &G, at: &G::Position) -> Option<ExactRoot<Self::Rules>>;

    /// The value of an ended position for the side that would move.
    fn ending_value(&self, game: &G, at: &G::Position) -> i32;

    /// Whether solving `at` takes minutes rather than days.
    fn in_reach(&self, game: &G, at: &G::Position) -> bool;
}

/// A position as the exact search starts from it.
#[derive(Debug)]
pub enum ExactRoot<R: TreeRules> {
    /// The value is known without search.
    Known(i32),
    /// The value is that of this tree.
    Tree(TreeRoot<R>),
}

/// The root of a tree, and how its value translates into the position's.
#[derive(Debug)]
pub struct TreeRoot<R: TreeRules> {
    /// The rules of the tree.
    pub rules: R,
    /// The root state.
    pub state: R::State,
    /// An upper bound of the tree's value; `i32::MAX` where none is known.
    pub highest: i32,
    /// Points that the side to move already has; the position's value is `so_far + scale * tree value`.
    pub so_far: i32,
    /// Value of one point of the tree.
    pub scale: i32,
}

/// The rules of a tree. Values are for the side to move and count from here on.
pub trait TreeRules: Debug + Send + Sync + 'static {
    /// A position; small, because it is copied.
    type State: Copy + Debug + Send + Sync;
    /// What `static_bounds` computed and `steps` needs as well.
    type Facts: Copy;
    /// A move, with what `steps` computed about it.
    type Step: Copy + Send;

    /// Bounds of the value without search. The search asks whether the value is at least `goal`: bounds that do not
    /// decide this need not be tight.
    fn static_bounds(&self, state: &Self::State, goal: i32) -> StaticBounds<Self::Facts>;

    /// The table key: equal for states with the same future, and only for those.
    fn key(&self, state: &Self::State) -> StateKey;

    /// A measure of the rest of the game that no move increases: plies, seeds.
    fn remaining(&self, state: &Self::State) -> u32;

    /// Appends the moves, at least one. Moves that are provably no better than another may be left out.
    fn steps(&self, state: &Self::State, facts: &Self::Facts, out: &mut Vec<OrderedMove<Self::Step>>);

    /// The child after a move.
    fn play(&self, state: &Self::State, step: &Self::Step) -> Child<Self::State>;

    /// The next lower bound to prove, for a value between `low` and `high`; above `low` and at most `high`. By default
    /// it goes from 0 outward in growing steps, for games whose values are small compared with their bounds.
    fn next_goal(&self, low: i32, high: i32) -> i32 {
        match () {
            () if low < 0 && high >= 0 => 0,
            () if low >= 0 => (low + 1 + low / 2).min(high),
            () => (high + high / 2).max(low + 1),
        }
    }

    /// Whether it pays to check the table bounds of all children before searching any; `left` is `remaining`.
    fn is_near_root(&self, left: u32) -> bool;

    /// Whether it pays to use the table; `left` is `remaining`.
    fn uses_table(&self, _left: u32) -> bool {
        true
    }
}

/// Bounds of a state's value without search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StaticBounds<F> {
    /// Lower bound of the value.
    pub lowest: i32,
    /// Upper bound of the value. Equal to `lowest` where the value is known; then the state need not have moves.
    pub highest: i32,
    /// Passed on to [`TreeRules::steps`].
    pub facts: F,
}

/// Table key of a state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub struct StateKey {
    /// The main part; it identifies the state where states fit 64 bits.
    pub main: u64,
    /// 16 more bits of a hash, for states that do not fit 64 bits; else 0.
    pub more: u16,
}

/// A move with its sort key.
#[derive(Clone, Copy, Debug)]
pub struct OrderedMove<S> {
    /// Moves with larger values are tried first.
    pub order: i32,
    /// Number of the move, below 255; states with the same key give the same move the same number.
    pub number: u8,
    /// The move.
    pub step: S,
}

/// The result of a move.
#[derive(Clone, Copy, Debug)]
pub struct Child<S> {
    /// The state after the move.
    pub state: S,
    /// Points that the move gains at once for the side that plays it.
    pub gain: i32,
    /// Whether the same side moves again.
    pub again: bool,
}
