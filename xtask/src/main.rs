//! What a developer runs: `cargo xtask test`, `check`, `run`, `new-game`, `bench` and `dist`.
#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a task runner starts processes, reads clocks and files, and talks to the terminal"
)]

mod bench;
mod browser;
mod check;
mod counts;
mod dist;
mod new_game;
mod report;
mod test;
mod tools;

use std::process::ExitCode;

const USAGE: &str = "\
Usage: cargo xtask COMMAND

Commands:
  check GAME           the conformance kit and the game's own tests; compiles core, games and the kit
  run GAME COMMAND…    any command of palestra with this game alone, as: run connect play connect4
  test [--all]         format, lints, tests, doc tests, docs and check-new-game, in this order; stops
                       at the first failure; as root it installs Chromium for the tests of the page
                       (apt); --all adds the slow cases
  new-game NAME        make a small playable game in crates/palestra-games/src/NAME, registered and
                       passing the conformance kit, for you to replace; NAME is a lower-case word
  check-new-game [--all]
                       make one in a copy of the source tree and test it there; --all plays it, too;
                       with PALESTRA_BLESS set its recorded game is kept in xtask/skeleton
  check-portable       the lints with what systems other than Linux get
  bench [--quick] [--long] [--against BINARY]
                       measure every benchmark and write docs/benchmarks.md; --quick leaves out the
                       instruction counts, which need valgrind and some minutes; --long adds the
                       cases that take minutes; --against measures another build in the same run
  dist [--profile NAME]
                       build what is handed out, into dist/palestra-VERSION of the target folder:
                       static programs with manual pages and completions as an archive and a .deb, a
                       Containerfile, and SHA256SUMS; another profile than dist, such as dev, is for
                       trying the packing

Exit codes: 0 done; that of the failing step; 2 for anything not understood.";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let outcome = match words[..] {
        ["check", game] => check::run(game),
        ["run", game, ref words @ ..] => check::run_program(game, words),
        ["test"] => test::run(false),
        ["test", "--all"] => test::run(true),
        ["new-game", name] => new_game::run(name),
        ["check-new-game"] => new_game::check(false),
        ["check-new-game", "--all"] => new_game::check(true),
        ["check-portable"] => test::check_portable(),
        ["bench", ref words @ ..] => match bench::Options::parse(words) {
            Some(options) => bench::run(&options),
            None => {
                eprintln!("{USAGE}");
                return ExitCode::from(2);
            }
        },
        ["dist"] => dist::run(dist::PROFILE),
        ["dist", "--profile", profile] => dist::run(profile),
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
            let bad_input = error.is::<new_game::BadName>() || error.is::<check::UnknownGame>();
            if bad_input { ExitCode::from(2) } else { ExitCode::FAILURE }
        }
    }
}
