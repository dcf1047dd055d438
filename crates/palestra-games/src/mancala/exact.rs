//! Exact values without the referee, which searches ignore. The value of a position is its final margin: the seeds of
//! the own row minus those of the opponent's.
//!
//! Positions never repeat: a seed that does not reach a store moves on toward one, and no seed leaves a store. The rest
//! of a game depends on the seeds in the holes, and on whether a store is empty (rule 2); all other seeds of a store
//! only add to the margin. With the leak of engine 10.0 seeds do leave stores, so that game is not solved.

use super::cups::{CupRow, SowingGain, SowingGame};
use super::rules::{Mancala, Position, is_over};
use super::sowing::{N_HOLES, STORE};
use palestra_core::{Child, ExactRoot, ExactTree, OrderedMove, StateKey, StaticBounds, TreeRoot, TreeRules};

/// The solver's tree of a position.
pub(super) struct MancalaTree;

impl ExactTree<Mancala> for MancalaTree {
    type Rules = Rules;

    fn root(&self, game: &Mancala, at: &Position) -> Option<ExactRoot<Rules>> {
        let (state, so_far) = State::from_rows(at.own, at.other, at.must_pass);
        let rules = Rules(game.clone());
        Some(ExactRoot::Tree(TreeRoot { rules, state, highest: i32::MAX, so_far, scale: 1 }))
    }

    fn ending_value(&self, _game: &Mancala, at: &Position) -> i32 {
        at.own.total() as i32 - at.other.total() as i32
    }

    /// Solving the whole game takes seconds.
    fn in_reach(&self, _game: &Mancala, _at: &Position) -> bool {
        true
    }
}

/// The rules of the game itself.
#[derive(Debug)]
pub(crate) struct Rules(Mancala);

/// The row of the side to move and the other one. A store has one seed if it is not empty.
#[derive(Clone, Copy, Debug)]
pub(crate) struct State {
    own: u64,
    other: u64,
    must_pass: bool,
}

impl State {
    /// The state of two rows, and the lead of the own store in seeds that the state leaves out.
    #[inline]
    fn from_rows(own: u64, other: u64, must_pass: bool) -> (State, i32) {
        let [own_kept, other_kept] = [own, other].map(|row| row.get(STORE).min(1));
        let lead = (own.get(STORE) - own_kept) as i32 - (other.get(STORE) - other_kept) as i32;
        (State { own: own.with(STORE, own_kept), other: other.with(STORE, other_kept), must_pass }, lead)
    }

    #[inline]
    fn n_seeds(&self) -> u32 {
        self.own.with(STORE, 0).total() + self.other.with(STORE, 0).total()
    }
}

/// The step of a forced pass; holes have smaller numbers.
const PASS: u8 = N_HOLES as u8;

impl TreeRules for Rules {
    type State = State;
    type Facts = ();
    /// A hole, or a pass.
    type Step = u8;

    /// The seeds that the state keeps in a store count as well.
    #[inline]
    fn static_bounds(&self, state: &State, _goal: i32) -> StaticBounds<()> {
        let margin = |own: u64, other: u64| own.total() as i32 - other.total() as i32;
        if is_over(state.own, state.other) {
            let value = margin(state.own, state.other);
            return StaticBounds { lowest: value, highest: value, facts: () };
        }
        let kept = state.own.get(STORE) as i32 - state.other.get(STORE) as i32;
        let n_seeds = state.n_seeds() as i32;
        StaticBounds { lowest: kept - n_seeds, highest: kept + n_seeds, facts: () }
    }

    #[inline]
    fn key(&self, state: &State) -> StateKey {
        let pass = 2 * u32::from(state.must_pass);
        let own = state.own.with(STORE, state.own.get(STORE) + pass);
        let (main, more) = u64::fingerprint(own, state.other);
        StateKey { main, more }
    }

    #[inline]
    fn remaining(&self, state: &State) -> u32 {
        state.n_seeds()
    }

    #[inline]
    fn steps(&self, state: &State, _facts: &(), out: &mut Vec<OrderedMove<u8>>) {
        if state.must_pass {
            out.push(OrderedMove { order: 0, number: PASS, step: PASS });
            return;
        }
        let mut filled = state.own.filled(N_HOLES);
        while filled != 0 {
            let hole = filled.trailing_zeros() as u8;
            filled &= filled - 1;
            let SowingGain { captured, again } =
                self.0.sowing_gain(state.own, state.other, usize::from(hole));
            // Extra turns first, the hole next to the store before the others; then captures.
            let order = i32::from(hole) + if again { 1000 } else { 8 * captured as i32 };
            out.push(OrderedMove { order, number: hole, step: hole });
        }
    }

    /// An extra turn comes after a pass, which changes nothing and is left out.
    #[inline]
    fn play(&self, state: &State, &step: &u8) -> Child<State> {
        if step == PASS {
            let state = State { own: state.other, other: state.own, must_pass: false };
            return Child { state, gain: 0, again: false };
        }
        let (own, other, again) = self.0.sown(state.own, state.other, usize::from(step));
        if again {
            let (state, gain) = State::from_rows(own, other, false);
            return Child { state, gain, again };
        }
        let (state, lost) = State::from_rows(other, own, false);
        Child { state, gain: -lost, again }
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
