//! The result of a tuning run, as text and JSON.

use crate::cli::args::CommonArgs;
use crate::cli::long_sets::SHOWN;
use crate::cli::output::{Align, Output, counted, grouped, number, table};
use anyhow::Result;
use palestra_arena::program_name;
use palestra_core::print_weights;
use palestra_review::tuning::{
    GridOutcome, TuningOutcome, describe_decision, describe_grade, describe_weights,
};
use palestra_store::Run;
use palestra_tune::progress::{ProgressCriterion, Verification};
use serde::Serialize;

/// Prints the champion, its tests and next commands.
pub(crate) fn result(
    run: &Run,
    outcome: &TuningOutcome,
    saved: Option<&str>,
    common: &CommonArgs,
    output: &mut Output,
) -> Result<()> {
    if output.json {
        return output.json(&TuningRecord::new(run, outcome, saved));
    }
    output.heading(&format!("{}: {} for {}", run.name, outcome.method, outcome.objective))?;
    output.line(format_args!(
        "{} games in {} generations, {:.1} s, seed {}\n",
        grouped(outcome.games),
        grouped(outcome.generations),
        run.seconds,
        run.seed
    ))?;
    if let Some(grid) = &outcome.grid {
        grid_scores(grid, &outcome.names, output)?;
    }
    output.heading("Champion")?;
    output.line(champion(outcome))?;
    output.line(format_args!("{}\n", outcome.best))?;
    if let Some(verification) = &outcome.verification {
        verdict(verification, output)?;
        output.line("")?;
        output.heading("Progress, on openings never used in training")?;
        output.line(criteria(&verification.criteria))?;
    }
    if outcome.has_programs {
        output.line(
            "games of external engines depend on this machine: another run may give another result\n",
        )?;
    }
    output.heading("Next steps")?;
    let program = program_name();
    let game = &outcome.games_of[0];
    let player = match saved {
        Some(name) => format!("@{name}"),
        // The command would fill the screen.
        None if outcome.weights.len() > SHOWN => "PLAYER".to_owned(),
        None => format!("'{}'", outcome.best),
    };
    let store = if common.store.as_os_str() == "palestra.db" {
        String::new()
    } else {
        format!(" --store {}", common.store.display())
    };
    output.line(format_args!("  {program} play {game} --second {player}{store}"))?;
    output.line(format_args!("  {program} explain {game} - {player}{store}"))?;
    output.line(format_args!("  {program} report {}{store}", run.name))?;
    output.line(format_args!("  {program} run export {} --format csv{store}", run.name))?;
    if player == "PLAYER" {
        output.line("PLAYER is the line below the table of weights; tune --save NAME keeps it as @NAME")?;
    }
    Ok(())
}

/// A finished run as JSON.
#[derive(Serialize)]
struct TuningRecord<'a> {
    run: &'a str,
    best: &'a str,
    weights: &'a [f64],
    names: &'a [String],
    fitness: Option<f64>,
    games: u64,
    generations: u64,
    seconds: f64,
    seed: u64,
    saved: Option<&'a str>,
    better: Option<bool>,
    verification: Option<&'a Verification>,
    /// `false` where external programs were opponents; absent otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    repeatable: Option<bool>,
    #[serde(flatten)]
    grid: Option<&'a GridOutcome>,
}

impl<'a> TuningRecord<'a> {
    fn new(run: &'a Run, outcome: &'a TuningOutcome, saved: Option<&'a str>) -> TuningRecord<'a> {
        TuningRecord {
            run: &run.name,
            best: &outcome.best,
            weights: &outcome.weights,
            names: &outcome.names,
            fitness: outcome.fitness,
            games: outcome.games,
            generations: outcome.generations,
            seconds: run.seconds,
            seed: run.seed,
            saved,
            better: outcome.verification.as_ref().and_then(|verification| verification.better),
            verification: outcome.verification.as_ref(),
            repeatable: outcome.has_programs.then_some(false),
            grid: outcome.grid.as_ref(),
        }
    }
}

/// A table of the weights, the most important first.
pub(crate) fn champion(outcome: &TuningOutcome) -> String {
    let heading = ["rank", "feature", "weight", "share", "it", "what the feature counts"];
    let mut rows = vec![heading.map(str::to_owned).to_vec()];
    let weights = describe_weights(&outcome.names, &outcome.meanings, &outcome.weights);
    // Of many weights, the first: the others have small shares.
    let n_shown = if weights.len() > SHOWN { SHOWN } else { weights.len() };
    for weight in &weights[..n_shown] {
        let share = format!("{:.0} %", 100.0 * weight.share);
        let cells = [weight.rank.to_string(), weight.name.to_owned(), number(weight.value), share];
        rows.push(cells.into_iter().chain([weight.word.to_owned(), weight.meaning.to_owned()]).collect());
    }
    if let others @ [_, ..] = &weights[n_shown..] {
        let share = format!("{:.0} %", 100.0 * others.iter().map(|weight| weight.share).sum::<f64>());
        let name = format!("{} others", others.len());
        rows.push(vec![String::new(), name, String::new(), share]);
    }
    use Align::{Left, Right};
    table(&rows, &[Right, Left, Right, Right, Left, Left])
}

fn verdict(verification: &Verification, output: &mut Output) -> Result<()> {
    // Only the figures: the sequential tests below draw the conclusion.
    for comparison in verification.all_comparisons() {
        let figures = comparison.games.verdict();
        output.line(format_args!(
            "against {}: {} in {} games on openings never used in training",
            comparison.baseline,
            figures.difference(),
            grouped(comparison.games.n_games())
        ))?;
    }
    output.line(describe_decision(verification))?;
    if verification.finals.len() > 1 {
        let finals =
            verification.finals.iter().map(|(label, share)| format!("{label} {:.1} %", 100.0 * share));
        let finals: Vec<String> = finals.collect();
        output
            .line(format_args!("chosen among the recommendations on fresh games: {}", finals.join(", ")))?;
    }
    Ok(())
}

/// A table of the criteria of progress.
pub(crate) fn criteria(criteria: &[ProgressCriterion]) -> String {
    let mut rows = Vec::new();
    for criterion in criteria {
        rows.push(vec![
            criterion.id.clone(),
            describe_grade(criterion.grade).to_owned(),
            criterion.question.clone(),
        ]);
        rows.push(vec![String::new(), String::new(), format!("  {}", criterion.found)]);
    }
    table(&rows, &[Align::Left; 3])
}

/// Prints the best score for every value of every weight, and the players at the maximum.
fn grid_scores(grid: &GridOutcome, names: &[String], output: &mut Output) -> Result<()> {
    let reached = match grid.players_at_maximum {
        Some(players) if grid.count_at_maximum > 1 => format!(
            "{}, which {}",
            counted(grid.count_at_maximum, "weight vector"),
            if players == 1 {
                "are one player".to_owned()
            } else {
                format!("are {} different players", grouped(players))
            }
        ),
        _ => counted(grid.count_at_maximum, "weight vector"),
    };
    let (maximum, minimum) = (number(grid.maximum), number(grid.minimum));
    output.line(format_args!("maximum {maximum} reached by {reached}; minimum {minimum}"))?;
    if let Some(players) = grid.players {
        let (points, players) = (grouped(grid.points), grouped(players));
        output.line(format_args!(
            "{points} weight vectors in all, {players} different players: some differ only by a scale"
        ))?;
    }
    output.line("")?;
    output.heading("Best score with each value")?;
    let width = grid.values.iter().map(Vec::len).max().unwrap_or(0);
    let mut rows = Vec::new();
    for ((name, values), best) in names.iter().zip(&grid.values).zip(&grid.best_by_value) {
        let cells = |numbers: &[f64]| numbers.iter().map(|value| number(*value)).collect::<Vec<_>>();
        rows.push([vec![name.clone()], cells(values)].concat());
        rows.push([vec![String::new()], cells(best)].concat());
    }
    let mut align = vec![Align::Right; width + 1];
    align[0] = Align::Left;
    output.line(table(&rows, &align))?;
    let shown = grid.at_maximum.iter().take(20);
    output.heading("Weight vectors at the maximum")?;
    shown.clone().try_for_each(|weights| output.line(print_weights(weights)))?;
    if grid.count_at_maximum > shown.count() as u64 {
        output.line(format_args!("… and {} more", grouped(grid.count_at_maximum - 20)))?;
    }
    output.line("")
}
