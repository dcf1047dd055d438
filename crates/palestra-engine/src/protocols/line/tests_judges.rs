//! Judges that send more than moves: the whole game, clocks, positions, fixed answers; and how their files are checked.

use super::{COMP2230, LADRILLOS, LineProtocol, LineRules, MANCHESTER};
use crate::process::ExitRequest;
use crate::protocol::Protocol;
use crate::protocols::ProtocolKind;
use crate::protocols::double::{Script, later, moves, new_game, turn};
use palestra_arena::{Fault, FaultKind, MoveRequest, ObservedMove, TimeControl};
use palestra_core::Side;
use std::sync::Arc;
use std::time::Duration;

fn rules(text: &str) -> Arc<LineRules> {
    Arc::new(LineRules::read(text, "test.toml").unwrap())
}

#[test]
fn comp2230_sends_the_game_and_the_clocks() {
    let mut transport = Script::new(
        "> isready
         < readyok
         > position startpos
         > go ftime 60000 stime 60000
         < info depth 3
         < bestmove 3
         > isready
         < info still here
         < readyok
         > position startpos 306
         > go ftime 59000 stime 1500
         < bestmove 0
         > isready
         < readyok
         > position startpos 33
         > go ftime 60000 stime 60000
         < bestmove 7
         > quit",
    );
    let mut protocol = LineProtocol::new(&rules(COMP2230));
    let time: TimeControl = "60".parse().unwrap();
    protocol.open(&mut transport, later()).unwrap();
    let mut choose = |moves: &[String], side: Side, left: Option<[u64; 2]>| {
        let full = turn(moves, side, &time);
        let left = left.map_or(full.left, |left| left.map(|ms| Some(Duration::from_millis(ms))));
        protocol.begin(&mut transport, &new_game("connect:7x6x4", side, &[], &time), later()).unwrap();
        protocol.choose(&mut transport, &MoveRequest { left, ..full }).unwrap().mv
    };
    assert_eq!(choose(&[], Side::First, None), "4");
    assert_eq!(choose(&moves("4 1 7"), Side::Second, Some([59_000, 1_500])), "1");
    // Column 7 counted from 0 is not on this board, which the referee finds out.
    assert_eq!(choose(&moves("4 4"), Side::First, None), "8");
    protocol.close(&mut transport, later()).unwrap();
    transport.finish();
    let kind: Box<dyn ProtocolKind> = Box::new(rules(COMP2230));
    assert!(kind.takes_openings() && !kind.takes_setups());
    let wide = kind.check("connect:11x6x4").unwrap_err().to_string();
    assert!(wide.contains("\"11\" for columns of connect:11x6x4: expected at most 10"), "{wide}");
}

fn check_comp2230(script: &str, expected: &str, kind: FaultKind) {
    let mut transport = Script::new(script);
    let mut protocol = LineProtocol::new(&rules(COMP2230));
    let time: TimeControl = "60".parse().unwrap();
    protocol.begin(&mut transport, &new_game("connect:7x6x4", Side::First, &[], &time), later()).unwrap();
    let fault = protocol.choose(&mut transport, &turn(&[], Side::First, &time)).unwrap_err();
    assert!(fault.kind == kind && fault.detail.contains(expected), "{fault}");
}

#[test]
fn wrong_fixed_answers_are_faults() {
    check_comp2230("> isready", "no readyok after isready within", FaultKind::Time);
    check_comp2230(
        "> isready\n< ready",
        "\"ready\" as the answer to \"isready\", not readyok",
        FaultKind::Garbled,
    );
    check_comp2230("> isready\n< bestmove 3", "without a request", FaultKind::OutOfTurn);
}

/// Plays the moves of both sides as a referee does: text, side, position after it, side to move.
fn observe(
    protocol: &mut LineProtocol,
    transport: &mut Script,
    (text, by, position, to_move): (&str, Side, &str, Option<Side>),
) {
    protocol.observe(transport, &ObservedMove { text, by, position, to_move }, later()).unwrap();
}

#[test]
fn manchester_tells_both_sides_of_every_move() {
    let mut transport = Script::new(
        "> START;North
         > CHANGE;1;7,7,7,7,7,7,7,0,0,8,8,8,8,8,8,1;OPP
         > CHANGE;2;8,8,7,7,7,7,7,0,0,0,9,9,9,9,9,2;YOU
         < MOVE;7
         > CHANGE;7;8,8,7,7,7,7,0,1,1,1,10,10,10,10,9,2;OPP
         > CHANGE;3;0,0,0,0,0,0,0,60,0,0,0,0,0,0,0,38;END
         > END",
    );
    let mut protocol = LineProtocol::new(&rules(MANCHESTER));
    let time: TimeControl = "60".parse().unwrap();
    let (south, north) = (Side::First, Side::Second);
    protocol.begin(&mut transport, &new_game("kalah:7x7", north, &[], &time), later()).unwrap();
    let both = &mut transport;
    observe(&mut protocol, both, ("1", south, "0,8,8,8,8,8,8,1/7,7,7,7,7,7,7,0 1", Some(south)));
    observe(&mut protocol, both, ("2", south, "0,0,9,9,9,9,9,2/8,8,7,7,7,7,7,0 2", Some(north)));
    assert_eq!(protocol.choose(both, &turn(&[], north, &time)).unwrap().mv, "7");
    observe(&mut protocol, both, ("7", north, "1,1,10,10,10,10,9,2/8,8,7,7,7,7,0,1 1", Some(south)));
    observe(&mut protocol, both, ("3", south, "0,0,0,0,0,0,0,38/0,0,0,0,0,0,0,60 2", None));
    protocol.end(both, Some(north), later()).unwrap();
    protocol.close(both, later()).unwrap();
    transport.finish();
    assert!(!protocol.reuses_process());
}

#[test]
fn a_swap_is_an_illegal_move_with_its_reason() {
    let mut transport = Script::new("> START;South\n< SWAP");
    let mut protocol = LineProtocol::new(&rules(MANCHESTER));
    let time: TimeControl = "60".parse().unwrap();
    protocol.begin(&mut transport, &new_game("kalah:7x7", Side::First, &[], &time), later()).unwrap();
    let fault = protocol.choose(&mut transport, &turn(&[], Side::First, &time)).unwrap_err();
    assert_eq!(fault, Fault::new(FaultKind::Illegal, "\"SWAP\": the game has no pie rule"));
    let kind: Box<dyn ProtocolKind> = Box::new(rules(MANCHESTER));
    assert!(
        !kind.takes_openings()
            && kind.check("kalah:6x4").is_ok()
            && kind.check("kalah:7x7,capture=empty").is_err()
    );
}

/// A handshake with an answer that only the program knows, and a position at every turn.
#[test]
fn handshake_and_state() {
    let text = "game = 'connect:{columns}x{rows}x{run}'\nhandshake = ['name', 'isready']\nmove = '{column}'\n\
        turn = ['{own} {state}']\nmove_out = '{column}'\ncolors = ['w', 'b']\nexit = 'by-itself'\n[replies]\nname = '*'\n\
        isready = 'readyok'\n[state]\nbetween_rows = '/'\nown = 'x'\nother = 'o'\n[field.column]\nprogram = 'letters'\n";
    let mut transport = Script::new("> name\n< C3000000\n> isready\n< readyok\n> b .../.o./xo.\n< c");
    let rules = rules(text);
    let mut protocol = LineProtocol::new(&rules);
    let time: TimeControl = "60".parse().unwrap();
    protocol.open(&mut transport, later()).unwrap();
    protocol.begin(&mut transport, &new_game("connect:3x3x3", Side::Second, &[], &time), later()).unwrap();
    let request = MoveRequest { position: ".../.1./21. 2", ..turn(&[], Side::Second, &time) };
    assert_eq!(protocol.choose(&mut transport, &request).unwrap().mv, "3");
    transport.finish();
    let kind: Box<dyn ProtocolKind> = Box::new(rules);
    assert!(kind.takes_openings() && kind.takes_setups());
    assert_eq!(kind.exit_request(), ExitRequest::ByItself);
    let mut transport = Script::new("> name\n< C3000000\n> isready");
    let fault = protocol.open(&mut transport, later()).unwrap_err();
    assert_eq!(fault.kind, FaultKind::Handshake);
}

#[test]
fn invalid_files() {
    let check = |text: &str, part: &str| {
        let bad = LineRules::read(text, "test.toml").unwrap_err().to_string();
        assert!(bad.contains(part), "{bad}");
    };
    let swap = |text: &str, from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        text.replace(from, to)
    };
    check(
        &swap(LADRILLOS, "move_in = \"{row} {column} {direction}\"\n", ""),
        "move_in in test.toml (line 1, column 1): expected a move template, as in \"{row} {column}\", or a turn with {history} or {state}",
    );
    check(&swap(COMP2230, "isready = \"readyok\"", "isredy = \"readyok\""), "did you mean \"isready\"?");
    check(&swap(COMP2230, "{first-ms}", "{first-mss}"), "did you mean \"first-ms\"?");
    check(&swap(COMP2230, "move = \"{column}\"\nseparator", "separator"), "move");
    check(&swap(COMP2230, "columns = 10", "columns = \"ten\""), "columns");
    check(&swap(MANCHESTER, "[state]\nfirst_row", "[state]\nfirst_rwo"), "did you mean \"first_row\"?");
    check(&swap(MANCHESTER, "\"bottom\"", "\"botom\""), "did you mean \"bottom\"?");
    check(&swap(MANCHESTER, "\"OPP\", ", ""), "three words, for the program, the opponent and neither");
    check(&swap(MANCHESTER, "{state};{next}", "{stat};{next}"), "did you mean \"state\"?");
    check(&swap(MANCHESTER, "process = \"game\"", "exit = \"sigtrm\""), "did you mean \"sigterm\"?");
    check(
        &swap(COMP2230, "ignore = ", "tells_own_moves = true\nignore = "),
        "tells_own_moves in test.toml (line 7, column 19) cannot be used here",
    );
}
