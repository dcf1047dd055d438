//! `palestra engine check`: the full pre-flight check of an external engine.

use super::args::CommonArgs;
use super::args_event::CheckPlayerArgs;
use super::check_terms::{self, CheckTerms};
use super::output::{Output, note_old_names};
use super::tournament::{sandbox_of, store_files};
use super::{CommandStatus, ENGINE_FAILED, interrupt};
use crate::games;
use anyhow::Result;
use palestra_core::InputError;
use palestra_engine::{CheckResult, PreflightError, PreflightReport, ProgramSpec, Speaker, full_check};
use palestra_review::event::text::plain;
use serde_json::json;

/// Lines of the dialogue and of standard error that are shown.
const SHOWN: usize = 20;

pub(super) fn run(args: &CheckPlayerArgs, common: &CommonArgs, output: &mut Output) -> Result<CommandStatus> {
    let game = games().open(&args.game)?;
    if !ProgramSpec::is_program_text(&args.player) {
        let expected = "an external engine: cmd:PROGRAM ARGUMENTS";
        return Err(InputError::new("player", &args.player, expected).into());
    }
    let program: ProgramSpec = args.player.parse()?;
    let (control, limits_of_plan) = check_terms::read(args.plan.as_deref(), &args.programs)?;
    let protocol = program.load()?;
    note_old_names(protocol.notices());
    protocol.check(&game.name(), false, &program.options)?;
    let stop = interrupt::flag()?;
    let mut sandbox = sandbox_of(&limits_of_plan, &args.programs.sandbox, store_files(common), &stop)?;
    if let Some(confinement) = &mut sandbox.confinement {
        confinement.shown.extend(program.own_files());
    }
    let terms = CheckTerms { control, limits: sandbox.limits.clone() };
    let report = match full_check(game.as_ref(), &program, &sandbox, &control) {
        Ok(report) => report,
        _ if stop.is_canceled() => return Ok(CommandStatus::Interrupted),
        Err(PreflightError::Bad(bad)) => return Err(bad.into()),
        Err(PreflightError::Internal(why)) => return Err(anyhow::anyhow!(why)),
    };
    if output.json {
        let mut value = serde_json::to_value(&report)?;
        value["player"] = json!(args.player);
        value["game"] = json!(game.name());
        value["fit"] = json!(report.is_passed());
        terms.add_to(&mut value);
        output.json(&value)?;
    } else {
        output.heading(&format!("{} on {}", args.player, game.name()))?;
        print(&report, &terms, output)?;
    }
    Ok(if report.is_passed() { CommandStatus::Completed } else { CommandStatus::Code(ENGINE_FAILED) })
}

fn print(report: &PreflightReport, terms: &CheckTerms, output: &mut Output) -> Result<()> {
    output.line(terms.text())?;
    for line in check_lines(report, output.color) {
        output.line(line)?;
    }
    let odd = report.checks.iter().filter(|check| check.grade == CheckResult::Odd).count();
    output.line(match (report.complaint(), odd) {
        (Some(check), _) => format!("\nFAILED: {}.", check.name),
        (None, 0) => "\npassed.".to_owned(),
        (None, _) => "\npassed; what is marked odd loses no game, but should be looked at.".to_owned(),
    })
}

/// The checks of a report, the dialogue of the one that failed, and the end of standard error. What a program wrote has
/// no control characters any more.
pub(super) fn check_lines(report: &PreflightReport, has_color: bool) -> Vec<String> {
    let mut lines = Vec::new();
    for check in &report.checks {
        let (sign, color) = match check.grade {
            CheckResult::Good => ("ok  ", 32),
            CheckResult::Odd => ("odd ", 33),
            CheckResult::Bad => ("BAD ", 31),
        };
        let sign = if has_color { format!("\x1b[{color}m{sign}\x1b[0m") } else { sign.to_owned() };
        lines.push(format!("  {sign} {}: {}", check.name, plain(&check.words)));
    }
    if report.complaint().is_some() && !report.dialogue.is_empty() {
        lines.push("\nlast lines of the dialogue (→ to the engine, ← from it):".to_owned());
        for line in report.dialogue.iter().skip(report.dialogue.len().saturating_sub(SHOWN)) {
            let arrow = if line.by == Speaker::Palestra { "→" } else { "←" };
            lines.push(format!("  {arrow} {}", plain(&line.text)));
        }
    }
    if !report.stderr.is_empty() {
        lines.push("\nlast lines of its standard error:".to_owned());
        let last = report.stderr.lines().rev().take(SHOWN).collect::<Vec<_>>();
        lines.extend(last.into_iter().rev().map(|line| format!("  {}", plain(line))));
    }
    lines
}
