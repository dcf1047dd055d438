//! `palestra tournament`, and looking at what came of it.

mod event_status;
mod game_runner;
mod game_store;
mod live;
mod plan_loader;
mod replay;
mod sandbox;
mod show;
mod submissions;
mod written;

pub(super) use replay::run as replay_failure;
pub(super) use sandbox::{SUPERVISOR, of_args as room_of, store_files, supervisor};
pub(super) use show::run as show;

use super::args::CommonArgs;
use super::args_event::{ExportArgs, SandboxArgs, TournamentArgs};
use super::args_tune::ResumeArgs;
use super::output::{Output, grouped, note, thread_pool};
use super::{CommandStatus, interrupt, store};
use crate::games;
use anyhow::{Context, Result};
use event_status::EventStatusWriter;
use game_runner::LocalGameRunner;
use game_store::EventGameStore;
use live::TerminalProgress;
use palestra_arena::AnyGame;
use palestra_core::InputError;
use palestra_engine::{Confinement, EnginePool, Sandbox, TimeControl, quick_check};
use palestra_review::event::{
    EventEntrants, EventReview, board_of, control_of, listed_boards, new_event, open_boards, read_stored,
    terms_of,
};
use palestra_settings::Settings;
use palestra_store::{Run, RunState, Store};
use palestra_tournament::formats::Stages;
use palestra_tournament::{
    Format, GameRecord, Pairings, TournamentDriver, TournamentEnd, TournamentPlan, TournamentResults,
};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A player did not pass its test before the event.
const PREFLIGHT_FAILED: u8 = 3;

/// Games were forfeited, and nobody wanted that.
const FORFEITS: u8 = 4;

/// How an event is held; nothing of it is part of the plan.
struct EventRunOptions<'a> {
    room: &'a SandboxArgs,
    /// Every program is tried before.
    has_preflight: bool,
    /// Where every game is told of as it ends.
    stream: Option<&'a Path>,
    exports: &'a ExportArgs,
    /// Whether it stops when standard input ends.
    is_tied: bool,
}

pub(super) fn run(args: &TournamentArgs, common: &CommonArgs, output: &mut Output) -> Result<CommandStatus> {
    let plan = plan_loader::plan(args, common)?;
    if args.print_plan {
        let boards = open_boards(&plan, games())?;
        control_of(&plan)?;
        let field = EventEntrants::of(&plan, board_of(&boards)?, None)?;
        field.check(&plan, &listed_boards(&plan))?;
        return print_plan(&plan, &field, output);
    }
    let manner = EventRunOptions {
        room: &args.room,
        has_preflight: !args.no_preflight,
        stream: args.stream.as_deref(),
        exports: &args.exports,
        is_tied: false,
    };
    hold(plan, &manner, common, output)
}

/// `palestra run resume` for an event.
pub(super) fn resume(
    run: Run,
    args: &ResumeArgs,
    common: &CommonArgs,
    output: &mut Output,
) -> Result<CommandStatus> {
    let given = [("--keep-games", args.keep_games), ("--save", args.save.is_some())];
    if let Some((flag, _)) = given.iter().find(|(_, is_given)| *is_given) {
        return Err(InputError::new("arguments", *flag, "given with a run of tuning only").into());
    }
    if run.state == RunState::Done {
        note(format_args!("{} is done already", run.name));
        let review = EventReview::open(&store::open_for_reading(common)?, run, games())?;
        written::print(&review, output)?;
        return Ok(ending(0, &review));
    }
    let (mut plan, _) = read_stored(&run, games())?;
    // Events are found by their names.
    plan.name = run.name;
    let (room, exports) = (SandboxArgs::default(), ExportArgs::default());
    let manner = EventRunOptions {
        room: &room,
        has_preflight: true,
        stream: None,
        exports: &exports,
        is_tied: args.tied,
    };
    hold(plan, &manner, common, output)
}

/// Plays an event, or goes on with it, and prints what came of it.
fn hold(
    mut plan: TournamentPlan,
    manner: &EventRunOptions<'_>,
    common: &CommonArgs,
    output: &mut Output,
) -> Result<CommandStatus> {
    let boards = open_boards(&plan, games())?;
    let board = board_of(&boards)?;
    let control = control_of(&plan)?;
    let mut field = EventEntrants::of(&plan, board, None)?;
    field.check(&plan, &listed_boards(&plan))?;
    let stop = interrupt::flag_tied(manner.is_tied)?;
    let mut warnings = Vec::new();
    let mut n_failed = 0;
    let room = match field.has_programs() {
        false => None,
        true => Some(sandbox::of_event(&plan.program_limits, manner.room, &field, common, &stop)?),
    };
    if let Some(room) = &room {
        if plan.program_limits.unconfined && !Confinement::missing().is_empty() {
            let missing: Vec<String> = Confinement::missing().iter().map(ToString::to_string).collect();
            warn(&mut warnings, format!("programs were confined only in part: {}", missing.join("; ")));
        } else if room.confinement.is_none() {
            warn(
                &mut warnings,
                "programs were not confined: they could read and write whatever their user can".into(),
            );
        }
        if manner.has_preflight {
            let tried = preflight(&mut plan, &mut field, &boards, room, &control, common, &mut warnings);
            if stop.load(Ordering::Relaxed) {
                return interrupted(output);
            }
            n_failed = tried?;
        }
    }
    if field.entrants.len() < 2 {
        note("fewer than two players are left: there is nothing to play");
        return Ok(CommandStatus::Code(PREFLIGHT_FAILED));
    }
    let mut store = store::open(common)?;
    let event = PreparedEvent { plan, field, family: board.family().name, control, stop: &stop, warnings };
    let played = event.play(&mut store, manner, common, room, &boards)?;
    if played.is_interrupted {
        return interrupted(output);
    }
    let review = &played.review;
    written::print(review, output)?;
    written::export(review, manner.exports, &store)?;
    Ok(ending(n_failed, review))
}

/// How a command ends that played an event to its end, so many players having failed their test before.
fn ending(n_failed: usize, review: &EventReview) -> CommandStatus {
    match (n_failed, review.plan.strict && review.n_forfeits() > 0) {
        (0, false) => CommandStatus::Completed,
        (0, true) => CommandStatus::Code(FORFEITS),
        _ => CommandStatus::Code(PREFLIGHT_FAILED),
    }
}

/// Says how to go on.
fn interrupted(output: &mut Output) -> Result<CommandStatus> {
    output.flush()?;
    note(format_args!(
        "interrupted; everything that was finished is kept. To go on: {}",
        interrupt::same_command()
    ));
    Ok(CommandStatus::Interrupted)
}

fn warn(warnings: &mut Vec<String>, warning: String) {
    note(format_args!("warning: {warning}"));
    warnings.push(warning);
}

fn print_plan(plan: &TournamentPlan, field: &EventEntrants, output: &mut Output) -> Result<CommandStatus> {
    let format = plan.open(&field.entrants, Some(games()))?;
    let n_games = format.estimate(&TournamentResults::new(field.entrants.len(), plan.quarantine));
    if output.json {
        let plan = plan.to_string();
        output.json(&serde_json::json!({ "plan": plan, "format": format.describe(), "games": n_games }))?;
    } else {
        output.line(plan.to_string().trim_end())?;
        output.line(format_args!("\n# {}; about {} games", format.describe(), grouped(n_games)))?;
    }
    Ok(CommandStatus::Completed)
}

/// Tries every program; whoever fails is left out, and says why. How many were.
fn preflight(
    plan: &mut TournamentPlan,
    field: &mut EventEntrants,
    boards: &BTreeMap<String, Box<dyn AnyGame>>,
    room: &Sandbox,
    control: &TimeControl,
    common: &CommonArgs,
    warnings: &mut Vec<String>,
) -> Result<usize> {
    let game = boards.values().next().context("a plan has a board")?;
    let tried: Vec<(usize, Result<palestra_engine::PreflightReport, palestra_engine::PreflightError>)> =
        thread_pool(common)?.install(|| {
            let programs = field.programs.par_iter().enumerate();
            programs
                .filter_map(|(i, program)| {
                    let mut room = room.clone();
                    let program = program.as_ref()?;
                    if let Some(confinement) = &mut room.confinement {
                        confinement.shown.extend(program.own_files());
                    }
                    Some((i, quick_check(game.as_ref(), program, &room, control)))
                })
                .collect()
        });
    let mut n_failed = 0;
    for (i, trial) in tried.into_iter().rev() {
        let trial = trial.with_context(|| format!("trying {}", field.entrants[i].name))?;
        if let Some(complaint) = trial.complaint() {
            let name = field.entrants[i].name.clone();
            let stderr =
                trial.stderr.lines().last().map_or(String::new(), |line| format!(" (it wrote: {line})"));
            warn(
                warnings,
                format!("{name} failed its pre-flight and is left out: {}{stderr}", complaint.words),
            );
            plan.players.retain(|player| player.name != name);
            field.remove(i);
            n_failed += 1;
        }
    }
    Ok(n_failed)
}

/// An event that is about to be played.
struct PreparedEvent<'a> {
    plan: TournamentPlan,
    field: EventEntrants,
    family: &'static str,
    control: TimeControl,
    stop: &'a Arc<AtomicBool>,
    warnings: Vec<String>,
}

/// An event that was played, to its end or not.
struct PlayedEvent {
    review: EventReview,
    is_interrupted: bool,
}

impl PreparedEvent<'_> {
    fn play(
        self,
        store: &mut Store,
        manner: &EventRunOptions<'_>,
        common: &CommonArgs,
        room: Option<Sandbox>,
        boards: &BTreeMap<String, Box<dyn AnyGame>>,
    ) -> Result<PlayedEvent> {
        let PreparedEvent { plan, field, .. } = self;
        let (run, is_new) = store.find_or_begin_event(&new_event(&plan, &field))?;
        let known = store.event_games(run.id)?;
        if run.state == RunState::Done {
            store.reopen(run.id)?;
        }
        if !is_new {
            note(format_args!(
                "going on with {}: the store has {} games of it",
                run.name,
                grouped(known.len() as u64)
            ));
        }
        let ledger = store.ledger(run.id)?;
        let entrants = &field.entrants[..];
        let terms = terms_of(&field, &self.control);
        let stream = open_stream(manner.stream)?;
        let book = EventGameStore::new(
            &ledger,
            self.family,
            entrants,
            &known,
            field.has_programs(),
            stream,
            &run.name,
        );
        let n_cores = std::thread::available_parallelism().map_or(1, usize::from);
        let wanted = plan.concurrency.map(|n| n as usize).or(common.threads.map(usize::from));
        let concurrency = wanted.unwrap_or(n_cores);
        let cores: Vec<usize> = if plan.pin { (0..n_cores).collect() } else { Vec::new() };
        if plan.pin && concurrency > n_cores {
            let expected = format!("at most {n_cores} with --pin: each game has a core of its own");
            return Err(InputError::new("concurrency", concurrency.to_string(), expected).into());
        }
        let teller = EventStatusWriter::new(entrants, concurrency, run.seconds);
        let points = plan.stages[0].points;
        let live =
            TerminalProgress::new(entrants, points, &teller, Arc::clone(self.stop), deadline(&plan, &run));
        // Without programs nobody takes anything from it.
        let programs = room.map(|room| EnginePool::new(room, 2 * concurrency.max(4)));
        let hall = LocalGameRunner {
            entrants,
            programs: &field.programs,
            boards,
            control: self.control,
            concurrency,
            cores: &cores,
            pool: programs.as_ref(),
            status_writer: &teller,
            void_reporter: &live,
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
        let driver =
            TournamentDriver { entrants, conditions: &terms, runner: &hall, store: &book, progress: &live };
        let began = Instant::now();
        let mut timed = TimedFormat { format: &mut format, took: Duration::ZERO };
        let ended = teller.write_during(&ledger, || driver.run(&mut timed, &mut results));
        let pairing = timed.took;
        live.finish();
        let took = began.elapsed().as_secs_f64();
        // Nobody wonders where a moment went.
        if took > 1.0 {
            note(format_args!("{took:.1} s, of which pairing took {:.2} s", pairing.as_secs_f64()));
        }
        let ended = match ended {
            Ok(ended) => ended,
            Err(failure) => {
                ledger.flush()?;
                return Err(anyhow::anyhow!("{failure}; everything that was finished is kept"));
            }
        };
        let mut review = EventReview::new(run, plan, field, terms, (results, &format, what), self.warnings);
        let is_interrupted = ended == TournamentEnd::Interrupted;
        if is_interrupted {
            ledger.flush()?;
        } else {
            let mut outcome =
                review.report().map_or(serde_json::json!({}), |event| super::event::summary(&event));
            outcome["notes"] = serde_json::json!(review.warnings);
            ledger.finish(&outcome.to_string())?;
        }
        drop(ledger);
        review.run = store.run(&review.run.name)?;
        Ok(PlayedEvent { review, is_interrupted })
    }
}

/// A format that is timed: deciding who meets whom must never cost what meeting costs.
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

/// Plays an event of players of ours on one thread, for a benchmark: every game that counts.
pub(crate) fn play_event(plan: &str, store: &std::path::Path) -> Result<Vec<BenchmarkGame>> {
    let plan = TournamentPlan::read(Settings::parse(plan, "a benchmark")?, games())?;
    let boards = open_boards(&plan, games())?;
    let board = board_of(&boards)?;
    let field = EventEntrants::of(&plan, board, None)?;
    let mut store = Store::open(store)?;
    let (run, _) = store.find_or_begin_event(&new_event(&plan, &field))?;
    let ledger = store.ledger(run.id)?;
    let entrants = &field.entrants[..];
    let control = control_of(&plan)?;
    let book = EventGameStore::new(&ledger, board.family().name, entrants, &[], false, None, &run.name);
    let teller = EventStatusWriter::new(entrants, 1, 0.0);
    let live = TerminalProgress::new(entrants, plan.stages[0].points, &teller, Arc::default(), None);
    let hall = LocalGameRunner {
        entrants,
        programs: &field.programs,
        boards: &boards,
        control,
        concurrency: 1,
        cores: &[],
        pool: None,
        status_writer: &teller,
        void_reporter: &live,
    };
    let mut format = plan.open(entrants, Some(games()))?;
    let mut results = TournamentResults::new(entrants.len(), plan.quarantine);
    let terms = terms_of(&field, &control);
    let driver =
        TournamentDriver { entrants, conditions: &terms, runner: &hall, store: &book, progress: &live };
    driver.run(&mut format, &mut results).map_err(|failure| anyhow::anyhow!(failure))?;
    live.finish();
    ledger.finish("{}")?;
    let played = results.games().map(|game| BenchmarkGame {
        players: game.pairing.players.map(|player| entrants[player].player.clone()),
        start_point: game.pairing.scene.clone(),
        game_index: game.game_index,
        record: game.record.clone(),
    });
    Ok(played.collect())
}

/// When the time is over that an adaptive event has, counting what it used before.
fn deadline(plan: &TournamentPlan, run: &Run) -> Option<Instant> {
    let minutes: f64 = plan.stages.iter().filter_map(|stage| stage.options.minutes).sum();
    let left = (60.0 * minutes - run.seconds).max(0.0);
    (minutes > 0.0).then(|| Instant::now() + Duration::from_secs_f64(left))
}

fn open_stream(path: Option<&Path>) -> Result<Option<Box<dyn Write + Send>>> {
    let Some(path) = path else { return Ok(None) };
    if path.as_os_str() == "-" {
        return Ok(Some(Box::new(std::io::stdout())));
    }
    let file = std::fs::OpenOptions::new().create(true).append(true).open(path);
    Ok(Some(Box::new(file.with_context(|| format!("cannot write {}", path.display()))?)))
}
