//! An outside program under Linux: started by a warden, spoken to, watched, limited, confined and ended.

mod end;
mod fairness;
mod limits;
mod order;
mod pipes;
mod supervisor;
mod tree;
mod work_dir;

pub use supervisor::run_supervisor;

use crate::fault::{Fault, FaultKind};
use crate::process::{Dialogue, ExitReport, LogLine, ProcessSetup, Speaker};
use crate::transport::Transport;
use fairness::CoreWaitMeter;
use order::SupervisorOrder;
use pipes::Pipes;
use rustix::process::{Pid, PidfdFlags, Signal, getpid, kill_process_group, pidfd_open, set_child_subreaper};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use work_dir::WorkDir;

/// A running program and the line to it. Dropping it ends the program and everything it started.
#[derive(Debug)]
pub struct Process {
    warden: Pid,
    room: WorkDir,
    pipes: Pipes,
    dialogue: Dialogue,
    fairness: CoreWaitMeter,
    /// What ended the conversation, once something has.
    fault: Option<Fault>,
    /// Whether everything is gone and waited for.
    ended: bool,
    /// How it left, once it was stopped.
    farewell: Option<ExitReport>,
}

impl Process {
    /// Starts a program. That it cannot be started may show only when it is spoken to.
    pub fn start(setup: &ProcessSetup) -> Result<Process, Fault> {
        let said = |error: std::io::Error| Fault::new(FaultKind::Start, error.to_string());
        let room = WorkDir::new().map_err(said)?;
        order(setup, &room).write(room.path()).map_err(said)?;
        // Who is left when a warden is killed becomes our child, and is waited for by its group.
        set_child_subreaper(Some(getpid())).map_err(|error| said(error.into()))?;
        let since = Instant::now();
        let mut command = Command::new(&setup.launcher.program);
        command.args(&setup.launcher.args).arg(room.path()).process_group(0);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|error| {
            Fault::new(FaultKind::Start, format!("{}: {error}", setup.launcher.program.display()))
        })?;
        // A process that was just started has a number above zero, and is not waited for by anybody else.
        let warden = i32::try_from(child.id()).ok().and_then(Pid::from_raw).expect("a child has a number");
        let gone = pidfd_open(warden, PidfdFlags::empty()).map_err(std::io::Error::from);
        let pipes = gone.and_then(|gone| Pipes::new(&mut child, gone)).map_err(|error| {
            let _ = kill_process_group(warden, Signal::KILL);
            said(error)
        })?;
        let (dialogue, fairness) = (Dialogue::new(since), CoreWaitMeter::default());
        Ok(Process { warden, room, pipes, dialogue, fairness, fault: None, ended: false, farewell: None })
    }

    /// What was said since the last call, as far as it was kept.
    pub fn take_dialogue(&mut self) -> Vec<LogLine> {
        self.dialogue.take()
    }

    /// What was said since the program was started, or the last call of [`Process::take_dialogue`], as far as it was
    /// kept.
    #[must_use]
    pub fn dialogue(&self) -> Vec<LogLine> {
        self.dialogue.all()
    }

    /// The end of what the program wrote to its error output.
    #[must_use]
    pub fn stderr_tail(&self) -> String {
        self.pipes.errors()
    }

    /// How long the program waited for a processor since it was last spoken to: time that its clock should not run.
    /// Waits of less than two milliseconds are not looked at and are none. Time that its own threads take from each
    /// other does not count.
    pub fn waited_for_core(&mut self) -> Duration {
        self.fairness.waited(self.warden.as_raw_pid())
    }

    /// The process group: the number of the warden.
    #[must_use]
    pub fn group(&self) -> i32 {
        self.warden.as_raw_pid()
    }

    /// Where the program may write.
    #[must_use]
    pub fn scratch(&self) -> PathBuf {
        self.room.scratch()
    }
}

impl Transport for Process {
    fn send(&mut self, line: &str, until: Instant) -> Result<(), Fault> {
        if let Some(fault) = &self.fault {
            return Err(fault.clone());
        }
        self.dialogue.add(Speaker::Palestra, line);
        self.pipes.asked();
        self.fairness.asked();
        self.pipes.write(line, until).map_err(|stop| {
            let fault = self.verdict(stop);
            self.fault.insert(fault).clone()
        })
    }

    fn receive(&mut self, until: Instant) -> Result<Option<String>, Fault> {
        loop {
            if let Some(line) = self.pipes.line() {
                self.dialogue.add(Speaker::Program, &line);
                return Ok(Some(line));
            }
            if let Some(fault) = &self.fault {
                // The line that it never ended was its last.
                if let Some(begun) = self.pipes.take_beginning() {
                    self.dialogue.add(Speaker::Program, &begun);
                }
                return Err(fault.clone());
            }
            // The program is thinking, so that looking at its threads costs nobody time.
            let look = self.fairness.sample_due();
            match self.pipes.read(look.map_or(until, |look| look.min(until))) {
                Ok(true) => {}
                Ok(false) if look.is_some_and(|look| look < until) => {
                    self.fairness.sample(self.warden.as_raw_pid());
                }
                Ok(false) => return Ok(None),
                // What it said before it ended counts: the fault comes after the last line.
                Err(stop) => self.fault = Some(self.verdict(stop)),
            }
        }
    }
}

fn order(setup: &ProcessSetup, room: &WorkDir) -> SupervisorOrder {
    let program = setup.program.ready(&room.scratch());
    let confinement = setup.confinement.clone().map(|mut confinement| {
        confinement.hidden.push(room.root());
        confinement.shown.push(program.folder.clone());
        confinement.shown.extend((!setup.program.is_name()).then(|| program.program.clone()));
        confinement
    });
    SupervisorOrder {
        parent: getpid().as_raw_pid(),
        program,
        limits: setup.limits.clone(),
        confinement,
        core: setup.core,
    }
}
