//! What a developer runs: `cargo xtask test`, `cargo xtask new-game` and `cargo xtask bench`.
#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a task runner starts processes, reads clocks and files, and talks to the terminal"
)]

mod bench;
mod browser;
mod counts;
mod new_game;
mod report;
mod test;
mod tools;

use std::process::ExitCode;

const USAGE: &str = "\
Usage: cargo xtask COMMAND

Commands:
  test             format, lints, tests, doc tests, docs and check-new-game, in this order; stops at
                   the first failure; as root it installs Chromium for the tests of the page (apt)
  new-game NAME    make a small playable game in crates/palestra-games/src/NAME, registered and
                   passing the conformance kit, for you to replace; NAME is a lower-case word
  check-new-game   make one in a copy of the source tree and test it there; with PALESTRA_BLESS set
                   its recorded game is made anew and kept in xtask/skeleton
  bench [--quick]  measure every benchmark and write docs/benchmarks.md; --quick leaves out the
                   instruction counts, which need valgrind and some minutes

Exit codes: 0 done; that of the failing step; 2 for anything not understood.";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let outcome = match words[..] {
        ["test"] => test::run(),
        ["new-game", name] => new_game::run(name),
        ["check-new-game"] => new_game::check(),
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
            if error.is::<new_game::BadName>() { ExitCode::from(2) } else { ExitCode::FAILURE }
        }
    }
}
