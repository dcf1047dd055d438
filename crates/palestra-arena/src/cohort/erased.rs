//! Cohorts behind one object-safe trait, whatever the game's type.

use super::{Cohort, cohort_of, plain_cohort_of};
use crate::match_runner::result_for;
use crate::spec::{PlayerKind, PlayerSpec};
use crate::start_point::{GameResult, StartPoint, side_of_player_0};
use palestra_core::{Playable, Progress};

/// Greedy players over one evaluation that all play the same opponents from the same start points.
pub trait AnyCohort: Send {
    /// Every member plays one game from a start point, in which the member (`first` = 0) or the opponent (1) has the
    /// first side. Calls `leaf` for each different game with the numbers of the members that played it and their
    /// result. Returns whether all games were played, unless `progress` is canceled.
    fn play(
        &mut self,
        start_point: &StartPoint,
        first: usize,
        opponent: &PlayerSpec,
        progress: &Progress,
        leaf: &mut dyn FnMut(&[u32], &GameResult),
    ) -> bool;
}

pub(crate) struct ErasedCohort<G: Playable> {
    game: G,
    cohort: Box<dyn Cohort<G>>,
}

impl<G: Playable> ErasedCohort<G> {
    /// The cohort of a player with these weights, one row per member; `None` unless it is greedy over a weighted sum.
    pub(crate) fn of(game: &G, template: &PlayerSpec, weights: &[f64]) -> Option<ErasedCohort<G>> {
        let PlayerKind::Search { search, evaluation, .. } = &template.kind else { return None };
        let cohort = cohort_of(game, search, evaluation, weights)?;
        Some(ErasedCohort { game: game.clone(), cohort })
    }

    /// The same with the sums of single players.
    pub(crate) fn plain_of(game: &G, template: &PlayerSpec, weights: &[f64]) -> Option<ErasedCohort<G>> {
        let PlayerKind::Search { search, evaluation, .. } = &template.kind else { return None };
        let cohort = plain_cohort_of(game, search, evaluation, weights)?;
        Some(ErasedCohort { game: game.clone(), cohort })
    }
}

impl<G: Playable> AnyCohort for ErasedCohort<G> {
    fn play(
        &mut self,
        start_point: &StartPoint,
        first: usize,
        opponent: &PlayerSpec,
        progress: &Progress,
        leaf: &mut dyn FnMut(&[u32], &GameResult),
    ) -> bool {
        let (start, _) = start_point.opening(&self.game, &self.game.start());
        let side = side_of_player_0(first);
        let game = &self.game;
        self.cohort.play(
            game,
            &start,
            side,
            opponent,
            start_point.game_seed(first),
            progress,
            &mut |members, ending, plies| {
                leaf(members, &result_for(game, ending, side, plies));
            },
        )
    }
}
