//! `palestra` without a command: tunes an evaluation of Connect 4, tests the champion and prints next steps.

use super::args::{Args, Command, CommonArgs};
use super::output::{Output, note};
use super::{CommandStatus, tune};
use anyhow::Result;
use clap::Parser;

/// Time for training; with the controls and other tests the command takes about twenty seconds.
const BUDGET: &str = "8s";

/// Commands for a new user, printed after those for the new run.
const NEXT_STEPS: [(&str, &str); 3] = [
    ("palestra serve", "watch the run and play in a browser"),
    ("palestra play connect4", "play against the computer in the terminal"),
    ("palestra --help", "list all commands"),
];

pub(super) fn run(common: &CommonArgs, output: &mut Output) -> Result<CommandStatus> {
    let line = [
        "palestra",
        "tune",
        "connect4",
        "--features",
        "lines",
        "--method",
        "cmaes",
        "--pairs",
        "8",
        "--budget",
        BUDGET,
    ];
    let Some(Command::Tune(args)) = Args::try_parse_from(line)?.command else {
        unreachable!("the line says tune");
    };
    note(format_args!(
        "Palestra: a training ground for board-game players.\n\
         Tunes the six weights of the evaluation \"lines\" on Connect 4 for {BUDGET}, then tests the champion.\n\
         The same as: {}\n",
        line.join(" ")
    ));
    let done = tune::run(&args, common, output)?;
    if !output.json {
        for (command, about) in NEXT_STEPS {
            output.line(format_args!("  {command:<40} {about}"))?;
        }
        output.line("\nIn a clone: `cargo run --release --` instead of `palestra`; `cargo install --path crates/palestra` installs it.")?;
    }
    Ok(done)
}
