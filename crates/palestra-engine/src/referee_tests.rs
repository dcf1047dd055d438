//! The referee: legal moves, time, and which side a failure is charged to.

use crate::*;
use palestra_arena::StartPoint;
use palestra_core::{Seed, Side};
use palestra_registry::GAMES;
use std::time::{Duration, Instant};

/// An engine with fixed answers that records its calls.
#[derive(Default)]
struct Scripted {
    /// Moves with their time in milliseconds.
    answers: Vec<Result<(&'static str, u64), PlayError>>,
    n_requests: usize,
    calls: Vec<String>,
    ended: Option<(Option<Side>, bool)>,
}

fn script(answers: &[&'static str]) -> Scripted {
    Scripted { answers: answers.iter().map(|mv| Ok((*mv, 1))).collect(), ..Scripted::default() }
}

impl GameSeat for Scripted {
    fn begin(&mut self, game: &NewGame<'_>) -> Result<(), PlayError> {
        self.calls.push(format!("{} {} {:?}", game.game, game.side, game.opening));
        Ok(())
    }

    fn choose(&mut self, turn: &MoveRequest<'_>, _seed: Seed) -> Result<(Reply, Duration), PlayError> {
        self.calls.push(format!("go {}", turn.moves.join(" ")));
        let answer = self.answers.get(self.n_requests).cloned();
        self.n_requests += 1;
        let (mv, ms) = answer.unwrap_or(Err(PlayError::Internal("the script is over".to_owned())))?;
        Ok((Reply { mv: mv.to_owned(), ..Reply::default() }, Duration::from_millis(ms)))
    }

    fn observe(&mut self, mv: &str, by: Side, _until: Instant) -> Result<(), PlayError> {
        self.calls.push(format!("{by} {mv}"));
        Ok(())
    }

    fn end(&mut self, winner: Option<Side>, is_culprit: bool) -> EngineLog {
        self.ended = Some((winner, is_culprit));
        EngineLog::default()
    }

    fn is_timed(&self) -> bool {
        true
    }
}

fn play_scripts(first: &mut Scripted, second: &mut Scripted) -> RefereedGame {
    let game = GAMES.open("connect4").unwrap();
    let start = StartPoint { game: game.name(), opening_plies: 0, seed: 1 };
    play(game.as_ref(), &start, 0, [first, second], &"1/move".parse().unwrap())
}

#[test]
fn a_game_ends_by_the_rules() {
    let (mut first, mut second) = (script(&["1", "1", "1", "1"]), script(&["2", "2", "2"]));
    let refereed = play_scripts(&mut first, &mut second);
    assert!(
        matches!(refereed.finish, Finish::Played { winner: Some(Side::First), reason: "line", .. }),
        "{refereed:?}"
    );
    assert_eq!(refereed.moves, ["1", "2", "1", "2", "1", "2", "1"]);
    assert_eq!(refereed.used, [4000, 3000]);
    assert_eq!(first.calls[0], "connect:7x6x4 first []");
    assert_eq!(first.calls[1..4], ["go ", "first 1", "second 2"]);
    assert_eq!(second.calls.last().unwrap(), "second 2", "the last move is not sent: the game is over");
    assert_eq!(
        (first.ended, second.ended),
        (Some((Some(Side::First), false)), Some((Some(Side::First), false)))
    );
}

#[track_caller]
fn check_forfeit(second: &mut Scripted, kind: FaultKind, detail: &str) {
    let mut first = script(&["1"; 9]);
    let refereed = play_scripts(&mut first, second);
    let Finish::Forfeited(Side::Second, fault) = &refereed.finish else { panic!("{refereed:?}") };
    assert!(fault.kind == kind && fault.detail.contains(detail), "{fault}");
    assert_eq!(
        (first.ended, second.ended),
        (Some((Some(Side::First), false)), Some((Some(Side::First), true)))
    );
}

#[test]
fn a_fault_forfeits_the_game() {
    check_forfeit(&mut script(&["8"]), FaultKind::Illegal, "\"8\" as move 2");
    check_forfeit(&mut script(&["2", "9 9"]), FaultKind::Illegal, "move 4");
    check_forfeit(&mut script(&["0000"]), FaultKind::Illegal, "0000");
    let late = Scripted { answers: vec![Ok(("2", 1199)), Ok(("2", 1201))], ..Scripted::default() };
    check_forfeit(&mut { late }, FaultKind::Time, "1.201 s for a move, 1.000 s allowed");
    let fault = Fault::new(FaultKind::Crash, "exit code 3");
    let crash = Scripted { answers: vec![Err(fault.into())], ..Scripted::default() };
    check_forfeit(&mut { crash }, FaultKind::Crash, "exit code 3");
}

#[test]
fn resigning_is_no_fault() {
    let mut second = script(&["2", "resign"]);
    let refereed = play_scripts(&mut script(&["1"; 9]), &mut second);
    assert_eq!(refereed.finish, Finish::Resigned(Side::Second));
    assert_eq!(second.ended, Some((Some(Side::First), false)));
}

#[test]
fn internal_errors_void_the_game() {
    let refereed = play_scripts(&mut script(&["1"]), &mut script(&["2"]));
    assert_eq!(refereed.finish, Finish::Void("the script is over".to_owned()));
}

/// Built-in players play the same game with the referee as in a match.
#[test]
fn a_refereed_game_equals_the_game_of_a_match() {
    let game = GAMES.open("connect4").unwrap();
    let specs = ["random", "grid-5"].map(|text| game.player(text).unwrap());
    let mut reference = game.new_match([&specs[0], &specs[1]]);
    for seed in 0..6 {
        let start = StartPoint { game: game.name(), opening_plies: 4, seed };
        let game_index = seed as usize % 2;
        let result = reference.play(&start, game_index);
        let [mut a, mut b] =
            [0, 1].map(|seat| BuiltinEngine::new(game.text_player(&specs[(game_index + seat) % 2])));
        let refereed = play(game.as_ref(), &start, game_index, [&mut a, &mut b], &TimeControl::default());
        let text = reference.last();
        assert_eq!((refereed.opening, refereed.moves.join(" ")), (text.opening, text.moves));
        let Finish::Played { winner, margin, reason, points } = refereed.finish else { panic!("no end") };
        assert_eq!((winner, margin, reason), (text.winner, text.margin, text.reason));
        assert_eq!(points.abs(), result.margin.abs());
    }
}
