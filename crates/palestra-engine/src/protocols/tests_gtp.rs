//! GTP with scripts.

use super::Gtp;
use super::double::{FixedReplies, Script, later, moves, new_game, played, turn};
use crate::protocol::Protocol;
use palestra_arena::{FaultKind, TimeControl};
use palestra_core::Side;
use proptest::prelude::*;

#[test]
fn a_whole_dialogue() {
    let mut transport = Script::new(
        "> 1 protocol_version
         < =1 2
         <
         > 2 list_commands
         < loading…
         < =2 boardsize
         < time_settings
         < time_left\r
         <
         > 3 boardsize 9
         < =
         <
         > 4 clear_board
         < =4
         <
         > 5 time_settings 60 0 0
         < =5
         <
         > 6 play b e5
         < =6
         <
         > 7 time_left w 60 0
         < =7
         <
         > 8 genmove w
         < =8 D4
         <
         > 9 play b c3
         < =9
         <
         > 10 time_left w 60 0
         < =10
         <
         > 11 genmove w
         < = resign
         <
         > 12 quit",
    );
    let time: TimeControl = "60".parse().unwrap();
    let mut gtp = Gtp::new();
    gtp.open(&mut transport, later()).unwrap();
    let opening = [("e5", Side::First)];
    gtp.begin(&mut transport, &new_game("go:9", Side::Second, &opening, &time), later()).unwrap();
    let reply = gtp.choose(&mut transport, &turn(&moves("e5"), Side::Second, &time)).unwrap();
    assert_eq!(reply.mv, "d4");
    gtp.observe(&mut transport, &played("d4", Side::Second), later()).unwrap();
    gtp.observe(&mut transport, &played("c3", Side::First), later()).unwrap();
    let reply = gtp.choose(&mut transport, &turn(&moves("e5 d4 c3"), Side::Second, &time)).unwrap();
    assert_eq!(reply.mv, crate::RESIGN);
    gtp.close(&mut transport, later()).unwrap();
    transport.finish();
}

#[test]
fn a_program_with_the_game_command() {
    let mut transport = Script::new(
        "> 1 protocol_version\n< =1 2\n<\n> 2 list_commands\n< =2 palestra-game\n< time_settings\n<
         > 3 palestra-game connect:7x6x4\n< =3\n<\n> 4 clear_board\n< =4\n<
         > 5 time_settings 0 1 1\n< =5\n<\n> 6 genmove b\n< =6 4\n<",
    );
    let time: TimeControl = "0.5/move".parse().unwrap();
    let mut gtp = Gtp::new();
    gtp.open(&mut transport, later()).unwrap();
    gtp.begin(&mut transport, &new_game("connect:7x6x4", Side::First, &[], &time), later()).unwrap();
    assert_eq!(gtp.choose(&mut transport, &turn(&[], Side::First, &time)).unwrap().mv, "4");
    transport.finish();
}

fn check_turn(script: &str, expected: FaultKind) {
    let mut transport = Script::new(script);
    let time: TimeControl = "1/move".parse().unwrap();
    let fault = Gtp::new().choose(&mut transport, &turn(&[], Side::First, &time)).unwrap_err();
    assert_eq!(fault.kind, expected, "{script}");
    transport.finish();
}

#[test]
fn invalid_answers_are_faults() {
    check_turn("> 1 genmove b\n< =1\n<", FaultKind::Garbled);
    check_turn("> 1 genmove b\n< ?1 unknown command\n<", FaultKind::Garbled);
    check_turn("> 1 genmove b\n< =7 d4", FaultKind::OutOfTurn);
    check_turn("< = d4", FaultKind::OutOfTurn);
    check_turn("> 1 genmove b\n< =1 d4", FaultKind::Time);
    check_turn("> 1 genmove b\n< d4\n<", FaultKind::Time);
    let mut transport = Script::new("> 1 protocol_version\n< =1 1\n<");
    assert_eq!(Gtp::new().open(&mut transport, later()).unwrap_err().kind, FaultKind::Handshake);
    let mut transport = Script::new("> 1 protocol_version");
    assert_eq!(Gtp::new().open(&mut transport, later()).unwrap_err().kind, FaultKind::Handshake);
}

proptest! {
    #[test]
    fn no_output_panics(lines in prop::collection::vec("(=|\\?|[0-9]|[ \t]|resign|d4|\\PC){0,6}", 0..12)) {
        let time: TimeControl = "60".parse().unwrap();
        let mut transport = FixedReplies(lines.into());
        let mut gtp = Gtp::new();
        let _ = gtp.open(&mut transport, later());
        let opening = [("d4", Side::First)];
        let _ = gtp.begin(&mut transport, &new_game("go:9", Side::First, &opening, &time), later());
        if let Ok(reply) = gtp.choose(&mut transport, &turn(&[], Side::First, &time)) {
            prop_assert!(!reply.mv.is_empty() && !reply.mv.contains(char::is_whitespace));
        }
    }
}
