//! An external program in refereed games: its process and its protocol, also between games.

use crate::confine::Confinement;
use crate::connection::Connection;
use crate::process::{
    ExitKind, ExitReport, Launcher, PeakUsage, ProcessSetup, ProgramCommand, ResourceLimits,
};
use crate::program::{ProcessLifetime, ProgramSpec};
use crate::protocol::Protocol;
use crate::protocols::{LoadedProtocol, ProtocolKind};
use crate::replay::{DialogueReplay, RecordedDialogue, ReplayedDialogue};
use crate::system::Process;
use crate::transport::Transport;
use palestra_arena::{
    AnswerTime, EngineLog, Fault, FaultKind, GameSeat, MoveRequest, NewGame, ObservedMove, PlayError, Reply,
    TimeVerdict,
};
use palestra_core::{CancelFlag, InputError, Side};
use std::fmt;
use std::time::{Duration, Instant};

/// How external programs are run, the same for all programs of an event.
#[derive(Clone, Debug)]
pub struct Sandbox {
    /// Starts the supervisor of a program.
    pub launcher: Launcher,
    /// Resource limits of a program.
    pub limits: ResourceLimits,
    /// Confinement of a program; `None` where programs are trusted.
    pub confinement: Option<Confinement>,
    /// Maximum time to start, and to get ready for a game.
    pub startup: Duration,
    /// Maximum time to exit after a request to do so.
    pub grace: Duration,
    /// Set when the user cancels; waiting for a program then ends within 100 ms.
    pub stop: CancelFlag,
}

/// An external program that plays. Its process is started when it is first needed, and is kept between games where the
/// program and its protocol allow that.
pub struct ExternalEngine {
    program: ProgramSpec,
    sandbox: Sandbox,
    core: Option<usize>,
    kind: Box<dyn ProtocolKind>,
    protocol: Box<dyn Protocol>,
    process: Option<Process>,
    /// What its processes that were stopped used at most.
    peak: Option<PeakUsage>,
    /// The margin of the current game.
    margin: Duration,
}

impl ExternalEngine {
    /// An engine whose program is not started yet; its process is pinned to `core` where one is given.
    pub fn new(
        program: &ProgramSpec,
        sandbox: &Sandbox,
        core: Option<usize>,
    ) -> Result<ExternalEngine, InputError> {
        let loaded = program.load()?;
        let protocol = loaded.speak(&program.options);
        let kind = loaded.kind;
        let (program, sandbox) = (program.clone(), sandbox.clone());
        let (process, margin) = (None, Duration::ZERO);
        Ok(ExternalEngine { program, sandbox, core, kind, protocol, process, peak: None, margin })
    }

    /// The program that is started.
    #[must_use]
    pub fn program(&self) -> &ProgramSpec {
        &self.program
    }

    /// The core that its process is pinned to, if any.
    #[must_use]
    pub fn core(&self) -> Option<usize> {
        self.core
    }

    /// Whether it has a process that can play another game.
    #[must_use]
    pub fn is_ready(&self) -> bool {
        self.process.is_some()
    }

    /// Requests the program to exit, by its protocol, and terminates it after the grace period. Returns how it exited;
    /// `None` where it was not running.
    pub fn close(&mut self) -> Option<ExitReport> {
        let mut process = self.process.take()?;
        let until = Instant::now() + self.sandbox.grace;
        // The program may have ended already, or not read its input.
        let _ = self.protocol.close(&mut Connection::new(Some(&mut process), &self.sandbox.stop), until);
        let exit_report = process.stop_by(self.kind.exit_request(), self.sandbox.grace);
        self.peak = PeakUsage::max_known(self.peak, process.peak());
        Some(exit_report)
    }

    /// Closes the program's input without a request to exit. Returns how it exited; `None` where it was not running.
    pub fn hang_up(&mut self) -> Option<ExitReport> {
        let mut process = self.process.take()?;
        let exit_report = process.stop(self.sandbox.grace);
        self.peak = PeakUsage::max_known(self.peak, process.peak());
        Some(exit_report)
    }

    /// What its processes that were stopped used at most; `None` where that is not known.
    pub(crate) fn peak(&self) -> Option<PeakUsage> {
        self.peak
    }

    /// Starts the program if necessary and passes its transport to `exchange`, without the protocol.
    pub(crate) fn speak<T>(
        &mut self,
        exchange: impl FnOnce(&mut dyn Transport) -> Result<T, Fault>,
    ) -> Result<T, PlayError> {
        self.start()?;
        self.converse(|_, connection| exchange(connection))
    }

    /// Starts the program and replays a dialogue with it, up to its fault or to the end of what was recorded.
    pub fn replay_dialogue(
        &mut self,
        recorded: &RecordedDialogue<'_>,
    ) -> Result<ReplayedDialogue, PlayError> {
        self.launch()?;
        let LoadedProtocol { kind, moves: map, .. } = self.program.load()?;
        let recorded = RecordedDialogue { moves: recorded.moves.filter(|_| map.is_some()), ..*recorded };
        let mut replay = DialogueReplay::new(kind.as_ref(), &recorded, self.sandbox.startup);
        let replayed = self.converse(|_, connection| replay.run(connection));
        let mut result = replay.result;
        match replayed {
            Ok(()) => {}
            Err(PlayError::Fault(fault)) => result.fault = Some(fault),
            Err(internal) => return Err(internal),
        }
        if let (Some(map), Some(moves), Some(mv)) = (map, recorded.moves, result.last_move.as_mut()) {
            // A text that is no move of the map is illegal in every notation.
            if let Ok(read) = map.read_move(mv, moves) {
                *mv = read;
            }
        }
        if let Some(process) = self.process.take() {
            result.log.dialogue = process.dialogue();
            result.log.stderr = process.stderr_tail();
        }
        Ok(result)
    }

    /// Exchanges lines with the running program, and stops it afterwards until the next exchange. Cancellation is an internal error and not a fault of the program.
    fn converse<T>(
        &mut self,
        exchange: impl FnOnce(&mut dyn Protocol, &mut Connection<'_>) -> Result<T, Fault>,
    ) -> Result<T, PlayError> {
        let exchanged = self.exchange(exchange);
        self.freeze();
        exchanged
    }

    /// The same, and leaves the program running.
    fn exchange<T>(
        &mut self,
        exchange: impl FnOnce(&mut dyn Protocol, &mut Connection<'_>) -> Result<T, Fault>,
    ) -> Result<T, PlayError> {
        if let Some(process) = &mut self.process {
            process.begin_exchange();
        }
        let mut connection = Connection::new(self.process.as_mut(), &self.sandbox.stop);
        let result = exchange(self.protocol.as_mut(), &mut connection);
        match connection.is_stopped() {
            true => Err(PlayError::Internal("interrupted".to_owned())),
            false => Ok(result?),
        }
    }

    /// Stops the program's processes: it is not to move.
    fn freeze(&mut self) {
        if let Some(process) = &mut self.process {
            process.freeze();
        }
    }

    fn start(&mut self) -> Result<(), PlayError> {
        if self.process.is_some() {
            return Ok(());
        }
        let began = Instant::now();
        let until = began + self.sandbox.startup;
        self.launch()?;
        let opened = self.converse(|protocol, connection| protocol.open(connection, until));
        opened.map_err(|error| judge_time(error, &self.answer_time(began), None))
    }

    /// The time of an answer to a request that was sent at `began`.
    fn answer_time(&mut self, began: Instant) -> AnswerTime {
        let elapsed = began.elapsed();
        let Some(process) = &mut self.process else { return AnswerTime { elapsed, ..AnswerTime::default() } };
        AnswerTime { elapsed, waited: process.waited_for_core(), at: process.since_start() }
    }

    /// The confinement of the sandbox, with the program's folder also where its kind expects it.
    fn confinement(&self) -> Option<Confinement> {
        let mut confinement = self.sandbox.confinement.clone()?;
        if let (Some(alias), Some(folder)) = (self.kind.folder_alias(), self.program.file_folder()) {
            confinement.aliases.push((alias.to_owned(), folder));
        }
        Some(confinement)
    }

    fn launch(&mut self) -> Result<(), PlayError> {
        let folder = self.program.folder.clone().unwrap_or_else(|| ".".into());
        let folder = std::path::absolute(folder).map_err(|error| PlayError::Internal(error.to_string()))?;
        let words = self.kind.command_words(&self.program.words, self.program.python.as_deref());
        let program = ProgramCommand {
            program: words[0].clone().into(),
            args: words[1..].to_vec(),
            folder,
            environment: self.program.environment.clone(),
        };
        let setup = ProcessSetup {
            launcher: self.sandbox.launcher.clone(),
            program,
            limits: self.sandbox.limits.clone(),
            confinement: self.confinement(),
            core: self.core,
        };
        // A supervisor that cannot be started is not the program's fault.
        let started = Process::start(&setup).map_err(|fault| PlayError::Internal(fault.to_string()))?;
        self.process = Some(started);
        Ok(())
    }
}

impl GameSeat for ExternalEngine {
    fn begin(&mut self, game: &NewGame<'_>) -> Result<(), PlayError> {
        // Some protocols start a program only at its first turn, and keep the lines for it until then.
        if !(self.kind.starts_late() && game.side == Side::Second) {
            self.start()?;
        }
        self.margin = game.control.margin;
        let began = Instant::now();
        let until = began + self.sandbox.startup;
        let begun = self.converse(|protocol, connection| protocol.begin(connection, game, until));
        begun.map_err(|error| {
            let error = match error {
                // The startup time ran out, and not the clock of the game.
                PlayError::Fault(fault) if fault.kind == FaultKind::Time => {
                    PlayError::Fault(Fault { kind: FaultKind::Handshake, ..fault })
                }
                other => other,
            };
            judge_time(error, &self.answer_time(began), None)
        })
    }

    fn choose(&mut self, turn: &MoveRequest<'_>) -> Result<(Reply, AnswerTime), PlayError> {
        self.start()?;
        let began = Instant::now();
        let reply = self.exchange(|protocol, connection| protocol.choose(connection, turn));
        let elapsed = began.elapsed();
        self.freeze();
        let time = AnswerTime { elapsed, ..self.answer_time(began) };
        match reply {
            Ok(reply) => Ok((reply, time)),
            Err(error) => Err(judge_time(error, &time, Some((turn.within, self.margin)))),
        }
    }

    fn observe(&mut self, mv: &ObservedMove<'_>, within: Duration) -> Result<(), PlayError> {
        let began = Instant::now();
        let observed = self.converse(|protocol, connection| protocol.observe(connection, mv, began + within));
        observed.map_err(|error| judge_time(error, &self.answer_time(began), Some((within, self.margin))))
    }

    fn end(&mut self, winner: Option<Side>, is_culprit: bool) -> EngineLog {
        let until = Instant::now() + self.sandbox.grace;
        let mut log = EngineLog::default();
        let ended = match (&self.process, is_culprit) {
            (Some(_), false) => self.converse(|protocol, connection| protocol.end(connection, winner, until)),
            _ => Ok(()),
        };
        if let Some(process) = &self.process {
            if is_culprit {
                // From the start of its process: the cause may be in an earlier game.
                log.dialogue = process.dialogue();
            }
            log.stderr = process.stderr_tail();
        }
        let is_kept = !is_culprit
            && ended.is_ok()
            && self.program.start == ProcessLifetime::Kept
            && self.protocol.reuses_process()
            && !self.sandbox.stop.is_canceled();
        if is_culprit {
            // Killed at once, without a request to exit.
            self.process = None;
        } else if !is_kept {
            let exit_report = self.close();
            // A program may leave by itself when its game is over.
            let has_left = exit_report.as_ref().is_some_and(ExitReport::is_clean);
            if let Err(PlayError::Fault(fault)) = &ended
                && !(has_left && ExitReport::is_end(fault))
            {
                log.remarks.push(format!("after the game: {fault}"));
            }
            log.remarks.extend(exit_report.and_then(|exit_report| exit_remark(&exit_report)));
        }
        log
    }
}

/// The error of an exchange that took this time. A failure to answer in time on a machine that is too busy to tell is
/// none of the program; one with a clock (the time until the verdict, and the margin in it) gets its measurements.
fn judge_time(error: PlayError, time: &AnswerTime, clock: Option<(Duration, Duration)>) -> PlayError {
    let PlayError::Fault(fault) = error else { return error };
    match fault.kind {
        FaultKind::Time | FaultKind::Handshake if time.is_starved() => PlayError::starved(time),
        FaultKind::Time => {
            let verdict = clock.map(|(within, margin)| {
                Box::new(TimeVerdict::new(within.saturating_sub(margin), margin, time))
            });
            Fault { verdict, ..fault }.into()
        }
        _ => fault.into(),
    }
}

/// A remark about a program that did not exit properly; `None` where it did.
#[must_use]
pub fn exit_remark(exit_report: &ExitReport) -> Option<String> {
    match (&exit_report.fault, exit_report.kind) {
        (Some(fault), _) => Some(format!("at its exit: {fault}")),
        (None, ExitKind::ByItself) => None,
        (None, ExitKind::Terminated) => Some("did not exit on request and was terminated".to_owned()),
        (None, ExitKind::Killed) => Some("did not exit on request and was killed".to_owned()),
    }
}

impl fmt::Debug for ExternalEngine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("ExternalEngine");
        debug.field("program", &self.program).field("process", &self.process).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(kind: FaultKind, waited_ms: u64, clock: Option<(Duration, Duration)>) -> PlayError {
        let time = AnswerTime {
            elapsed: Duration::from_secs(12),
            waited: Duration::from_millis(waited_ms),
            at: Duration::from_secs(20),
        };
        judge_time(Fault::new(kind, "no answer").into(), &time, clock)
    }

    #[test]
    fn a_starved_engine_has_no_fault() {
        for kind in [FaultKind::Time, FaultKind::Handshake] {
            assert!(matches!(judged(kind, 9_000, None), PlayError::Internal(_)), "{kind}");
            assert!(matches!(judged(kind, 8_900, None), PlayError::Fault(_)), "{kind}");
        }
        assert_eq!(judged(FaultKind::Crash, 9_000, None), Fault::new(FaultKind::Crash, "no answer").into());
    }

    #[test]
    fn a_missing_answer_has_its_measurements() {
        let clock = (Duration::from_millis(1200), Duration::from_millis(200));
        let PlayError::Fault(fault) = judged(FaultKind::Time, 300, Some(clock)) else { panic!("a fault") };
        let expected = TimeVerdict {
            allowed_us: 1_000_000,
            margin_us: 200_000,
            elapsed_us: 12_000_000,
            waited_us: 300_000,
            given_back_us: 300_000,
            at_us: 20_000_000,
        };
        assert_eq!(fault.verdict.as_deref(), Some(&expected));
    }
}
