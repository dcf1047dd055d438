//! The referee: what is legal, who is late, who is to blame.

use crate::*;
use palestra_arena::StartPoint;
use palestra_core::{Seed, Side};
use palestra_registry::GAMES;
use std::time::{Duration, Instant};

/// Says what it was told to say, and remembers what it heard.
#[derive(Default)]
struct Scripted {
    answers: Vec<Result<(&'static str, u64), PlayError>>,
    n_asked: usize,
    heard: Vec<String>,
    ended: Option<(Option<Side>, bool)>,
}

fn script(answers: &[&'static str]) -> Scripted {
    Scripted { answers: answers.iter().map(|mv| Ok((*mv, 1))).collect(), ..Scripted::default() }
}

impl GameSeat for Scripted {
    fn begin(&mut self, game: &NewGame<'_>) -> Result<(), PlayError> {
        self.heard.push(format!("{} {} {:?}", game.game, game.side, game.opening));
        Ok(())
    }

    fn choose(&mut self, turn: &MoveRequest<'_>, _dice: Seed) -> Result<(Reply, Duration), PlayError> {
        self.heard.push(format!("go {}", turn.moves.join(" ")));
        let answer = self.answers.get(self.n_asked).cloned();
        self.n_asked += 1;
        let (mv, ms) = answer.unwrap_or(Err(PlayError::Internal("the script is over".to_owned())))?;
        Ok((Reply { mv: mv.to_owned(), ..Reply::default() }, Duration::from_millis(ms)))
    }

    fn observe(&mut self, mv: &str, by: Side, _until: Instant) -> Result<(), PlayError> {
        self.heard.push(format!("{by} {mv}"));
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

fn meet(first: &mut Scripted, second: &mut Scripted) -> RefereedGame {
    let game = GAMES.open("connect4").unwrap();
    let scene = StartPoint { game: game.name(), opening_plies: 0, seed: 1 };
    play(game.as_ref(), &scene, 0, [first, second], &"1/move".parse().unwrap())
}

#[test]
fn a_game_ends_on_the_board() {
    let (mut first, mut second) = (script(&["1", "1", "1", "1"]), script(&["2", "2", "2"]));
    let judged = meet(&mut first, &mut second);
    assert!(
        matches!(judged.finish, Finish::Played { winner: Some(Side::First), reason: "line", .. }),
        "{judged:?}"
    );
    assert_eq!(judged.moves, ["1", "2", "1", "2", "1", "2", "1"]);
    assert_eq!(judged.used, [4000, 3000]);
    assert_eq!(first.heard[0], "connect:7x6x4 first []");
    assert_eq!(first.heard[1..4], ["go ", "first 1", "second 2"]);
    assert_eq!(second.heard.last().unwrap(), "second 2", "the last move is not told: the game is over");
    assert_eq!(
        (first.ended, second.ended),
        (Some((Some(Side::First), false)), Some((Some(Side::First), false)))
    );
}

#[track_caller]
fn check_forfeit(second: &mut Scripted, kind: FaultKind, detail: &str) {
    let mut first = script(&["1"; 9]);
    let judged = meet(&mut first, second);
    let Finish::Forfeited(Side::Second, fault) = &judged.finish else { panic!("{judged:?}") };
    assert!(fault.kind == kind && fault.detail.contains(detail), "{fault}");
    assert_eq!(
        (first.ended, second.ended),
        (Some((Some(Side::First), false)), Some((Some(Side::First), true)))
    );
}

#[test]
fn whoever_fails_forfeits() {
    check_forfeit(&mut script(&["8"]), FaultKind::Illegal, "\"8\" as move 2");
    check_forfeit(&mut script(&["2", "9 9"]), FaultKind::Illegal, "move 4");
    check_forfeit(&mut script(&["0000"]), FaultKind::Illegal, "0000");
    let late = Scripted { answers: vec![Ok(("2", 1199)), Ok(("2", 1201))], ..Scripted::default() };
    check_forfeit(&mut { late }, FaultKind::Time, "1.201 s for a move that had 1.000 s");
    let fault = Fault::new(FaultKind::Crash, "exit code 3");
    let crash = Scripted { answers: vec![Err(fault.into())], ..Scripted::default() };
    check_forfeit(&mut { crash }, FaultKind::Crash, "exit code 3");
}

#[test]
fn giving_up_is_no_failure() {
    let mut second = script(&["2", "resign"]);
    let judged = meet(&mut script(&["1"; 9]), &mut second);
    assert_eq!(judged.finish, Finish::Resigned(Side::Second));
    assert_eq!(second.ended, Some((Some(Side::First), false)));
}

#[test]
fn our_own_mistakes_void_the_game() {
    let judged = meet(&mut script(&["1"]), &mut script(&["2"]));
    assert_eq!(judged.finish, Finish::Void("the script is over".to_owned()));
}

/// What two players of ours play before the referee is what they play at a table.
#[test]
fn the_referee_changes_nothing() {
    let game = GAMES.open("connect4").unwrap();
    let specs = ["random", "grid-5"].map(|text| game.player(text).unwrap());
    let mut table = game.new_match([&specs[0], &specs[1]]);
    for seed in 0..6 {
        let scene = StartPoint { game: game.name(), opening_plies: 4, seed };
        let half = seed as usize % 2;
        let result = table.play(&scene, half);
        let [mut a, mut b] =
            [0, 1].map(|seat| BuiltinEngine::new(game.text_player(&specs[(half + seat) % 2])));
        let judged = play(game.as_ref(), &scene, half, [&mut a, &mut b], &TimeControl::default());
        let text = table.last();
        assert_eq!((judged.opening, judged.moves.join(" ")), (text.opening, text.moves));
        let Finish::Played { winner, margin, reason, points } = judged.finish else { panic!("no end") };
        assert_eq!((winner, margin, reason), (text.winner, text.margin, text.reason));
        assert_eq!(points.abs(), result.margin.abs());
    }
}
