//! Trying a program before it counts: does it start, answer, play by the rules, keep its time, and leave.

use crate::builtin::BuiltinEngine;
use crate::clock::TimeControl;
use crate::external::{ExternalEngine, Sandbox, exit_remark};
use crate::fault::{Fault, FaultKind};
use crate::process::{ExitKind, LogLine};
use crate::program::ProgramSpec;
use crate::protocol::{MoveRequest, NewGame, RESIGN, Reply};
use crate::referee::{EngineLog, Finish, GameSeat, PlayError, RefereedGame, play};
use palestra_arena::{AnyGame, StartPoint};
use palestra_core::{InputError, Side};
use serde::Serialize;
use std::time::{Duration, Instant};

/// What came of one part of a trial.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum CheckResult {
    /// As it should be.
    Good,
    /// Not as it should be, and no reason to lose a game.
    Odd,
    /// It would lose games by this.
    Bad,
}

/// One part of a trial.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PreflightCheck {
    /// What was tried.
    pub name: &'static str,
    /// What came of it.
    pub grade: CheckResult,
    /// What was seen, in words.
    pub words: String,
}

/// A whole trial.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct PreflightReport {
    /// Its parts, in order.
    pub checks: Vec<PreflightCheck>,
    /// The end of what the program wrote to standard error.
    pub stderr: String,
    /// What was said in the part that failed.
    pub dialogue: Vec<LogLine>,
}

impl PreflightReport {
    /// Whether the program is fit to play.
    #[must_use]
    pub fn is_passed(&self) -> bool {
        !self.checks.is_empty() && self.checks.iter().all(|check| check.grade != CheckResult::Bad)
    }

    /// The first thing that is bad, in words.
    #[must_use]
    pub fn complaint(&self) -> Option<&PreflightCheck> {
        self.checks.iter().find(|check| check.grade == CheckResult::Bad)
    }

    fn add(&mut self, name: &'static str, grade: CheckResult, words: impl Into<String>) {
        self.checks.push(PreflightCheck { name, grade, words: words.into() });
    }

    fn witness(&mut self, witness: EngineLog) {
        self.stderr = witness.stderr;
        self.dialogue = witness.dialogue;
    }
}

/// Why a trial came to no result: never the program's fault.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum PreflightError {
    /// The protocol or its options do not exist.
    #[error(transparent)]
    Bad(#[from] InputError),
    /// We or the machine failed.
    #[error("{0}")]
    Internal(String),
}

/// The quick trial before an event: starts the program, and has it play its first move.
pub fn quick_check(
    game: &dyn AnyGame,
    program: &ProgramSpec,
    room: &Sandbox,
    control: &TimeControl,
) -> Result<PreflightReport, PreflightError> {
    let mut trial = PreflightReport::default();
    let mut outside = ExternalEngine::new(program, room, None)?;
    let judged = one_game(game, &mut outside, control, 0, Some(1))?;
    drop(judge(&mut trial, "first move", judged));
    outside.close();
    Ok(trial)
}

/// The whole trial: two games in a row with both sides, time, and how the program leaves.
pub fn full_check(
    game: &dyn AnyGame,
    program: &ProgramSpec,
    room: &Sandbox,
    control: &TimeControl,
) -> Result<PreflightReport, PreflightError> {
    let mut trial = PreflightReport::default();
    let mut outside = ExternalEngine::new(program, room, None)?;
    let mut micros = Vec::new();
    for (half, name) in [(0, "a game with the first side"), (1, "a second game, with the second side")] {
        let judged = one_game(game, &mut outside, control, half, None)?;
        match judge(&mut trial, name, judged) {
            Some(used) => micros.extend(used),
            None => return Ok(trial),
        }
    }
    micros.sort_unstable();
    let slowest = micros.last().copied().unwrap_or(0);
    let budget = control.budget(control.game).unwrap_or(Duration::MAX);
    let grade =
        if Duration::from_micros(slowest) * 2 > budget { CheckResult::Odd } else { CheckResult::Good };
    let median = micros.get(micros.len() / 2).copied().unwrap_or(0);
    trial.add(
        "time",
        grade,
        format!(
            "{} moves, {} at the median, {} at most, of {} with {} to spare",
            micros.len(),
            shown(median),
            shown(slowest),
            control,
            shown(control.margin.as_micros() as u64)
        ),
    );
    check_stop(&mut trial, program, room)?;
    check_leaving(&mut trial, &mut outside);
    check_end_of_input(&mut trial, game, program, room, control)?;
    Ok(trial)
}

/// A game against a player of ours that plays anything.
fn one_game(
    game: &dyn AnyGame,
    outside: &mut ExternalEngine,
    control: &TimeControl,
    half: usize,
    most_moves: Option<usize>,
) -> Result<(Side, RefereedGame), PreflightError> {
    let scene = StartPoint { game: game.name(), opening_plies: 0, seed: 7 + half as u64 };
    let rival = game.player("random")?;
    let mut house = BuiltinEngine::new(game.text_player(&rival));
    let mut short = ResigningSeat { inner: outside, left: most_moves };
    let seats: [&mut dyn GameSeat; 2] =
        if half == 0 { [&mut short, &mut house] } else { [&mut house, &mut short] };
    let judged = play(game, &scene, half, seats, control);
    match judged.finish {
        Finish::Void(why) => Err(PreflightError::Internal(why)),
        _ => Ok((if half == 0 { Side::First } else { Side::Second }, judged)),
    }
}

/// Writes down how a game went; the times of the program's moves where it did nothing wrong.
fn judge(
    trial: &mut PreflightReport,
    name: &'static str,
    (side, mut judged): (Side, RefereedGame),
) -> Option<Vec<u64>> {
    let witness = std::mem::take(&mut judged.logs[side.index()]);
    let odd = witness.remarks.join("; ");
    match judged.finish {
        Finish::Forfeited(culprit, fault) if culprit == side => {
            trial.add(name, CheckResult::Bad, format!("{fault}; {}", advice(fault.kind)));
            trial.witness(witness);
            return None;
        }
        _ if !odd.is_empty() => trial.add(name, CheckResult::Odd, odd),
        _ => {
            let played = format!("{} legal moves in all", judged.moves.len());
            trial.add(name, CheckResult::Good, played);
        }
    }
    trial.witness(EngineLog { dialogue: Vec::new(), ..witness });
    let own = judged.micros.iter().zip(&judged.movers).filter(|(_, mover)| **mover == side);
    Some(own.map(|(micros, _)| *micros).collect())
}

/// What a student can do about it.
#[must_use]
pub fn advice(kind: FaultKind) -> &'static str {
    match kind {
        FaultKind::Start => "is the command right, and is the file there and executable?",
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
        FaultKind::OutOfTurn => "say `bestmove` only after `go`, and only once",
        FaultKind::Memory | FaultKind::Processes | FaultKind::Disk | FaultKind::Cpu => {
            "use less of the machine"
        }
        FaultKind::Forbidden => "no network, and no leaving of the process group",
    }
}

/// A search that is told to stop still names its move.
fn check_stop(
    trial: &mut PreflightReport,
    program: &ProgramSpec,
    room: &Sandbox,
) -> Result<(), PreflightError> {
    if !["ugi", "uci"].contains(&program.protocol.as_str()) {
        return Ok(());
    }
    let mut outside = ExternalEngine::new(program, room, None)?;
    let stopped = outside.speak(|wire| {
        let until = || Instant::now() + Duration::from_secs(2);
        wire.send("position startpos", until())?;
        wire.send("go infinite", until())?;
        wire.send("stop", until())?;
        let end = until();
        while let Some(line) = wire.receive(end)? {
            if line.split_whitespace().next() == Some("bestmove") {
                return Ok(true);
            }
        }
        Ok(false)
    });
    match stopped {
        Ok(true) => trial.add("stop", CheckResult::Good, "told to stop, it names a move"),
        Ok(false) => {
            trial.add("stop", CheckResult::Odd, "no `bestmove` within 2 s of `go infinite` and `stop`");
        }
        Err(PlayError::Fault(fault)) => trial.add("stop", CheckResult::Odd, fault.to_string()),
        Err(PlayError::Internal(why)) => return Err(PreflightError::Internal(why)),
    }
    Ok(())
}

fn check_leaving(trial: &mut PreflightReport, outside: &mut ExternalEngine) {
    match outside.close().and_then(|farewell| exit_remark(&farewell)) {
        None => trial.add("goodbye", CheckResult::Good, "leaves when it is asked to"),
        Some(words) => trial.add("goodbye", CheckResult::Odd, words),
    }
}

/// Without a word of goodbye its input just ends.
fn check_end_of_input(
    trial: &mut PreflightReport,
    game: &dyn AnyGame,
    program: &ProgramSpec,
    room: &Sandbox,
    control: &TimeControl,
) -> Result<(), PreflightError> {
    let mut outside = ExternalEngine::new(program, room, None)?;
    let (_, judged) = one_game(game, &mut outside, control, 0, Some(1))?;
    if let Finish::Forfeited(Side::First, Fault { kind, detail }) = judged.finish {
        trial.add("started once more", CheckResult::Bad, format!("{kind}: {detail}"));
        return Ok(());
    }
    match outside.hang_up().map(|farewell| farewell.kind) {
        None | Some(ExitKind::ByItself) => {
            trial.add("end of input", CheckResult::Good, "leaves when its input ends");
        }
        Some(_) => {
            trial.add("end of input", CheckResult::Odd, "stays when its input ends, and had to be ended");
        }
    }
    Ok(())
}

fn shown(micros: u64) -> String {
    match micros {
        0..1_000 => format!("{micros} µs"),
        1_000..1_000_000 => format!("{:.1} ms", micros as f64 / 1e3),
        _ => format!("{:.2} s", micros as f64 / 1e6),
    }
}

/// A player that gives up after so many moves, so that a trial need not play to the end.
struct ResigningSeat<'a> {
    inner: &'a mut ExternalEngine,
    left: Option<usize>,
}

impl GameSeat for ResigningSeat<'_> {
    fn begin(&mut self, game: &NewGame<'_>) -> Result<(), PlayError> {
        self.inner.begin(game)
    }

    fn choose(
        &mut self,
        turn: &MoveRequest<'_>,
        dice: palestra_core::Seed,
    ) -> Result<(Reply, Duration), PlayError> {
        if self.left == Some(0) {
            return Ok((Reply { mv: RESIGN.to_owned(), ..Default::default() }, Duration::ZERO));
        }
        self.left = self.left.map(|left| left - 1);
        self.inner.choose(turn, dice)
    }

    fn observe(&mut self, mv: &str, by: Side, until: Instant) -> Result<(), PlayError> {
        self.inner.observe(mv, by, until)
    }

    fn end(&mut self, winner: Option<Side>, is_culprit: bool) -> EngineLog {
        self.inner.end(winner, is_culprit)
    }

    fn is_timed(&self) -> bool {
        true
    }
}
