//! A program that is its own warden, as palestra is. Tests start players with it; without arguments it measures what
//! starting a player and speaking to it costs.
#![allow(clippy::disallowed_methods, clippy::print_stdout, reason = "an example that measures and prints")]

use palestra_engine::{
    Confinement, Launcher, Process, ProcessSetup, ProgramCommand, ResourceLimits, Transport, run_supervisor,
};
use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["warden", room] => run_supervisor(Path::new(room)),
        ["echo"] => echo(),
        ["hold"] => hold(),
        _ => measure(),
    }
}

/// The player that is measured: it says what it hears.
fn echo() -> ExitCode {
    let mut output = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        if writeln!(output, "{line}").and_then(|()| output.flush()).is_err() {
            break;
        }
    }
    ExitCode::SUCCESS
}

/// Starts a player, says its group and where it may write, and waits to be killed.
fn hold() -> ExitCode {
    let process = first_word(&setup(true));
    println!("{}\n{}", process.group(), process.scratch().display());
    loop {
        std::thread::park();
    }
}

fn setup(confined: bool) -> ProcessSetup {
    let own = std::env::current_exe().expect("a running program has a path");
    ProcessSetup {
        launcher: Launcher::new(&own, "warden"),
        program: ProgramCommand {
            program: own,
            args: vec!["echo".to_owned()],
            folder: PathBuf::from("/"),
            environment: Vec::new(),
        },
        limits: ResourceLimits::default(),
        confinement: confined.then(Confinement::default),
        core: None,
    }
}

fn measure() -> ExitCode {
    for confined in [false, true] {
        let setup = setup(confined);
        let starts = times(30, || drop(first_word(&setup)));
        let mut process = first_word(&setup);
        let turns = times(20_000, || exchange(&mut process));
        let ends = times(30, || drop(first_word(&setup).stop(Duration::from_secs(1))));
        let name = if confined { "confined" } else { "unconfined" };
        for (what, times) in
            [("start, word and kill", starts), ("word and answer", turns), ("start, word and stop", ends)]
        {
            let at = |share: usize| times[(times.len() - 1) * share / 100].as_secs_f64() * 1e6;
            println!(
                "{name}, {what}: median {:.1} us, 90 % under {:.1} us, 99 % under {:.1} us",
                at(50),
                at(90),
                at(99)
            );
        }
    }
    ExitCode::SUCCESS
}

fn first_word(setup: &ProcessSetup) -> Process {
    let mut process = Process::start(setup).expect("the player starts");
    exchange(&mut process);
    process
}

fn exchange(process: &mut Process) {
    let until = Instant::now() + Duration::from_secs(5);
    process.send("position startpos moves 4 4 3", until).expect("the player listens");
    let answer = process.receive(until).expect("the player answers");
    assert_eq!(answer.as_deref(), Some("position startpos moves 4 4 3"));
    // Only what was said lately is of interest here.
    process.take_dialogue();
}

/// How long something takes, from the shortest to the longest.
fn times(n: usize, mut what: impl FnMut()) -> Vec<Duration> {
    let once = |_| {
        let since = Instant::now();
        what();
        since.elapsed()
    };
    let mut times: Vec<Duration> = (0..n).map(once).collect();
    times.sort();
    times
}
