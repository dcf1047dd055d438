//! Exact values. The value of a position is its final margin: own seeds minus the opponent's.
//!
//! The rest of a game depends only on the seeds in the holes; stores only add to the margin.

use super::rules::{Kalah, Position, Sowing};
use crate::mancala::cups::{CupRow, SowingGain, SowingGame};
use palestra_core::{
    Child, ExactRoot, ExactTree, Game, OrderedMove, Side, StateKey, StaticBounds, TreeRoot, TreeRules,
};

/// The solver's tree of a position.
pub(super) struct KalahTree;

impl<R: CupRow> ExactTree<Kalah<R>> for KalahTree {
    type Rules = Rules<R>;

    fn root(&self, game: &Kalah<R>, at: &Position<R>) -> Option<ExactRoot<Rules<R>>> {
        let n_holes = game.n_holes;
        let [own_store, other_store] = [at.own, at.other].map(|row| row.get(n_holes) as i32);
        let state = State(at.own.with(n_holes, 0), at.other.with(n_holes, 0));
        let so_far = own_store - other_store;
        Some(ExactRoot::Tree(TreeRoot {
            rules: Rules(game.clone()),
            state,
            highest: i32::MAX,
            so_far,
            scale: 1,
        }))
    }

    fn ending_value(&self, _game: &Kalah<R>, at: &Position<R>) -> i32 {
        at.own.total() as i32 - at.other.total() as i32
    }

    fn in_reach(&self, game: &Kalah<R>, at: &Position<R>) -> bool {
        let n_seeds: u32 = [at.own, at.other].map(|row| row.with(game.n_holes, 0).total()).iter().sum();
        n_seeds <= 48 && game.n_holes <= 6 || n_seeds <= 30
    }
}

/// The rules of the game itself.
#[derive(Debug)]
pub(crate) struct Rules<R>(Kalah<R>);

/// The holes of the side to move and of the other side; the stores are empty.
#[derive(Clone, Copy, Debug)]
pub(crate) struct State<R>(R, R);

impl<R: CupRow> State<R> {
    #[inline]
    fn n_seeds(&self) -> u32 {
        self.0.total() + self.1.total()
    }
}

impl<R: CupRow> TreeRules for Rules<R> {
    type State = State<R>;
    type Facts = ();
    /// A hole.
    type Step = u8;

    #[inline]
    fn static_bounds(&self, state: &State<R>, _goal: i32) -> StaticBounds<()> {
        let n_seeds = state.n_seeds() as i32;
        StaticBounds { lowest: -n_seeds, highest: n_seeds, facts: () }
    }

    #[inline]
    fn key(&self, state: &State<R>) -> StateKey {
        let (main, more) = R::fingerprint(state.0, state.1);
        StateKey { main, more }
    }

    #[inline]
    fn remaining(&self, state: &State<R>) -> u32 {
        state.n_seeds()
    }

    #[inline]
    fn steps(&self, &State(own, other): &State<R>, _facts: &(), out: &mut Vec<OrderedMove<u8>>) {
        let mut filled = own.filled(self.0.n_holes);
        while filled != 0 {
            let hole = filled.trailing_zeros() as u8;
            filled &= filled - 1;
            let SowingGain { captured, again } = self.0.sowing_gain(own, other, usize::from(hole));
            // Extra turns first, the hole next to the store before the others; then captures.
            let order = i32::from(hole) + if again { 1000 } else { 8 * captured as i32 };
            out.push(OrderedMove { order, number: hole, step: hole });
        }
    }

    #[inline]
    fn play(&self, &State(own, other): &State<R>, &hole: &u8) -> Child<State<R>> {
        let store = self.0.n_holes;
        let mut at = Position { own, other, to_move: Side::First };
        self.0.play(&mut at, Sowing { side: Side::First, hole });
        let again = at.to_move == Side::First;
        let margin = at.own.get(store) as i32 - at.other.get(store) as i32;
        let state = State(at.own.with(store, 0), at.other.with(store, 0));
        Child { state, gain: if again { margin } else { -margin }, again }
    }

    #[inline]
    fn is_near_root(&self, left: u32) -> bool {
        left > 16
    }

    #[inline]
    fn uses_table(&self, left: u32) -> bool {
        left > 3
    }
}
