//! `palestra engine replay`: replays a game in which an engine failed.

use super::sandbox;
use crate::cli::args::CommonArgs;
use crate::cli::args_event::ReplayFailureArgs;
use crate::cli::output::Output;
use crate::cli::{CommandStatus, interrupt, store};
use crate::games;
use anyhow::Result;
use palestra_arena::Forfeit;
use palestra_core::{InputError, Side};
use palestra_engine::{EngineLog, ExternalEngine, FaultKind, PlayError, ProgramSpec, Speaker};
use palestra_review::event::text::plain;
use palestra_review::event::{EventEntrants, control_of, read_stored};
use palestra_store::{EventGame, EventPlace};
use serde_json::json;

/// Exit code when the engine did something else this time.
const DIFFERENT: u8 = 1;

pub(in crate::cli) fn run(
    args: &ReplayFailureArgs,
    common: &CommonArgs,
    output: &mut Output,
) -> Result<CommandStatus> {
    let store = store::open_for_reading(common)?;
    let (run, stored) = store.event_game(args.game)?;
    let Some(Forfeit { culprit, kind, detail }) = &stored.game.record.forfeit else {
        let expected = "the number of a forfeited game (palestra event NAME --games lists them)";
        return Err(InputError::new("game", args.game.to_string(), expected).into());
    };
    let run = store.run(&run.0.to_string())?;
    let (plan, keys) = read_stored(&run, games())?;
    let name = stored.place.name(*culprit);
    let text = if *culprit == Side::First { &stored.game.first } else { &stored.game.second };
    let program: ProgramSpec = text.parse()?;
    let is_changed =
        keys.iter().any(|(known, key)| known == name && program.content_key().is_ok_and(|now| now != *key));
    let field = EventEntrants::of(&plan, games().open(&stored.game.game)?.as_ref(), Some(&keys))?;
    let stop = interrupt::flag()?;
    let mut replay_sandbox = sandbox::of_event(&plan.program_limits, &args.sandbox, &field, common, &stop)?;
    if let Some(confinement) = &mut replay_sandbox.confinement {
        confinement.shown.extend(program.own_files());
    }
    let mut engine = ExternalEngine::new(&program, &replay_sandbox, None)?;
    let original = stored.game.record.evidence.as_ref();
    let original = original.map_or_else(EngineLog::default, |evidence| evidence.log(*culprit).clone());
    let control = control_of(&plan)?;
    let kind_then = FaultKind::named(kind);
    let is_handshake = kind_then == Some(FaultKind::Handshake);
    let wait = match (is_handshake, is_in_output(kind_then)) {
        (true, _) => Some(replay_sandbox.startup),
        (_, true) => None,
        _ => Some(control.budget(control.game).unwrap_or(replay_sandbox.startup) + control.margin),
    };
    let (fault, log) = match engine.replay_dialogue(&original.dialogue, wait) {
        Ok(replayed) => replayed,
        Err(PlayError::Fault(fault)) => (Some(fault), EngineLog::default()),
        Err(PlayError::Internal(why)) => return Err(anyhow::anyhow!(why)),
    };
    let is_same = match &fault {
        Some(fault) if Some(fault.kind) == kind_then => true,
        // A missing handshake shows as a timeout here.
        Some(fault) if is_handshake => fault.kind == FaultKind::Time,
        // The fault was in the output and not in how the engine ended: then the output must be the same.
        _ => is_in_output(kind_then) && last_output(&original) == last_output(&log),
    };
    if output.json {
        output.json(&json!({
            "game": stored.id, "player": name, "command": text,
            "then": { "fault": kind, "detail": detail },
            "now": fault, "same": is_same, "changed": is_changed,
            "dialogue": log.dialogue, "stderr": log.stderr,
        }))?;
    } else {
        print(&stored, (name, text), &log, output)?;
        if is_changed {
            output.line("the files of the engine have changed since the event")?;
        }
        let then = format!("{kind}: {detail}");
        match fault {
            Some(fault) if is_same => output.line(format_args!("{name} failed in the same way: {fault}"))?,
            // The same output as in the event, which the referee would refuse again.
            None if is_same => output.line(format_args!("{name} failed in the same way: {then}"))?,
            Some(fault) => {
                output.line(format_args!("{name} failed in another way: {fault} (in the event {then})"))?;
            }
            None => output.line(format_args!("{name} did not fail (in the event {then})"))?,
        }
    }
    Ok(if is_same { CommandStatus::Completed } else { CommandStatus::Code(DIFFERENT) })
}

fn print(stored: &EventGame, (name, text): (&str, &str), log: &EngineLog, output: &mut Output) -> Result<()> {
    let EventGame { id, game, place: EventPlace { first, second, .. }, .. } = stored;
    output.heading(&format!("game {id}: {first} against {second}, {}", game.game))?;
    output.line(format_args!("{name}: {text}\n"))?;
    for line in &log.dialogue {
        let arrow = if line.by == Speaker::Palestra { "→" } else { "←" };
        output.line(format_args!("{:>10.3} ms {arrow} {}", line.at_us as f64 / 1e3, plain(&line.text)))?;
    }
    if !log.stderr.is_empty() {
        output.line("\nstandard error:")?;
        log.stderr.trim_end().lines().try_for_each(|line| output.line(plain(line)))?;
    }
    output.line("")
}

/// Whether a fault is in the output of an engine.
fn is_in_output(fault: Option<FaultKind>) -> bool {
    matches!(fault, Some(FaultKind::Illegal | FaultKind::Garbled | FaultKind::OutOfTurn))
}

/// The last line of an engine's output.
fn last_output(log: &EngineLog) -> Option<&str> {
    let line = log.dialogue.iter().rev().find(|line| line.by == Speaker::Program);
    line.map(|line| line.text.as_str())
}
