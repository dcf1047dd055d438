//! `palestra tournament`, `palestra event` and `palestra engine replay`.

mod continued;
mod live;
mod plan_loader;
mod private;
mod replay;
mod sandbox;
mod show;
mod written;

pub(super) use plan_loader::find_beside;
pub(super) use replay::run as replay_failure;
pub(super) use sandbox::{
    SUPERVISOR, complaint, limits_text, of_args as sandbox_of, sandbox_warning, store_files, supervisor,
};
pub(super) use show::run as show;

use super::args::CommonArgs;
use super::args_event::{ExportArgs, TournamentArgs};
use super::args_programs::SandboxArgs;
use super::args_tune::ResumeArgs;
use super::output::{Output, grouped, note, note_old_names, thread_pool};
use super::output_file::LineStream;
use super::{CommandStatus, ENGINE_FAILED, interrupt, store};
use crate::games;
use anyhow::{Context, Result};
use live::TerminalProgress;
use palestra_arena::{AnyGame, GameRecord, TimeControl};
use palestra_core::{CancelFlag, InputError, MemoryLimit, Progress};
use palestra_engine::{EnginePool, PreflightError, ProgramSpec, Sandbox};
use palestra_event::{EventPlayers, EventSetup, EventStatusWriter};
use palestra_review::event::{
    EventEntrants, EventNotes, EventReview, LeftOutPlayer, StoredPlan, board_of, check_memory, control_of,
    listed_boards, new_event, open_boards, read_stored, terms_of,
};
use palestra_settings::Document;
use palestra_store::{Run, RunState, Store};
use palestra_tournament::formats::Stages;
use palestra_tournament::{Entrant, Format, Pairings, TournamentEnd, TournamentPlan, TournamentResults};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Exit code when games were forfeited under `--strict`.
const FORFEITS: u8 = 4;

/// How an event is run. None of these options is part of the plan.
struct EventRunOptions<'a> {
    sandbox: &'a SandboxArgs,
    /// Every engine is checked before the event.
    has_preflight: bool,
    /// File for one line of JSON per finished game.
    stream: Option<&'a Path>,
    exports: &'a ExportArgs,
    /// The memory that the event may use.
    memory: MemoryLimit,
}

pub(super) fn run(args: &TournamentArgs, common: &CommonArgs, output: &mut Output) -> Result<CommandStatus> {
    let (plan, left_out) = plan_loader::plan(args, common)?;
    if args.print_plan {
        let boards = open_boards(&plan, games())?;
        control_of(&plan)?;
        let field = EventEntrants::of(&plan, board_of(&boards)?, None)?;
        note_old_names(&field.check(&plan, &listed_boards(&plan))?);
        return print_plan(&plan, &field, args.memory.limit(), output);
    }
    let options = EventRunOptions {
        sandbox: &args.programs.sandbox,
        has_preflight: !args.no_preflight,
        stream: args.stream.as_deref(),
        exports: &args.exports,
        memory: args.memory.limit(),
    };
    play_to_end(plan, left_out, &options, common, output)
}

/// `palestra run resume` for an event.
pub(super) fn resume(
    run: Run,
    args: &ResumeArgs,
    common: &CommonArgs,
    output: &mut Output,
) -> Result<CommandStatus> {
    let tuning_only = [("--keep-games", args.keep_games), ("--save", args.save.is_some())];
    if let Some((option, _)) = tuning_only.iter().find(|(_, is_given)| *is_given) {
        let reason = format!("{} is an event, not a tuning run", run.name);
        return Err(InputError::not_allowed(*option, reason).into());
    }
    if run.state == RunState::Done {
        note(format_args!("{} is already done", run.name));
        let review = EventReview::open(&store::open_for_reading(common)?, run, games())?;
        written::print(&review, output)?;
        return Ok(ending(0, &review));
    }
    let StoredPlan { mut plan, left_out, .. } = read_stored(&run, games())?;
    // The store finds events by name.
    plan.name = run.name;
    let (sandbox, exports) = (SandboxArgs::default(), ExportArgs::default());
    let options = EventRunOptions {
        sandbox: &sandbox,
        has_preflight: true,
        stream: None,
        exports: &exports,
        memory: MemoryLimit::NONE,
    };
    play_to_end(plan, left_out, &options, common, output)
}

/// Starts or continues an event, and prints its result.
fn play_to_end(
    mut plan: TournamentPlan,
    left_out: Vec<LeftOutPlayer>,
    options: &EventRunOptions<'_>,
    common: &CommonArgs,
    output: &mut Output,
) -> Result<CommandStatus> {
    written::check(options.exports)?;
    let boards = open_boards(&plan, games())?;
    let board = board_of(&boards)?;
    let control = control_of(&plan)?;
    let mut field = EventEntrants::of(&plan, board, None)?;
    note_old_names(&field.check(&plan, &listed_boards(&plan))?);
    check_memory(&plan, &field, games(), options.memory)?;
    let stop = interrupt::flag()?;
    let mut noted = EventNotes { left_out, ..EventNotes::default() };
    let mut n_failed = 0;
    let sandbox = match field.has_programs() {
        false => None,
        true => Some(sandbox::of_event(&plan.program_limits, options.sandbox, &field, common, &stop)?),
    };
    if let Some(sandbox) = &sandbox {
        if let Some(warning) = sandbox_warning(sandbox) {
            warn(&mut noted.warnings, warning);
        }
        if options.has_preflight {
            let checked = preflight(&mut plan, &mut field, &boards, sandbox, &control, common, &mut noted);
            if stop.is_canceled() {
                return interrupted(output);
            }
            n_failed = checked?;
        }
    }
    if field.entrants.len() < 2 {
        note("fewer than two players are left, so that there are no games");
        return Ok(CommandStatus::Code(ENGINE_FAILED));
    }
    let mut store = store::open(common)?;
    let event = PreparedEvent { plan, field, control, stop: &stop, noted };
    let played = event.play(&mut store, options, common, sandbox, &boards)?;
    if played.is_interrupted {
        return interrupted(output);
    }
    let review = &played.review;
    written::print(review, output)?;
    written::export(review, options.exports, &store)?;
    Ok(ending(n_failed, review))
}

/// The status of a command that finished an event, with `n_failed` engines that failed the pre-flight check.
fn ending(n_failed: usize, review: &EventReview) -> CommandStatus {
    match (n_failed, review.plan.strict && review.n_forfeits() > 0) {
        (0, false) => CommandStatus::Completed,
        (0, true) => CommandStatus::Code(FORFEITS),
        _ => CommandStatus::Code(ENGINE_FAILED),
    }
}

/// Prints the command that continues the event.
fn interrupted(output: &mut Output) -> Result<CommandStatus> {
    output.flush()?;
    note(format_args!(
        "interrupted; all finished games are kept. To continue: {}",
        interrupt::same_command()
    ));
    Ok(CommandStatus::Interrupted)
}

fn warn(warnings: &mut Vec<String>, warning: String) {
    note(format_args!("warning: {warning}"));
    warnings.push(warning);
}

fn print_plan(
    plan: &TournamentPlan,
    field: &EventEntrants,
    limit: MemoryLimit,
    output: &mut Output,
) -> Result<CommandStatus> {
    let n_games = check_memory(plan, field, games(), limit)?;
    let format = plan.open(&field.entrants, Some(games()))?;
    if output.json {
        let plan = plan.to_string();
        output.json(&serde_json::json!({ "plan": plan, "format": format.describe(), "games": n_games }))?;
    } else {
        output.line(plan.to_string().trim_end())?;
        output.line(format_args!("\n# {}; about {} games", format.describe(), grouped(n_games)))?;
    }
    Ok(CommandStatus::Completed)
}

/// Checks every engine. Those that fail are left out of the event, with a warning; returns their number.
fn preflight(
    plan: &mut TournamentPlan,
    field: &mut EventEntrants,
    boards: &BTreeMap<String, Box<dyn AnyGame>>,
    sandbox: &Sandbox,
    control: &TimeControl,
    common: &CommonArgs,
    noted: &mut EventNotes,
) -> Result<usize> {
    let game = boards.values().next().context("a plan has a board")?;
    let checked: Vec<(usize, Result<Option<String>, PreflightError>)> =
        thread_pool(common.threads)?.install(|| {
            let programs = field.programs.par_iter().enumerate();
            let check = |(i, program): (usize, &Option<ProgramSpec>)| {
                Some((i, complaint(game.as_ref(), program.as_ref()?, sandbox, control)))
            };
            programs.filter_map(check).collect()
        });
    let mut n_failed = 0;
    for (i, complaint) in checked.into_iter().rev() {
        let name = field.entrants[i].name.clone();
        let complaint = match complaint {
            // A game decides: one that fails because of the machine is void and played again.
            Err(PreflightError::Internal(_)) if sandbox.stop.is_canceled() => continue,
            Err(PreflightError::Internal(why)) => {
                warn(&mut noted.warnings, format!("{name} plays without a pre-flight check: {why}"));
                continue;
            }
            other => other.with_context(|| format!("pre-flight check of {name}"))?,
        };
        if let Some(complaint) = complaint {
            let warning = format!("{name} failed the pre-flight check and is left out: {complaint}");
            warn(&mut noted.warnings, warning);
            let Entrant { group, identifier, students, .. } = field.remove(i);
            plan.players.retain(|player| player.name != name);
            noted.left_out.push(LeftOutPlayer {
                player: name,
                reason: complaint,
                group,
                identifier,
                students,
            });
            n_failed += 1;
        }
    }
    Ok(n_failed)
}

/// An event that is ready to be played.
struct PreparedEvent<'a> {
    plan: TournamentPlan,
    field: EventEntrants,
    control: TimeControl,
    stop: &'a CancelFlag,
    noted: EventNotes,
}

/// An event that was played to its end or interrupted.
struct PlayedEvent {
    review: EventReview,
    is_interrupted: bool,
}

impl PreparedEvent<'_> {
    fn play(
        self,
        store: &mut Store,
        options: &EventRunOptions<'_>,
        common: &CommonArgs,
        sandbox: Option<Sandbox>,
        boards: &BTreeMap<String, Box<dyn AnyGame>>,
    ) -> Result<PlayedEvent> {
        let PreparedEvent { plan, field, mut noted, .. } = self;
        let terms = terms_of(&field, &self.control);
        let before = continued::before(store, &plan);
        let (run, is_new) = store.find_or_begin_event(&new_event(&plan, &field, &noted.left_out))?;
        let warnings = palestra_event::archive_programs(store, run.id, &field, plan.archive_mb);
        let warnings = warnings.map_err(|error| anyhow::anyhow!(error))?;
        warnings.into_iter().for_each(|warning| warn(&mut noted.warnings, warning));
        if run.state == RunState::Done {
            store.reopen(run.id)?;
        }
        let ledger = super::store::ledger(store, run.id)?;
        // After the ledger was opened, which deletes damaged games.
        let known = store.event_games(run.id)?;
        if !is_new {
            note(format_args!(
                "continuing {}: {} games are in the store",
                run.name,
                grouped(known.len() as u64)
            ));
            let before = before.filter(|_| !known.is_empty());
            let changes = before.map_or_else(Vec::new, |before| continued::changes(&before, &plan, &terms));
            changes.iter().for_each(note);
        }
        let entrants = &field.entrants[..];
        let n_cores = std::thread::available_parallelism().map_or(1, usize::from);
        let requested = plan.concurrency.map(|n| n as usize).or(common.threads.map(usize::from));
        let concurrency = requested.unwrap_or(n_cores);
        let cores: Vec<usize> = if plan.pin { (0..n_cores).collect() } else { Vec::new() };
        if plan.pin && concurrency > n_cores {
            let expected = format!("at most {n_cores} with --pin, because each game has a core of its own");
            return Err(InputError::new("--concurrency", concurrency.to_string(), expected).into());
        }
        let progress = Progress::new(self.stop.clone());
        let status_writer = EventStatusWriter::new(entrants, &progress, concurrency, run.seconds);
        let points = plan.stages[0].points;
        let live = TerminalProgress::new(entrants, points, &progress, deadline(&plan, &run));
        let pool = sandbox.map(|sandbox| Arc::new(EnginePool::new(sandbox, 2 * concurrency.max(4))));
        let players = EventPlayers { field: &field, control: self.control, cores: &cores, pool };
        let stream = options.stream.map(LineStream::open).transpose()?.map(Mutex::new);
        let event = EventSetup {
            field: &field,
            boards,
            conditions: &terms,
            players: &|game, entrant, worker| players.open(game, entrant, worker),
            concurrency,
            progress: &progress,
            observer: &live,
            status_writer: &status_writer,
            kept: &|game| {
                if let Some(Ok(mut stream)) = stream.as_ref().map(Mutex::lock) {
                    stream.line(&super::event::game_line(&run.name, game).to_string());
                }
            },
        };
        let mut format = plan.open(entrants, Some(games()))?;
        let mut results = TournamentResults::new(entrants.len(), plan.quarantine);
        let (estimate, what) = (format.estimate(&results), format.describe());
        note(format_args!(
            "{}: {}; about {} games, {} at a time",
            run.name,
            what,
            grouped(estimate),
            concurrency
        ));
        let began = Instant::now();
        let mut timed = TimedFormat { format: &mut format, took: Duration::ZERO };
        let ended = event.play(&ledger, &known, &mut timed, &mut results);
        let pairing = timed.took;
        live.finish();
        let took = began.elapsed().as_secs_f64();
        // Of no interest for a short event.
        if took > 1.0 {
            note(format_args!("{took:.1} s, of which pairing took {:.2} s", pairing.as_secs_f64()));
        }
        let ended = ended.map_err(|failure| match ledger.flush() {
            Ok(()) => anyhow::anyhow!("{failure}; all finished games are kept"),
            Err(_) => anyhow::anyhow!("{failure}"),
        })?;
        let mut review = EventReview::new(run, plan, field, terms, (results, &format, what), noted);
        let is_interrupted = ended == TournamentEnd::Interrupted;
        if !is_interrupted {
            let mut outcome =
                review.report().map_or(serde_json::json!({}), |event| super::event::summary(&event));
            outcome["notes"] = serde_json::json!(review.noted.warnings);
            outcome["left_out"] = serde_json::json!(review.noted.left_out);
            ledger.finish(&outcome.to_string())?;
        } else {
            ledger.flush()?;
        }
        drop(ledger);
        // The games are in the store; only the file is incomplete.
        if let Some(Ok(stream)) = stream.map(Mutex::into_inner) {
            stream.finish()?;
        }
        review.run = store.run(&review.run.name)?;
        review.compare_play(games());
        Ok(PlayedEvent { review, is_interrupted })
    }
}

/// A format with the time that it takes, which must stay small compared with the games.
struct TimedFormat<'a> {
    format: &'a mut Stages,
    took: Duration,
}

impl Format for TimedFormat<'_> {
    fn next(&mut self, so_far: &TournamentResults, go_on: bool) -> Pairings {
        let began = Instant::now();
        let pairings = self.format.next(so_far, go_on);
        self.took += began.elapsed();
        pairings
    }

    fn estimate(&self, so_far: &TournamentResults) -> u64 {
        self.format.estimate(so_far)
    }

    fn describe(&self) -> String {
        self.format.describe()
    }
}

/// A game of an event, for a benchmark.
pub(crate) struct BenchmarkGame {
    pub(crate) players: [String; 2],
    pub(crate) start_point: palestra_arena::StartPoint,
    pub(crate) game_index: usize,
    pub(crate) record: GameRecord,
}

/// Plays an event of built-in players on one thread, for a benchmark; returns its games.
pub(crate) fn play_event(plan: &str, store: &std::path::Path) -> Result<Vec<BenchmarkGame>> {
    let plan = TournamentPlan::read(Document::parse(plan, "a benchmark")?, games())?;
    let boards = open_boards(&plan, games())?;
    let field = EventEntrants::of(&plan, board_of(&boards)?, None)?;
    let mut store = Store::open(store)?;
    let (run, _) = store.find_or_begin_event(&new_event(&plan, &field, &[]))?;
    let ledger = store.ledger(run.id)?;
    let entrants = &field.entrants[..];
    let control = control_of(&plan)?;
    let progress = Progress::default();
    let status_writer = EventStatusWriter::new(entrants, &progress, 1, 0.0);
    let live = TerminalProgress::new(entrants, plan.stages[0].points, &progress, None);
    let players = EventPlayers { field: &field, control, cores: &[], pool: None };
    let event = EventSetup {
        field: &field,
        boards: &boards,
        conditions: &terms_of(&field, &control),
        players: &|game, entrant, worker| players.open(game, entrant, worker),
        concurrency: 1,
        progress: &progress,
        observer: &live,
        status_writer: &status_writer,
        kept: &|_| (),
    };
    let mut format = plan.open(entrants, Some(games()))?;
    let mut results = TournamentResults::new(entrants.len(), plan.quarantine);
    let ended = event.play(&ledger, &[], &mut format, &mut results);
    ended.map_err(|failure| anyhow::anyhow!(failure))?;
    live.finish();
    ledger.finish("{}")?;
    let played = results.games().map(|game| BenchmarkGame {
        players: game.pairing.players.map(|player| entrants[player].player.clone()),
        start_point: game.pairing.start.clone(),
        game_index: game.game_index,
        record: game.record.clone(),
    });
    Ok(played.collect())
}

/// End of the time budget of an adaptive event; earlier work on it counts.
fn deadline(plan: &TournamentPlan, run: &Run) -> Option<Instant> {
    let minutes: f64 = plan.stages.iter().filter_map(|stage| stage.values.minutes()).sum();
    let left = (60.0 * minutes - run.seconds).max(0.0);
    (minutes > 0.0).then(|| Instant::now() + Duration::from_secs_f64(left))
}
