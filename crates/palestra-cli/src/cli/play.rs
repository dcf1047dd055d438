//! `palestra play`.

use super::args::{CommonArgs, PlayArgs};
use super::human::{self, HumanAction};
use super::output::Output;
use super::{CommandStatus, interrupt, show};
use crate::games;
use anyhow::Result;
use palestra_arena::{AnyGame, ChoiceText, Session};
use palestra_core::{Ending, Seed, Side};
use serde_json::json;
use std::sync::PoisonError;
use std::time::{Duration, Instant};

/// The player of one side.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum SidePlayer {
    Human,
    Player(String),
}

impl std::fmt::Display for SidePlayer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            SidePlayer::Human => f.write_str("human"),
            SidePlayer::Player(player) => f.write_str(player),
        }
    }
}

pub(super) fn run(args: &PlayArgs, common: &CommonArgs, output: &mut Output) -> Result<CommandStatus> {
    let game = games().open(&args.game)?;
    let seats = seats(game.as_ref(), args)?;
    let mut session = game.session(args.position.setup.as_deref(), &args.moves)?;
    let humans = Side::BOTH.map(|side| seats[side.index()] == SidePlayer::Human);
    // With --json only the record goes to standard output; a human still needs to see the board.
    let mut console = human::HumanConsole::new(output.json, output.color, humans);
    let resume = if humans.contains(&true) { Some(interrupt::exit_message()?) } else { None };
    let mut resigned = None;
    let mut totals = [SearchTotals::default(); 2];
    if !output.json {
        output.line(format_args!("{}: {} (X) against {} (O)\n", game.name(), seats[0], seats[1]))?;
        output.line(session.grid().to_text(output.color))?;
        output.flush()?;
    }
    while session.ending().is_none() {
        if let Some(message) = &resume {
            *message.lock().unwrap_or_else(PoisonError::into_inner) =
                resume_line(args, &seats, session.as_ref(), common);
        }
        let side = session.to_move();
        match &seats[side.index()] {
            SidePlayer::Human => match console.turn(session.as_mut(), &game.opponent())? {
                HumanAction::Played => {}
                HumanAction::TookBack => continue,
                HumanAction::Resigned => {
                    resigned = Some(Ending { winner: Some(side.other()), margin: 0, reason: "resigned" });
                    break;
                }
                HumanAction::Left => {
                    console.say(&resume_line(args, &seats, session.as_ref(), common))?;
                    break;
                }
            },
            SidePlayer::Player(player) => {
                let ply = session.played().len() as u64;
                let began = Instant::now();
                let answer = session.ask(player, Seed(common.seed).child(ply))?;
                totals[side.index()].add(&answer, began.elapsed());
                session.play(&answer.mv)?;
                console.computer_moved(side, &answer, player)?;
            }
        }
        if !output.json {
            output.line(session.grid().to_text(output.color))?;
            if let Some([first, second]) = session.score() {
                output.line(format_args!("score: first {first}, second {second}\n"))?;
            }
            output.flush()?;
        } else if humans.contains(&true) {
            console.say(&session.grid().to_text(false))?;
        }
    }
    finish(game.as_ref(), session.as_ref(), &seats, (resigned, totals), common, output)?;
    Ok(CommandStatus::Completed)
}

/// Totals over the moves of one side's player.
#[derive(Clone, Copy, Default)]
struct SearchTotals {
    turns: u64,
    nodes: u64,
    root_moves: u64,
    time: Duration,
}

impl SearchTotals {
    fn add(&mut self, answer: &ChoiceText, time: Duration) {
        self.turns += 1;
        self.nodes += answer.nodes;
        self.root_moves += answer.root_moves;
        self.time += time;
    }

    fn to_json(self, side: Side, seat: &SidePlayer) -> serde_json::Value {
        let of = |sum: f64, n: u64| (n > 0).then(|| sum / n as f64);
        let milliseconds = 1000.0 * self.time.as_secs_f64();
        json!({
            "side": side.to_string(), "player": seat.to_string(), "turns": self.turns, "nodes": self.nodes,
            "root_moves": self.root_moves, "positions": self.nodes + self.root_moves, "nodes_a_root_move": of(self.nodes as f64, self.root_moves),
            "milliseconds": milliseconds, "milliseconds_a_turn": of(milliseconds, self.turns),
        })
    }
}

/// The players of both sides. A side without a player is the human's; without any player the computer is second.
fn seats(game: &dyn AnyGame, args: &PlayArgs) -> Result<[SidePlayer; 2]> {
    let seat = |text: &Option<String>| match text.as_deref() {
        None | Some("human") => Ok(SidePlayer::Human),
        Some(text) => game.player(text).map(|spec| SidePlayer::Player(spec.to_string())),
    };
    let second = if args.first.is_none() && args.second.is_none() {
        Some(game.opponent())
    } else {
        args.second.clone()
    };
    Ok([seat(&args.first)?, seat(&second)?])
}

fn finish(
    game: &dyn AnyGame,
    session: &dyn Session,
    seats: &[SidePlayer; 2],
    (resigned, totals): (Option<Ending>, [SearchTotals; 2]),
    common: &CommonArgs,
    output: &mut Output,
) -> Result<()> {
    let ending = resigned.or(session.ending());
    let winner = ending.and_then(|ending| ending.winner).map(|side| side.to_string());
    let reason = ending.map_or("unfinished", |ending| ending.reason);
    let moves = session.played();
    let points = ending.map_or(0.0, |ending| event_points(game, &ending, resigned.is_some()));
    if output.json {
        return output.json(&json!({
            "game": game.name(), "first": seats[0].to_string(), "second": seats[1].to_string(),
            "moves": moves, "winner": winner, "margin": ending.map_or(0, |ending| ending.margin),
            "points": points, "plies": moves.len(), "end": reason, "score": session.score(),
            "sides": Side::BOTH.map(|side| totals[side.index()].to_json(side, &seats[side.index()])),
            "seed": common.seed,
        }));
    }
    if let Some(ending) = ending {
        output.line(show::ending(&ending.into()))?;
        if points.abs() > 1.0 {
            let [first, second] = [points, -points].map(|points| format!("{points:+.3}"));
            output.line(format_args!("event points: first {first}, second {second}"))?;
        }
    }
    let plies = if moves.len() == 1 { "ply" } else { "plies" };
    let list = if moves.is_empty() { String::new() } else { format!(": {}", moves.join(" ")) };
    output.line(format_args!("{} {plies}{list}", moves.len()))
}

/// Points of the first side in an event; the second side gets the negative.
fn event_points(game: &dyn AnyGame, ending: &Ending, forfeited: bool) -> f64 {
    let points = if forfeited { game.forfeit_points() } else { game.event_points(ending) };
    ending.value(points, Side::First)
}

fn resume_line(
    args: &PlayArgs,
    seats: &[SidePlayer; 2],
    session: &dyn Session,
    common: &CommonArgs,
) -> String {
    let moves = session.played().join(" ");
    let setup = args.position.setup.as_ref().map_or(String::new(), |setup| format!(" --setup '{setup}'"));
    format!(
        "to continue: palestra play {}{setup} --first {} --second {} --moves '{}' --seed {}",
        args.game,
        seats[0],
        seats[1],
        if moves.is_empty() { "-" } else { &moves },
        common.seed
    )
}
