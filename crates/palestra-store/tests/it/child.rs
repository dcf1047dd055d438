//! The other process: this very program, started again for one task.

use crate::support::{key, new_run, work};
use palestra_store::Store;
use std::env;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

const TASK: &str = "PALESTRA_STORE_CHILD";
const FILE: &str = "PALESTRA_STORE_FILE";
const PLAN: &str = "PALESTRA_STORE_PLAN";

/// Lines are as long as this, so that a pipe holds about 256 of them: a child cannot run far ahead of its parent.
const WIDTH: usize = 255;

/// A child at work; it does not outlive its test.
pub(crate) struct Other {
    child: Child,
    lines: BufReader<ChildStdout>,
}

impl Other {
    pub(crate) fn start(task: &str, plan: &str, file: &Path) -> Self {
        let mut child = Command::new(env::current_exe().unwrap())
            .args(["child::this_process_is_the_other_one", "--exact", "--nocapture", "--test-threads=1"])
            .envs([(TASK, task), (PLAN, plan)])
            .env(FILE, file)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap());
        Self { child, lines }
    }

    /// The next word that it says; none when it is gone.
    pub(crate) fn says(&mut self) -> Option<String> {
        let mut line = String::new();
        while self.lines.read_line(&mut line).unwrap() > 0 {
            // Whatever else is in the line comes from the test harness.
            if let Some((_, word)) = line.split_once("child says ") {
                return Some(word.trim().to_owned());
            }
            line.clear();
        }
        None
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Lets it go on after it waited.
    pub(crate) fn go(&mut self) {
        self.child.stdin.take();
    }

    /// Ends it as `kill -9` does, without a word of warning.
    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Whether it ended well.
    pub(crate) fn ends_well(mut self) -> bool {
        self.go();
        while self.says().is_some() {}
        self.child.wait().unwrap().success()
    }
}

impl Drop for Other {
    fn drop(&mut self) {
        // It may be gone already.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

fn say(word: &str) {
    let mut out = io::stdout().lock();
    writeln!(out, "{:<WIDTH$}", format!("child says {word}")).unwrap();
    out.flush().unwrap();
}

/// Waits for the parent's word, or its end.
fn wait() {
    say("ready");
    io::stdin().read_to_end(&mut Vec::new()).unwrap();
}

/// Does nothing in a usual run of the tests; started by another test, it is the process that is watched or killed.
#[test]
fn this_process_is_the_other_one() {
    let Ok(task) = env::var(TASK) else { return };
    let (file, new) = (env::var_os(FILE).unwrap(), new_run(&env::var(PLAN).unwrap()));
    if task == "create" {
        wait();
    }
    let mut store = Store::open(file).unwrap();
    let (run, is_new) = store.find_or_begin_run(&new).unwrap();
    match task.as_str() {
        "create" => say(&format!("{} {is_new}", run.name)),
        "hold" => {
            let _ledger = store.ledger(run.id).unwrap();
            wait();
        }
        "keep" => {
            let ledger = store.ledger(run.id).unwrap();
            ledger.keep_unit(&key(0), 0, vec![1], 1).unwrap();
            wait();
        }
        "tell" => {
            let ledger = store.ledger(run.id).unwrap();
            ledger.set_live_status(r#"{"ply": 3}"#.into()).unwrap();
            wait();
        }
        "work" => {
            let ledger = store.ledger(run.id).unwrap();
            work(&ledger, |unit| say(&unit.to_string())).unwrap();
        }
        other => panic!("no task {other}"),
    }
}
