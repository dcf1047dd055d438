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
use palestra_engine::{
    Departure, EngineLog, ExternalEngine, Fault, FaultKind, PlayError, ProgramSpec, RESIGN, RecordedDialogue,
    ReplayedDialogue, Speaker,
};
use palestra_event::UnpackedProgram;
use palestra_review::event::evidence::time_measured;
use palestra_review::event::text::plain;
use palestra_review::event::{EventEntrants, StoredPlan, control_of, read_stored};
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
    let StoredPlan { plan, keys, .. } = read_stored(&run, games())?;
    let name = stored.place.name(*culprit);
    let text = if *culprit == Side::First { &stored.game.first } else { &stored.game.second };
    let program: ProgramSpec = text.parse()?;
    let evidence = stored.game.record.evidence.as_deref().cloned().unwrap_or_default();
    // Games of earlier versions do not say which content of the program played them.
    let key_then = match &evidence.programs[culprit.index()] {
        Some(key) => key_of(key),
        None => keys.iter().find(|(known, _)| known == name).map(|(_, key)| *key),
    };
    let is_changed = key_then.is_some_and(|key| program.content_key().ok() != Some(key));
    let unpacked = match key_then.filter(|_| is_changed && !args.current) {
        Some(key) => UnpackedProgram::of(&store, &key, &program).map_err(|error| anyhow::anyhow!(error))?,
        None => None,
    };
    let program = unpacked.as_ref().map_or(program, |unpacked| unpacked.program.clone());
    let field = EventEntrants::of(&plan, games().open(&stored.game.game)?.as_ref(), Some(&keys))?;
    let stop = interrupt::flag()?;
    let mut limits = plan.program_limits.clone();
    args.sandbox.override_limits(&mut limits);
    let mut replay_sandbox = sandbox::of_event(&limits, &args.sandbox, &field, common, &stop)?;
    if let Some(confinement) = &mut replay_sandbox.confinement {
        confinement.shown.extend(program.own_files());
    }
    let mut engine = ExternalEngine::new(&program, &replay_sandbox, None)?;
    let original = evidence.log(*culprit);
    let (plies, n_moves) = played_by(&stored, *culprit)?;
    let fault_then = FaultKind::named(kind).map(|kind| Fault::new(kind, detail));
    let fault_then = fault_then.ok_or_else(|| anyhow::anyhow!("an unknown kind of failure: {kind}"))?;
    let record = &stored.game.record;
    let moves = record.opening.split_whitespace().chain(record.moves.split_whitespace());
    let moves: Vec<String> = moves.map(str::to_owned).collect();
    let recorded = RecordedDialogue {
        lines: &original.dialogue,
        kind: fault_then.kind,
        n_moves,
        control: control_of(&plan)?,
        moves: Some(&moves),
    };
    let replayed = match engine.replay_dialogue(&recorded) {
        Ok(replayed) => replayed,
        Err(PlayError::Fault(fault)) => ReplayedDialogue { fault: Some(fault), ..Default::default() },
        Err(PlayError::Internal(why)) => return Err(anyhow::anyhow!(why)),
    };
    let is_same_output = last_output(original) == last_output(&replayed.log);
    let illegal = || illegal_answer(&stored, &fault_then, replayed.last_move.as_deref()?, plies);
    let fault = replayed.fault.clone().or_else(illegal);
    let verdict = ReplayVerdict::of(&fault_then, fault, replayed.is_cut_off, is_same_output);
    if output.json {
        output.json(&json!({
            "game": stored.id, "player": name, "command": text,
            "then": { "fault": kind, "detail": detail, "time": evidence.verdict },
            "now": verdict.fault(), "same": verdict.is_same(), "changed": is_changed, "archived": unpacked.is_some(),
            "left": replayed.departures, "cut_off": replayed.is_cut_off,
            "dialogue": replayed.log.dialogue, "stderr": replayed.log.stderr,
        }))?;
    } else {
        print(&stored, (name, text), &replayed.log, output)?;
        if let Some(measured) = &evidence.verdict {
            output.line(format_args!("in the event: {}", time_measured(measured)))?;
        }
        if is_changed {
            output.line(match &unpacked {
                Some(_) => "the files of the engine have changed since the game; these are the archived ones",
                None if args.current => "the files of the engine have changed since the game",
                None => "the files of the engine have changed since the game, and are not archived",
            })?;
        }
        for departure in &replayed.departures {
            output.line(plain(&departure_text(name, departure, replayed.is_cut_off)))?;
        }
        output.line(plain(&verdict.text(name, &fault_then)))?;
    }
    Ok(if verdict.is_same() { CommandStatus::Completed } else { CommandStatus::Code(DIFFERENT) })
}

/// A content key in hexadecimal.
fn key_of(text: &str) -> Option<[u8; 32]> {
    let mut key = [0; 32];
    for (byte, digits) in key.iter_mut().zip(text.as_bytes().chunks(2)) {
        *byte = u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
    }
    (text.len() == 64).then_some(key)
}

/// What a replay showed.
#[derive(Debug)]
enum ReplayVerdict {
    /// The engine failed in the same way, with this fault.
    Same(Fault),
    /// It failed in another way.
    Other(Fault),
    /// The replay ended before the failure, because the engine played another move.
    CutOff,
    /// It did not fail.
    NoFault,
}

impl ReplayVerdict {
    fn of(then: &Fault, now: Option<Fault>, is_cut_off: bool, is_same_output: bool) -> ReplayVerdict {
        let is_in_output =
            matches!(then.kind, FaultKind::Handshake | FaultKind::Garbled | FaultKind::OutOfTurn);
        match now {
            Some(fault) if fault.kind == then.kind => ReplayVerdict::Same(fault),
            Some(fault) => ReplayVerdict::Other(fault),
            None if is_cut_off => ReplayVerdict::CutOff,
            // The protocol refused what the engine wrote, and it wrote the same.
            None if is_in_output && is_same_output => ReplayVerdict::Same(then.clone()),
            None => ReplayVerdict::NoFault,
        }
    }

    fn is_same(&self) -> bool {
        matches!(self, ReplayVerdict::Same(_))
    }

    fn fault(&self) -> Option<&Fault> {
        match self {
            ReplayVerdict::Same(fault) | ReplayVerdict::Other(fault) => Some(fault),
            ReplayVerdict::CutOff | ReplayVerdict::NoFault => None,
        }
    }

    fn text(&self, name: &str, then: &Fault) -> String {
        match self {
            ReplayVerdict::Same(fault) => format!("{name} failed again, in the same way: {fault}"),
            ReplayVerdict::Other(fault) => {
                format!("{name} failed in another way: {fault} (in the event {then})")
            }
            ReplayVerdict::CutOff => {
                format!("{name} did not fail before it left the recorded game (in the event {then})")
            }
            ReplayVerdict::NoFault => format!("{name} did not fail (in the event {then})"),
        }
    }
}

fn departure_text(name: &str, departure: &Departure, is_cut_off: bool) -> String {
    let Departure { number, recorded, played } = departure;
    let place = match number {
        Some(number) => format!("at its move {number}"),
        None => "in an earlier game of its process".to_owned(),
    };
    let after = match is_cut_off {
        true => "the replay ends there, since the engine keeps the position itself",
        false => "it then got the recorded position again",
    };
    format!("{name} left the recorded game {place}: it played {played}, in the event {recorded}; {after}")
}

/// Number of moves of a stored game, and how many of them a side chose itself.
fn played_by(stored: &EventGame, side: Side) -> Result<(usize, usize)> {
    let game = &stored.game;
    let board = games().open(&game.game)?;
    let mut session = board.session(game.setup.as_deref(), &game.record.opening)?;
    let mut n_own = 0;
    for mv in game.record.moves.split_whitespace() {
        n_own += usize::from(session.to_move() == side);
        session.play(mv)?;
    }
    Ok((session.played().len(), n_own))
}

/// The fault of an answer that the rules refuse, where the engine failed at its answer in the event: only then the
/// last position of the record is that of the request.
fn illegal_answer(stored: &EventGame, then: &Fault, mv: &str, plies: usize) -> Option<Fault> {
    let is_at_answer = matches!(then.kind, FaultKind::Illegal | FaultKind::Garbled | FaultKind::Time);
    if !is_at_answer || mv == RESIGN {
        return None;
    }
    let game = &stored.game;
    let moves = format!("{} {}", game.record.opening, game.record.moves);
    let mut session = games().open(&game.game).ok()?.session(game.setup.as_deref(), moves.trim()).ok()?;
    session.play(mv).err().map(|bad| Fault::illegal(mv, plies + 1, &bad))
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

/// The last line of an engine's output.
fn last_output(log: &EngineLog) -> Option<&str> {
    let line = log.dialogue.iter().rev().find(|line| line.by == Speaker::Program);
    line.map(|line| line.text.as_str())
}
