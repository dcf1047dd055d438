//! `palestra replay-failure`: a game in which a program failed, once more.

use super::sandbox;
use crate::cli::args::CommonArgs;
use crate::cli::args_event::ReplayFailureArgs;
use crate::cli::output::Output;
use crate::cli::{CommandStatus, interrupt, store};
use crate::games;
use anyhow::Result;
use palestra_core::{InputError, Side};
use palestra_engine::{EngineLog, ExternalEngine, FaultKind, PlayError, ProgramSpec, Speaker};
use palestra_review::event::{EventEntrants, control_of, read_stored, side_of};
use palestra_store::EventGame;
use serde_json::{Value, json};

/// It did something else this time.
const DIFFERENT: u8 = 1;

pub(in crate::cli) fn run(
    args: &ReplayFailureArgs,
    common: &CommonArgs,
    output: &mut Output,
) -> Result<CommandStatus> {
    let store = store::open_for_reading(common)?;
    let (run, kept) = store.event_game(args.game)?;
    let Some(culprit) = kept.forfeit.map(side_of) else {
        let expected = "a game that somebody forfeited (palestra event NAME --games lists them)";
        return Err(InputError::new("game", args.game.to_string(), expected).into());
    };
    let run = store.run(&run.0.to_string())?;
    let (plan, keys) = read_stored(&run, games())?;
    let (name, text) = match culprit {
        Side::First => (&kept.first, &kept.game.first),
        Side::Second => (&kept.second, &kept.game.second),
    };
    let program: ProgramSpec = text.parse()?;
    let is_changed =
        keys.iter().any(|(known, key)| known == name && program.content_key().is_ok_and(|now| now != *key));
    let field = EventEntrants::of(&plan, games().open(&kept.game.game)?.as_ref(), Some(&keys))?;
    let stop = interrupt::flag()?;
    let mut room = sandbox::of_event(&plan.program_limits, &args.room, &field, common, &stop)?;
    if let Some(confinement) = &mut room.confinement {
        confinement.shown.extend(program.own_files());
    }
    let mut outside = ExternalEngine::new(&program, &room, None)?;
    let side = if culprit == Side::First { "first" } else { "second" };
    let evidence: Value = serde_json::from_str(kept.evidence.as_deref().unwrap_or("null"))?;
    let before: EngineLog = serde_json::from_value(evidence[side].clone()).unwrap_or_default();
    let control = control_of(&plan)?;
    let is_handshake = kept.fault.as_deref() == Some(FaultKind::Handshake.name());
    let wait = match (is_handshake, judged_by_words(kept.fault.as_deref())) {
        (true, _) => Some(room.startup),
        (_, true) => None,
        _ => Some(control.budget(control.game).unwrap_or(room.startup) + control.margin),
    };
    let (fault, witness) = match outside.replay_dialogue(&before.dialogue, wait) {
        Ok(said) => said,
        Err(PlayError::Fault(fault)) => (Some(fault), EngineLog::default()),
        Err(PlayError::Internal(why)) => return Err(anyhow::anyhow!(why)),
    };
    let is_same = match &fault {
        Some(fault) if Some(fault.kind.name()) == kept.fault.as_deref() => true,
        // It says nothing when it should say hello.
        Some(fault) if is_handshake => fault.kind == FaultKind::Time,
        // What it says was wrong, and not how it ended: then it must say the same.
        _ => judged_by_words(kept.fault.as_deref()) && last_words(&before) == last_words(&witness),
    };
    if output.json {
        output.json(&json!({
            "game": kept.id, "player": name, "command": text, "then": { "fault": kept.fault, "detail": kept.detail },
            "now": fault, "same": is_same, "changed": is_changed,
            "dialogue": witness.dialogue, "stderr": witness.stderr,
        }))?;
    } else {
        print(&kept, (name, text), &witness, output)?;
        if is_changed {
            output.line("its files are not what they were in the event")?;
        }
        let then =
            format!("{}: {}", kept.fault.as_deref().unwrap_or("?"), kept.detail.as_deref().unwrap_or("?"));
        match fault {
            Some(fault) if is_same => output.line(format_args!("{name} fails again: {fault}"))?,
            Some(fault) => {
                output.line(format_args!("{name} fails differently: {fault} (in the event {then})"))?;
            }
            None => output.line(format_args!("{name} did not fail this time (in the event {then})"))?,
        }
    }
    Ok(if is_same { CommandStatus::Completed } else { CommandStatus::Code(DIFFERENT) })
}

fn print(
    kept: &EventGame,
    (name, text): (&str, &str),
    witness: &EngineLog,
    output: &mut Output,
) -> Result<()> {
    output
        .heading(&format!("game {}: {} against {}, {}", kept.id, kept.first, kept.second, kept.game.game))?;
    output.line(format_args!("{name}: {text}\n"))?;
    for said in &witness.dialogue {
        let arrow = if said.by == Speaker::Palestra { "→" } else { "←" };
        output.line(format_args!("{:>10.3} ms {arrow} {}", said.at_us as f64 / 1e3, said.text))?;
    }
    if !witness.stderr.is_empty() {
        output.line("\nstandard error:")?;
        output.line(witness.stderr.trim_end())?;
    }
    output.line("")
}

/// Whether a fault lies in what a program said.
fn judged_by_words(fault: Option<&str>) -> bool {
    let kinds = [FaultKind::Illegal, FaultKind::Garbled, FaultKind::OutOfTurn];
    kinds.iter().any(|kind| Some(kind.name()) == fault)
}

/// The last thing that a program said.
fn last_words(witness: &EngineLog) -> Option<&str> {
    let said = witness.dialogue.iter().rev().find(|said| said.by == Speaker::Program);
    said.map(|said| said.text.as_str())
}
