//! A program at the referee's board: its process, its protocol, and what becomes of them between games.

use crate::confine::Confinement;
use crate::connection::Connection;
use crate::fault::{Fault, FaultKind};
use crate::process::{
    ExitKind, ExitReport, Launcher, LogLine, ProcessSetup, ProgramCommand, ResourceLimits, Speaker,
};
use crate::program::{ProcessLifetime, ProgramSpec};
use crate::protocol::{MoveRequest, NewGame, Protocol, Reply};
use crate::protocols::{LoadedProtocol, ProtocolSpec};
use crate::referee::{EngineLog, GameSeat, PlayError};
use crate::system::Process;
use crate::transport::Transport;
use palestra_core::{InputError, Seed, Side};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// How programs are held: the same for all of an event.
#[derive(Clone, Debug)]
pub struct Sandbox {
    /// How a warden is started.
    pub launcher: Launcher,
    /// What a program may use.
    pub limits: ResourceLimits,
    /// What it is kept from; `None` where programs are trusted.
    pub confinement: Option<Confinement>,
    /// How long a program may take to start, to say hello, and to get ready for a game.
    pub startup: Duration,
    /// How long it may take to leave when it is asked to.
    pub grace: Duration,
    /// Raised when a person wants everything to stop.
    pub stop: Arc<AtomicBool>,
}

/// A program that plays. Its process is started when it is first needed, and lives from game to game where the program
/// and its protocol allow that.
pub struct ExternalEngine {
    program: ProgramSpec,
    room: Sandbox,
    core: Option<usize>,
    language: LoadedProtocol,
    protocol: Box<dyn Protocol>,
    process: Option<Process>,
}

impl ExternalEngine {
    /// A program that is not started yet; it may be given a core of its own.
    pub fn new(
        program: &ProgramSpec,
        room: &Sandbox,
        core: Option<usize>,
    ) -> Result<ExternalEngine, InputError> {
        let language = program.protocol.parse::<ProtocolSpec>()?.load()?;
        let protocol = language.speak(&program.options);
        let (program, room) = (program.clone(), room.clone());
        Ok(ExternalEngine { program, room, core, language, protocol, process: None })
    }

    /// The program.
    #[must_use]
    pub fn program(&self) -> &ProgramSpec {
        &self.program
    }

    /// The core it is kept on, if any.
    #[must_use]
    pub fn core(&self) -> Option<usize> {
        self.core
    }

    /// Whether it has a process that can play another game.
    #[must_use]
    pub fn is_ready(&self) -> bool {
        self.process.is_some()
    }

    /// Asks the program to leave, and makes sure that it does; what there is to say about how it left.
    pub fn close(&mut self) -> Option<ExitReport> {
        let mut process = self.process.take()?;
        let until = Instant::now() + self.room.grace;
        // It may be gone already, or not listen.
        let _ = self.protocol.close(&mut Connection::new(Some(&mut process), &self.room.stop), until);
        Some(process.stop(self.room.grace))
    }

    /// Ends the program's input without a word, and sees how it leaves.
    pub fn hang_up(&mut self) -> Option<ExitReport> {
        self.process.take().map(|mut process| process.stop(self.room.grace))
    }

    /// Starts the program where it is not, and speaks to it directly.
    pub(crate) fn speak<T>(
        &mut self,
        talk: impl FnOnce(&mut dyn Transport) -> Result<T, Fault>,
    ) -> Result<T, PlayError> {
        self.start()?;
        self.converse(|_, line| talk(line))
    }

    /// Starts the program and says to it what was once said; whether it then fails, waiting so long for what it says
    /// next (not at all where that does not matter), and everything that was said.
    pub fn replay_dialogue(
        &mut self,
        dialogue: &[LogLine],
        wait: Option<Duration>,
    ) -> Result<(Option<Fault>, EngineLog), PlayError> {
        let silence = || Fault::new(FaultKind::Time, "no answer when its time was up");
        let startup = self.room.startup;
        self.launch()?;
        let said = self.converse(|_, line| {
            for spoken in dialogue {
                let until = Instant::now() + startup;
                match spoken.by {
                    Speaker::Palestra => line.send(&spoken.text, until)?,
                    Speaker::Program => drop(line.receive(until)?.ok_or_else(silence)?),
                }
            }
            // Then it failed.
            let Some(wait) = wait else { return Ok(()) };
            line.receive(Instant::now() + wait)?.map_or_else(|| Err(silence()), |_| Ok(()))
        });
        let fault = match said {
            Ok(()) => None,
            Err(PlayError::Fault(fault)) => Some(fault),
            Err(ours) => return Err(ours),
        };
        let (dialogue, stderr) = self
            .process
            .take()
            .map_or_else(Default::default, |process| (process.dialogue(), process.stderr_tail()));
        Ok((fault, EngineLog { dialogue, stderr, remarks: Vec::new() }))
    }

    /// Has a conversation with the running program; a person's wish to stop is nobody's fault.
    fn converse<T>(
        &mut self,
        talk: impl FnOnce(&mut dyn Protocol, &mut Connection<'_>) -> Result<T, Fault>,
    ) -> Result<T, PlayError> {
        let mut line = Connection::new(self.process.as_mut(), &self.room.stop);
        let said = talk(self.protocol.as_mut(), &mut line);
        match line.is_stopped() {
            true => Err(PlayError::Internal("interrupted".to_owned())),
            false => Ok(said?),
        }
    }

    fn start(&mut self) -> Result<(), PlayError> {
        if self.process.is_some() {
            return Ok(());
        }
        let until = Instant::now() + self.room.startup;
        self.launch()?;
        self.converse(|protocol, line| protocol.open(line, until))
    }

    fn launch(&mut self) -> Result<(), PlayError> {
        let folder = self.program.folder.clone().unwrap_or_else(|| ".".into());
        let folder = std::path::absolute(folder).map_err(|error| PlayError::Internal(error.to_string()))?;
        let words = self.language.command_words(&self.program.words);
        let program = ProgramCommand {
            program: words[0].clone().into(),
            args: words[1..].to_vec(),
            folder,
            environment: self.program.environment.clone(),
        };
        let setup = ProcessSetup {
            launcher: self.room.launcher.clone(),
            program,
            limits: self.room.limits.clone(),
            confinement: self.room.confinement.clone(),
            core: self.core,
        };
        // Whatever keeps the warden from starting is not the program's fault.
        let started = Process::start(&setup).map_err(|fault| PlayError::Internal(fault.to_string()))?;
        self.process = Some(started);
        Ok(())
    }
}

impl GameSeat for ExternalEngine {
    fn begin(&mut self, game: &NewGame<'_>) -> Result<(), PlayError> {
        // Some judges start a program only when its turn comes; what it must know is kept for it until then.
        if !(self.language.starts_late() && game.side == Side::Second) {
            self.start()?;
        }
        let until = Instant::now() + self.room.startup;
        self.converse(|protocol, line| protocol.begin(line, game, until)).map_err(|trouble| match trouble {
            // Getting ready has its own time.
            PlayError::Fault(Fault { kind: FaultKind::Time, detail }) => {
                PlayError::Fault(Fault::new(FaultKind::Handshake, detail))
            }
            trouble => trouble,
        })
    }

    fn choose(&mut self, turn: &MoveRequest<'_>, _dice: Seed) -> Result<(Reply, Duration), PlayError> {
        self.start()?;
        let began = Instant::now();
        let reply = self.converse(|protocol, line| protocol.choose(line, turn))?;
        let wall = began.elapsed();
        // Time without a core is no thinking.
        let waited = self.process.as_mut().map_or(Duration::ZERO, Process::waited_for_core);
        Ok((reply, wall.saturating_sub(waited)))
    }

    fn observe(&mut self, mv: &str, by: Side, until: Instant) -> Result<(), PlayError> {
        self.converse(|protocol, line| protocol.observe(line, mv, by, until))
    }

    fn end(&mut self, winner: Option<Side>, is_culprit: bool) -> EngineLog {
        let until = Instant::now() + self.room.grace;
        let mut witness = EngineLog::default();
        let ended = match (&self.process, is_culprit) {
            (Some(_), false) => self.converse(|protocol, line| protocol.end(line, winner, until)),
            _ => Ok(()),
        };
        if let Err(PlayError::Fault(fault)) = &ended {
            witness.remarks.push(format!("after the game: {fault}"));
        }
        if let Some(process) = &self.process {
            if is_culprit {
                // From its start: what it did in earlier games may be why it fails now.
                witness.dialogue = process.dialogue();
            }
            witness.stderr = process.stderr_tail();
        }
        let is_kept = !is_culprit
            && ended.is_ok()
            && self.program.start == ProcessLifetime::Kept
            && self.protocol.reuses_process()
            && !self.room.stop.load(std::sync::atomic::Ordering::Relaxed);
        if is_culprit {
            // Nothing is asked of it any more.
            self.process = None;
        } else if !is_kept {
            witness.remarks.extend(self.close().and_then(|farewell| exit_remark(&farewell)));
        }
        witness
    }

    fn is_timed(&self) -> bool {
        true
    }
}

/// What is odd about how a program left; nothing where all is well.
#[must_use]
pub fn exit_remark(farewell: &ExitReport) -> Option<String> {
    match (&farewell.fault, farewell.kind) {
        (Some(fault), _) => Some(format!("at its end: {fault}")),
        (None, ExitKind::ByItself) => None,
        (None, ExitKind::Terminated) => Some("left only when it was terminated".to_owned()),
        (None, ExitKind::Killed) => Some("did not leave when it was asked to, and was killed".to_owned()),
    }
}

impl fmt::Debug for ExternalEngine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Outside").field("program", &self.program).field("process", &self.process).finish()
    }
}
