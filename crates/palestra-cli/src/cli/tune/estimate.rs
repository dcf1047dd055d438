//! `palestra tune --print-plan`: number of games and time of a plan.

use crate::cli::output::{Output, grouped};
use crate::games;
use anyhow::Result;
use palestra_core::{Progress, Seed};
use palestra_tune::{
    Batch, CandidateSet, ExecutionContext, Executor, FitnessCalculator, LocalExecutor, Objective,
    OptimizerRequest, RefreshPolicy, Schedule, StartPointDraw, StartPointSampler, TrainingSize, TuningPlan,
    open_optimizer,
};
use std::time::Instant;

/// Prints the plan, the number of games and the estimated time.
pub(crate) fn print(
    plan: &TuningPlan,
    size: &TrainingSize,
    in_cohorts: bool,
    output: &mut Output,
) -> Result<()> {
    let n_games = size.n_games;
    let rate = games_per_second(plan, in_cohorts)?;
    let seconds = match (n_games, rate) {
        (Some(n_games), Some(rate)) => Some(n_games as f64 / rate),
        _ => plan.budget.seconds,
    };
    if output.json {
        return output.json(&serde_json::json!({
            "plan": plan.to_string(), "games": n_games, "games_are_exact": size.is_exact,
            "memory_bytes": size.memory_bytes, "games_per_second": rate, "seconds": seconds,
        }));
    }
    output.line(plan)?;
    match n_games {
        Some(n_games) if size.is_exact => {
            output.line(format_args!("# {} training games", grouped(n_games)))?;
        }
        Some(n_games) => output.line(format_args!("# at most {} training games", grouped(n_games)))?,
        None => output.line("# as many training games as the time allows")?,
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
    let Some(OptimizerRequest::Rate { mut candidates, .. }) = open_optimizer(plan)?.ask() else {
        return Ok(None);
    };
    // Where candidates play each other, the number of opponents grows with the number of candidates.
    if matches!(plan.objective, Objective::League | Objective::Ancestors)
        || plan.fresh == RefreshPolicy::Match
    {
        truncate(&mut candidates);
    }
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
    if matches!(batch.candidates, CandidateSet::Listed(_)) && !matches!(batch.schedule, Schedule::Matches(_))
    {
        truncate(&mut batch.candidates);
    }
}

/// Cuts candidates down to a few.
fn truncate(candidates: &mut CandidateSet) {
    const SAMPLE: usize = 20;
    match candidates {
        CandidateSet::Listed(all) => all.truncate(SAMPLE),
        CandidateSet::Grid { from, to, .. } => *to = (*to).min(*from + SAMPLE as u64),
    }
}
