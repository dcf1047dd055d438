//! `palestra play`.

use super::args::{CommonArgs, PlayArgs, setup_option};
use super::human::{self, HumanAction, HumanPlayer};
use super::long_sets;
use super::output::{Output, quoted};
use super::programs::{OpenedPlayers, StartNeeds, plain};
use super::{CommandStatus, interrupt, show};
use anyhow::Result;
use palestra_arena::{
    AnyGame, ChoiceText, EndingText, Forfeit, GameRecord, MatchError, MatchPlayer, Session, program_name,
};
use palestra_core::{Seed, Side};
use serde_json::json;
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

pub(super) fn run(args: &PlayArgs, common: &CommonArgs, output: &mut Output) -> Result<CommandStatus> {
    let (game, mut session) = args.start.open()?;
    let seats = seats(game.as_ref(), session.as_ref(), args, common)?;
    let humans = seats.each_ref().map(Option::is_none);
    let names = seats.each_ref().map(|seat| seat.as_ref().map_or("human".to_owned(), ToString::to_string));
    // With --json only the record goes to standard output; a human still needs to see the board.
    let console = human::HumanConsole::new(output.json, output.color, humans);
    let resume = if humans.contains(&true) { Some(interrupt::exit_message()?) } else { None };
    let mut totals = [SearchTotals::default(); 2];
    if !output.json {
        let [first, second] = ["first", "second"].map(|side| show::mark(&session.grid(), side));
        let short = names.each_ref().map(|name| long_sets::player(name));
        output.line(format_args!(
            "{}: {} ({first}) against {} ({second})\n",
            game.name(),
            short[0],
            short[1]
        ))?;
        output.line(session.grid().to_text(output.color))?;
        output.flush()?;
    }
    let record = loop {
        let position = (args.start.setup.as_deref(), list(session.as_ref()));
        let mut people = [None, None];
        for side in Side::BOTH {
            if humans[side.index()] {
                let own = game.session(position.0, &position.1)?;
                people[side.index()] = Some(Arc::new(HumanPlayer::new(own, console, game.opponent())));
            }
        }
        let person = |i: usize| people[i].clone().map(|person| MatchPlayer::External(person));
        let players = [0, 1].map(|i| seats[i].clone().or_else(|| person(i)));
        let [Some(first), Some(second)] = &players else { unreachable!("a side has a player or a human") };
        let show_resume = |session: &dyn Session| {
            if let Some(message) = &resume {
                *message.lock().unwrap_or_else(PoisonError::into_inner) =
                    resume_line(args, &names, session, common);
            }
        };
        show_resume(session.as_ref());
        let mut began = Instant::now();
        let mut shown = Ok(());
        let mut see = |choice: &ChoiceText| {
            let side = session.to_move();
            if shown.is_ok() {
                if !humans[side.index()] {
                    totals[side.index()].add(choice, began.elapsed());
                }
                shown = show_move((session.as_mut(), side), choice, &names, (humans, &console), output);
                show_resume(session.as_ref());
            }
            began = Instant::now();
        };
        let ended = game.play_game((position.0, &position.1), [first, second], Seed(common.seed), &mut see);
        shown?;
        let action = people.iter().flatten().find_map(|person| person.action());
        match (ended, action) {
            (Ok(record), _) => break Some(record),
            (Err(MatchError::Void(_)), Some((HumanAction::TookBack, n_left))) => {
                while session.played().len() > n_left {
                    session.undo();
                }
            }
            (Err(MatchError::Void(_)), Some(_)) => {
                console.say(&resume_line(args, &names, session.as_ref(), common))?;
                break None;
            }
            (Err(error), _) => return Err(plain(error)),
        }
    };
    for side in Side::BOTH {
        if let Some(record) = &record {
            let is_program = matches!(&seats[side.index()], Some(MatchPlayer::External(_)));
            totals[side.index()].charged = is_program.then(|| record.milliseconds[side.index()]);
        }
    }
    finish(game.as_ref(), session.as_ref(), &names, (record, totals), common, output)?;
    Ok(CommandStatus::Completed)
}

/// Plays a move in the session and prints it with the board.
fn show_move(
    (session, side): (&mut dyn Session, Side),
    choice: &ChoiceText,
    names: &[String; 2],
    (humans, console): ([bool; 2], &human::HumanConsole),
    output: &mut Output,
) -> Result<()> {
    session.play(&choice.mv)?;
    if !humans[side.index()] {
        console.computer_moved(side, choice, &names[side.index()])?;
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
    Ok(())
}

/// Totals over the moves of one side's player.
#[derive(Clone, Copy, Default)]
struct SearchTotals {
    turns: u64,
    nodes: u64,
    root_moves: u64,
    time: Duration,
    /// The time that its clock was charged, in milliseconds, in a game with a program.
    charged: Option<u64>,
}

impl SearchTotals {
    fn add(&mut self, answer: &ChoiceText, time: Duration) {
        self.turns += 1;
        self.nodes += answer.nodes;
        self.root_moves += answer.root_moves;
        self.time += time;
    }

    fn to_json(self, side: Side, player: &str) -> serde_json::Value {
        let of = |sum: f64, n: u64| (n > 0).then(|| sum / n as f64);
        let milliseconds = self.charged.map_or(1000.0 * self.time.as_secs_f64(), |charged| charged as f64);
        json!({
            "side": side.to_string(), "player": player, "turns": self.turns, "nodes": self.nodes,
            "root_moves": self.root_moves, "positions": self.nodes + self.root_moves, "nodes_a_root_move": of(self.nodes as f64, self.root_moves),
            "milliseconds": milliseconds, "milliseconds_a_turn": of(milliseconds, self.turns),
        })
    }
}

/// The players of both sides; `None` is a human. Without any player the computer is second.
fn seats(
    game: &dyn AnyGame,
    session: &dyn Session,
    args: &PlayArgs,
    common: &CommonArgs,
) -> Result<[Option<MatchPlayer>; 2]> {
    if args.first.is_none() && args.second.is_none() {
        return Ok([None, Some(game.opponent().into())]);
    }
    let texts = [&args.first, &args.second].map(|text| text.as_ref().filter(|text| *text != "human"));
    let needs = StartNeeds { setup: args.start.setup.is_some(), moves: !session.played().is_empty() };
    let given: Vec<&str> = texts.iter().flatten().map(|text| text.as_str()).collect();
    let opened = OpenedPlayers::open(&given, (game, needs), (&args.programs, common), &Arc::default())?;
    let mut players = opened.players.into_iter();
    Ok(texts.map(|text| text.and_then(|_| players.next())))
}

fn finish(
    game: &dyn AnyGame,
    session: &dyn Session,
    names: &[String; 2],
    (record, totals): (Option<GameRecord>, [SearchTotals; 2]),
    common: &CommonArgs,
    output: &mut Output,
) -> Result<()> {
    let moves = session.played();
    let record =
        record.unwrap_or_else(|| GameRecord { reason: UNFINISHED.to_owned(), ..GameRecord::default() });
    // The recorded reason is a noun; the JSON of `play` has always said `resigned`.
    let reason = if record.reason == "resignation" { "resigned" } else { record.reason.as_str() };
    let winner = record.winner.map(|side| side.to_string());
    let points = record.margin_points;
    if output.json {
        let mut value = json!({
            "game": game.name(), "first": names[0], "second": names[1],
            "moves": moves, "winner": winner, "margin": record.margin,
            "points": points, "plies": moves.len(), "end": reason, "score": session.score(),
            "sides": Side::BOTH.map(|side| totals[side.index()].to_json(side, &names[side.index()])),
            "seed": common.seed,
        });
        if let Some(Forfeit { culprit, kind, detail }) = &record.forfeit {
            value["forfeit"] = json!({ "side": culprit.to_string(), "kind": kind, "detail": detail });
        }
        return output.json(&value);
    }
    if reason != UNFINISHED {
        let ended = EndingText { winner, margin: record.margin, end: reason.to_owned() };
        output.line(show::ending(&ended, &session.grid()))?;
        if let Some(forfeit) = &record.forfeit {
            let player = &names[forfeit.culprit.index()];
            output.line(format_args!("{player} failed: {}: {}", forfeit.kind, forfeit.detail))?;
        }
        if points.abs() > 1.0 {
            let [first, second] = [points, -points].map(|points| format!("{points:+.3}"));
            output.line(format_args!("event points: first {first}, second {second}"))?;
        }
    }
    let plies = if moves.len() == 1 { "ply" } else { "plies" };
    let list = if moves.is_empty() { String::new() } else { format!(": {}", moves.join(" ")) };
    output.line(format_args!("{} {plies}{list}", moves.len()))
}

/// How a game ended that a human left.
const UNFINISHED: &str = "unfinished";

/// The moves so far, as a list.
fn list(session: &dyn Session) -> String {
    let moves = session.played().join(" ");
    if moves.is_empty() { "-".to_owned() } else { moves }
}

fn resume_line(args: &PlayArgs, names: &[String; 2], session: &dyn Session, common: &CommonArgs) -> String {
    let setup = setup_option(args.start.setup.as_deref());
    format!(
        "to continue: {} play {}{setup} --first {} --second {} --moves '{}' --seed {}{}",
        program_name(),
        args.start.game,
        quoted(&names[0]),
        quoted(&names[1]),
        list(session),
        common.seed,
        args.programs.given()
    )
}
