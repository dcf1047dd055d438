//! Objectives without randomness: the fitness of a candidate is exact, so that the fittest is known.
//!
//! Methods recommend a mean because the best of noisy scores is often a lucky one. Without noise that reason is gone,
//! and the mean may be worse than candidates that were rated.

use super::TuningDriver;
use crate::driver::seeds;
use crate::methods::common::ranked;
use crate::start_points::StartPointSampler;
use crate::{
    CandidateSet, ExecutionContext, ExecutionError, Objective, Recommendation, TuningBoards, TuningPlan,
};
use palestra_arena::{Catalog, is_program_text};
use palestra_core::{InputError, Seed};

/// Whether the plan's objective gives equal candidates equal fitness in every generation: a test suite, or fixed
/// opponents without random openings, and no stochastic player.
pub(super) fn is_exact(
    plan: &TuningPlan,
    catalog: &'static Catalog,
    sampler: &StartPointSampler,
) -> Result<bool, InputError> {
    let opponents: &[String] = match &plan.objective {
        Objective::Accuracy(_) => &[],
        Objective::Gauntlet { opponents } if plan.opening_plies == 0 => opponents,
        Objective::Reference { player } if plan.opening_plies == 0 => std::slice::from_ref(player),
        _ => return Ok(false),
    };
    if matches!(plan.boards, TuningBoards::Pool(_)) || opponents.iter().any(|player| is_program_text(player))
    {
        return Ok(false);
    }
    for board in sampler.samples()? {
        let game = catalog.open(&board)?;
        let candidate = game.tunable_player(&plan.player)?.spec;
        let opponents = opponents.iter().map(|player| game.player(player));
        for player in opponents.chain([Ok(candidate)]) {
            if game.is_stochastic(&player?) {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

impl TuningDriver<'_> {
    /// Keeps the fittest candidate, the first of equals.
    pub(super) fn remember_fittest(&mut self, candidates: &CandidateSet, fitness: &[f64]) {
        let Some(&best) = ranked(fitness).first() else { return };
        if self.fittest.as_ref().is_none_or(|(known, _)| fitness[best] > *known) {
            self.fittest = Some((fitness[best], candidates.weights(best)));
        }
    }

    /// The recommendations of the method and the fittest candidate, all rated once more, the fittest first. Where the
    /// budget has no games left for that, the fittest candidate is first.
    pub(super) fn recommend_by_fitness(
        &mut self,
        context: &ExecutionContext<'_>,
    ) -> Result<Vec<Recommendation>, ExecutionError> {
        let mut all = self.method.recommendations();
        let Some((_, weights)) = self.fittest.clone() else { return Ok(all) };
        let known = all.iter().position(|recommendation| recommendation.weights == weights);
        let fittest = known.unwrap_or_else(|| {
            all.push(Recommendation { label: "best of the run".to_owned(), weights });
            all.len() - 1
        });
        let candidates = CandidateSet::Listed(all.iter().map(|one| one.weights.clone()).collect());
        let seed = Seed(self.plan.seed).child(seeds::TRAINING).child(0);
        let n_games = self.plan.objective.n_games(candidates.len(), self.plan.n_pairs_each());
        if self.fits_budget(n_games) {
            // How many differ is known only now.
            let added = |total: u64| total.max(context.progress.done() + n_games);
            context.progress.update(|phase| phase.total = phase.total.map(added));
        }
        match self.rate(&candidates, 1, seed, context)? {
            Some((rating, _)) => {
                self.n_games += rating.n_games;
                Ok(ranked(&rating.fitness).into_iter().map(|i| all[i].clone()).collect())
            }
            None => {
                all[..=fittest].rotate_right(1);
                Ok(all)
            }
        }
    }
}
