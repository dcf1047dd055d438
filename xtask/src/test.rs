//! `cargo xtask test`: all checks that a change must pass.

use crate::browser;
use crate::tools::{cargo, command_line, works};
use anyhow::{Context, Result};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

/// Environment variable that enables the slow cases: more games, deeper counts, tests that take minutes.
const SLOW: &str = "RUN_SLOW_TESTS";

/// A command of the checks.
struct Step {
    command: Command,
    /// The command that installs the tool, if it may be missing.
    needs: Option<&'static str>,
}

/// Runs every step; with `all`, the slow cases too.
pub(crate) fn run(all: bool) -> Result<ExitCode> {
    browser::ensure_installed()?;
    run_all(steps(all))
}

/// `cargo xtask check-portable`: lints of the code for systems other than Linux, as far as Linux can compile it.
pub(crate) fn check_portable() -> Result<ExitCode> {
    // All crates and targets, as in the lints of `test`, so that the dependencies are compiled already.
    let args = "clippy --workspace --all-targets --features palestra-engine/portable -- -D warnings";
    let mut command = cargo();
    command.args(args.split(' '));
    run_all(vec![Step { command, needs: Some("rustup component add clippy") }])
}

fn run_all(steps: Vec<Step>) -> Result<ExitCode> {
    let mut took = Vec::new();
    for mut step in steps {
        let name = command_line(&step.command);
        println!("--- {name}");
        let began = Instant::now();
        let status = step.command.status().with_context(|| format!("cannot start {name}"))?;
        took.push((name, began.elapsed()));
        if !status.success() {
            if let Some(line) = step.needs.filter(|_| !works(&mut version(&step.command))) {
                eprintln!("error: a tool is missing; type: {line}");
            }
            summary(&took, false);
            // A step that is killed by a signal has no exit code.
            let code = status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1);
            return Ok(ExitCode::from(code));
        }
    }
    summary(&took, true);
    Ok(ExitCode::SUCCESS)
}

fn steps(all: bool) -> Vec<Step> {
    let step = |args: &[&str], needs| {
        let mut command = cargo();
        command.args(args);
        if all {
            command.env(SLOW, "1");
        }
        Step { command, needs }
    };
    // The tidy test is one of the tests. Benches are left out, because they test nothing.
    let tests = if works(cargo().args(["nextest", "--version"])) {
        vec![step(&["nextest", "run", "--workspace"], None)]
    } else {
        // Tests of external engines start an example, which only nextest builds by itself.
        vec![
            step(&["build", "--package", "palestra-engine", "--examples"], None),
            step(&["test", "--workspace", "--lib", "--bins", "--tests"], None),
        ]
    };
    let mut docs = step(&["doc", "--workspace", "--no-deps"], None);
    docs.command.env("RUSTDOCFLAGS", "-D warnings");
    let before = vec![
        step(&["fmt", "--all", "--check"], Some("rustup component add rustfmt")),
        step(
            &["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"],
            Some("rustup component add clippy"),
        ),
    ];
    let mut after = vec![step(&["test", "--workspace", "--doc"], None), docs];
    if all {
        after.push(step(&["xtask", "check-new-game", "--all"], None));
        after.push(step(&["xtask", "check-portable"], None));
    } else {
        after.push(step(&["xtask", "check-new-game"], None));
    }
    after.push(step(&["xtask", "check-own-game"], None));
    before.into_iter().chain(tests).chain(after).collect()
}

/// The same cargo subcommand with `--version`.
fn version(command: &Command) -> Command {
    let mut query = cargo();
    query.args(command.get_args().take(1)).arg("--version");
    query
}

fn summary(took: &[(String, Duration)], passed: bool) {
    println!("---");
    for (i, (name, time)) in took.iter().enumerate() {
        let verdict = if passed || i + 1 < took.len() { "passed" } else { "FAILED" };
        println!("{verdict} {:7.1} s  {name}", time.as_secs_f64());
    }
}
