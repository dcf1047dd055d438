//! The two courses' judges, line by line, and lines that are not theirs.

use super::{CONECTA_C, LADRILLOS, LineProtocol, LineRules, ParsedLine};
use crate::clock::TimeControl;
use crate::fault::FaultKind;
use crate::protocol::Protocol;
use crate::protocols::double::{FixedReplies, Script, beginning, later, turn};
use palestra_core::Side;
use proptest::prelude::*;
use std::sync::Arc;

fn rules(text: &str) -> Arc<LineRules> {
    Arc::new(LineRules::read(text, "test.toml").unwrap())
}

/// Plays a game in which the program's moves come from the script and the others' are given; the last one is not answered.
fn play(
    line: &mut LineProtocol,
    wire: &mut Script,
    game: &str,
    side: Side,
    others: &[&str],
    n_own: usize,
) -> Vec<String> {
    let time: TimeControl = "10".parse().unwrap();
    line.begin(wire, &beginning(game, side, &[], &time), later()).unwrap();
    let mut others = others.iter();
    let mut own = Vec::new();
    let mut to_move = Side::First;
    loop {
        if to_move == side {
            if own.len() == n_own {
                return own;
            }
            let mv = line.choose(wire, &turn(&[], side, &time)).unwrap().mv;
            line.observe(wire, &mv, side, later()).unwrap();
            own.push(mv);
        } else {
            let Some(mv) = others.next() else { return own };
            line.observe(wire, mv, side.other(), later()).unwrap();
        }
        to_move = to_move.other();
    }
}

#[test]
fn ladrillos_first() {
    let mut wire = Script::new("> 4 0\n< 1 1 0\n> 3 4 1\n< 2 1 1");
    let mut line = LineProtocol::new(&rules(LADRILLOS));
    line.open(&mut wire, later()).unwrap();
    // The game ends with the rival's brick, which nobody is told.
    let own = play(&mut line, &mut wire, "ladrillos:4", Side::First, &["d3v", "c1v"], 2);
    assert_eq!(own, ["a1h", "a2v"]);
    line.end(&mut wire, Some(Side::First), later()).unwrap();
    line.close(&mut wire, later()).unwrap();
    wire.finish();
    assert!(!line.reuses_process());
}

#[test]
fn ladrillos_second() {
    let mut wire = Script::new("> 11 1\n> 11 10 0\n< 10 11 1");
    let mut line = LineProtocol::new(&rules(LADRILLOS));
    let own = play(&mut line, &mut wire, "ladrillos:11", Side::Second, &["j11h"], 1);
    assert_eq!(own, ["k10v"]);
    wire.finish();
}

#[test]
fn conecta_c_plays_many_games() {
    let mut wire = Script::new(
        "> azul rojo 7 6 4 21
         > vos
         < 3
         > 3
         < 6
         > ganaste
         > rojo azul 9 8 5 12
         > el
         > 0
         < 8
         > perdiste
         > azul rojo 1 1 2 1
         > vos
         < 0
         > empataron
         > salir
         < listo",
    );
    let mut line = LineProtocol::new(&rules(CONECTA_C));
    line.open(&mut wire, later()).unwrap();
    assert_eq!(play(&mut line, &mut wire, "connect:7x6x4", Side::First, &["4"], 2), ["4", "7"]);
    line.end(&mut wire, Some(Side::First), later()).unwrap();
    assert_eq!(play(&mut line, &mut wire, "connect:9x8x5x12", Side::Second, &["1", "1"], 1), ["9"]);
    line.end(&mut wire, Some(Side::First), later()).unwrap();
    assert_eq!(play(&mut line, &mut wire, "connect:1x1x2", Side::First, &[], 1), ["1"]);
    line.end(&mut wire, None, later()).unwrap();
    // A rival that fails before our first turn: the program has not heard of that game.
    let time: TimeControl = "10".parse().unwrap();
    line.begin(&mut wire, &beginning("connect:7x6x4", Side::Second, &[], &time), later()).unwrap();
    line.end(&mut wire, Some(Side::Second), later()).unwrap();
    line.close(&mut wire, later()).unwrap();
    wire.finish();
    assert!(line.reuses_process());
}

#[test]
fn no_farewell() {
    let mut wire = Script::new("> salir\n< no");
    assert_eq!(
        LineProtocol::new(&rules(CONECTA_C)).close(&mut wire, later()).unwrap_err().kind,
        FaultKind::Time
    );
}

fn check_turn(said: &str, expected: Result<&str, FaultKind>) {
    let mut wire = Script::new(&format!("> 4 0\n{said}"));
    let mut line = LineProtocol::new(&rules(LADRILLOS));
    let time: TimeControl = "10".parse().unwrap();
    line.begin(&mut wire, &beginning("ladrillos:4", Side::First, &[], &time), later()).unwrap();
    let got = line.choose(&mut wire, &turn(&[], Side::First, &time));
    assert_eq!(got.map(|reply| reply.mv).map_err(|fault| fault.kind), expected.map(str::to_owned), "{said}");
    wire.finish();
}

#[test]
fn answers_good_and_bad() {
    check_turn("<  1\t2   0 \r", Ok("b1h"));
    check_turn("<\n< 1 2 0", Ok("b1h"));
    check_turn("< 1 2 0 my move", Ok("b1h"));
    check_turn("< 9 9 0", Ok("i9h"));
    check_turn("< 0 2 0", Err(FaultKind::Illegal));
    check_turn("< 1 2 2", Err(FaultKind::Garbled));
    check_turn("< 1 2", Err(FaultKind::Garbled));
    check_turn("< hello", Err(FaultKind::Garbled));
    check_turn("", Err(FaultKind::Time));
}

#[test]
fn moves_unasked() {
    let mut wire = Script::new("< 1 1 0");
    let mut line = LineProtocol::new(&rules(LADRILLOS));
    let time: TimeControl = "10".parse().unwrap();
    line.begin(&mut wire, &beginning("ladrillos:4", Side::Second, &[], &time), later()).unwrap();
    line.observe(&mut wire, "a1h", Side::First, later()).unwrap();
    let fault = line.choose(&mut wire, &turn(&[], Side::Second, &time)).unwrap_err();
    assert_eq!(fault.kind, FaultKind::OutOfTurn);
    let opening = [("a1h", Side::First)];
    let game = beginning("ladrillos:4", Side::Second, &opening, &time);
    assert_eq!(line.begin(&mut wire, &game, later()).unwrap_err().kind, FaultKind::Start);
}

/// A protocol of somebody else: words around the moves, letters, and a move that is a word.
#[test]
fn a_file_of_ones_own() {
    let text = "game = 'mancala:uam'\nstart = ['you are {own}']\ncolors = ['south', 'north']\nmove = '{hole}'\n\
        move-in = 'they {hole}'\nmove-out = 'play {hole}'\ntells-last-move = true\n\
        [field.hole]\nprogram = 'letters'\n[words]\npass = 'skip'\n[end]\nlost = ['sorry', 'bye']\n";
    let mut wire = Script::new("> you are north\n> they c\n> they a\n< play f\n> skip\n> sorry\n> bye");
    let mut line = LineProtocol::new(&rules(text));
    let time: TimeControl = "10".parse().unwrap();
    line.begin(&mut wire, &beginning("mancala:uam", Side::Second, &[], &time), later()).unwrap();
    line.observe(&mut wire, "3", Side::First, later()).unwrap();
    line.observe(&mut wire, "1", Side::First, later()).unwrap();
    assert_eq!(line.choose(&mut wire, &turn(&[], Side::Second, &time)).unwrap().mv, "6");
    line.observe(&mut wire, "6", Side::Second, later()).unwrap();
    line.observe(&mut wire, "pass", Side::First, later()).unwrap();
    line.end(&mut wire, Some(Side::First), later()).unwrap();
    wire.finish();
    assert_eq!(rules(text).move_said("skip"), ParsedLine::Move("pass".to_owned()));
}

#[test]
fn files_with_mistakes() {
    let check = |text: &str, words: &str| {
        let bad = LineRules::read(text, "test.toml").unwrap_err().to_string();
        assert!(bad.contains(words), "{bad}");
    };
    check("", "game in test.toml");
    check("game = 'x'\nmove = '{a}'", "\"a\" is not a name known here");
    check("game = 'x'\nmove = ''\nmove-in = ''\n", "move-out in test.toml");
    check(&LADRILLOS.replace("{n} {own}", "{m} {own}"), "\"m\" is not a name known here");
    check(&LADRILLOS.replace("{n} {own}", "{n {own}"), "a name in braces");
    check(&LADRILLOS.replace("clock = \"2400\"", "clock = \"long\""), "a time control");
    check(&LADRILLOS.replace("process =", "proces ="), "did you mean \"process\"?");
    check(&LADRILLOS.replace("move-out = \"{row} ", "move-out = \""), "\"row\" is not a place of move");
    check(
        &LADRILLOS.replace("palestra = \"letters\"", "palestra = \"lettres\""),
        "did you mean \"letters\"?",
    );
}

proptest! {
    #[test]
    fn bricks_go_both_ways(row in 1u32..40, column in 1u32..40, direction in 0usize..2) {
        let rules = rules(LADRILLOS);
        let said = format!("{row} {column} {direction}");
        let ParsedLine::Move(token) = rules.move_said(&said) else { panic!("{said}") };
        prop_assert_eq!(rules.line_in(&token), Some(said));
    }

    #[test]
    fn nothing_said_panics(lines in prop::collection::vec("([0-9]{1,30}|[ \t-]|[a-z]|\\PC){0,8}", 0..6)) {
        let time: TimeControl = "10".parse().unwrap();
        for text in [LADRILLOS, CONECTA_C] {
            let mut line = LineProtocol::new(&rules(text));
            let game = if text == LADRILLOS { "ladrillos:4" } else { "connect:7x6x4" };
            let mut wire = FixedReplies(lines.clone().into());
            let _ = line.begin(&mut wire, &beginning(game, Side::First, &[], &time), later());
            let _ = line.choose(&mut wire, &turn(&[], Side::First, &time));
            for said in &lines {
                let _ = line.observe(&mut wire, said, Side::Second, later());
                let _ = LineRules::read(said, "x");
            }
        }
    }
}
