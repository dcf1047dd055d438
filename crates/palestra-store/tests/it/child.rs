//! A child process: this test program, started again for one task.

use crate::support::{key, new_run, work};
use palestra_store::Store;
use std::env;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

const TASK: &str = "PALESTRA_STORE_CHILD";
const FILE: &str = "PALESTRA_STORE_FILE";
const PLAN: &str = "PALESTRA_STORE_PLAN";

/// Length of a line, chosen so that a 64 KiB pipe holds about 256 lines: a child cannot run far ahead of its parent.
const WIDTH: usize = 255;

/// A running child process; it is killed on drop.
pub(crate) struct ChildProcess {
    child: Child,
    lines: BufReader<ChildStdout>,
}

impl ChildProcess {
    pub(crate) fn start(task: &str, plan: &str, file: &Path) -> Self {
        let mut child = Command::new(env::current_exe().unwrap())
            .args(["child::run_as_child_process", "--exact", "--nocapture", "--test-threads=1"])
            .envs([(TASK, task), (PLAN, plan)])
            .env(FILE, file)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap());
        Self { child, lines }
    }

    /// The next message of the child; `None` when it has exited.
    pub(crate) fn next_message(&mut self) -> Option<String> {
        let mut line = String::new();
        while self.lines.read_line(&mut line).unwrap() > 0 {
            // The rest of the line comes from the test harness.
            if let Some((_, message)) = line.split_once("child says ") {
                return Some(message.trim().to_owned());
            }
            line.clear();
        }
        None
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Lets the child continue after it waited.
    pub(crate) fn resume(&mut self) {
        self.child.stdin.take();
    }

    /// Kills the child as `kill -9` does.
    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Lets the child run to its end; true if it succeeds.
    pub(crate) fn succeeds(mut self) -> bool {
        self.resume();
        while self.next_message().is_some() {}
        self.child.wait().unwrap().success()
    }
}

impl Drop for ChildProcess {
    fn drop(&mut self) {
        // It may have exited already.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

fn send(message: &str) {
    let mut out = io::stdout().lock();
    writeln!(out, "{:<WIDTH$}", format!("child says {message}")).unwrap();
    out.flush().unwrap();
}

/// Waits until the parent closes the pipe or exits.
fn wait() {
    send("ready");
    io::stdin().read_to_end(&mut Vec::new()).unwrap();
}

/// Does nothing in a usual run of the tests. Started by another test, it is the child process that is watched or
/// killed.
#[test]
fn run_as_child_process() {
    let Ok(task) = env::var(TASK) else { return };
    let (file, new) = (env::var_os(FILE).unwrap(), new_run(&env::var(PLAN).unwrap()));
    if task == "create" {
        wait();
    }
    let mut store = Store::open(file).unwrap();
    let (run, is_new) = store.find_or_begin_run(&new).unwrap();
    match task.as_str() {
        "create" => send(&format!("{} {is_new}", run.name)),
        "hold" => {
            let _ledger = store.ledger(run.id).unwrap();
            wait();
        }
        "keep" => {
            let ledger = store.ledger(run.id).unwrap();
            ledger.keep_unit(&key(0), 0, vec![1], 1).unwrap();
            wait();
        }
        "set-status" => {
            let ledger = store.ledger(run.id).unwrap();
            ledger.set_live_status(r#"{"ply": 3}"#.into()).unwrap();
            wait();
        }
        "work" => {
            let ledger = store.ledger(run.id).unwrap();
            work(&ledger, |unit| send(&unit.to_string())).unwrap();
        }
        other => panic!("no task {other}"),
    }
}
