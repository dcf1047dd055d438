//! Control runs: random search with as many games, and the same method on random fitness.

use super::baselines::{Baseline, Games, decision_of};
use super::tests_of_champion::skipped;
use super::{ChampionTester, CriterionStatus, PairedScore, ProgressCriterion};
use crate::driver::{TrainingResult, TuningDriver, seeds};
use crate::methods::METHODS;
use crate::{ExecutionContext, ExecutionError, Objective, StartPoint, TuningBudget, TuningPlan, angle};
use palestra_core::Seed;
use palestra_settings::Document;

impl ChampionTester<'_> {
    /// The same tester with an error: real fitness leaks into its controls. Tests use it to measure how often controls
    /// notice that.
    #[must_use]
    pub fn with_leaking_controls(self) -> Self {
        Self { leaks: true, ..self }
    }

    /// The winner of a random search with as many games as the training and the choice of its champion, chosen in the
    /// same way; `None` where controls are off, or training took no games.
    pub(super) fn random_search(
        &mut self,
        training: &TrainingResult,
        context: &ExecutionContext<'_>,
    ) -> Result<Option<Vec<f64>>, ExecutionError> {
        let random = METHODS.iter().find(|method| method.name == "random");
        let (Some(method), true) = (random, self.plan.test.controls && training.n_games > 0) else {
            return Ok(None);
        };
        // Random fitness rates nothing; the games that it counts are those of a league.
        let objective = match &self.plan.objective {
            Objective::Chance => Objective::League,
            other => other.clone(),
        };
        // Without the games of the choice, a method with many recommendations would be ahead by them alone.
        let n_games = training.n_games + self.n_games;
        let n_points = n_points(&objective, self.plan.n_pairs_each(), n_games);
        let mut method_settings = Document::default();
        method_settings.set("points", &n_points.to_string())?;
        let plan = TuningPlan {
            method,
            method_settings,
            objective,
            budget: TuningBudget { games: Some(n_games), ..TuningBudget::default() },
            seed: Seed(self.plan.seed).child(seeds::CONTROLS).0 >> 11,
            ..self.plan.clone()
        };
        let control = TuningDriver::new(&plan, self.catalog, self.executor)?.train(context, &mut ())?;
        self.n_games += control.n_games;
        Ok(Some(self.choose(&control, context)?.0.weights))
    }

    /// P4; `known` are the games against the winner, where they are played already.
    pub(super) fn against_random_search(
        &mut self,
        champion: &[f64],
        winner: Option<&[f64]>,
        known: Option<PairedScore>,
        start_points: &[StartPoint],
        context: &ExecutionContext<'_>,
    ) -> Result<ProgressCriterion, ExecutionError> {
        let question = "Is it better than the winner of a random search with as many games?";
        let Some(winner) = winner else {
            return Ok(skipped("P4", question, "controls are off, or training took no games".to_owned()));
        };
        let paired = match known {
            Some(known) => known,
            None => self.play_match(champion, winner, start_points, context)?,
        };
        let [low, _, high] = paired.score();
        let grade = match () {
            () if low > 0.5 => CriterionStatus::Holds,
            () if high < 0.5 => CriterionStatus::Fails,
            () => CriterionStatus::Open,
        };
        Ok(ProgressCriterion {
            id: "P4".into(),
            question: question.into(),
            grade,
            found: format!("{} in {} games", paired.verdict().difference(), paired.n_games()),
        })
    }

    /// The negative control N: champions of the same method with random fitness, chosen and compared in the same way. A
    /// champion that beat its baselines must also beat every control that beats them, or it is not called better.
    ///
    /// Where the objective is useless, the champion is one of twenty equals of which at most one beats all others that
    /// beat the baselines: it is called better in at most 5 % of all runs, for any method, start and game.
    pub(super) fn against_random_fitness(
        &mut self,
        champion: &[f64],
        (baselines, better): (&[Baseline], Option<bool>),
        n_generations: u64,
        start_points: &[StartPoint],
        context: &ExecutionContext<'_>,
    ) -> Result<ControlOutcome, ExecutionError> {
        if !self.plan.test.controls {
            return Ok(ControlOutcome::skipped("controls are off", better));
        }
        if self.plan.method.name == "external" {
            return Ok(ControlOutcome::skipped("the optimizer's program would have to be run again", better));
        }
        let passed = better == Some(true);
        let n = if passed { N_CONTROLS } else { 1 };
        let (mut n_passed, mut degrees) = (0, Vec::new());
        let mut unbeaten = Vec::new();
        for i in 1..=n {
            let (control, turned) = self.control_champion(i, n_generations, context)?;
            degrees.extend(turned);
            let comparisons = self.compare_until_decided(&control, baselines, start_points, context)?;
            if decision_of(&comparisons) != Some(true) {
                continue;
            }
            n_passed += 1;
            let control = Baseline { name: "a control", weights: control };
            let games = Games::UntilDecided;
            let against = self.compare_with(champion, &control, start_points, games, context)?;
            if !passed || against.better != Some(true) {
                unbeaten.push((i, against.games));
                if unbeaten.len() == MAX_UNBEATEN {
                    break;
                }
            }
        }
        let n_run = if unbeaten.len() == MAX_UNBEATEN { unbeaten[MAX_UNBEATEN - 1].0 } else { n };
        let mut found = format!("{n_passed} of {n_run} beat what the champion is compared with");
        if let Some((_, games)) = unbeaten.last() {
            let difference = games.verdict().difference();
            found += &format!(
                "; the champion does not beat {} of them, the last: {difference} in {} games",
                unbeaten.len(),
                games.n_games()
            );
        } else if n_passed > 0 {
            found += ", and the champion beats them";
        }
        if !degrees.is_empty() {
            let mean = degrees.iter().sum::<f64>() / degrees.len() as f64;
            found += &format!("; they turned by {mean:.0}° on average");
        }
        let grade = match unbeaten.len() {
            0 => CriterionStatus::Holds,
            // Nothing is claimed of the champion: one control is a measurement without a level.
            _ if !passed => CriterionStatus::Noted,
            // After a short training one or two of many controls may be as strong by luck.
            1 | 2 => CriterionStatus::Open,
            _ => CriterionStatus::Warning,
        };
        let criterion = ProgressCriterion { id: "N".into(), question: QUESTION.into(), grade, found };
        // What random fitness gives as well does not show that training found anything.
        Ok(ControlOutcome { criterion, better: if passed && !unbeaten.is_empty() { None } else { better } })
    }

    /// The champion of the same method with random fitness, and the angle by which it turned since the first generation.
    fn control_champion(
        &mut self,
        i: u64,
        n_generations: u64,
        context: &ExecutionContext<'_>,
    ) -> Result<(Vec<f64>, Option<f64>), ExecutionError> {
        let plan = TuningPlan {
            budget: TuningBudget { generations: Some(n_generations), seconds: None, ..self.plan.budget },
            seed: Seed(self.plan.seed).child(seeds::CONTROLS).child(i).0 >> 11,
            ..self.plan.clone()
        };
        let driver = TuningDriver::new(&plan, self.catalog, self.executor)?;
        let driver = if self.leaks { driver } else { driver.on_random_fitness() };
        let control = driver.train(context, &mut ())?;
        let champion = self.choose(&control, context)?.0.weights;
        let turned = match &control.trail[..] {
            [first, .., _] => Some(angle(first, &champion)),
            _ => None,
        };
        Ok((champion, turned))
    }
}

/// Number of controls that a champion is compared with: it and they are twenty.
const N_CONTROLS: u64 = 19;

/// Number of controls that the champion may fail to beat before it is a warning and no others are run: where fitness does
/// nothing, it is one of twenty equals, and in most runs three of the others are above it.
const MAX_UNBEATEN: usize = 3;

/// The question of N. It is stored with runs and the key of its translation: do not change it.
const QUESTION: &str = "Does it beat champions of the same method with random fitness?";

/// The criterion N, and the decision on the champion after it.
pub(super) struct ControlOutcome {
    pub(super) criterion: ProgressCriterion,
    pub(super) better: Option<bool>,
}

impl ControlOutcome {
    fn skipped(reason: &str, better: Option<bool>) -> ControlOutcome {
        ControlOutcome { criterion: skipped("N", QUESTION, reason.to_owned()), better }
    }
}

/// Number of points of a bracket of random search: as many as the method has by default, or fewer where the first round
/// of a bracket would take more than a third of the games.
fn n_points(objective: &Objective, n_pairs: usize, n_games: u64) -> usize {
    const MOST: usize = 64;
    const FEWEST: usize = 4;
    let fits = |n: &usize| objective.n_games(*n, n_pairs) <= n_games / 3;
    (FEWEST..=MOST).rev().find(fits).unwrap_or(FEWEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_search_has_points_for_several_rounds() {
        let check = |objective: &Objective, n_games: u64, expected: usize| {
            assert_eq!(n_points(objective, 1, n_games), expected, "{n_games}");
        };
        // A league of n points takes n(n − 1) games.
        check(&Objective::League, 100_000, 64);
        check(&Objective::League, 1000, 18);
        check(&Objective::League, 10, 4);
        let gauntlet = Objective::Gauntlet { opponents: vec!["random".to_owned(); 2] };
        check(&gauntlet, 240, 20);
    }
}
