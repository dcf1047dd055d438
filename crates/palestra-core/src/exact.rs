//! Games as an exact search sees them: small states, children in a good order, values that are whole numbers.
//!
//! Values count from the state on and are for the side to move, so positions with the same future share a table
//! entry, whatever was gained before.

use crate::Game;
use std::fmt::Debug;

/// How a game hands over what an exact search needs. A visitor, because each game has its own types.
pub trait ExactVisitor<G: Game> {
    /// What comes of it.
    type Out;

    /// For games that move on with every turn, so that no position comes back.
    fn tree<X: ExactTree<G>>(self, tree: X) -> Self::Out;

    /// For games whose positions may come back, where they are few enough to be numbered.
    fn graph<X: ExactGraph<G>>(self, graph: X) -> Self::Out;
}

/// A game whose positions may come back and can be numbered. Clocks are stopped: see [`Game::unclocked`].
///
/// Positions that are equal but for who is who share a number: what counts is how the side to move sees them.
/// Others may share one as well if they are worth the same, such as mirror images.
pub trait ExactGraph<G: Game>: Send + Sync + 'static {
    /// Numbers are below this; `None` where there are too many positions.
    fn n_numbers(&self, game: &G) -> Option<usize>;

    /// The number of a position that has not ended, in a game that has numbers.
    fn number(&self, game: &G, at: &G::Position) -> usize;

    /// A position of that number, its clocks stopped; `None` where no position has it. It may have ended.
    fn position(&self, game: &G, number: usize) -> Option<G::Position>;
}

/// A game whose positions never come back.
pub trait ExactTree<G: Game>: Send + Sync + 'static {
    /// The rules around one position.
    type Rules: TreeRules;

    /// The root of a tree at `at`, which has not ended; `None` where the board is too large to be held in a state.
    fn root(&self, game: &G, at: &G::Position) -> Option<ExactRoot<Self::Rules>>;

    /// What an ended position is worth to the side that would move.
    fn ending_value(&self, game: &G, at: &G::Position) -> i32;

    /// Whether a solution is worth waiting for: minutes rather than days.
    fn in_reach(&self, game: &G, at: &G::Position) -> bool;
}

/// What to do about a position.
#[derive(Debug)]
pub enum ExactRoot<R: TreeRules> {
    /// Nothing: this is its value.
    Known(i32),
    /// Search it.
    Tree(TreeRoot<R>),
}

/// Where a tree begins.
#[derive(Debug)]
pub struct TreeRoot<R: TreeRules> {
    /// The rules from here on.
    pub rules: R,
    /// The position.
    pub state: R::State,
    /// The tree's value is certainly not larger; `i32::MAX` where nothing is known.
    pub highest: i32,
    /// What the side to move has already: added to the tree's value times the scale.
    pub so_far: i32,
    /// What one point of the tree is worth.
    pub scale: i32,
}

/// The rules of a tree. Values are for the side to move and count from here on.
pub trait TreeRules: Debug + Send + Sync + 'static {
    /// A position; small, copied.
    type State: Copy + Debug + Send + Sync;
    /// What a first look found out that listing the moves needs as well.
    type Facts: Copy;
    /// A move, with what its listing found out.
    type Step: Copy + Send;

    /// A look at the position without looking ahead. Somebody wants to know whether the value is at least `goal`:
    /// bounds that do not answer that may be wide.
    fn static_bounds(&self, state: &Self::State, goal: i32) -> StaticBounds<Self::Facts>;

    /// The same for positions whose future is the same, and only for those.
    fn key(&self, state: &Self::State) -> StateKey;

    /// How much of the game is left, in a measure that shrinks with every move or stays: plies, seeds.
    fn remaining(&self, state: &Self::State) -> u32;

    /// Appends the moves, at least one. Moves that are certainly no better than another may be left out.
    fn steps(&self, state: &Self::State, facts: &Self::Facts, out: &mut Vec<OrderedMove<Self::Step>>);

    /// Where a move leads.
    fn play(&self, state: &Self::State, step: &Self::Step) -> Child<Self::State>;

    /// Of a value between two different bounds, the smallest it should be proved to have next; above `low`, at most
    /// `high`. From 0 outward in growing steps, for games whose values are small compared with their bounds.
    fn next_goal(&self, low: i32, high: i32) -> i32 {
        match () {
            () if low < 0 && high >= 0 => 0,
            () if low >= 0 => (low + 1 + low / 2).min(high),
            () => (high + high / 2).max(low + 1),
        }
    }

    /// Whether trying the bounds of all children before searching any pays with so much left.
    fn is_near_root(&self, left: u32) -> bool;

    /// Whether the table is worth asking with so much left.
    fn uses_table(&self, _left: u32) -> bool {
        true
    }
}

/// What a look at a position says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StaticBounds<F> {
    /// The value is not smaller.
    pub lowest: i32,
    /// The value is not larger. The same as `lowest` where the value is known; then there need be no children.
    pub highest: i32,
    /// For the list of children.
    pub facts: F,
}

/// What tells positions apart in a table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub struct StateKey {
    /// The most of it; all of it where a position fits 64 bits.
    pub main: u64,
    /// 16 more bits of a hash, for positions that do not.
    pub more: u16,
}

/// A move in a list that will be sorted.
#[derive(Clone, Copy, Debug)]
pub struct OrderedMove<S> {
    /// The larger, the earlier it is tried.
    pub order: i32,
    /// The move's number, below 255, the same whenever positions of the same key list their moves.
    pub number: u8,
    /// The move.
    pub step: S,
}

/// Where a move leads.
#[derive(Clone, Copy, Debug)]
pub struct Child<S> {
    /// The position after it.
    pub state: S,
    /// What the mover gets by it at once.
    pub gain: i32,
    /// Whether the same side moves again.
    pub again: bool,
}
