//! `palestra serve` as a process.

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

pub(super) struct Site {
    server: Child,
    /// Folder of the test, with the store.
    pub(super) folder: PathBuf,
    /// Address of the home page, such as `http://127.0.0.1:1234/`.
    pub(super) home: String,
}

impl Site {
    /// Starts a server on a free port, with the store of a folder, which need not exist yet.
    pub(super) fn start(folder: &Path) -> Site {
        let (server, home) = serve(folder, "127.0.0.1:0");
        Site { server, folder: folder.to_owned(), home }
    }

    /// The address of a path of the site.
    pub(super) fn at(&self, path: &str) -> String {
        format!("{}{}", self.home, path.trim_start_matches('/'))
    }

    /// Kills the server with SIGKILL.
    pub(super) fn kill(&mut self) {
        self.server.kill().unwrap();
        self.server.wait().unwrap();
    }

    /// Starts another server at the address of the killed one.
    pub(super) fn start_again(&mut self) {
        let address = self.home.trim_start_matches("http://").trim_end_matches('/').to_owned();
        (self.server, self.home) = serve(&self.folder, &address);
    }

    /// A command line with the same store.
    pub(super) fn palestra(&self, line: &str) -> Command {
        command(&self.folder, &line.split(' ').collect::<Vec<_>>())
    }

    /// Runs a command line with the same store; it must succeed.
    pub(super) fn run(&self, line: &str) {
        let output = self.palestra(line).stdin(Stdio::null()).output().unwrap();
        assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
    }

    /// The objects that a command line prints with `--json`, one per line.
    pub(super) fn rows(&self, line: &str) -> Vec<Value> {
        let output = self.palestra(line).arg("--json").stdin(Stdio::null()).output().unwrap();
        assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8(output.stdout).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        // On SIGTERM the server also stops the runs that it started.
        let pid = Pid::from_raw(i32::try_from(self.server.id()).unwrap()).unwrap();
        if matches!(self.server.try_wait(), Ok(None)) && kill_process(pid, Signal::TERM).is_ok() {
            let began = Instant::now();
            while matches!(self.server.try_wait(), Ok(None)) && began.elapsed() < Duration::from_secs(30) {
                std::thread::sleep(Duration::from_millis(10));
            }
        }
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// The binary, with the store of a folder.
pub(super) fn command(folder: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_palestra"));
    // Tests must not use the user's cache.
    command.env("PALESTRA_CACHE", Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache"));
    command.args(words).arg("--store").arg(folder.join("palestra.db")).current_dir(folder);
    command
}

fn serve(folder: &Path, address: &str) -> (Child, String) {
    let mut server = command(folder, &["serve", "--listen", address, "--no-browser", "--json"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut said = String::new();
    BufReader::new(server.stdout.take().unwrap()).read_line(&mut said).unwrap();
    let said: Value = serde_json::from_str(&said).unwrap_or_else(|_| panic!("the server said {said:?}"));
    (server, said["address"].as_str().unwrap().to_owned())
}
