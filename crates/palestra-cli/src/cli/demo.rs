//! `palestra` without a command: tunes an evaluation of the first game, Connect 4, tests the champion and prints next
//! steps.

use super::args::{Args, Command, CommonArgs};
use super::output::{Output, note};
use super::{CommandStatus, tune};
use crate::games;
use anyhow::Result;
use clap::Parser;
use palestra_arena::program_name;
use palestra_core::InputError;

/// Time for training; with the controls and other tests the command takes about twenty seconds.
const BUDGET: &str = "8s";

pub(super) fn run(common: &CommonArgs, output: &mut Output) -> Result<CommandStatus> {
    let program = program_name();
    let game = games().default_game();
    let evaluations = games().open(game)?.evaluations();
    let linear = evaluations.iter().find(|evaluation| evaluation.linear && !evaluation.weights().is_empty());
    let Some(evaluation) = linear else {
        let reason = format!("{game} has no evaluation with weights to tune; see {program} --help");
        return Err(InputError::not_allowed(format!("{program} without a command"), reason).into());
    };
    let name = evaluation.name;
    let words = [program, "tune", game, "--features", name, "--method", "cmaes", "--pairs", "8", "--budget"];
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
        for (command, about) in [
            (format!("{program} serve"), "watch the run and play in a browser"),
            (format!("{program} play {game}"), "play against the computer in the terminal"),
            (format!("{program} --help"), "list all commands"),
        ] {
            output.line(format_args!("  {command:<40} {about}"))?;
        }
        let (place, folder) = match program {
            "palestra" => ("In a clone", "crates/palestra"),
            _ => ("In the folder of the program", "."),
        };
        output.line(format_args!(
            "\n{place}: `cargo run --release --` instead of `{program}`; `cargo install --path {folder}` installs it."
        ))?;
    }
    Ok(done)
}
