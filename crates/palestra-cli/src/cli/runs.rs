//! `palestra runs` and `palestra run`.

use super::args::CommonArgs;
use super::args_tune::{ExportFormatArg, ResumeArgs, RunArgs, RunCommand, RunsArgs};
use super::long_sets;
use super::output::{Align, Output, counted, grouped, note, number, table, thread_pool};
use super::output_file::OutputFile;
use super::tune::{champion, criteria, read_stored};
use super::{CommandStatus, all_candidates, compare, hall_of_fame, store, tournament, tune};
use crate::games;
use anyhow::{Context, Result};
use palestra_arena::{TunablePlayer, program_name};
use palestra_core::{InputError, Progress, Seed};
use palestra_review::tuning::{COMPARISON, TUNING, TuningOutcome, n_players, same_as_earlier};
use palestra_store::{Candidate, EVENT, ExportFormat, ExportOptions, Run, Store, StoredGeneration};
use palestra_tune::progress::PairedScore;
use palestra_tune::{
    Batch, CandidateSet, ExecutionContext, Executor, LocalExecutor, OpeningSplit, PointSystem, Schedule,
    StartPointSampler, TuningPlan, angle,
};
use serde_json::json;
use std::io::Write;

/// Size of a store in bytes from which on deleting a run may take long.
const SLOW_BYTES: u64 = 200_000_000;

/// Prints all runs, events and champions.
pub(super) fn list(_args: &RunsArgs, common: &CommonArgs, output: &mut Output) -> Result<()> {
    let store = store::open_for_reading(common)?;
    let (runs, champions) = (store.runs()?, store.champions()?);
    if output.json {
        for run in &runs {
            output.json(&run.summary())?;
        }
        for champion in &champions {
            output.json(
                &json!({ "champion": champion.name, "game": champion.game, "player": champion.player }),
            )?;
        }
        return Ok(());
    }
    if runs.is_empty() && champions.is_empty() {
        let program = program_name();
        return output.line(format_args!(
            "{} is empty; {program} tune and {program} tournament add runs",
            common.store.display()
        ));
    }
    let mut rows = vec![["run", "state", "games", "seconds", "seed", "started"].map(str::to_owned).to_vec()];
    for run in &runs {
        let cells = [run.name.clone(), run.state.name().to_owned(), grouped(run.n_games)];
        let more = [format!("{:.1}", run.seconds), run.seed.to_string(), run.created.clone()];
        rows.push(cells.into_iter().chain(more).collect());
    }
    use Align::{Left, Right};
    output.line(table(&rows, &[Left, Left, Right, Right, Right, Left]))?;
    if !champions.is_empty() {
        let mut rows = vec![["champion", "game", "player"].map(str::to_owned).to_vec()];
        rows.extend(
            champions.into_iter().map(|c| vec![format!("@{}", c.name), c.game, long_sets::player(&c.player)]),
        );
        output.line(table(&rows, &[Left; 3]))?;
    }
    Ok(())
}

pub(super) fn run(args: &RunArgs, common: &CommonArgs, output: &mut Output) -> Result<CommandStatus> {
    match &args.what {
        RunCommand::Show { run } => show(&store::open_for_reading(common)?, run, common, output)?,
        RunCommand::Export { run, format, output: path, timings } => {
            let store = store::open_for_reading(common)?;
            let format = match format {
                ExportFormatArg::Csv => ExportFormat::Csv,
                ExportFormatArg::Json => ExportFormat::Json,
                ExportFormatArg::Parquet => ExportFormat::Parquet,
            };
            let run = store.run(run)?;
            let options = ExportOptions { format, with_timings: *timings };
            match path {
                Some(path) => {
                    let mut file = OutputFile::create(path)?;
                    export(store, &run, options, common, &mut file)
                        .with_context(|| format!("cannot write {}", path.display()))?;
                    file.finish()?;
                }
                None => export(store, &run, options, common, output)?,
            }
        }
        RunCommand::Compare { a, b, pairs } => compare_champions([a, b], *pairs, common, output)?,
        RunCommand::Hall(args) => return hall_of_fame::run(args, common, output),
        RunCommand::Resume(args) => return resume(args, common, output),
        RunCommand::Delete { run } => {
            let mut store = store::open_existing(common)?;
            let run = store.run(run)?;
            let bytes = std::fs::metadata(store.path()).map_or(0, |data| data.len());
            if bytes > SLOW_BYTES && !output.json {
                let megabytes = bytes / 1_000_000;
                note(format_args!(
                    "deleting {} from a store of {megabytes} MB, which may take a minute",
                    run.name
                ));
            }
            store.delete_run(run.id)?;
            if output.json {
                output.json(&json!({ "deleted": run.name }))?;
            } else {
                output.line(format_args!("deleted {}", run.name))?;
            }
        }
    }
    Ok(CommandStatus::Completed)
}

/// Writes a run for other programs. Candidates that are not in the store are computed again.
fn export(
    store: Store,
    run: &Run,
    options: ExportOptions,
    common: &CommonArgs,
    out: &mut (dyn Write + Send),
) -> Result<()> {
    match options.format == ExportFormat::Csv && all_candidates::are_needed(&store, run)? {
        true => all_candidates::write_csv(store, run, common, out),
        false => Ok(store.export(run.id, options, out)?),
    }
}

/// Continues a run with the plan in the store.
fn resume(args: &ResumeArgs, common: &CommonArgs, output: &mut Output) -> Result<CommandStatus> {
    let run = store::open_for_reading(common)?.run(&args.run)?;
    match run.kind.as_str() {
        TUNING => tune::resume(&run, args, common, output),
        EVENT => tournament::resume(run, args, common, output),
        _ => {
            let expected =
                "a tuning run or an event (palestra compare-methods FILE.toml continues a comparison)";
            Err(InputError::new("run", &run.name, expected).into())
        }
    }
}

fn show(store: &Store, name: &str, common: &CommonArgs, output: &mut Output) -> Result<()> {
    let run = store.run(name)?;
    if run.kind == COMPARISON {
        return show_comparison(&run, output);
    }
    let generations = store.generations(run.id)?;
    let outcome = TuningOutcome::of(&run).ok();
    // The plan of an older version may name what no longer exists.
    let player = read_stored(&run.plan, &run.name, common).ok().map(|plan| plan.tunable_player);
    let hall = store.hall_of_fame(run.id)?;
    if output.json {
        let leaders = outcome.as_ref().map(|outcome| leaders(outcome, player.as_ref()));
        return output.json(&json!({
            "run": run.name, "state": run.state, "games": run.n_games, "seconds": run.seconds, "plan": run.plan,
            "generations": with_weights(store, &run, &generations)?, "leaders": leaders,
            "hall": hall, "outcome": outcome,
        }));
    }
    output.heading(&format!(
        "{}: {}, {} games, {:.1} s",
        run.name,
        run.state.name(),
        grouped(run.n_games),
        run.seconds
    ))?;
    output.line(format_args!("\n{}", run.plan))?;
    let mut rows =
        vec![["generation", "games", "best", "mean", "worst", "angle", "spread"].map(str::to_owned).to_vec()];
    // About 20 rows, the first and the last generation among them.
    let step = generations.len().div_ceil(20).max(1);
    let chosen = generations.iter().enumerate().filter(|(i, _)| i % step == 0 || i + 1 == generations.len());
    for (_, g) in chosen {
        let cells =
            [g.number.to_string(), grouped(g.n_games), number(g.best), number(g.mean), number(g.worst)];
        rows.push(
            cells.into_iter().chain([format!("{:.1}°", g.angle), format!("{:.1}°", g.spread)]).collect(),
        );
    }
    output.line(table(&rows, &[Align::Right; 7]))?;
    if let Some(outcome) = outcome {
        output.line(champion(&outcome))?;
        output.line(&outcome.best)?;
        if let (Some(player), false) = (&player, hall.is_empty()) {
            let players = n_players(player, hall.iter().map(|entry| entry.weights.as_slice()));
            output.line(format_args!(
                "hall of fame: {}, {}",
                counted(hall.len() as u64, "weight vector"),
                counted(players, "different player")
            ))?;
        }
        if let Some(verification) = &outcome.verification {
            output.line("")?;
            output.line(criteria(&verification.criteria))?;
        }
    }
    Ok(())
}

/// The generations as JSON: each with the weights of its leader and the root mean square of every weight, the last one
/// with all candidates.
fn with_weights(
    store: &Store,
    run: &Run,
    generations: &[StoredGeneration],
) -> Result<Vec<serde_json::Value>> {
    /// A grid is one generation with too many candidates to print; above this only the leader is.
    const MAX_CANDIDATES: u64 = 10_000;
    let mut leaders = store.best_candidates(run.id)?.into_iter().peekable();
    let mut values = Vec::new();
    for (i, generation) in generations.iter().enumerate() {
        let mut value = serde_json::to_value(generation)?;
        let leader = leaders.next_if(|(number, _)| *number == generation.number);
        value["leader"] = json!(leader.map(|(_, leader)| leader.weights));
        if store.n_candidates(run.id, generation.number)? <= MAX_CANDIDATES {
            let candidates = store.candidates(run.id, generation.number)?;
            value["rms"] = json!(root_mean_squares(&candidates));
            if i + 1 == generations.len() {
                value["candidates"] = json!(candidates);
            }
        }
        values.push(value);
    }
    Ok(values)
}

/// The root mean square of each weight.
fn root_mean_squares(candidates: &[Candidate]) -> Vec<f64> {
    let n_weights = candidates.first().map_or(0, |candidate| candidate.weights.len());
    let mean_square = |i: usize| {
        candidates.iter().map(|candidate| candidate.weights[i].powi(2)).sum::<f64>() / candidates.len() as f64
    };
    (0..n_weights).map(|i| mean_square(i).sqrt()).collect()
}

/// The leaders in order, each with the generation in which it took the lead, and with that of the first leader which is
/// the same player in another scale.
fn leaders(outcome: &TuningOutcome, player: Option<&TunablePlayer>) -> Vec<serde_json::Value> {
    let mut new: Vec<(u32, &Vec<f64>)> = outcome.numbered_trail().collect();
    new.dedup_by(|one, before| one.1 == before.1);
    let earlier = match player {
        Some(player) => same_as_earlier(player, new.iter().map(|(_, weights)| weights.as_slice())),
        None => vec![None; new.len()],
    };
    let leader = |(&(generation, weights), first): (&(u32, &Vec<f64>), Option<usize>)| json!({ "generation": generation, "weights": weights, "same_player_as": first.map(|first| new[first].0) });
    new.iter().zip(earlier).map(leader).collect()
}

/// Prints a comparison of methods.
fn show_comparison(run: &Run, output: &mut Output) -> Result<()> {
    let outcome: Option<compare::ComparisonOutcome> =
        run.outcome.as_deref().map(serde_json::from_str).transpose()?;
    if output.json {
        return output.json(&json!({
            "run": run.name, "state": run.state, "games": run.n_games, "seconds": run.seconds, "plan": run.plan,
            "outcome": outcome,
        }));
    }
    let (games, seconds) = (grouped(run.n_games), run.seconds);
    output.heading(&format!("{}: {}, {games} games, {seconds:.1} s", run.name, run.state.name()))?;
    output.line(format_args!("\n{}", run.plan))?;
    outcome.map_or(Ok(()), |outcome| output.line(compare::table_of(&outcome)))
}

/// Plays a match between the champions of two runs on the same boards, on openings that neither was trained on.
fn compare_champions(
    names: [&String; 2],
    pairs: u32,
    common: &CommonArgs,
    output: &mut Output,
) -> Result<()> {
    let store = store::open_for_reading(common)?;
    let runs = [store.run(names[0])?, store.run(names[1])?];
    let outcomes = [TuningOutcome::of(&runs[0])?, TuningOutcome::of(&runs[1])?];
    let plan = |run: &Run| read_stored(&run.plan, &run.name, common);
    let plans = [plan(&runs[0])?, plan(&runs[1])?];
    let same_boards = plans[0].boards == plans[1].boards;
    if !same_boards {
        let expected = format!("a run on the same boards as {}", runs[0].name);
        return Err(InputError::new("run", &runs[1].name, expected).into());
    }
    let mut sampler = StartPointSampler::new(games(), plans[0].boards.clone())?;
    let openings = plans[0].test.opening_plies.max(plans[1].test.opening_plies);
    let starts = sampler.draw(OpeningSplit::Test, pairs, openings, Seed(common.seed))?;
    let batch = Batch {
        template: plans[0].player.clone(),
        candidates: CandidateSet::Listed(vec![outcomes[0].weights.clone()]),
        schedule: Schedule::Everyone(vec![outcomes[1].best.clone()]),
        starts,
        points: PointSystem::ByResult { win: 1.0, draw: 0.5, loss: 0.0 },
    };
    let result = thread_pool(common.threads)?.install(|| {
        LocalExecutor::new(games(), true).run(&batch, &ExecutionContext::new(&Progress::default()))
    })?;
    let mut score = PairedScore::default();
    result.match_results.iter().for_each(|result| score.add(result));
    let evaluation = |plan: &TuningPlan| plan.tunable_player.spec.evaluation().map(str::to_owned);
    let same_weights = evaluation(&plans[0]) == evaluation(&plans[1]);
    let apart = same_weights.then(|| angle(&outcomes[0].weights, &outcomes[1].weights));
    let sentence = score.verdict().sentence(&runs[0].name, &runs[1].name);
    if output.json {
        let verdict = score.verdict();
        return output.json(&json!({
            "a": runs[0].name, "b": runs[1].name, "wins": score.wins, "draws": score.draws, "losses": score.losses,
            "pairs": score.pairs, "elo": verdict.elo, "elo_low": verdict.elo_low, "elo_high": verdict.elo_high,
            "los": verdict.los, "angle": apart, "verdict": sentence,
        }));
    }
    let [a, b] = runs.each_ref().map(|run| run.plan.lines().collect::<Vec<_>>());
    for line in a.iter().filter(|line| !b.contains(line)) {
        output.line(format_args!("{}: {line}", runs[0].name))?;
    }
    for line in b.iter().filter(|line| !a.contains(line)) {
        output.line(format_args!("{}: {line}", runs[1].name))?;
    }
    if let Some(apart) = apart {
        output.line(format_args!("\nangle between the champions: {apart:.1}°"))?;
    }
    let n = score.n_games();
    output.line(format_args!(
        "{} won, {} drawn, {} lost of {n} games on openings neither was trained on",
        score.wins, score.draws, score.losses
    ))?;
    output.line(sentence)
}
