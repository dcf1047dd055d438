//! A program that is its own supervisor, as `palestra` is. Tests start engines with it; without arguments it measures
//! the time to start an engine and to exchange lines with it.
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
        ["warden", work_dir] => run_supervisor(Path::new(work_dir)),
        ["echo"] => echo(),
        ["hold"] => hold(),
        _ => measure(),
    }
}

/// The engine that is measured: it sends back every line.
fn echo() -> ExitCode {
    let mut output = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        if writeln!(output, "{line}").and_then(|()| output.flush()).is_err() {
            break;
        }
    }
    ExitCode::SUCCESS
}

/// Starts an engine, prints its process group and scratch folder, and waits to be killed.
fn hold() -> ExitCode {
    let process = start_and_exchange(&setup(true));
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
        let kills = times(30, || drop(start_and_exchange(&setup)));
        let mut process = start_and_exchange(&setup);
        let exchanges = times(20_000, || exchange(&mut process));
        let stops = times(30, || drop(start_and_exchange(&setup).stop(Duration::from_secs(1))));
        let name = if confined { "confined" } else { "unconfined" };
        for (what, times) in
            [("start, exchange, kill", kills), ("exchange", exchanges), ("start, exchange, stop", stops)]
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

fn start_and_exchange(setup: &ProcessSetup) -> Process {
    let mut process = Process::start(setup).expect("the engine starts");
    exchange(&mut process);
    process
}

fn exchange(process: &mut Process) {
    let until = Instant::now() + Duration::from_secs(5);
    process.send("position startpos moves 4 4 3", until).expect("the engine reads");
    let answer = process.receive(until).expect("the engine answers");
    assert_eq!(answer.as_deref(), Some("position startpos moves 4 4 3"));
    // Keeps the log small, so that it does not influence the measurement.
    process.take_dialogue();
}

/// The durations of `n` calls, in ascending order.
fn times(n: usize, mut call: impl FnMut()) -> Vec<Duration> {
    let once = |_| {
        let since = Instant::now();
        call();
        since.elapsed()
    };
    let mut times: Vec<Duration> = (0..n).map(once).collect();
    times.sort();
    times
}
