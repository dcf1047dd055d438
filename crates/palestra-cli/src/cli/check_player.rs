//! `palestra check-player`: a program before it is handed in.

use super::args::CommonArgs;
use super::args_event::CheckPlayerArgs;
use super::output::Output;
use super::tournament::{room_of, store_files};
use super::{CommandStatus, interrupt};
use crate::games;
use anyhow::Result;
use palestra_core::InputError;
use palestra_engine::{
    CheckResult, PreflightError, PreflightReport, ProgramSpec, ProtocolSpec, Speaker, TimeControl, full_check,
};
use serde_json::json;

/// It is not fit to play.
const UNFIT: u8 = 3;

/// Lines of a dialogue that are shown.
const SHOWN: usize = 20;

pub(super) fn run(args: &CheckPlayerArgs, common: &CommonArgs, output: &mut Output) -> Result<CommandStatus> {
    let game = games().open(&args.game)?;
    if !ProgramSpec::is_program_text(&args.player) {
        let expected = "a program: cmd:PROGRAM ARGUMENTS";
        return Err(InputError::new("player", &args.player, expected).into());
    }
    let program: ProgramSpec = args.player.parse()?;
    let control: TimeControl = args.clock.parse()?;
    program.protocol.parse::<ProtocolSpec>()?.load()?.check(&game.name(), false, &program.options)?;
    let stop = interrupt::flag()?;
    let mut room = room_of(&args.room, store_files(common), &stop)?;
    if let Some(confinement) = &mut room.confinement {
        confinement.shown.extend(program.own_files());
    }
    let trial = match full_check(game.as_ref(), &program, &room, &control) {
        Ok(trial) => trial,
        Err(PreflightError::Bad(bad)) => return Err(bad.into()),
        Err(PreflightError::Internal(why)) => return Err(anyhow::anyhow!(why)),
    };
    if output.json {
        let mut value = serde_json::to_value(&trial)?;
        value["player"] = json!(args.player);
        value["game"] = json!(game.name());
        value["fit"] = json!(trial.is_passed());
        output.json(&value)?;
    } else {
        print(&trial, &args.player, &game.name(), output)?;
    }
    Ok(if trial.is_passed() { CommandStatus::Completed } else { CommandStatus::Code(UNFIT) })
}

fn print(trial: &PreflightReport, player: &str, game: &str, output: &mut Output) -> Result<()> {
    output.heading(&format!("{player} on {game}"))?;
    for check in &trial.checks {
        let (sign, color) = match check.grade {
            CheckResult::Good => ("ok  ", 32),
            CheckResult::Odd => ("odd ", 33),
            CheckResult::Bad => ("BAD ", 31),
        };
        let sign = if output.color { format!("\x1b[{color}m{sign}\x1b[0m") } else { sign.to_owned() };
        output.line(format_args!("  {sign} {}: {}", check.name, check.words))?;
    }
    if trial.complaint().is_some() && !trial.dialogue.is_empty() {
        output.line("\nwhat was said at the end (→ to the program, ← from it):")?;
        for said in trial.dialogue.iter().skip(trial.dialogue.len().saturating_sub(SHOWN)) {
            let arrow = if said.by == Speaker::Palestra { "→" } else { "←" };
            output.line(format_args!("  {arrow} {}", said.text))?;
        }
    }
    if !trial.stderr.is_empty() {
        output.line("\nwhat it wrote to standard error, at the end:")?;
        for line in trial.stderr.lines().rev().take(SHOWN).collect::<Vec<_>>().into_iter().rev() {
            output.line(format_args!("  {line}"))?;
        }
    }
    let odd = trial.checks.iter().filter(|check| check.grade == CheckResult::Odd).count();
    output.line(match (trial.complaint(), odd) {
        (Some(check), _) => format!("\nNOT FIT to play: {}.", check.name),
        (None, 0) => "\nfit to play.".to_owned(),
        (None, _) => "\nfit to play; it would lose no game by what is odd, but have a look.".to_owned(),
    })
}
