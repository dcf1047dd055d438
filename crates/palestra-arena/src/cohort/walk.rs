//! The walk through the tree of games.

use super::Cohort;
use super::rival::CohortOpponent;
use super::splitter::{ChildFeatures, CohortPart, CohortSplitter, SignCheckpoint};
use crate::spec::PlayerSpec;
use palestra_core::{
    Ending, FeatureSet, Game, Playable, Seed, Side, TerminalValue, extract_oriented_children,
};
use std::sync::Arc;

/// Voters over a feature set. Whoever they are: one dynamic call a vote spares a copy of the walk for each kind.
pub(super) struct LinearCohort<F> {
    set: Arc<F>,
    /// The name of the evaluation.
    evaluation: String,
    voters: Box<dyn CohortSplitter>,
}

/// Where a part of the members has gone.
struct Branch<G: Game, M> {
    at: G::Position,
    memo: M,
    part: CohortPart,
    /// Plies from the start.
    ply: u32,
}

impl<F> LinearCohort<F> {
    pub(super) fn new(set: Arc<F>, evaluation: String, voters: Box<dyn CohortSplitter>) -> LinearCohort<F> {
        LinearCohort { set, evaluation, voters }
    }
}

impl<G: Playable, F: FeatureSet<G> + 'static> Cohort<G> for LinearCohort<F> {
    fn play(
        &mut self,
        game: &G,
        start: &G::Position,
        side: Side,
        rival: &PlayerSpec,
        seed: Seed,
        stop: &dyn Fn() -> bool,
        leaf: &mut dyn FnMut(&[u32], &Ending, u32),
    ) -> bool {
        let meeting = CohortGame { game, start, side, rival, seed };
        walk(&self.set, &self.evaluation, self.voters.as_mut(), &meeting, stop, leaf)
    }

    fn n_members(&self) -> usize {
        self.voters.n_members()
    }
}

/// Whom the voters meet, and where.
pub(super) struct CohortGame<'a, G: Game> {
    pub(super) game: &'a G,
    pub(super) start: &'a G::Position,
    /// The voters' side.
    pub(super) side: Side,
    pub(super) rival: &'a PlayerSpec,
    /// The rival's dice.
    pub(super) seed: Seed,
}

/// Walks through all games of the voters; `evaluation` is the name of their feature set. See [`Cohort::play`].
pub(super) fn walk<G: Playable, F: FeatureSet<G>>(
    set: &Arc<F>,
    evaluation: &str,
    voters: &mut dyn CohortSplitter,
    meeting: &CohortGame<'_, G>,
    stop: &dyn Fn() -> bool,
    leaf: &mut dyn FnMut(&[u32], &Ending, u32),
) -> bool {
    let CohortGame { game, start, side, rival, seed } = *meeting;
    assert!(super::can_meet_cohort(rival), "{rival} cannot meet a cohort");
    if voters.n_members() == 0 {
        return true;
    }
    let mut rival = CohortOpponent::new(game, rival, set, evaluation, seed);
    let everyone =
        CohortPart { child: None, group: voters.everyone(), checkpoint: SignCheckpoint::default() };
    let mut moves = Vec::new();
    let mut ballot = ChildFeatures::default();
    let memo = set.begin(game, start);
    // Only partings are remembered: a stretch of agreement, however long, is walked in place.
    let mut branches: Vec<Branch<G, F::Accumulator>> =
        vec![Branch { at: start.clone(), memo, part: everyone, ply: 0 }];
    while let Some(Branch { mut at, mut memo, part, mut ply }) = branches.pop() {
        if stop() {
            return false;
        }
        let group = voters.enter(&part);
        rival.jump();
        loop {
            if let Some(ending) = game.ending(&at) {
                leaf(voters.numbers(group), &ending, ply);
                break;
            }
            let mv = if game.to_move(&at) == side {
                ballot.ply = ply;
                fill(&**set, game, &at, &memo, &mut moves, &mut ballot);
                let Some(child) = voters.choose_child(group, &mut ballot) else {
                    let branch = |part: &CohortPart| {
                        let mut branch = Branch { at: at.clone(), memo: memo.clone(), part: *part, ply };
                        if let Some(child) = part.child {
                            set.advance(game, &mut branch.memo, &at, moves[child]);
                            game.play(&mut branch.at, moves[child]);
                            branch.ply += 1;
                        }
                        branch
                    };
                    branches.extend(voters.parts().iter().map(branch));
                    break;
                };
                moves[child]
            } else {
                rival.choose(game, &at, &memo, ply)
            };
            rival.observe(game, &at, mv);
            set.advance(game, &mut memo, &at, mv);
            game.play(&mut at, mv);
            ply += 1;
        }
    }
    true
}

/// Fills in what the voters choose among, as a greedy search would see it.
#[inline]
fn fill<G: Game, F: FeatureSet<G>>(
    set: &F,
    game: &G,
    at: &G::Position,
    memo: &F::Accumulator,
    moves: &mut Vec<G::Move>,
    ballot: &mut ChildFeatures,
) {
    let at = &*game.unclocked(at);
    moves.clear();
    game.moves(at, moves);
    let convention = set.convention();
    let view = game.to_move(at);
    extract_oriented_children(set, convention.viewpoint, game, (at, memo, view), moves, &mut ballot.features);
    ballot.ended.clear();
    if let TerminalValue::Always(win) = convention.endings {
        for (child, &mv) in moves.iter().enumerate() {
            let mut after = at.clone();
            game.play(&mut after, mv);
            if let Some(ending) = game.ending(&after) {
                ballot.ended.push((child, ending.value(win, view)));
            }
        }
    }
}
