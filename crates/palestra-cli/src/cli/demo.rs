//! What `palestra` does when asked for nothing: tunes an evaluation of Connect 4, tests the champion, and says what next.

use super::args::{Args, Command, CommonArgs};
use super::output::{Output, note};
use super::{CommandStatus, tune};
use anyhow::Result;
use clap::Parser;

/// With the controls and the other tests about twenty seconds.
const BUDGET: &str = "8s";

pub(super) fn run(common: &CommonArgs, output: &mut Output) -> Result<CommandStatus> {
    let words = [
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
    let Some(Command::Tune(args)) = Args::try_parse_from(words)?.command else {
        unreachable!("the words say tune");
    };
    note(format_args!(
        "Palestra: a training ground for board-game players.\n\
         Looking for weights that make the six features \"lines\" play Connect 4 well, for {BUDGET}; then testing them.\n\
         The same as: {}\n",
        words.join(" ")
    ));
    let done = tune::run(&args, common, output)?;
    if !output.json {
        output.line(
            "  palestra play connect4                   play against the computer, here in the terminal",
        )?;
        output.line("  palestra --help                          the rest")?;
        output.line("\nFrom a clone, `cargo run --release --` stands for `palestra`; `cargo install --path crates/palestra` installs it.")?;
    }
    Ok(done)
}
