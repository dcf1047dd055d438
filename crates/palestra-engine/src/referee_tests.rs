//! The referee with external seats: legal moves, time, and which side a failure is charged to.

use palestra_arena::{
    AnswerTime, EngineLog, ExternalPlayer, Fault, FaultKind, GameRecord, GameSeat, LateMoves, MatchPlayer,
    MoveRequest, NewGame, ObservedMove, PlayError, Reply, StartPoint, TextPlayer, TimeControl, TimeVerdict,
    VoidGame,
};
use palestra_core::{InputError, Seed, Side};
use palestra_registry::GAMES;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// An engine with fixed answers that records its calls.
#[derive(Clone, Default, Debug)]
struct Scripted {
    /// Moves with their time in milliseconds.
    answers: Vec<Result<(&'static str, u64), PlayError>>,
    n_requests: usize,
    /// Waiting time of each answer.
    waited: Duration,
    calls: Vec<String>,
    ended: Option<(Option<Side>, bool)>,
}

/// The script of a seat; after the game it holds what happened.
type Script = Arc<Mutex<Scripted>>;

#[derive(Debug)]
struct ScriptedPlayer(Script);

impl ExternalPlayer for ScriptedPlayer {
    fn name(&self) -> String {
        "script".to_owned()
    }

    fn control(&self) -> TimeControl {
        "1/move".parse().unwrap()
    }

    fn seat(&self) -> Result<Box<dyn GameSeat + '_>, InputError> {
        Ok(Box::new(ScriptedSeat(Arc::clone(&self.0))))
    }
}

struct ScriptedSeat(Script);

fn script(answers: &[&'static str]) -> Scripted {
    Scripted { answers: answers.iter().map(|mv| Ok((*mv, 1))).collect(), ..Scripted::default() }
}

impl GameSeat for ScriptedSeat {
    fn begin(&mut self, game: &NewGame<'_>) -> Result<(), PlayError> {
        self.0.lock().unwrap().calls.push(format!("{} {} {:?}", game.game, game.side, game.opening));
        Ok(())
    }

    fn choose(&mut self, turn: &MoveRequest<'_>) -> Result<(Reply, AnswerTime), PlayError> {
        let mut script = self.0.lock().unwrap();
        script.calls.push(format!("go {}", turn.moves.join(" ")));
        let answer = script.answers.get(script.n_requests).cloned();
        script.n_requests += 1;
        let (mv, ms) = answer.unwrap_or(Err(PlayError::Internal("the script is over".to_owned())))?;
        let time =
            AnswerTime { elapsed: Duration::from_millis(ms), waited: script.waited, ..AnswerTime::default() };
        Ok((Reply { mv: mv.to_owned(), ..Reply::default() }, time))
    }

    fn observe(&mut self, mv: &ObservedMove<'_>, _within: Duration) -> Result<(), PlayError> {
        let end = if mv.to_move.is_none() { " and the end" } else { "" };
        self.0.lock().unwrap().calls.push(format!("{} {}{end}", mv.by, mv.text));
        Ok(())
    }

    fn end(&mut self, winner: Option<Side>, is_culprit: bool) -> EngineLog {
        self.0.lock().unwrap().ended = Some((winner, is_culprit));
        EngineLog::default()
    }
}

fn play_scripts(first: &mut Scripted, second: &mut Scripted) -> Result<GameRecord, VoidGame> {
    let game = GAMES.open("connect4").unwrap();
    let start = StartPoint { game: game.name(), opening_plies: 0, seed: 1 };
    let scripts = [first, second].map(|script| (Arc::new(Mutex::new(script.clone())), script));
    let player = |i: usize| MatchPlayer::External(Arc::new(ScriptedPlayer(Arc::clone(&scripts[i].0))));
    let mut both = game.new_match([player(0), player(1)]);
    let played = both.play(&start, 0);
    for (done, script) in scripts {
        *script = done.lock().unwrap().clone();
    }
    played.map(|_| both.record())
}

#[test]
fn a_game_ends_by_the_rules() {
    let (mut first, mut second) = (script(&["1", "1", "1", "1"]), script(&["2", "2", "2"]));
    let record = play_scripts(&mut first, &mut second).unwrap();
    assert_eq!((record.winner, record.reason.as_str()), (Some(Side::First), "line"));
    assert_eq!((record.moves.as_str(), record.plies), ("1 2 1 2 1 2 1", 7));
    assert_eq!(record.milliseconds, [4, 3]);
    assert_eq!(first.calls[0], "connect:7x6x4 first []");
    assert_eq!(first.calls[1..4], ["go ", "first 1", "second 2"]);
    assert_eq!(second.calls.last().unwrap(), "first 1 and the end");
    assert_eq!(
        (first.ended, second.ended),
        (Some((Some(Side::First), false)), Some((Some(Side::First), false)))
    );
}

#[track_caller]
fn check_forfeit(second: &mut Scripted, kind: FaultKind, detail: &str) {
    // No four in a row of the first side, nor of a second side that follows it.
    let mut first = script(&["1", "2", "3", "5", "6", "7", "1"]);
    let record = play_scripts(&mut first, second).unwrap();
    let forfeit = record.forfeit.unwrap();
    assert_eq!((forfeit.culprit, record.winner), (Side::Second, Some(Side::First)));
    assert!(forfeit.kind == kind.name() && forfeit.detail.contains(detail), "{forfeit:?}");
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
    let often: Vec<_> = ["1", "2", "3", "5", "6", "7"].map(|mv| Ok((mv, 1100))).into();
    let often = Scripted { answers: often, ..Scripted::default() };
    check_forfeit(&mut { often }, FaultKind::Time, "late in 6 of 6 moves, by 0.600 s in all");
    let fault = Fault::new(FaultKind::Crash, "exit code 3");
    let crash = Scripted { answers: vec![Err(fault.into())], ..Scripted::default() };
    check_forfeit(&mut { crash }, FaultKind::Crash, "exit code 3");
}

/// What decided a loss on time is kept, and so are late moves.
#[test]
fn the_time_of_a_lost_game_is_kept() {
    let answers = vec![Ok(("2", 1700)), Ok(("2", 1900)), Ok(("2", 2000))];
    let mut second = Scripted { answers, waited: Duration::from_millis(600), ..Scripted::default() };
    let record = play_scripts(&mut script(&["1"; 3]), &mut second).unwrap();
    let evidence = record.evidence.unwrap();
    let expected = TimeVerdict {
        allowed_us: 1_000_000,
        margin_us: 200_000,
        elapsed_us: 1_900_000,
        waited_us: 600_000,
        given_back_us: 600_000,
        at_us: 0,
    };
    assert_eq!(evidence.verdict, Some(expected));
    assert_eq!(record.late, [LateMoves::default(), LateMoves { moves: 2, micros: 400_000 }]);
    assert_eq!(evidence.late, record.late);
}

/// An engine that was late on a machine that is too busy does not lose.
#[test]
fn a_late_answer_of_a_starved_engine_voids_the_game() {
    let late = Scripted { answers: vec![Ok(("2", 12_000))], ..Scripted::default() };
    let mut starved = Scripted { waited: Duration::from_secs(9), ..late.clone() };
    let void = play_scripts(&mut script(&["1"]), &mut starved).unwrap_err();
    assert!(void.0.contains("waited 9.0 s of 12.0 s for a core"), "{void}");
    let mut waited = Scripted { waited: Duration::from_secs(8), ..late };
    assert!(play_scripts(&mut script(&["1"]), &mut waited).unwrap().forfeit.is_some());
    let in_time = Scripted { answers: vec![Ok(("2", 10_000)); 3], ..Scripted::default() };
    let mut in_time = Scripted { waited: Duration::from_millis(9500), ..in_time };
    let mut first = script(&["1", "1", "resign"]);
    assert!(play_scripts(&mut first, &mut in_time).unwrap().forfeit.is_none());
}

#[test]
fn resigning_is_no_fault() {
    let mut second = script(&["2", "resign"]);
    let record = play_scripts(&mut script(&["1"; 9]), &mut second).unwrap();
    assert_eq!((record.winner, record.forfeit), (Some(Side::First), None));
    assert_eq!(record.reason, "resignation");
    assert_eq!(second.ended, Some((Some(Side::First), false)));
}

#[test]
fn internal_errors_void_the_game() {
    let played = play_scripts(&mut script(&["1"]), &mut script(&["2"]));
    assert_eq!(played, Err(VoidGame("the script is over".to_owned())));
}

/// A built-in player behind a seat for external engines.
#[derive(Debug)]
struct TextSeatPlayer(&'static str, Seed);

struct TextSeat {
    player: Box<dyn TextPlayer>,
    seed: Seed,
    n_opening: usize,
}

impl ExternalPlayer for TextSeatPlayer {
    fn name(&self) -> String {
        self.0.to_owned()
    }

    fn control(&self) -> TimeControl {
        TimeControl::default()
    }

    fn seat(&self) -> Result<Box<dyn GameSeat + '_>, InputError> {
        let game = GAMES.open("connect4")?;
        let player = game.text_player(&game.player(self.0)?);
        Ok(Box::new(TextSeat { player, seed: self.1, n_opening: 0 }))
    }
}

impl GameSeat for TextSeat {
    fn begin(&mut self, game: &NewGame<'_>) -> Result<(), PlayError> {
        let moves: Vec<&str> = game.opening.iter().map(|(mv, _)| *mv).collect();
        self.n_opening = moves.len();
        Ok(self.player.begin(None, &moves.join(" "))?)
    }

    fn choose(&mut self, turn: &MoveRequest<'_>) -> Result<(Reply, AnswerTime), PlayError> {
        let ply = (turn.moves.len() - self.n_opening) as u64;
        let choice = self.player.choose(self.seed.child(ply)).unwrap();
        let reply = Reply { mv: choice.mv, value: choice.value, depth: None, nodes: Some(choice.nodes) };
        Ok((reply, AnswerTime::default()))
    }

    fn observe(&mut self, mv: &ObservedMove<'_>, _within: Duration) -> Result<(), PlayError> {
        Ok(self.player.observe(mv.text)?)
    }

    fn end(&mut self, _winner: Option<Side>, _is_culprit: bool) -> EngineLog {
        EngineLog::default()
    }
}

/// A player plays the same game in a typed seat and in an external one.
#[test]
fn seats_of_both_kinds_play_the_same_game() {
    let game = GAMES.open("connect4").unwrap();
    let names = ["random", "grid-5"];
    let builtin = names.map(|text| MatchPlayer::from(game.player(text).unwrap()));
    let mut reference = game.new_match(builtin.clone());
    for seed in 0..6 {
        let start = StartPoint { game: game.name(), opening_plies: 4, seed };
        let first = seed as usize % 2;
        let expected = reference.play(&start, first).unwrap();
        let external =
            names.map(|text| MatchPlayer::External(Arc::new(TextSeatPlayer(text, start.game_seed(first)))));
        for players in [
            [external[0].clone(), external[1].clone()],
            [builtin[0].clone(), external[1].clone()],
            [external[0].clone(), builtin[1].clone()],
        ] {
            let mut seated = game.new_match(players);
            assert_eq!(seated.play(&start, first), Ok(expected));
            let record = GameRecord { evidence: None, milliseconds: [0; 2], ..seated.record() };
            assert_eq!(record, reference.record());
            assert!(seated.record().evidence.is_some());
        }
    }
}
