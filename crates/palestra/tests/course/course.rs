//! Players for judges of other courses, and for programs with a notation of their own: `course KIND`. They choose the
//! first move that is legal on a board of their own. Only the standard library is used, so that one call of `rustc`
//! compiles the program.

use std::env;
use std::io::{self, BufRead, Write};

fn main() {
    match env::args().nth(1).as_deref() {
        Some("comp2230") => comp2230(),
        Some("manchester") => manchester("MOVE;"),
        Some("manchester-swap") => manchester("SWAP"),
        Some("kgp") => kgp(true),
        Some("kgp-thinks-on") => kgp(false),
        Some("cfour") => cfour("bestmove"),
        Some("cfour-gtp") => cfour_gtp(),
        Some("deaf-ladrillos") => ladrillos(),
        other => panic!("no such player: {other:?}"),
    }
}

fn lines() -> impl Iterator<Item = String> {
    io::stdin().lock().lines().map_while(Result::ok)
}

fn say(text: &str) {
    let mut output = io::stdout().lock();
    output.write_all(format!("{text}\n").as_bytes()).and_then(|()| output.flush()).expect("the judge reads");
}

/// Columns counted from 0, all in one line; the clocks must be numbers.
fn comp2230() {
    let mut columns = Vec::new();
    for line in lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["isready"] => say("readyok"),
            ["position", "startpos"] => columns.clear(),
            ["position", "startpos", played] => columns = played.bytes().map(|digit| usize::from(digit - b'0')).collect(),
            ["go", "ftime", first, "stime", second] => {
                let times: Vec<u64> = [first, second].iter().map(|time| time.parse().expect("milliseconds")).collect();
                assert!(times.iter().all(|time| *time <= 60_000), "{line}");
                let free = (0..7).find(|column| columns.iter().filter(|other| *other == column).count() < 6);
                say(&format!("info string {}\nbestmove {}", columns.len(), free.unwrap_or(0)));
            }
            ["quit"] => return,
            _ => panic!("{line}"),
        }
    }
    panic!("no quit");
}

/// The Kalah engine of Manchester: checks that every state agrees with whose turn it is.
fn manchester(answer: &str) {
    let mut own = 0;
    let choose = |holes: &[u32]| {
        let hole = holes.iter().position(|seeds| *seeds > 0).expect("a hole with seeds") + 1;
        say(&if answer == "SWAP" { answer.to_owned() } else { format!("{answer}{hole}") });
    };
    let mut has_ended = false;
    for line in lines() {
        let parts: Vec<&str> = line.split(';').collect();
        match parts[..] {
            ["START", "South"] => {
                own = 8;
                choose(&[7; 7]);
            }
            ["START", "North"] => own = 0,
            ["CHANGE", hole, state, next] => {
                assert!((1..=7).contains(&hole.parse::<u32>().expect("a hole")), "{line}");
                let cups: Vec<u32> = state.split(',').map(|cup| cup.parse().expect("seeds")).collect();
                assert_eq!((cups.len(), cups.iter().sum::<u32>()), (16, 98), "{line}");
                has_ended = next == "END";
                match next {
                    "YOU" => choose(&cups[own..own + 7]),
                    "OPP" | "END" => {}
                    _ => panic!("{line}"),
                }
            }
            ["END"] => {
                assert!(has_ended, "END without the last state");
                return;
            }
            _ => panic!("{line}"),
        }
    }
    panic!("no END");
}

/// A KGP client: sends a bad first thought, a better one, and yields or thinks on until it is stopped.
fn kgp(yields: bool) {
    for line in lines() {
        let (number, command) = line.split_once(' ').unwrap_or((&line, ""));
        let words: Vec<&str> = command.split_whitespace().collect();
        match words[..] {
            _ if line == "kgp 1 0 0" => say("mode freeplay"),
            ["state", board] => {
                let numbers = board.trim_matches(['<', '>']).split(',').map(|number| number.parse().expect("seeds"));
                let numbers: Vec<usize> = numbers.collect();
                let holes = &numbers[3..3 + numbers[0]];
                let full = || (1..=numbers[0]).filter(|hole| holes[hole - 1] > 0);
                say(&format!("1@{number} move {}", full().next().expect("a move")));
                say(&format!("@{number} move {}", full().next_back().expect("a move")));
                if yields {
                    say(&format!("@{number} yield"));
                }
            }
            ["stop"] if !yields => say("ok"),
            ["ok"] | ["stop"] => {}
            ["goodbye"] => return,
            _ => panic!("{line}"),
        }
    }
    panic!("no goodbye");
}

/// The landing square of a column as Fairy-Stockfish writes it, from moves in the same notation.
fn landing(played: &[String], column: char) -> String {
    let row = played.iter().filter(|mv| mv.starts_with(&format!("P@{column}"))).count() + 1;
    format!("P@{column}{row}")
}

/// The first column that is not full, after a check of the moves so far.
fn first_drop(played: &[String]) -> String {
    for (i, mv) in played.iter().enumerate() {
        let column = mv.chars().nth(2).expect("P@d1");
        assert_eq!(*mv, landing(&played[..i], column), "{played:?}");
    }
    let free = ('a'..='g').map(|column| landing(played, column)).find(|drop| !drop.ends_with('7'));
    free.expect("a free column")
}

/// A UCI engine with variants, which does not know games by Palestra's names.
fn cfour(answer: &str) {
    let (mut variant, mut played) = (String::from("chess"), Vec::new());
    for line in lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["uci"] => say("id name drops\noption name UCI_Variant type combo default chess var chess var cfour\nuciok"),
            ["setoption", "name", "UCI_Variant", "value", value] => variant = value.to_owned(),
            ["isready"] => say("readyok"),
            ["position", "startpos", ..] => played = words.iter().skip(3).map(|mv| (*mv).to_owned()).collect(),
            ["go", ..] => {
                assert_eq!(variant, "cfour");
                say(&format!("{answer} {}", first_drop(&played)));
            }
            ["quit"] => return,
            _ => {}
        }
    }
}

/// The same notation in GTP.
fn cfour_gtp() {
    let mut played = Vec::new();
    for line in lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let answer = match words[1..] {
            ["protocol_version"] => "2".to_owned(),
            ["list_commands"] => "play\ngenmove".to_owned(),
            ["clear_board"] => {
                played.clear();
                String::new()
            }
            ["play", _, mv] => {
                played.push(mv.to_owned());
                first_drop(&played[..played.len() - 1]);
                String::new()
            }
            ["genmove", _] => {
                played.push(first_drop(&played));
                played[played.len() - 1].clone()
            }
            _ => String::new(),
        };
        say(&format!("={} {answer}\n", words[0]));
        if words[1] == "quit" {
            return;
        }
    }
}

/// A player of the Ladrillos course on two rows: the end of its input is a crash, as in the original programs.
fn ladrillos() {
    for line in lines() {
        match line.as_str() {
            "2 0" | "2 1 0" => say("1 1 0"),
            "2 1" => {}
            "1 1 0" => say("2 1 0"),
            "1 1 1" => say("1 2 1"),
            "1 2 1" => say("1 1 1"),
            _ => panic!("{line}"),
        }
    }
    panic!("the judge closed the input");
}
