//! UGI and UCI with scripts.

use super::double::{FixedReplies, Script, later, moves, new_game, played, turn};
use super::{Dialect, Ugi};
use crate::protocol::Protocol;
use palestra_arena::{FaultKind, NewGame, Reply, TimeControl};
use palestra_core::Side;
use proptest::prelude::*;
use std::time::{Duration, Instant};

fn control(text: &str) -> TimeControl {
    text.parse().unwrap()
}

#[test]
fn a_whole_dialogue() {
    let mut transport = Script::new(
        "> ugi
         < id name Test engine
         < option name Use Book type check default false
         < option name UGI_Variant type string default connect:7x6x4
         < welcome to my engine!
         <   ugiok \r
         > setoption name Use Book value true
         > isready
         <
         < readyok
         > setoption name UGI_Variant value connect:9x8x5
         > uginewgame
         > isready
         < readyok
         > position startpos
         > isready
         < readyok
         > go p1time 60000 p2time 60000 p1inc 500 p2inc 500
         < info depth 3 nodes 100 score cp 12
         < info depth 4 nodes 250 score cp -7 pv 4 4
         <  bestmove \t 4  ponder 5\r
         > position startpos moves 4 5
         > isready
         < readyok
         > go p1time 60000 p2time 60000 p1inc 500 p2inc 500
         < bestmove 3
         > uginewgame
         > isready
         < readyok
         > quit",
    );
    let options = [("Use Book".to_owned(), "true".to_owned())];
    let mut ugi = Ugi::new(Dialect::UGI, &options);
    let time = control("60+0.5,5/move");
    ugi.open(&mut transport, later()).unwrap();
    ugi.begin(&mut transport, &new_game("connect:9x8x5", Side::First, &[], &time), later()).unwrap();
    let reply = ugi.choose(&mut transport, &turn(&[], Side::First, &time)).unwrap();
    assert_eq!(reply, Reply { mv: "4".to_owned(), value: Some(-7.0), depth: Some(4), nodes: Some(250) });
    ugi.observe(&mut transport, &played("4", Side::First), later()).unwrap();
    ugi.observe(&mut transport, &played("5", Side::Second), later()).unwrap();
    let reply = ugi.choose(&mut transport, &turn(&moves("4 5"), Side::First, &time)).unwrap();
    assert_eq!(reply, Reply { mv: "3".to_owned(), ..Reply::default() });
    ugi.end(&mut transport, None, later()).unwrap();
    // The variant has not changed, so it is not sent again.
    ugi.begin(&mut transport, &new_game("connect:9x8x5", Side::Second, &[], &time), later()).unwrap();
    ugi.close(&mut transport, later()).unwrap();
    transport.finish();
    assert!(ugi.reuses_process());
}

#[test]
fn uci_has_other_keywords() {
    let mut transport = Script::new(
        "> uci
         < uciok
         > isready
         < readyok
         > ucinewgame
         > isready
         < readyok
         > position startpos moves e2e4
         > isready
         < readyok
         > go wtime 59000 btime 60000 winc 0 binc 0 depth 6
         < info score mate 2
         < bestmove e7e5 ponder g1f3
         > quit",
    );
    let mut uci = Ugi::new(Dialect::UCI, &[]);
    let time = control("60,depth=6");
    uci.open(&mut transport, later()).unwrap();
    uci.begin(&mut transport, &new_game("chess", Side::Second, &[], &time), later()).unwrap();
    let moves = moves("e2e4");
    let mut turn = turn(&moves, Side::Second, &time);
    turn.left[0] = Some(Duration::from_secs(59));
    let reply = uci.choose(&mut transport, &turn).unwrap();
    assert_eq!((reply.mv.as_str(), reply.value), ("e7e5", Some(999_997.0)));
    uci.close(&mut transport, later()).unwrap();
    transport.finish();
}

fn check_go(time: &str, expected: &str) {
    let script = format!("> position startpos\n> isready\n< readyok\n> {expected}\n< bestmove 1");
    let mut transport = Script::new(&script);
    let time = control(time);
    Ugi::new(Dialect::UGI, &[]).choose(&mut transport, &turn(&[], Side::First, &time)).unwrap();
    transport.finish();
}

#[test]
fn limits_of_a_move() {
    check_go("1/move", "go movetime 1000");
    check_go("60", "go p1time 60000 p2time 60000 p1inc 0 p2inc 0");
    check_go("60+0.5,1/move", "go p1time 60000 p2time 60000 p1inc 500 p2inc 500");
    check_go("depth=6", "go depth 6");
    check_go("nodes=10000", "go nodes 10000");
    check_go("depth=6,nodes=10000", "go depth 6 nodes 10000");
}

/// Checks the result of a move request with this script.
fn check_turn(script: &str, expected: Result<&str, FaultKind>) {
    let mut transport = Script::new(script);
    let time = control("1/move");
    let got = Ugi::new(Dialect::UGI, &[]).choose(&mut transport, &turn(&[], Side::First, &time));
    assert_eq!(
        got.map(|reply| reply.mv).map_err(|fault| fault.kind),
        expected.map(str::to_owned),
        "{script}"
    );
    transport.finish();
}

#[test]
fn invalid_answers_are_faults() {
    let ready = "> position startpos\n> isready\n< readyok\n";
    let go = format!("{ready}> go movetime 1000\n");
    check_turn(&format!("{go}< bestmove"), Err(FaultKind::Garbled));
    check_turn(&format!("{go}<  bestmove \t "), Err(FaultKind::Garbled));
    check_turn(&format!("{go}< I am thinking\n< bestmov 4"), Err(FaultKind::Time));
    check_turn(&go, Err(FaultKind::Time));
    check_turn("> position startpos\n> isready\n< info string busy", Err(FaultKind::Time));
    check_turn("< bestmove 4", Err(FaultKind::OutOfTurn));
    check_turn("> position startpos\n> isready\n< bestmove 4", Err(FaultKind::OutOfTurn));
    check_turn(&format!("< info depth 1\n< readyok\n{go}< bestmove 4"), Ok("4"));
    check_turn(&format!("{go}< bestmove resign"), Ok("resign"));
}

#[test]
fn failed_handshakes() {
    let check = |options: &[(&str, &str)], script: &str, expected: FaultKind, detail: &str| {
        let mut transport = Script::new(script);
        let options: Vec<_> = options.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect();
        let fault = Ugi::new(Dialect::UGI, &options).open(&mut transport, later()).unwrap_err();
        assert_eq!(fault.kind, expected, "{script}");
        assert!(fault.detail.contains(detail), "{fault}");
        transport.finish();
    };
    check(&[], "> ugi\n< id name X", FaultKind::Handshake, "ugiok");
    check(&[], "> ugi\n< bestmove 4", FaultKind::OutOfTurn, "bestmove 4");
    check(&[], "> ugi\n< ugiok\n> isready", FaultKind::Handshake, "readyok");
    check(&[("Hash", "1")], "> ugi\n< ugiok", FaultKind::Handshake, "it has none");
    let script = "> ugi\n< option name Threads type spin default 1\n< ugiok";
    check(&[("Hash", "1")], script, FaultKind::Handshake, "it has Threads");
}

/// A program that sends lines without end does not get more time.
#[test]
fn endless_output() {
    struct Endless;
    impl crate::transport::Transport for Endless {
        fn send(&mut self, _line: &str, _until: Instant) -> Result<(), palestra_arena::Fault> {
            Ok(())
        }
        fn receive(&mut self, _until: Instant) -> Result<Option<String>, palestra_arena::Fault> {
            Ok(Some("info string blah".to_owned()))
        }
    }
    let time = control("1/move");
    let turn = palestra_arena::MoveRequest { within: Duration::ZERO, ..turn(&[], Side::First, &time) };
    let fault = Ugi::new(Dialect::UGI, &[]).choose(&mut Endless, &turn).unwrap_err();
    assert_eq!(fault.kind, FaultKind::Time);
    let fault = Ugi::new(Dialect::UGI, &[]).open(&mut Endless, Instant::now()).unwrap_err();
    assert_eq!(fault.kind, FaultKind::Handshake);
}

/// A program that waited for a core has that time, whatever it sends first.
#[test]
fn lines_do_not_end_the_time_given_back() {
    struct Late(FixedReplies);
    impl crate::transport::Transport for Late {
        fn send(&mut self, line: &str, until: Instant) -> Result<(), palestra_arena::Fault> {
            self.0.send(line, until)
        }
        fn receive(&mut self, until: Instant) -> Result<Option<String>, palestra_arena::Fault> {
            self.0.receive(until)
        }
        fn pending(&mut self) -> Result<Option<String>, palestra_arena::Fault> {
            Ok(None)
        }
        fn is_over(&mut self, _until: Instant) -> bool {
            false
        }
    }
    let time = control("1/move");
    let turn = palestra_arena::MoveRequest { within: Duration::ZERO, ..turn(&[], Side::First, &time) };
    let lines = ["info depth 1", "readyok", "info depth 1", "bestmove 4"].map(str::to_owned);
    let mut program = Late(FixedReplies(lines.to_vec().into()));
    assert_eq!(Ugi::new(Dialect::UGI, &[]).choose(&mut program, &turn).unwrap().mv, "4");
}

proptest! {
    /// Any output of a program gives a reply or a fault.
    #[test]
    fn no_output_panics(
        lines in prop::collection::vec("(info|bestmove|readyok|ugiok|option|name|score|mate|cp|depth|nodes|[ \t]|[0-9-]|\\PC){0,8}", 0..12),
    ) {
        let time = control("1/move");
        let mut transport = FixedReplies(lines.into());
        let mut ugi = Ugi::new(Dialect::UGI, &[]);
        let _ = ugi.open(&mut transport, later());
        let _ = ugi.begin(&mut transport, &new_game("connect:7x6x4", Side::First, &[], &time), later());
        if let Ok(reply) = ugi.choose(&mut transport, &turn(&[], Side::First, &time)) {
            prop_assert!(!reply.mv.is_empty() && !reply.mv.contains(char::is_whitespace));
        }
    }
}

#[test]
fn a_game_from_a_setup() {
    let mut transport = Script::new(
        "> ugi
         < ugiok
         > isready
         < readyok
         > uginewgame
         > isready
         < readyok
         > position fen .../1.2 2 moves 3
         > isready
         < readyok
         > go movetime 1000
         < bestmove 2",
    );
    let mut ugi = Ugi::new(Dialect::UGI, &[]);
    let time = control("1/move");
    ugi.open(&mut transport, later()).unwrap();
    let game = NewGame { setup: Some(".../1.2 2"), ..new_game("connect:3x2x3", Side::First, &[], &time) };
    ugi.begin(&mut transport, &game, later()).unwrap();
    assert_eq!(ugi.choose(&mut transport, &turn(&moves("3"), Side::First, &time)).unwrap().mv, "2");
    transport.finish();
}
