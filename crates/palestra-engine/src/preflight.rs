//! Preflight checks of a program: whether it starts, answers, plays legal moves within its time, and exits.

use crate::external::{ExternalEngine, Sandbox, exit_remark};
use crate::pool::{EnginePlayer, EnginePool};
use crate::process::{ExitKind, ExitRequest, PeakUsage, ResourceLimits, UsedShare};
use crate::program::ProgramSpec;
use palestra_arena::{
    AnswerTime, AnyGame, EngineLog, ExternalPlayer, FaultKind, Forfeit, GameRecord, GameSeat, LateMoves,
    LogLine, MatchPlayer, MoveRequest, NewGame, ObservedMove, PlayError, RESIGN, Reply, StartPoint,
    TimeControl,
};
use palestra_core::{InputError, Side};
use serde::Serialize;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Result of one check.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum CheckResult {
    /// Passed.
    Good,
    /// A deviation that does not lose a game.
    Odd,
    /// A failure that would lose games.
    Bad,
}

/// One check of a program.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PreflightCheck {
    /// Name of the check.
    pub name: &'static str,
    /// Its result.
    pub grade: CheckResult,
    /// What was observed, for a reader.
    pub words: String,
}

/// All checks of a program.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct PreflightReport {
    /// The checks, in the order they were made.
    pub checks: Vec<PreflightCheck>,
    /// The end of what the program wrote to standard error.
    pub stderr: String,
    /// Dialogue of the check that failed; empty where none did.
    pub dialogue: Vec<LogLine>,
    /// What the program used at most; `None` where that is not known.
    pub peak: Option<PeakUsage>,
}

impl PreflightReport {
    /// Whether checks were made and none of them is bad.
    #[must_use]
    pub fn is_passed(&self) -> bool {
        !self.checks.is_empty() && self.checks.iter().all(|check| check.grade != CheckResult::Bad)
    }

    /// The first bad check, which fails the program.
    #[must_use]
    pub fn complaint(&self) -> Option<&PreflightCheck> {
        self.checks.iter().find(|check| check.grade == CheckResult::Bad)
    }

    fn add(&mut self, name: &'static str, grade: CheckResult, text: impl Into<String>) {
        self.checks.push(PreflightCheck { name, grade, words: text.into() });
    }

    fn set_log(&mut self, log: EngineLog) {
        self.stderr = log.stderr;
        self.dialogue = log.dialogue;
    }
}

/// Why the checks could not be made; never a fault of the program.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum PreflightError {
    /// The protocol or one of its options does not exist.
    #[error(transparent)]
    Bad(#[from] InputError),
    /// Palestra or the machine failed.
    #[error("{0}")]
    Internal(String),
}

/// The quick check before an event: starts the program and requests its first move.
pub fn quick_check(
    game: &dyn AnyGame,
    program: &ProgramSpec,
    sandbox: &Sandbox,
    control: &TimeControl,
) -> Result<PreflightReport, PreflightError> {
    let mut report = PreflightReport::default();
    let played = one_game(game, &player(program, sandbox, control), 0, Some(1))?;
    drop(assess(&mut report, "first move", game, played));
    Ok(report)
}

/// All checks: two games in a row, one with each side, thinking time, `stop`, how the program exits, and how much of its
/// limits it used.
pub fn full_check(
    game: &dyn AnyGame,
    program: &ProgramSpec,
    sandbox: &Sandbox,
    control: &TimeControl,
) -> Result<PreflightReport, PreflightError> {
    let mut report = PreflightReport::default();
    let player = player(program, sandbox, control);
    if program.load()?.kind.is_run_by_python() {
        check_agent(&mut report, &player)?;
    }
    let mut micros = Vec::new();
    let mut late = LateMoves::default();
    let names = ["a game with the first side", "a second game, with the second side"];
    for (game_index, name) in names.into_iter().enumerate() {
        let played = one_game(game, &player, game_index, None)?;
        match assess(&mut report, name, game, played) {
            Some((used, late_moves)) => {
                micros.extend(used);
                late += late_moves;
            }
            None => return Ok(report),
        }
    }
    micros.sort_unstable();
    let slowest = micros.last().copied().unwrap_or(0);
    let budget = control.budget(control.game).unwrap_or(Duration::MAX);
    let is_slow = Duration::from_micros(slowest) * 2 > budget;
    let grade = if is_slow || !late.is_none() { CheckResult::Odd } else { CheckResult::Good };
    let late = match late {
        LateMoves { moves: 0, .. } => String::new(),
        LateMoves { moves, micros } => format!("; {moves} late, by {} in all", format_micros(micros)),
    };
    let median = micros.get(micros.len() / 2).copied().unwrap_or(0);
    report.add(
        "time",
        grade,
        format!(
            "{} moves, median {}, maximum {}{late}; time control {}, margin {}",
            micros.len(),
            format_micros(median),
            format_micros(slowest),
            control,
            format_micros(control.margin.as_micros() as u64)
        ),
    );
    check_stop(&mut report, program, sandbox)?;
    let exit_report = player.pool.take(program, None)?.engine().close();
    let exit = program.load()?.kind.exit_request();
    match exit_report.and_then(|exit_report| exit_remark(&exit_report)) {
        None if exit == ExitRequest::Sigterm => {
            report.add("goodbye", CheckResult::Good, "ended by SIGTERM, as by its judge");
        }
        None => report.add("goodbye", CheckResult::Good, "exits on request"),
        Some(remark) => report.add("goodbye", CheckResult::Odd, remark),
    }
    // Another judge never closes the input.
    if exit == ExitRequest::InputClosed {
        check_end_of_input(&mut report, game, &player)?;
    }
    report.peak = player.pool.peak();
    if let Some(peak) = &report.peak {
        let (grade, text) = resources(peak, &sandbox.limits);
        report.add("resources", grade, text);
    }
    Ok(report)
}

/// The program as a player, whose process is kept between the games of a check.
fn player(program: &ProgramSpec, sandbox: &Sandbox, control: &TimeControl) -> EnginePlayer {
    let pool = Arc::new(EnginePool::new(sandbox.clone(), 1));
    EnginePlayer { pool, program: program.clone(), control: *control, core: None }
}

/// Plays a game against the built-in player `random`; the program has the first side in game 0, the second in game 1.
fn one_game(
    game: &dyn AnyGame,
    player: &EnginePlayer,
    game_index: usize,
    max_moves: Option<usize>,
) -> Result<(Side, GameRecord), PreflightError> {
    let start = StartPoint { game: game.name(), opening_plies: 0, seed: 7 + game_index as u64 };
    let resigning = ResigningPlayer { inner: player.clone(), max_moves };
    let players = [MatchPlayer::External(Arc::new(resigning)), game.player("random")?.into()];
    let mut both = game.new_match(players);
    both.play(&start, game_index).map_err(|void| PreflightError::Internal(void.0))?;
    Ok((if game_index == 0 { Side::First } else { Side::Second }, both.record()))
}

/// Adds the check of a game to the report. Returns the program's times per move in microseconds and its late moves,
/// `None` after a fault.
fn assess(
    report: &mut PreflightReport,
    name: &'static str,
    game: &dyn AnyGame,
    (side, mut record): (Side, GameRecord),
) -> Option<(Vec<u64>, LateMoves)> {
    let mut evidence = record.evidence.take().unwrap_or_default();
    let log = std::mem::take(evidence.log_mut(side));
    let remarks = log.remarks.join("; ");
    match &record.forfeit {
        Some(Forfeit { culprit, kind, detail }) if *culprit == side => {
            let advice = FaultKind::named(kind).map_or("", advice);
            report.add(name, CheckResult::Bad, format!("{kind}: {detail}; {advice}"));
            report.set_log(log);
            return None;
        }
        _ if !remarks.is_empty() => report.add(name, CheckResult::Odd, remarks),
        _ => report.add(name, CheckResult::Good, format!("{} legal moves in all", record.plies)),
    }
    report.set_log(EngineLog { dialogue: Vec::new(), ..log });
    let mut session = game.session(None, "-").ok()?;
    let mut own = Vec::new();
    for (mv, micros) in record.moves.split_whitespace().zip(&evidence.micros) {
        own.extend(micros.filter(|_| session.to_move() == side));
        session.play(mv).ok()?;
    }
    Some((own, record.late[side.index()]))
}

/// What the author of a program can do about a kind of fault.
#[must_use]
pub fn advice(kind: FaultKind) -> &'static str {
    match kind {
        FaultKind::Start => "check that the command is right and that the file exists and is executable",
        FaultKind::Handshake => {
            "answer `ugi` with `ugiok` and `isready` with `readyok`, and flush after every line"
        }
        FaultKind::Time => "flush after every line, and answer before the clock runs out",
        FaultKind::Crash => "see what it wrote to standard error",
        FaultKind::Closed => "keep standard input and output open until the end",
        FaultKind::Illegal => {
            "see the game's notation in `palestra games`, and keep your board in step with the moves"
        }
        FaultKind::Garbled => "answer `go` with exactly `bestmove MOVE`",
        FaultKind::Flood => "write one line for each answer; notes belong on standard error",
        FaultKind::OutOfTurn => "send `bestmove` only after `go`, and only once",
        FaultKind::Memory => {
            "keep smaller tables and free what you no longer need; staff sets the limit (--memory-mb)"
        }
        FaultKind::Processes => "start fewer processes and threads, and end those that are done",
        FaultKind::Disk => "write smaller files; notes belong on standard error",
        FaultKind::Cpu => "compute only when you are to move, and end threads that are done",
        FaultKind::Forbidden => "do not use the network and do not leave the process group",
    }
}

/// Says which function was taken as the agent. A program that does not start is left to the first game.
fn check_agent(report: &mut PreflightReport, player: &EnginePlayer) -> Result<(), PreflightError> {
    let mut pooled = player.pool.take(&player.program, None)?;
    let named = pooled.engine().speak(|transport| {
        let until = Instant::now() + Duration::from_secs(2);
        transport.send("ugi", until)?;
        let mut name = None;
        while let Some(line) = transport.receive(until)? {
            match line.strip_prefix("id name ") {
                Some(text) => name = Some(text.to_owned()),
                None if line == "ugiok" => break,
                None => {}
            }
        }
        Ok(name)
    });
    match named {
        Ok(name) => name.into_iter().for_each(|name| report.add("agent", CheckResult::Good, name)),
        Err(PlayError::Fault(_)) => drop(pooled.engine().hang_up()),
        Err(PlayError::Internal(why)) => return Err(PreflightError::Internal(why)),
    }
    Ok(())
}

/// Checks that `stop` ends an infinite search with a `bestmove`; not every protocol has it.
fn check_stop(
    report: &mut PreflightReport,
    program: &ProgramSpec,
    sandbox: &Sandbox,
) -> Result<(), PreflightError> {
    if !program.load()?.kind.has_stop() {
        return Ok(());
    }
    let mut engine = ExternalEngine::new(program, sandbox, None)?;
    let stopped = engine.speak(|transport| {
        let until = || Instant::now() + Duration::from_secs(2);
        transport.send("position startpos", until())?;
        transport.send("go infinite", until())?;
        transport.send("stop", until())?;
        let end = until();
        while let Some(line) = transport.receive(end)? {
            if line.split_whitespace().next() == Some("bestmove") {
                return Ok(true);
            }
        }
        Ok(false)
    });
    match stopped {
        Ok(true) => report.add("stop", CheckResult::Good, "answers `stop` with `bestmove`"),
        Ok(false) => {
            report.add("stop", CheckResult::Odd, "no `bestmove` within 2 s of `go infinite` and `stop`");
        }
        Err(PlayError::Fault(fault)) => report.add("stop", CheckResult::Odd, fault.to_string()),
        Err(PlayError::Internal(why)) => return Err(PreflightError::Internal(why)),
    }
    Ok(())
}

/// Checks that the program exits at the end of its input, without a `quit` before it.
fn check_end_of_input(
    report: &mut PreflightReport,
    game: &dyn AnyGame,
    player: &EnginePlayer,
) -> Result<(), PreflightError> {
    let (_, record) = one_game(game, player, 0, Some(1))?;
    if let Some(Forfeit { culprit: Side::First, kind, detail }) = record.forfeit {
        report.add("started once more", CheckResult::Bad, format!("{kind}: {detail}"));
        return Ok(());
    }
    let exit_report = player.pool.take(&player.program, None)?.engine().hang_up();
    match exit_report.map(|exit_report| exit_report.kind) {
        None | Some(ExitKind::ByItself) => {
            report.add("end of input", CheckResult::Good, "exits at the end of its input");
        }
        Some(_) => {
            let text = "does not exit at the end of its input and had to be terminated";
            report.add("end of input", CheckResult::Odd, text);
        }
    }
    Ok(())
}

/// What a program used of its limits. A program that comes close to one may exceed it in an event, on a busier machine
/// or in a longer game.
fn resources(peak: &PeakUsage, limits: &ResourceLimits) -> (CheckResult, String) {
    let shares = peak.shares(limits);
    let text = |share: &UsedShare| format!("{} of {} {}", share.used, share.limit, share.unit);
    let close: Vec<String> = shares.iter().filter(|share| share.is_close).map(text).collect();
    match close.is_empty() {
        true => {
            let all: Vec<String> = shares.iter().map(text).collect();
            (CheckResult::Good, format!("at most {}", all.join(", ")))
        }
        false => (CheckResult::Odd, format!("close to a limit: at most {}", close.join(", "))),
    }
}

fn format_micros(micros: u64) -> String {
    match micros {
        0..1_000 => format!("{micros} µs"),
        1_000..1_000_000 => format!("{:.1} ms", micros as f64 / 1e3),
        _ => format!("{:.2} s", micros as f64 / 1e6),
    }
}

/// A program whose engine resigns after a number of moves, so that a check need not play to the end.
#[derive(Debug)]
struct ResigningPlayer {
    inner: EnginePlayer,
    /// `None` plays to the end.
    max_moves: Option<usize>,
}

impl ExternalPlayer for ResigningPlayer {
    fn name(&self) -> String {
        self.inner.name()
    }

    fn control(&self) -> TimeControl {
        self.inner.control()
    }

    fn seat(&self) -> Result<Box<dyn GameSeat + '_>, InputError> {
        Ok(Box::new(ResigningSeat { inner: self.inner.seat()?, moves_left: self.max_moves }))
    }
}

struct ResigningSeat<'a> {
    inner: Box<dyn GameSeat + 'a>,
    moves_left: Option<usize>,
}

impl GameSeat for ResigningSeat<'_> {
    fn begin(&mut self, game: &NewGame<'_>) -> Result<(), PlayError> {
        self.inner.begin(game)
    }

    fn choose(&mut self, turn: &MoveRequest<'_>) -> Result<(Reply, AnswerTime), PlayError> {
        if self.moves_left == Some(0) {
            let resigns = Reply { mv: RESIGN.to_owned(), ..Default::default() };
            return Ok((resigns, AnswerTime::default()));
        }
        self.moves_left = self.moves_left.map(|left| left - 1);
        self.inner.choose(turn)
    }

    fn observe(&mut self, mv: &ObservedMove<'_>, within: Duration) -> Result<(), PlayError> {
        self.inner.observe(mv, within)
    }

    fn end(&mut self, winner: Option<Side>, is_culprit: bool) -> EngineLog {
        self.inner.end(winner, is_culprit)
    }
}
