//! What a developer runs: `cargo xtask test` and `cargo xtask bench`.
#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a task runner starts processes, reads clocks and files, and talks to the terminal"
)]

mod bench;
mod counts;
mod report;
mod test;
mod tools;

use std::process::ExitCode;

const USAGE: &str = "\
Usage: cargo xtask COMMAND

Commands:
  test             format, lints, tests, doc tests and docs, in this order; stops at the first failure
  bench [--quick]  measure every benchmark and write docs/benchmarks.md; --quick leaves out the
                   instruction counts, which need valgrind and some minutes

Exit codes: 0 done; that of the failing step; 2 for anything not understood.";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let outcome = match words[..] {
        ["test"] => test::run(),
        ["bench"] => bench::run(true),
        ["bench", "--quick"] => bench::run(false),
        ["help" | "--help" | "-h"] => {
            println!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match outcome {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
