//! An engine process on Linux: started by a supervisor, which limits, confines and ends it.

mod cgroup;
mod end;
mod fairness;
mod freezer;
mod limits;
mod order;
mod pipes;
mod starter;
mod supervisor;
mod tree;
mod work_dir;

pub use supervisor::run_supervisor;

use crate::process::{Dialogue, ExitReport, PeakUsage, ProcessSetup};
use crate::transport::Transport;
use cgroup::Cgroup;
use fairness::CoreWaitMeter;
use freezer::Freezer;
use order::{ORDER, SupervisorOrder, read_peak};
use palestra_arena::{Fault, FaultKind, LogLine, Speaker};
use pipes::Pipes;
use rustix::process::{Pid, PidfdFlags, Signal, getpid, kill_process_group, pidfd_open, set_child_subreaper};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use work_dir::WorkDir;

/// A running program and the transport to it. Dropping it ends the program and all processes that it started.
#[derive(Debug)]
pub struct Process {
    supervisor: Pid,
    work_dir: WorkDir,
    pipes: Pipes,
    dialogue: Dialogue,
    core_wait: CoreWaitMeter,
    freezer: Freezer,
    /// Whether it has sent a line, and so is not starting any more.
    has_answered: bool,
    /// The fault that ended the dialogue, once there is one.
    fault: Option<Fault>,
    /// Whether all processes were killed and waited for.
    ended: bool,
    /// How the program exited, once it was stopped.
    exit_report: Option<ExitReport>,
}

impl Process {
    /// Starts a program. A program that cannot be started may become a fault only at the first line sent or received.
    pub fn start(setup: &ProcessSetup) -> Result<Process, Fault> {
        let start_fault = |error: std::io::Error| Fault::new(FaultKind::Start, error.to_string());
        let work_dir = WorkDir::new().map_err(start_fault)?;
        let cgroup = Cgroup::create(&work_dir.name());
        let order = order(setup, &work_dir, cgroup.as_ref());
        order.write(&work_dir.path().join(ORDER)).map_err(start_fault)?;
        // Processes whose supervisor is killed become children of this process, which waits for them by their group.
        set_child_subreaper(Some(getpid())).map_err(|error| start_fault(error.into()))?;
        let since = Instant::now();
        let mut command = Command::new(&setup.launcher.program);
        command.args(&setup.launcher.args).arg(work_dir.path()).process_group(0);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|error| {
            Fault::new(FaultKind::Start, format!("{}: {error}", setup.launcher.program.display()))
        })?;
        // A process that was just started has a number above zero, and only this process waits for it.
        let supervisor =
            i32::try_from(child.id()).ok().and_then(Pid::from_raw).expect("a child has a positive number");
        let gone = pidfd_open(supervisor, PidfdFlags::empty()).map_err(std::io::Error::from);
        let pipes = gone.and_then(|gone| Pipes::new(&mut child, gone)).map_err(|error| {
            let _ = kill_process_group(supervisor, Signal::KILL);
            start_fault(error)
        })?;
        let freezer = Freezer::new(supervisor, cgroup, setup.confinement.is_none());
        Ok(Process {
            supervisor,
            work_dir,
            pipes,
            dialogue: Dialogue::new(since),
            core_wait: CoreWaitMeter::begin(),
            freezer,
            has_answered: false,
            fault: None,
            ended: false,
            exit_report: None,
        })
    }

    /// The lines since the last call, without those that were dropped for their size.
    pub fn take_dialogue(&mut self) -> Vec<LogLine> {
        self.dialogue.take()
    }

    /// The lines since the start of the program or the last call of [`Process::take_dialogue`], without those that were
    /// dropped for their size.
    #[must_use]
    pub fn dialogue(&self) -> Vec<LogLine> {
        self.dialogue.all()
    }

    /// Time since the program was started, on the scale of its dialogue.
    #[must_use]
    pub fn since_start(&self) -> Duration {
        self.dialogue.since_start()
    }

    /// The end of what the program wrote to standard error.
    #[must_use]
    pub fn stderr_tail(&self) -> String {
        self.pipes.stderr_tail()
    }

    /// An exchange of lines begins: its wait for a processor is measured.
    pub fn begin_exchange(&mut self) {
        self.core_wait = CoreWaitMeter::begin();
    }

    /// How long the program waited for a processor since the exchange began, to be taken off its clock. The first 2 ms
    /// after each line are not measured, and time that its own threads take from each other does not count.
    pub fn waited_for_core(&mut self) -> Duration {
        self.core_wait.waited(self.supervisor.as_raw_pid())
    }

    /// Whether the program is ready to run and has had no processor since the last call. A wait counts in
    /// [`Process::waited_for_core`] once it is over.
    pub fn is_waiting_for_core(&mut self) -> bool {
        self.core_wait.is_waiting(self.supervisor.as_raw_pid())
    }

    /// What the program used at most, once it has ended; `None` where its supervisor was killed with it.
    #[must_use]
    pub fn peak(&self) -> Option<PeakUsage> {
        read_peak(self.work_dir.path())
    }

    /// Stops its processes until the next line is sent or received. A program that has not sent a line yet may still be
    /// starting, and is not stopped.
    pub fn freeze(&mut self) {
        if self.has_answered && !self.ended {
            self.freezer.freeze();
        }
    }

    /// The process group, which has the number of the supervisor.
    #[must_use]
    pub fn group(&self) -> i32 {
        self.supervisor.as_raw_pid()
    }

    /// The scratch folder: the only folder that a confined program can write to.
    #[must_use]
    pub fn scratch(&self) -> PathBuf {
        self.work_dir.scratch()
    }
}

impl Transport for Process {
    fn send(&mut self, line: &str, until: Instant) -> Result<(), Fault> {
        if let Some(fault) = &self.fault {
            return Err(fault.clone());
        }
        self.dialogue.add(Speaker::Palestra, line);
        self.pipes.reset_counts();
        self.core_wait.next_line(self.supervisor.as_raw_pid());
        self.freezer.restart();
        self.pipes.write(line, until).map_err(|stop| {
            let fault = self.verdict(stop);
            self.fault.insert(fault).clone()
        })
    }

    fn receive(&mut self, until: Instant) -> Result<Option<String>, Fault> {
        self.freezer.resume();
        loop {
            if let Some(line) = self.pipes.line() {
                self.has_answered = true;
                self.dialogue.add(Speaker::Program, &line);
                return Ok(Some(line));
            }
            if let Some(fault) = &self.fault {
                // The log shows the incomplete last line too.
                if let Some(partial) = self.pipes.take_partial() {
                    self.dialogue.add(Speaker::Program, &partial);
                }
                return Err(fault.clone());
            }
            // Both are measured while the program thinks, so that this does not delay the game.
            let dues = [self.core_wait.sample_due(), Some(self.freezer.due())];
            let due = dues.into_iter().flatten().min().unwrap_or(until);
            match self.pipes.read(due.min(until)) {
                Ok(true) => {}
                Ok(false) if due < until => {
                    if self.core_wait.sample_due().is_some_and(|due| due <= Instant::now()) {
                        self.core_wait.sample(self.supervisor.as_raw_pid());
                    }
                    self.freezer.check_share();
                }
                Ok(false) => return Ok(None),
                // The fault comes after the lines that the program wrote before its end.
                Err(stop) => self.fault = Some(self.verdict(stop)),
            }
        }
    }
}

fn order(setup: &ProcessSetup, work_dir: &WorkDir, cgroup: Option<&Cgroup>) -> SupervisorOrder {
    let program = setup.program.ready(&work_dir.scratch(), &setup.limits);
    let confinement = setup.confinement.clone().map(|mut confinement| {
        confinement.hidden.push(work_dir.root());
        confinement.shown.extend((!setup.program.is_name()).then(|| program.program.clone()));
        // The supervisor and the starter may have another working directory.
        let folders = confinement.aliases.iter_mut().map(|(_, folder)| folder);
        for path in confinement.hidden.iter_mut().chain(&mut confinement.shown).chain(folders) {
            *path = std::path::absolute(&path).unwrap_or_else(|_| path.clone());
        }
        confinement
    });
    SupervisorOrder {
        parent: getpid().as_raw_pid(),
        launcher: setup.launcher.clone(),
        program,
        limits: setup.limits.clone(),
        confinement,
        core: setup.core,
        cgroup: cgroup.map(|cgroup| cgroup.path().to_owned()),
        has_namespaces: false,
    }
}
