//! Developer tasks: `cargo xtask test`, `check`, `run`, `new-game`, `bench`, `torture` and `dist`.
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
mod own_game;
mod report;
mod test;
mod tools;
mod torture;

use std::process::ExitCode;

const USAGE: &str = "\
Usage: cargo xtask COMMAND

Commands:
  check GAME           run the conformance kit and the game's own tests; compiles core, games and kit
  run GAME COMMAND…    run a command of palestra with this game alone: run connect play connect4
  test [--all]         run format, lints, tests, doc tests, docs, check-new-game and check-own-game, in
                       this order, up to the first failure; as root, install Chromium for the tests of the page
                       (apt); --all adds the slow cases
  new-game NAME        create a small playable game in crates/palestra-games/src/NAME, registered and
                       passing the conformance kit, as a template; NAME is a lower-case word
  check-new-game [--all]
                       create a game in a copy of the source tree and test it there; --all also plays
                       it; with PALESTRA_BLESS set, its recorded game is copied to xtask/skeleton
  check-own-game       run the tests of examples/own-game, a game in a crate of its own
  check-portable       run the lints on the code for systems other than Linux
  bench [--quick] [--long] [--against BINARY]
                       run all benchmarks and write docs/benchmarks.md; --quick leaves out the
                       instruction counts, which need valgrind and some minutes; --long adds the
                       cases that take minutes; --against measures another build in the same run
  torture [PART…] [--seed N] [--quick] [--only CASE] [--binary PATH]
                       bad input, faults and load for minutes, all parts or some: inputs, stores,
                       kills, requests, calls; --quick runs a tenth of the cases, --only one case of one
                       part; builds the program unless --binary names one
  dist [--profile NAME]
                       build the release files in dist/palestra-VERSION of the target folder: static
                       programs with manual pages and completions as an archive and a .deb, a
                       Containerfile and SHA256SUMS; a profile other than dist, such as dev, is for
                       testing the packaging

Exit codes: 0 done; the exit code of the failing step; 2 invalid arguments.";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let outcome = match args[..] {
        ["check", game] => check::run(game),
        ["run", game, ref args @ ..] => check::run_program(game, args),
        ["test"] => test::run(false),
        ["test", "--all"] => test::run(true),
        ["new-game", name] => new_game::run(name),
        ["check-new-game"] => new_game::check(false),
        ["check-new-game", "--all"] => new_game::check(true),
        ["check-own-game"] => own_game::check(),
        ["check-portable"] => test::check_portable(),
        ["bench", ref args @ ..] => match bench::Options::parse(args) {
            Some(options) => bench::run(&options),
            None => {
                eprintln!("{USAGE}");
                return ExitCode::from(2);
            }
        },
        ["torture", ref args @ ..] => match torture::Options::parse(args) {
            Some(options) => torture::run(&options),
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
