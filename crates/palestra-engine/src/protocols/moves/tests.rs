//! Move maps: both directions, games of programs that use them, and files that are refused.

use super::{MappedProtocol, MoveMap, MoveMapSpec};
use crate::protocol::Protocol;
use crate::protocols::double::{Script, later, moves, new_game, played, turn};
use crate::protocols::{Dialect, ProtocolSpec, Ugi};
use palestra_arena::{FaultKind, TimeControl};
use palestra_core::Side;
use proptest::prelude::*;
use std::sync::Arc;

fn cfour() -> Arc<MoveMap> {
    Arc::new("cfour".parse::<MoveMapSpec>().unwrap().load().unwrap())
}

#[test]
fn landing_squares_are_counted() {
    let map = cfour();
    let all = moves("4 4 1 4 7");
    let written = map.write(all.iter().map(String::as_str)).unwrap();
    assert_eq!(written, ["P@d1", "P@d2", "P@a1", "P@d3", "P@g1"]);
    assert_eq!(map.read_move("P@d4", &all), Ok("4".to_owned()));
    assert_eq!(map.read_move("P@g2", &all), Ok("7".to_owned()));
    let bad = |text: &str| map.read_move(text, &all).unwrap_err();
    assert_eq!(bad("P@d1"), "the move 4 is P@d4 here");
    assert_eq!(bad("d4"), "not a move of the form P@{column}{row}");
    assert_eq!(map.write(["4", "x"].into_iter()), Err("x".to_owned()));
    assert!(map.check("connect:7x6x4").is_ok() && map.check("connect:9x8x5").is_ok());
    assert!(map.check("kalah:6x4").unwrap_err().to_string().contains("a game of the move map cfour"));
}

#[test]
fn uci_with_a_map() {
    let mut transport = Script::new(
        "> uci
         < option name UCI_Variant type combo default chess
         < uciok
         > setoption name UCI_Variant value cfour
         > isready
         < readyok
         > ucinewgame
         > isready
         < readyok
         > position startpos moves P@d1 P@d2
         > isready
         < readyok
         > go movetime 1000
         < bestmove P@d3
         > position startpos moves P@d1 P@d2 P@d3 P@a1
         > isready
         < readyok
         > go movetime 1000
         < bestmove P@a1",
    );
    let options = [("UCI_Variant".to_owned(), "cfour".to_owned())];
    let mut mapped = MappedProtocol::new(&cfour(), Box::new(Ugi::new(Dialect::UCI, &options)));
    let time: TimeControl = "1/move".parse().unwrap();
    mapped.open(&mut transport, later()).unwrap();
    let opening = [("4", Side::First), ("4", Side::Second)];
    // The game is not sent as a variant over the one that the entry sets.
    mapped.begin(&mut transport, &new_game("connect:7x6x4", Side::First, &opening, &time), later()).unwrap();
    let reply = mapped.choose(&mut transport, &turn(&moves("4 4"), Side::First, &time)).unwrap();
    assert_eq!(reply.mv, "4");
    let fault = mapped.choose(&mut transport, &turn(&moves("4 4 4 1"), Side::First, &time)).unwrap_err();
    assert_eq!(
        (fault.kind, fault.detail.as_str()),
        (FaultKind::Illegal, "\"P@a1\": the move 1 is P@a2 here")
    );
    transport.finish();
}

#[test]
fn gtp_with_a_map() {
    let mut transport = Script::new(
        "> 1 boardsize 7\n< =1\n<\n> 2 clear_board\n< =2\n<\n> 3 play b P@d1\n< =3\n<\n> 4 genmove w\n< =4 P@d2\n<
         > 5 play b P@d3\n< =5\n<\n> 6 genmove w\n< =6 RESIGN\n<",
    );
    let gtp = "gtp".parse::<ProtocolSpec>().unwrap().load().unwrap();
    let mut mapped = MappedProtocol::new(&cfour(), gtp.kind.speak_mapped(&[]).unwrap());
    let time: TimeControl = "1/move".parse().unwrap();
    let opening = [("4", Side::First)];
    mapped.begin(&mut transport, &new_game("connect:7x6x4", Side::Second, &opening, &time), later()).unwrap();
    let reply = mapped.choose(&mut transport, &turn(&moves("4"), Side::Second, &time)).unwrap();
    assert_eq!(reply.mv, "4");
    mapped.observe(&mut transport, &played("4", Side::Second), later()).unwrap();
    mapped.observe(&mut transport, &played("4", Side::First), later()).unwrap();
    let reply = mapped.choose(&mut transport, &turn(&moves("4 4 4"), Side::Second, &time)).unwrap();
    assert_eq!(reply.mv, "resign");
    transport.finish();
}

#[test]
fn a_table_of_pairs() {
    let text = "game = 'mancala:uam'\n[pairs]\n1 = 'a'\n2 = 'b'\npass = '--'\n";
    let map = MoveMap::read(text, "pairs.toml").unwrap();
    assert_eq!(map.write(["2", "pass", "2"].into_iter()).unwrap(), ["b", "--", "b"]);
    assert_eq!(map.read_move("--", &[]), Ok("pass".to_owned()));
    assert_eq!(map.read_move("c", &[]), Err("not a move of the map pairs.toml".to_owned()));
    assert!(!map.needs_history() && cfour().needs_history());
}

#[test]
fn invalid_files() {
    let check = |text: &str, part: &str| {
        let bad = MoveMap::read(text, "map.toml").unwrap_err().to_string();
        assert!(bad.contains(part), "{bad}");
    };
    let with = |rest: &str| format!("game = 'connect:{{a}}x{{b}}x{{c}}'\n{rest}");
    check("move = '{c}'", "game in map.toml");
    check(&with(""), "move in map.toml");
    check(&with("move = '{c}'\n[field.c]"), "program in map.toml");
    check(
        &with("move = '{c}'\nprogram = 'P@{column}'\n[field.c]"),
        "\"column\" for program (line 3, column 11)",
    );
    check(&with("move = '{c}'\nprogram = 'P@'\n[field.c]"), "a placeholder that program has");
    check(&with("move = '{c}'\nprogram = '{c}{r}'\n[field.c]\n[count.r]\nof = 'c'"), "it is not clear where");
    check(
        &with("move = '{c}'\nprogram = '{c}x{r}'\n[field.c]\n[count.r]\nof = 'd'"),
        "\"d\" for of in [count.r]",
    );
    check(
        &with("move = '{c}'\nprogram = '{c}'\n[field.c]\nwords = { a = 'x', b = 'x' }"),
        "\"x\" for words in [field.c]",
    );
    check(
        &with("[pairs]\n1 = 'a'\n2 = 'a'"),
        "\"2 = a\" for pairs (line 2, column 1): expected a text that no other move has",
    );
    check(&with("[pairs]\n1 = ''"), "a move without blanks");
    check(&with("move = '{c}'\nprogram = 'P{c}'\n[field.c]\n[pairs]\npass = 'P7'"), "pattern of program");
    check(&with("move = '{c}'\nprogram = 'P{c}'\n[field.c]\n[pairs]\n7 = 'x'"), "pattern of move");
    check(&with("[pairs]\n1 = 'a'\n[cuont.r]\nof = 'c'"), "did you mean \"count\"?");
    let bad = "cfuor".parse::<MoveMapSpec>().unwrap_err().to_string();
    assert!(bad.contains("did you mean \"cfour\"?"), "{bad}");
    let missing = "no/such.toml".parse::<MoveMapSpec>().unwrap().load().unwrap_err().to_string();
    assert!(missing.contains("\"no/such.toml\" for moves: expected a readable file"), "{missing}");
}

proptest! {
    /// Every game reads back, and no answer panics.
    #[test]
    fn games_translate_both_ways(columns in prop::collection::vec(1u32..33, 0..60), text in "\\PC{0,8}") {
        let map = cfour();
        let all: Vec<String> = columns.iter().map(ToString::to_string).collect();
        let written = map.write(all.iter().map(String::as_str)).unwrap();
        for (i, text) in written.iter().enumerate() {
            prop_assert_eq!(map.read_move(text, &all[..i]), Ok(all[i].clone()));
        }
        let _ = map.read_move(&text, &all);
        let _ = MoveMap::read(&text, "x");
    }
}
