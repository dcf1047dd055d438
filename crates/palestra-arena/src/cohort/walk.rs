//! The walk of a cohort through its tree of games.

use super::Cohort;
use super::opponent::CohortOpponent;
use super::splitter::{ChildFeatures, CohortPart, CohortSplitter, SignCheckpoint};
use crate::spec::PlayerSpec;
use palestra_core::{
    Ending, FeatureSet, Game, Playable, Progress, Seed, Side, TerminalValue, extract_oriented_children,
};
use std::sync::Arc;

/// A cohort over a feature set. The splitter is called dynamically, once per choice, so that the walk is compiled once
/// per game and feature set instead of once per kind of splitter.
pub(super) struct LinearCohort<F> {
    set: Arc<F>,
    /// Name of the evaluation.
    evaluation: String,
    splitter: Box<dyn CohortSplitter>,
}

/// A part of the members, waiting at its position.
struct Branch<G: Game, M> {
    at: G::Position,
    accumulator: M,
    part: CohortPart,
    /// Plies from the start.
    ply: u32,
}

impl<F> LinearCohort<F> {
    pub(super) fn new(set: Arc<F>, evaluation: String, splitter: Box<dyn CohortSplitter>) -> LinearCohort<F> {
        LinearCohort { set, evaluation, splitter }
    }
}

impl<G: Playable, F: FeatureSet<G> + 'static> Cohort<G> for LinearCohort<F> {
    fn play(
        &mut self,
        game: &G,
        start: &G::Position,
        side: Side,
        opponent: &PlayerSpec,
        seed: Seed,
        progress: &Progress,
        leaf: &mut dyn FnMut(&[u32], &Ending, u32),
    ) -> bool {
        let cohort_game = CohortGame { game, start, side, opponent, seed };
        walk(&self.set, &self.evaluation, self.splitter.as_mut(), &cohort_game, progress, leaf)
    }

    fn n_members(&self) -> usize {
        self.splitter.n_members()
    }
}

/// Start, side and opponent of a cohort's game.
pub(super) struct CohortGame<'a, G: Game> {
    pub(super) game: &'a G,
    pub(super) start: &'a G::Position,
    /// Side of the members.
    pub(super) side: Side,
    pub(super) opponent: &'a PlayerSpec,
    /// Seed of the opponent's randomness.
    pub(super) seed: Seed,
}

/// Walks through all games of the members; `evaluation` is the name of their feature set. See [`Cohort::play`].
pub(super) fn walk<G: Playable, F: FeatureSet<G>>(
    set: &Arc<F>,
    evaluation: &str,
    splitter: &mut dyn CohortSplitter,
    cohort_game: &CohortGame<'_, G>,
    progress: &Progress,
    leaf: &mut dyn FnMut(&[u32], &Ending, u32),
) -> bool {
    let CohortGame { game, start, side, opponent, seed } = *cohort_game;
    assert!(super::can_meet_cohort(opponent), "{opponent} cannot meet a cohort");
    if splitter.n_members() == 0 {
        return true;
    }
    let mut opponent = CohortOpponent::new(game, opponent, set, evaluation, seed);
    let everyone =
        CohortPart { child: None, group: splitter.everyone(), checkpoint: SignCheckpoint::default() };
    let mut moves = Vec::new();
    let mut children = ChildFeatures::default();
    let accumulator = set.begin(game, start);
    // Only splits are stored: as long as members agree, the walk changes the position in place.
    let mut branches: Vec<Branch<G, F::Accumulator>> =
        vec![Branch { at: start.clone(), accumulator, part: everyone, ply: 0 }];
    while let Some(Branch { mut at, mut accumulator, part, mut ply }) = branches.pop() {
        if progress.is_stopped() {
            return false;
        }
        let group = splitter.enter(&part);
        opponent.jump();
        loop {
            if let Some(ending) = game.ending(&at) {
                leaf(splitter.numbers(group), &ending, ply);
                break;
            }
            let mv = if game.to_move(&at) == side {
                children.ply = ply;
                fill(&**set, game, &at, &accumulator, &mut moves, &mut children);
                let Some(child) = splitter.choose_child(group, &mut children) else {
                    let branch = |part: &CohortPart| {
                        let (at_part, accumulator) = (at.clone(), accumulator.clone());
                        let mut branch = Branch { at: at_part, accumulator, part: *part, ply };
                        if let Some(child) = part.child {
                            set.advance(game, &mut branch.accumulator, &at, moves[child]);
                            game.play(&mut branch.at, moves[child]);
                            branch.ply += 1;
                        }
                        branch
                    };
                    branches.extend(splitter.parts().iter().map(branch));
                    break;
                };
                moves[child]
            } else {
                opponent.choose(game, &at, &accumulator, ply)
            };
            opponent.observe(game, &at, mv);
            set.advance(game, &mut accumulator, &at, mv);
            game.play(&mut at, mv);
            ply += 1;
        }
    }
    true
}

/// Reads the features of the children and the values of ended games, as a greedy search does.
#[inline]
fn fill<G: Game, F: FeatureSet<G>>(
    set: &F,
    game: &G,
    at: &G::Position,
    accumulator: &F::Accumulator,
    moves: &mut Vec<G::Move>,
    children: &mut ChildFeatures,
) {
    let at = &*game.unclocked(at);
    moves.clear();
    game.moves(at, moves);
    let convention = set.convention();
    let view = game.to_move(at);
    let parent = (at, accumulator, view);
    extract_oriented_children(set, convention.viewpoint, game, parent, moves, &mut children.features);
    children.ended.clear();
    if let TerminalValue::Always(win) = convention.endings {
        for (child, &mv) in moves.iter().enumerate() {
            let mut after = at.clone();
            game.play(&mut after, mv);
            if let Some(ending) = game.ending(&after) {
                children.ended.push((child, ending.value(win, view)));
            }
        }
    }
}
