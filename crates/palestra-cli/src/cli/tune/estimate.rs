//! `palestra tune --print-plan`: number of games and time of a plan.

use crate::cli::output::{Output, grouped};
use crate::games;
use anyhow::Result;
use palestra_arena::program_name;
use palestra_core::{Progress, Seed};
use palestra_tune::{
    Batch, CandidateSet, ExecutionContext, Executor, FitnessCalculator, LocalExecutor, OptimizerRequest,
    RefreshPolicy, Schedule, StartPointDraw, StartPointSampler, TuningPlan, open_optimizer,
};
use std::time::Instant;

/// Generations of the whole training, where the plan or the method fixes them.
pub(crate) fn n_generations(plan: &TuningPlan) -> Option<u64> {
    let own = open_optimizer(plan).ok()?.n_generations();
    own.into_iter().chain(plan.budget.generations).min()
}

/// Games of the whole training, where the plan and the method determine them.
pub(crate) fn n_games(plan: &TuningPlan) -> Option<u64> {
    if let Some(games) = plan.budget.games {
        // Training ends before the generation that would exceed the budget, but not before the first.
        return Some(games.max(games_of_first_generation(plan).unwrap_or(0)));
    }
    let mut method = open_optimizer(plan).ok()?;
    let generations = n_generations(plan)?;
    let n_starts = plan.n_pairs_each();
    match method.ask()? {
        OptimizerRequest::Rate { candidates: CandidateSet::Grid { values, .. }, .. } => {
            let n_points = values.iter().map(|values| values.len() as u64).product::<u64>();
            let first = plan.objective.games_each(2, n_starts);
            Some(n_points * first)
        }
        OptimizerRequest::Rate { candidates, effort } => {
            Some(generations * plan.objective.n_games(candidates.len(), n_starts * effort as usize))
        }
        OptimizerRequest::SelfPlay { n_games, .. } => Some(generations * u64::from(n_games)),
    }
}

/// Games of the first generation, where it rates a list of candidates.
fn games_of_first_generation(plan: &TuningPlan) -> Option<u64> {
    match open_optimizer(plan).ok()?.ask()? {
        OptimizerRequest::Rate { candidates: candidates @ CandidateSet::Listed(_), effort } => {
            Some(plan.objective.n_games(candidates.len(), plan.n_pairs_each() * effort as usize))
        }
        _ => None,
    }
}

/// What to know about a plan whose first generation takes more games than the budget; `None` for other plans.
pub(super) fn excess(plan: &TuningPlan) -> Option<String> {
    let (budget, first) = (plan.budget.games?, games_of_first_generation(plan)?);
    (first > budget).then(|| {
        format!(
            "one generation takes {} games, more than the budget of {}: a larger budget or a smaller population \
             gives more generations ({} methods {} lists the settings)",
            grouped(first),
            grouped(budget),
            program_name(),
            plan.method.name
        )
    })
}

/// Prints the plan, the number of games and the estimated time.
pub(crate) fn print(plan: &TuningPlan, in_cohorts: bool, output: &mut Output) -> Result<()> {
    let n_games = n_games(plan);
    let rate = games_per_second(plan, in_cohorts)?;
    let seconds = match (n_games, rate) {
        (Some(n_games), Some(rate)) => Some(n_games as f64 / rate),
        _ => plan.budget.seconds,
    };
    if output.json {
        return output.json(&serde_json::json!({
            "plan": plan.to_string(), "games": n_games, "games_per_second": rate, "seconds": seconds,
        }));
    }
    output.line(plan)?;
    match n_games {
        Some(n_games) => output.line(format_args!("# {} training games", grouped(n_games)))?,
        None => output.line("# as many training games as the time allows")?,
    }
    if let Some(excess) = excess(plan) {
        output.line(format_args!("# {excess}"))?;
    }
    match (seconds, rate) {
        (Some(seconds), Some(rate)) => output.line(format_args!(
            "# about {}, at {} games per second on {} threads (just measured)",
            duration(seconds),
            grouped(rate as u64),
            rayon::current_num_threads()
        ))?,
        (Some(seconds), None) => output.line(format_args!("# about {}", duration(seconds)))?,
        (None, _) => output.line("# duration unknown")?,
    }
    if plan.test.wanted {
        output.line("# testing the champion is extra: tens of thousands of games, and with controls the training games once more")?;
    }
    Ok(())
}

/// A time in words, rounded.
pub(crate) fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 1.0 => "less than a second".to_owned(),
        s if s < 120.0 => format!("{s:.0} seconds"),
        s if s < 7200.0 => format!("{:.0} minutes", s / 60.0),
        s if s < 172_800.0 => format!("{:.1} hours", s / 3600.0),
        s => format!("{:.1} days", s / 86_400.0),
    }
}

/// Speed of a small part of the first generation; `None` where a generation plays no games.
pub(crate) fn games_per_second(plan: &TuningPlan, in_cohorts: bool) -> Result<Option<f64>> {
    // An estimate starts no program.
    if !plan.objective.programs().is_empty() {
        return Ok(None);
    }
    let Some(OptimizerRequest::Rate { candidates, .. }) = open_optimizer(plan)?.ask() else {
        return Ok(None);
    };
    let mut sampler = StartPointSampler::new(games(), plan.boards.clone())?;
    let mut draw = StartPointDraw::new(&mut sampler, plan.opening_plies, Seed(plan.seed));
    let (points, space) = (plan.points, plan.space.clone());
    let mut calculator = FitnessCalculator::new(
        plan.objective.clone(),
        &plan.player,
        points,
        space,
        Seed(plan.seed),
        plan.fresh == RefreshPolicy::Match,
    );
    let mut batch = calculator.batch(&candidates, &[], 1, &mut draw)?;
    shorten(&mut batch);
    if batch.n_games() == 0 {
        return Ok(None);
    }
    let executor = LocalExecutor::new(games(), in_cohorts);
    let began = Instant::now();
    let mut n_games = 0;
    // Passes repeat for 0.3 s, because caches are cold in the first one.
    for _ in 0..50 {
        n_games += executor.run(&batch, &ExecutionContext::new(&Progress::default()))?.n_games;
        if began.elapsed().as_secs_f64() > 0.3 {
            break;
        }
    }
    Ok(Some(n_games as f64 / began.elapsed().as_secs_f64()))
}

/// Cuts a batch down to a part that is quick to play and similar to the whole.
fn shorten(batch: &mut Batch) {
    match &mut batch.schedule {
        Schedule::Everyone(opponents) | Schedule::EveryoneApart { opponents, .. } => opponents.truncate(2),
        Schedule::Matches(matches) => matches.truncate(40),
        Schedule::League => {}
    }
    if let CandidateSet::Listed(all) = &mut batch.candidates
        && !matches!(batch.schedule, Schedule::Matches(_))
    {
        all.truncate(20);
    }
}
