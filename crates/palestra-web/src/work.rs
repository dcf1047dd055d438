//! Runs and events that were started from the page: each is a process of its own, which keeps everything it finishes.
//!
//! The page writes the run or event to the store and then starts `palestra run resume`, tied to the server by a pipe:
//! the process stops when the server is gone, and the work can go on later.

mod stderr;
#[cfg(test)]
mod tests;

use crate::config::Config;
use crate::http_error::HttpError;
use axum::http::StatusCode;
use palestra_engine::separate_process_group;
use palestra_store::RunId;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use stderr::ProcessStderr;
use tokio::process::{ChildStdin, Command};
use tokio::sync::watch;

/// How long processes are waited for at the end: they only have to write down what they know.
const PATIENCE: Duration = Duration::from_secs(20);

/// Pieces of work at a time: each takes all cores it can get.
pub(crate) const MAX_PROCESSES: usize = 4;

/// Troubles that are remembered.
const MOST_TROUBLES: usize = 200;

/// How processes end that were asked to, or did what they were for: 4 says that an event had forfeits.
const FINE: [i32; 3] = [0, 4, 130];

/// The processes that were started here.
#[derive(Clone)]
pub(crate) struct RunProcesses {
    program: Option<PathBuf>,
    store: PathBuf,
    table: Arc<Mutex<ProcessTable>>,
}

#[derive(Default)]
struct ProcessTable {
    running: BTreeMap<RunId, RunProcess>,
    /// What those said that failed.
    troubles: BTreeMap<RunId, String>,
    /// Counts whatever a page may show of this.
    n_changes: u64,
}

struct RunProcess {
    /// The process stops when this ends: when it is asked to, or with us, however that happens.
    leash: Option<ChildStdin>,
    over: watch::Receiver<bool>,
}

impl RunProcesses {
    pub(crate) fn new(config: &Config) -> RunProcesses {
        RunProcesses { program: config.program.clone(), store: config.store.clone(), table: Arc::default() }
    }

    /// Whether anything can be started here.
    pub(crate) fn is_possible(&self) -> bool {
        self.program.is_some()
    }

    /// Whether there is room for one more.
    pub(crate) fn has_room(&self) -> bool {
        self.table().running.len() < MAX_PROCESSES
    }

    /// Whether a run was started here and goes on.
    pub(crate) fn is_ours(&self, run: RunId) -> bool {
        self.table().running.contains_key(&run)
    }

    /// How many go on.
    pub(crate) fn n_running(&self) -> usize {
        self.table().running.len()
    }

    /// What a run said last that was started here and failed, without places of the machine.
    pub(crate) fn failure_message(&self, run: RunId) -> Option<String> {
        self.table().troubles.get(&run).cloned()
    }

    /// Changes whenever [`RunProcesses::is_ours`] or [`RunProcesses::failure_message`] may say something else.
    pub(crate) fn n_changes(&self) -> u64 {
        self.table().n_changes
    }

    /// Starts a run of the store, or goes on with it.
    pub(crate) fn start(&self, run: RunId, name: &str) -> Result<(), HttpError> {
        let Some(program) = &self.program else {
            return Err(HttpError::new(StatusCode::FORBIDDEN));
        };
        let mut table = self.table();
        if table.running.contains_key(&run) {
            return Ok(());
        }
        if table.running.len() >= MAX_PROCESSES {
            return Err(HttpError::busy());
        }
        let (reader, writer) = std::io::pipe().map_err(|_| HttpError::internal_error())?;
        let mut command = std::process::Command::new(program);
        // Ctrl-C in a terminal reaches us alone.
        separate_process_group(&mut command);
        let mut child = Command::from(command)
            .args(["run", "resume", "--tied", "--store"])
            .arg(&self.store)
            .args(["--", name])
            // What visitors must know is nothing for programs.
            .env_remove("PALESTRA_TOKEN")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::from(writer))
            .spawn()
            .map_err(|_| HttpError::internal_error())?;
        let (tell, over) = watch::channel(false);
        let leash = child.stdin.take();
        table.running.insert(run, RunProcess { leash, over });
        table.troubles.remove(&run);
        table.n_changes += 1;
        drop(table);
        let tail = ProcessStderr::of(reader);
        let work = self.clone();
        tokio::spawn(async move {
            let ended = child.wait().await;
            let said = tail.last_line().await;
            work.ended(run, ended.ok(), said.as_deref());
            let _ = tell.send(true);
        });
        Ok(())
    }

    fn ended(&self, run: RunId, how: Option<ExitStatus>, said: Option<&str>) {
        let mut table = self.table();
        table.running.remove(&run);
        table.n_changes += 1;
        if how.and_then(|status| status.code()).is_some_and(|code| FINE.contains(&code)) {
            return;
        }
        let said = said.map_or_else(|| "it ended without a word".to_owned(), |line| self.placeless(line));
        table.troubles.insert(run, said);
        while table.troubles.len() > MOST_TROUBLES {
            table.troubles.pop_first();
        }
    }

    /// A line without places of the machine.
    fn placeless(&self, line: &str) -> String {
        stderr::without_places(line, &self.store.display().to_string())
    }

    /// Asks a run that was started here to stop; it keeps what it has, and can go on later.
    pub(crate) fn stop(&self, run: RunId) -> Result<(), HttpError> {
        let mut table = self.table();
        let running = table.running.get_mut(&run).ok_or_else(|| HttpError::new(StatusCode::CONFLICT))?;
        running.ask();
        Ok(())
    }

    /// Stops everything and waits for it.
    pub(crate) async fn stop_all(&self) {
        let waiting: Vec<watch::Receiver<bool>> = {
            let mut table = self.table();
            table.running.values_mut().for_each(RunProcess::ask);
            table.running.values().map(|running| running.over.clone()).collect()
        };
        let all = async {
            for mut over in waiting {
                let _ = over.wait_for(|over| *over).await;
            }
        };
        let _ = tokio::time::timeout(PATIENCE, all).await;
    }

    fn table(&self) -> MutexGuard<'_, ProcessTable> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl RunProcess {
    /// Asks it to stop.
    fn ask(&mut self) {
        self.leash = None;
    }
}
