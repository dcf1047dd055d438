//! A cohort whose game nobody outside needs to know.

use super::{Cohort, cohort_of, plain_cohort_of};
use crate::match_runner::result_for;
use crate::spec::{PlayerKind, PlayerSpec};
use crate::start_point::{GameResult, StartPoint, side_of_player_0};
use palestra_core::Playable;

/// Greedy players over one evaluation who all meet the same rivals on the same scenes.
pub trait AnyCohort: Send {
    /// Every member plays one game of a scene, in which the member (0) or the rival (1) has the first side. For each
    /// way a game went, `leaf` hears which members went it, by number, and what it means to them. Returns whether all
    /// were named: `stop` may end it before.
    fn play(
        &mut self,
        scene: &StartPoint,
        first: usize,
        rival: &PlayerSpec,
        stop: &dyn Fn() -> bool,
        leaf: &mut dyn FnMut(&[u32], &GameResult),
    ) -> bool;
}

pub(crate) struct ErasedCohort<G: Playable> {
    game: G,
    cohort: Box<dyn Cohort<G>>,
}

impl<G: Playable> ErasedCohort<G> {
    /// The cohort of a player with these weights, one row a member; `None` unless it is greedy over a weighted sum.
    pub(crate) fn of(game: &G, template: &PlayerSpec, weights: &[f64]) -> Option<ErasedCohort<G>> {
        let PlayerKind::Search { search, evaluation, .. } = &template.kind else { return None };
        let cohort = cohort_of(game, search, evaluation, weights)?;
        Some(ErasedCohort { game: game.clone(), cohort })
    }

    /// The same, adding up as single players do.
    pub(crate) fn plain_of(game: &G, template: &PlayerSpec, weights: &[f64]) -> Option<ErasedCohort<G>> {
        let PlayerKind::Search { search, evaluation, .. } = &template.kind else { return None };
        let cohort = plain_cohort_of(game, search, evaluation, weights)?;
        Some(ErasedCohort { game: game.clone(), cohort })
    }
}

impl<G: Playable> AnyCohort for ErasedCohort<G> {
    fn play(
        &mut self,
        scene: &StartPoint,
        first: usize,
        rival: &PlayerSpec,
        stop: &dyn Fn() -> bool,
        leaf: &mut dyn FnMut(&[u32], &GameResult),
    ) -> bool {
        let (start, _) = scene.opening(&self.game, &self.game.start());
        let side = side_of_player_0(first);
        let game = &self.game;
        self.cohort.play(
            game,
            &start,
            side,
            rival,
            scene.game_seed(first),
            stop,
            &mut |members, ending, plies| {
                leaf(members, &result_for(game, ending, side, plies));
            },
        )
    }
}
