//! `palestra` without a command: tunes an evaluation of the first game, Connect 4, tests the champion and prints next
//! steps.

use super::args::{Args, Command, CommonArgs};
use super::output::{Output, note};
use super::{CommandStatus, tune};
use crate::games;
use anyhow::Result;
use clap::Parser;
use palestra_core::InputError;

/// Time for training; with the controls and other tests the command takes about twenty seconds.
const BUDGET: &str = "8s";

pub(super) fn run(common: &CommonArgs, output: &mut Output) -> Result<CommandStatus> {
    let game = games().default_game();
    let evaluations = games().open(game)?.evaluations();
    let linear = evaluations.iter().find(|evaluation| evaluation.linear && !evaluation.weights().is_empty());
    let Some(evaluation) = linear else {
        let reason = format!("{game} has no evaluation with weights to tune; see palestra --help");
        return Err(InputError::not_allowed("palestra without a command", reason).into());
    };
    let name = evaluation.name;
    let words =
        ["palestra", "tune", game, "--features", name, "--method", "cmaes", "--pairs", "8", "--budget"];
    let line = [&words[..], &[BUDGET]].concat();
    let Some(Command::Tune(args)) = Args::try_parse_from(&line)?.command else {
        unreachable!("the line says tune");
    };
    note(format_args!(
        "Palestra: a training ground for board-game players.\n\
         Tunes the {} weights of the evaluation {name:?} on {game} for {BUDGET}, then tests the champion.\n\
         The same as: {}\n",
        evaluation.weights().len(),
        line.join(" ")
    ));
    let done = tune::run(&args, common, output)?;
    if !output.json {
        let play = format!("palestra play {game}");
        for (command, about) in [
            ("palestra serve", "watch the run and play in a browser"),
            (&*play, "play against the computer in the terminal"),
            ("palestra --help", "list all commands"),
        ] {
            output.line(format_args!("  {command:<40} {about}"))?;
        }
        output.line("\nIn a clone: `cargo run --release --` instead of `palestra`; `cargo install --path crates/palestra` installs it.")?;
    }
    Ok(done)
}
