//! The protocols of the two courses, line by line, and a protocol of a file.

use super::{CONECTA_C, LADRILLOS, LineProtocol, LineRules, ParsedLine};
use crate::protocol::Protocol;
use crate::protocols::double::{FixedReplies, Script, later, new_game, played, turn};
use palestra_arena::{FaultKind, TimeControl};
use palestra_core::Side;
use proptest::prelude::*;
use std::sync::Arc;

fn rules(text: &str) -> Arc<LineRules> {
    Arc::new(LineRules::read(text, "test.toml").unwrap())
}

/// Plays a game with the program's moves from the script and these moves of the opponent, of which the last is not
/// answered; returns the program's moves.
fn play(
    protocol: &mut LineProtocol,
    transport: &mut Script,
    game: &str,
    side: Side,
    others: &[&str],
    n_own: usize,
) -> Vec<String> {
    let time: TimeControl = "10".parse().unwrap();
    protocol.begin(transport, &new_game(game, side, &[], &time), later()).unwrap();
    let mut others = others.iter();
    let mut own = Vec::new();
    let mut to_move = Side::First;
    loop {
        if to_move == side {
            if own.len() == n_own {
                return own;
            }
            let mv = protocol.choose(transport, &turn(&[], side, &time)).unwrap().mv;
            protocol.observe(transport, &played(&mv, side), later()).unwrap();
            own.push(mv);
        } else {
            let Some(mv) = others.next() else { return own };
            protocol.observe(transport, &played(mv, side.other()), later()).unwrap();
        }
        to_move = to_move.other();
    }
}

#[test]
fn ladrillos_first() {
    let mut transport = Script::new("> 4 0\n< 1 1 0\n> 3 4 1\n< 2 1 1");
    let mut protocol = LineProtocol::new(&rules(LADRILLOS));
    protocol.open(&mut transport, later()).unwrap();
    // The game ends with the opponent's brick, which is not sent.
    let own = play(&mut protocol, &mut transport, "ladrillos:4", Side::First, &["d3v", "c1v"], 2);
    assert_eq!(own, ["a1h", "a2v"]);
    protocol.end(&mut transport, Some(Side::First), later()).unwrap();
    protocol.close(&mut transport, later()).unwrap();
    transport.finish();
    assert!(!protocol.reuses_process());
}

#[test]
fn ladrillos_second() {
    let mut transport = Script::new("> 11 1\n> 11 10 0\n< 10 11 1");
    let mut protocol = LineProtocol::new(&rules(LADRILLOS));
    let own = play(&mut protocol, &mut transport, "ladrillos:11", Side::Second, &["j11h"], 1);
    assert_eq!(own, ["k10v"]);
    transport.finish();
}

#[test]
fn conecta_c_plays_many_games() {
    let mut transport = Script::new(
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
    let mut protocol = LineProtocol::new(&rules(CONECTA_C));
    protocol.open(&mut transport, later()).unwrap();
    assert_eq!(play(&mut protocol, &mut transport, "connect:7x6x4", Side::First, &["4"], 2), ["4", "7"]);
    protocol.end(&mut transport, Some(Side::First), later()).unwrap();
    assert_eq!(play(&mut protocol, &mut transport, "connect:9x8x5x12", Side::Second, &["1", "1"], 1), ["9"]);
    protocol.end(&mut transport, Some(Side::First), later()).unwrap();
    assert_eq!(play(&mut protocol, &mut transport, "connect:1x1x2", Side::First, &[], 1), ["1"]);
    protocol.end(&mut transport, None, later()).unwrap();
    // An opponent that fails before the program's first turn: nothing about that game was sent.
    let time: TimeControl = "10".parse().unwrap();
    protocol.begin(&mut transport, &new_game("connect:7x6x4", Side::Second, &[], &time), later()).unwrap();
    protocol.end(&mut transport, Some(Side::Second), later()).unwrap();
    protocol.close(&mut transport, later()).unwrap();
    transport.finish();
    assert!(protocol.reuses_process());
}

#[test]
fn a_missing_farewell_is_a_fault() {
    let mut transport = Script::new("> salir\n< no");
    assert_eq!(
        LineProtocol::new(&rules(CONECTA_C)).close(&mut transport, later()).unwrap_err().kind,
        FaultKind::Time
    );
}

fn check_turn(answer: &str, expected: Result<&str, FaultKind>) {
    let mut transport = Script::new(&format!("> 4 0\n{answer}"));
    let mut protocol = LineProtocol::new(&rules(LADRILLOS));
    let time: TimeControl = "10".parse().unwrap();
    protocol.begin(&mut transport, &new_game("ladrillos:4", Side::First, &[], &time), later()).unwrap();
    let got = protocol.choose(&mut transport, &turn(&[], Side::First, &time));
    let got = got.map(|reply| reply.mv).map_err(|fault| fault.kind);
    assert_eq!(got, expected.map(str::to_owned), "{answer}");
    transport.finish();
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
fn moves_without_a_request() {
    let mut transport = Script::new("< 1 1 0");
    let mut protocol = LineProtocol::new(&rules(LADRILLOS));
    let time: TimeControl = "10".parse().unwrap();
    protocol.begin(&mut transport, &new_game("ladrillos:4", Side::Second, &[], &time), later()).unwrap();
    protocol.observe(&mut transport, &played("a1h", Side::First), later()).unwrap();
    let fault = protocol.choose(&mut transport, &turn(&[], Side::Second, &time)).unwrap_err();
    assert_eq!(fault.kind, FaultKind::OutOfTurn);
    let opening = [("a1h", Side::First)];
    let game = new_game("ladrillos:4", Side::Second, &opening, &time);
    assert_eq!(protocol.begin(&mut transport, &game, later()).unwrap_err().kind, FaultKind::Start);
}

/// Another protocol: with words around the moves, letters for numbers, and a move without fields.
#[test]
fn a_protocol_of_a_file() {
    let text = "game = 'mancala:uam'\nstart = ['you are {own}']\ncolors = ['south', 'north']\nmove = '{hole}'\n\
        move_in = 'they {hole}'\nmove_out = 'play {hole}'\ntells_last_move = true\n\
        [field.hole]\nprogram = 'letters'\n[words]\npass = 'skip'\n[end]\nlost = ['sorry', 'bye']\n";
    let mut transport = Script::new("> you are north\n> they c\n> they a\n< play f\n> skip\n> sorry\n> bye");
    let mut protocol = LineProtocol::new(&rules(text));
    let time: TimeControl = "10".parse().unwrap();
    protocol.begin(&mut transport, &new_game("mancala:uam", Side::Second, &[], &time), later()).unwrap();
    protocol.observe(&mut transport, &played("3", Side::First), later()).unwrap();
    protocol.observe(&mut transport, &played("1", Side::First), later()).unwrap();
    assert_eq!(protocol.choose(&mut transport, &turn(&[], Side::Second, &time)).unwrap().mv, "6");
    protocol.observe(&mut transport, &played("6", Side::Second), later()).unwrap();
    protocol.observe(&mut transport, &played("pass", Side::First), later()).unwrap();
    protocol.end(&mut transport, Some(Side::First), later()).unwrap();
    transport.finish();
    assert_eq!(rules(text).parse_move_out("skip"), ParsedLine::Move("pass".to_owned()));
}

#[test]
fn invalid_files() {
    let check = |text: &str, part: &str| {
        let bad = LineRules::read(text, "test.toml").unwrap_err().to_string();
        assert!(bad.contains(part), "{bad}");
    };
    check("", "game in test.toml");
    let moves = "move_in = ''\nmove_out = ''";
    check(
        &format!("game = 'x'\nmove = '{{a}}'\n{moves}"),
        "\"a\" for move (line 2, column 8): expected a known placeholder",
    );
    check("game = 'x'\nmove = ''\nmove_in = ''\n", "move_out in test.toml");
    check(&LADRILLOS.replace("{n} {own}", "{m} {own}"), "invalid value \"m\" for start (line ");
    let colors = LADRILLOS.replace("[\"0\", \"1\"]", "[\"0\"]");
    check(&colors, "expected two words, as in [\"azul\", \"rojo\"]");
    check(&LADRILLOS.replace("{n} {own}", "{n {own}"), "a name in braces");
    check(&LADRILLOS.replace("clock = \"2400\"", "clock = \"long\""), "a time control");
    check(&LADRILLOS.replace("process =", "proces ="), "did you mean \"process\"?");
    check(
        &LADRILLOS.replace("move_out = \"{row} ", "move_out = \""),
        "\"row\" for move in test.toml: expected a placeholder that move, move_in, move_out and history all have",
    );
    check(
        &LADRILLOS.replace("palestra = \"letters\"", "palestra = \"lettres\""),
        "did you mean \"letters\"?",
    );
}

proptest! {
    #[test]
    fn bricks_translate_both_ways(row in 1u32..40, column in 1u32..40, direction in 0usize..2) {
        let rules = rules(LADRILLOS);
        let line = format!("{row} {column} {direction}");
        let ParsedLine::Move(token) = rules.parse_move_out(&line) else { panic!("{line}") };
        prop_assert_eq!(rules.line_in(&played(&token, Side::First), Side::Second), Some(line));
    }

    #[test]
    fn no_output_panics(lines in prop::collection::vec("([0-9]{1,30}|[ \t-]|[a-z]|\\PC){0,8}", 0..6)) {
        let time: TimeControl = "10".parse().unwrap();
        for text in [LADRILLOS, CONECTA_C] {
            let mut protocol = LineProtocol::new(&rules(text));
            let game = if text == LADRILLOS { "ladrillos:4" } else { "connect:7x6x4" };
            let mut transport = FixedReplies(lines.clone().into());
            let _ = protocol.begin(&mut transport, &new_game(game, Side::First, &[], &time), later());
            let _ = protocol.choose(&mut transport, &turn(&[], Side::First, &time));
            for line in &lines {
                let _ = protocol.observe(&mut transport, &played(line, Side::Second), later());
                let _ = LineRules::read(line, "x");
            }
        }
    }
}
