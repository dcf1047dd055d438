//! Runs the binary and finds the source tree.

use assert_cmd::Command;
use serde_json::Value;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Result of a run of the binary.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// The binary in a fixed environment, independent of the user's.
pub(crate) fn command<S: AsRef<OsStr>>(words: &[S]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_palestra"));
    command.args(words).env_remove("NO_COLOR").env("COLUMNS", "100");
    // Tests must not use the user's cache.
    command.env("PALESTRA_CACHE", Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache"));
    // Far more than any command here takes: a run that waits for a terminal must fail, not hang.
    command.timeout(Duration::from_secs(120));
    command
}

pub(crate) fn finish(command: &mut Command) -> Ran {
    let output = command.output().unwrap();
    let [stdout, stderr] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    Ran { code: output.status.code(), stdout, stderr }
}

pub(crate) fn run<S: AsRef<OsStr>>(words: &[S]) -> Ran {
    finish(&mut command(words))
}

/// Standard output of a command line without quotes, which must succeed and print nothing on standard error.
pub(crate) fn say(line: &str) -> String {
    let ran = run(&line.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>());
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{line}");
    ran.stdout
}

/// The objects that a command prints with `--json`, one per line.
pub(crate) fn objects(line: &str) -> Vec<Value> {
    let text = say(&format!("{line} --json"));
    assert!(text.ends_with('\n'), "{line}");
    let read = |line| serde_json::from_str::<Value>(line).unwrap();
    let values: Vec<Value> = text.lines().map(read).collect();
    assert!(values.iter().all(Value::is_object), "{line}");
    values
}

/// Creates an empty folder for a test.
pub(crate) fn empty_folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Names of the entries of a folder, sorted.
pub(crate) fn names_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// The workspace folder, as cargo reports it at run time: it may have moved since the build.
pub(crate) fn workspace() -> PathBuf {
    let here = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    Path::new(&here).ancestors().nth(2).unwrap().to_owned()
}

/// Whether slow cases are run (`RUN_SLOW_TESTS`).
pub(crate) fn slow() -> bool {
    std::env::var_os("RUN_SLOW_TESTS").is_some()
}
