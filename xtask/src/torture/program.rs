//! Starting the program, with a limit on its time and memory.

use anyhow::{Context, Result};
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// After this long the program is asked to stop, as with Ctrl-C.
const PATIENCE: Duration = Duration::from_secs(10);
/// After this much longer it hangs.
const GRACE: Duration = Duration::from_secs(30);
/// Most address space of a program: more is a failure of the program, not of the machine.
const MOST_BYTES: &str = "8589934592";

/// How the program ended.
pub(crate) struct Ended {
    pub(crate) code: Option<i32>,
    pub(crate) signal: Option<i32>,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: String,
    /// It was asked to stop after a while.
    pub(crate) stopped: bool,
    /// It did not stop, and was killed.
    pub(crate) hung: bool,
}

impl Ended {
    /// What is wrong whatever the program was asked for: a panic, a signal, or no end.
    pub(crate) fn fault(&self) -> Option<String> {
        let said = first_line(&self.stderr);
        if self.hung {
            return Some(format!("did not end: {said}"));
        }
        if self.stderr.contains("panicked at") || self.code == Some(101) {
            return Some(format!("panic: {said}"));
        }
        // Asked to stop, it may end by that signal.
        let signal = self.signal.filter(|signal| !(self.stopped && *signal == 2));
        signal.map(|signal| format!("ended by signal {signal}: {said}"))
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.stdout).into_owned()
    }

    /// Code and message, for a failure.
    pub(crate) fn shown(&self) -> String {
        let code = self.code.map_or("no exit code".to_owned(), |code| format!("exit code {code}"));
        format!("{code}, {:?}", first_line(&self.stderr))
    }
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().chars().take(300).collect()
}

/// A program in a place, with its outputs in files beside the place.
pub(crate) struct Program<'a> {
    pub(crate) binary: &'a Path,
    pub(crate) place: &'a Path,
    wrapper: Vec<OsString>,
    pub(crate) stdin: Option<&'a [u8]>,
    pub(crate) patience: Duration,
}

impl<'a> Program<'a> {
    pub(crate) fn new(binary: &'a Path, place: &'a Path) -> Program<'a> {
        Program { binary, place, wrapper: Vec::new(), stdin: None, patience: PATIENCE }
    }

    /// For work that must come to its end, however busy the machine.
    pub(crate) fn patient(mut self) -> Program<'a> {
        self.patience = Duration::from_secs(300);
        self
    }

    /// This program with commands before it, such as `strace` with its options.
    pub(crate) fn wrapped<S: Into<OsString>>(&self, wrapper: impl IntoIterator<Item = S>) -> Program<'a> {
        Program { wrapper: wrapper.into_iter().map(Into::into).collect(), ..*self }
    }

    fn beside(&self, what: &str) -> PathBuf {
        let name = self.place.file_name().unwrap_or_default().to_string_lossy().into_owned();
        self.place.with_file_name(format!("{name}.{what}"))
    }

    /// Starts it; it runs in a process group of its own.
    pub(crate) fn start<S: AsRef<OsStr>>(&self, words: &[S]) -> Result<Child> {
        let mut line: Vec<OsString> =
            vec!["prlimit".into(), format!("--as={MOST_BYTES}").into(), "--".into()];
        line.extend(self.wrapper.iter().cloned());
        line.push(self.binary.into());
        line.extend(words.iter().map(|word| word.as_ref().to_owned()));
        let stdin = match self.stdin {
            Some(bytes) => {
                fs::write(self.beside("stdin"), bytes)?;
                File::open(self.beside("stdin"))?.into()
            }
            None => Stdio::null(),
        };
        Command::new(&line[0])
            .args(&line[1..])
            .current_dir(self.place)
            .env_remove("PALESTRA_TOKEN")
            .env("PALESTRA_CACHE", self.beside("cache"))
            .env("COLUMNS", "100")
            .stdin(stdin)
            .stdout(File::create(self.beside("stdout"))?)
            .stderr(File::create(self.beside("stderr"))?)
            .spawn()
            .context("cannot start prlimit (Debian: util-linux)")
    }

    /// Waits for the end, and reads what it said.
    pub(crate) fn finish(&self, mut child: Child) -> Result<Ended> {
        let mut ended = Ended {
            code: None,
            signal: None,
            stdout: Vec::new(),
            stderr: String::new(),
            stopped: false,
            hung: false,
        };
        let mut status = wait(&mut child, self.patience)?;
        if status.is_none() {
            ended.stopped = true;
            signal("INT", child.id())?;
            status = wait(&mut child, GRACE)?;
        }
        if status.is_none() {
            ended.hung = true;
            child.kill()?;
            status = Some(child.wait()?);
        }
        (ended.code, ended.signal) = status.map_or((None, None), |status| (status.code(), status.signal()));
        ended.stdout = fs::read(self.beside("stdout"))?;
        ended.stderr = String::from_utf8_lossy(&fs::read(self.beside("stderr"))?).into_owned();
        for what in ["stdin", "stdout", "stderr"] {
            let _ = fs::remove_file(self.beside(what));
        }
        let _ = fs::remove_dir_all(self.beside("cache"));
        Ok(ended)
    }

    pub(crate) fn run<S: AsRef<OsStr>>(&self, words: &[S]) -> Result<Ended> {
        self.finish(self.start(words)?)
    }
}

/// Waits for at most this long.
pub(crate) fn wait(child: &mut Child, most: Duration) -> Result<Option<ExitStatus>> {
    let began = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if began.elapsed() >= most {
            return Ok(None);
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

pub(crate) fn signal(name: &str, process: u32) -> Result<()> {
    Command::new("kill")
        .args([format!("-{name}"), process.to_string()])
        .status()
        .context("cannot start kill")?;
    Ok(())
}

/// Names of the files in a folder, sorted.
pub(crate) fn names_in(folder: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        names.push(entry?.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    Ok(names)
}
