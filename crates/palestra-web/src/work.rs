//! Runs and events that were started from the page: each is a process, which stores what it finishes.
//!
//! The page writes the run or event to the store and then starts `palestra run resume`, tied to the server by a pipe:
//! the process stops when the server is gone, and the run can be resumed later.

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

/// Time for processes to stop at shutdown; they only have to write their state.
const STOP_TIMEOUT: Duration = Duration::from_secs(20);

/// Limit on processes at the same time; each uses all cores.
pub(crate) const MAX_PROCESSES: usize = 4;

/// Limit on the error messages that are kept.
const MAX_FAILURES: usize = 200;

/// Exit codes that are not failures: 0 is success, 4 an event with forfeits, 130 a process that was asked to stop.
const SUCCESS_CODES: [i32; 3] = [0, 4, 130];

/// The processes that this server started; clones share them.
#[derive(Clone)]
pub(crate) struct RunProcesses {
    program: Option<PathBuf>,
    store: PathBuf,
    table: Arc<Mutex<ProcessTable>>,
}

#[derive(Default)]
struct ProcessTable {
    running: BTreeMap<RunId, RunProcess>,
    /// The last error message of each failed run.
    failures: BTreeMap<RunId, String>,
    /// Number of changes of the two maps: part of the key of cached pages.
    n_changes: u64,
}

struct RunProcess {
    /// The process stops when its standard input ends: on request, or when this server ends for any reason.
    stdin: Option<ChildStdin>,
    ended: watch::Receiver<bool>,
}

impl RunProcesses {
    pub(crate) fn new(config: &Config) -> RunProcesses {
        RunProcesses { program: config.program.clone(), store: config.store.clone(), table: Arc::default() }
    }

    /// Whether this server may start processes.
    pub(crate) fn is_possible(&self) -> bool {
        self.program.is_some()
    }

    /// Whether one more process may be started.
    pub(crate) fn has_room(&self) -> bool {
        self.table().running.len() < MAX_PROCESSES
    }

    /// Whether a run is a running process of this server.
    pub(crate) fn is_ours(&self, run: RunId) -> bool {
        self.table().running.contains_key(&run)
    }

    /// Number of running processes.
    pub(crate) fn n_running(&self) -> usize {
        self.table().running.len()
    }

    /// The last error message of a run that this server started and that failed, without paths.
    pub(crate) fn failure_message(&self, run: RunId) -> Option<String> {
        self.table().failures.get(&run).cloned()
    }

    /// Changes whenever the result of [`RunProcesses::is_ours`] or [`RunProcesses::failure_message`] may change.
    pub(crate) fn n_changes(&self) -> u64 {
        self.table().n_changes
    }

    /// Starts or resumes a run of the store; does nothing where it is running already.
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
        // Ctrl-C in a terminal must reach only the server, which then stops the processes in order.
        separate_process_group(&mut command);
        let mut child = Command::from(command)
            .args(["run", "resume", "--tied", "--store"])
            .arg(&self.store)
            .args(["--", name])
            // The token of this server is not passed on to players that are external programs.
            .env_remove("PALESTRA_TOKEN")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::from(writer))
            .spawn()
            .map_err(|_| HttpError::internal_error())?;
        let (sender, ended) = watch::channel(false);
        let stdin = child.stdin.take();
        table.running.insert(run, RunProcess { stdin, ended });
        table.failures.remove(&run);
        table.n_changes += 1;
        drop(table);
        let stderr = ProcessStderr::of(reader);
        let processes = self.clone();
        tokio::spawn(async move {
            let status = child.wait().await;
            let message = stderr.last_line().await;
            processes.record_exit(run, status.ok(), message.as_deref());
            let _ = sender.send(true);
        });
        Ok(())
    }

    fn record_exit(&self, run: RunId, status: Option<ExitStatus>, message: Option<&str>) {
        let mut table = self.table();
        table.running.remove(&run);
        table.n_changes += 1;
        if status.and_then(|status| status.code()).is_some_and(|code| SUCCESS_CODES.contains(&code)) {
            return;
        }
        let message = message.map_or_else(
            || "the process ended without a message".to_owned(),
            |line| self.without_paths(line),
        );
        table.failures.insert(run, message);
        while table.failures.len() > MAX_FAILURES {
            table.failures.pop_first();
        }
    }

    /// A line without the path of the store and other paths.
    fn without_paths(&self, line: &str) -> String {
        stderr::without_paths(line, &self.store.display().to_string())
    }

    /// Asks a process of this server to stop; the run can be resumed later.
    pub(crate) fn stop(&self, run: RunId) -> Result<(), HttpError> {
        let mut table = self.table();
        let running = table.running.get_mut(&run).ok_or_else(|| HttpError::new(StatusCode::CONFLICT))?;
        running.stop();
        Ok(())
    }

    /// Stops all processes and waits for them, up to [`STOP_TIMEOUT`].
    pub(crate) async fn stop_all(&self) {
        let waiting: Vec<watch::Receiver<bool>> = {
            let mut table = self.table();
            table.running.values_mut().for_each(RunProcess::stop);
            table.running.values().map(|running| running.ended.clone()).collect()
        };
        let all = async {
            for mut ended in waiting {
                let _ = ended.wait_for(|ended| *ended).await;
            }
        };
        let _ = tokio::time::timeout(STOP_TIMEOUT, all).await;
    }

    fn table(&self) -> MutexGuard<'_, ProcessTable> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl RunProcess {
    fn stop(&mut self) {
        self.stdin = None;
    }
}
