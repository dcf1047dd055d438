//! A person at the terminal, as lines on standard input.

use crate::support::{Ran, command, finish};
use serde_json::Value;

/// Runs a command line (without quotes) and types the lines.
fn converse(line: &str, typed: &[&str]) -> Ran {
    let words: Vec<&str> = line.split(' ').collect();
    let text: String = typed.iter().map(|line| format!("{line}\n")).collect();
    finish(command(&words).write_stdin(text))
}

fn check(name: &str, line: &str, typed: &[&str]) {
    let ran = converse(line, typed);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{line}");
    assert!(!ran.stdout.contains('\x1b'), "{line}");
    let description = format!("palestra {line}\n{}", typed.join("\n"));
    insta::with_settings!({ omit_expression => true, description => description }, {
        insta::assert_snapshot!(name, ran.stdout);
    });
}

#[test]
fn a_game_with_every_word() {
    let typed = ["4", "undo", "undo", "hint", "99", "hnt", "", "moves", "help", "3", "resign"];
    check("human-words", "play connect:5x4x3", &typed);
}

#[test]
fn a_game_to_its_end() {
    check("human-wins", "play connect:4x4x3 --second first", &["4", "4", "4"]);
    check("two-humans", "play connect:3x3x3 --first human --second human", &["1", "2", "1", "2", "1"]);
}

/// A turn of Mastergoal, typed in steps (piece, square, kick) with help and undo between them, or as a whole.
#[test]
fn a_move_in_stages() {
    let typed = ["f4", "f6", "help", "h9", "f10", "undo", "undo", "f4f6*h9", "f9", "quit"];
    check("human-stages", "play mastergoal:1 --second first", &typed);
}

/// The printed command continues the same game.
#[test]
fn leaving_says_how_to_go_on() {
    check("human-quits", "play connect4 --second first", &["4", "quit"]);
    for typed in [&["4", "4", "quit"][..], &["4", "4"]] {
        let ran = converse("play connect4 --second rival-4 --seed 9", typed);
        assert_eq!(ran.code, Some(0));
        let resume = ran.stdout.lines().find_map(|line| line.split_once("to continue: palestra ")).unwrap().1;
        let words = resume.replace('\'', "");
        let (before, list) = words.split_once(" --moves ").unwrap();
        let (list, after) = list.split_once(" --seed ").unwrap();
        let mut line: Vec<&str> = before.split(' ').collect();
        line.extend(["--moves", list, "--seed", after, "--json"]);
        let ran = finish(command(&line).write_stdin("quit\n"));
        let record: Value = serde_json::from_str(&ran.stdout).unwrap();
        assert_eq!(record["moves"].as_array().map(Vec::len), Some(4), "{resume}");
        assert_eq!(record["moves"][0], "4");
        assert_eq!((record["seed"].as_u64(), record["end"].as_str()), (Some(9), Some("unfinished")));
    }
}

/// Undo returns to the person's last turn, before the computer's answer, and never gives the person the other side.
#[test]
fn undo_stays_on_the_persons_side() {
    let ran = converse("play connect4 --first first --json", &["undo", "4", "undo", "5", "quit"]);
    assert_eq!(ran.stderr.matches("nothing to take back").count(), 1);
    assert!(!ran.stderr.contains("first (X), your move"), "{}", ran.stderr);
    let record: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(record["moves"], serde_json::json!(["1", "5", "1"]));
}

/// With `--json` standard output has only the record; the board goes to standard error.
#[test]
fn a_record_of_a_persons_game() {
    let ran = converse("play connect:4x4x3 --second first --json", &["4", "4", "4"]);
    let record: Value = serde_json::from_str(&ran.stdout).unwrap();
    let expected = serde_json::json!(["4", "1", "4", "1", "4"]);
    assert_eq!(
        (&record["moves"], &record["winner"], &record["first"]),
        (&expected, &"first".into(), &"human".into())
    );
    assert!(ran.stderr.contains("your move"));
    let ran = converse("play connect:4x4x3 --second first --json", &["resign"]);
    let record: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((record["winner"].as_str(), record["end"].as_str()), (Some("second"), Some("resigned")));
}

/// Control characters, invalid UTF-8 and long lines are handled as invalid input.
#[test]
fn odd_lines_do_no_harm() {
    let long = "4".repeat(10_000);
    let typed = ["\u{1b}[31m", "hin\u{1b}t", "4 4", "-1", "0", "٤", "UNDO", &long, "quit now", "quit"];
    let ran = converse("play connect4 --second first --json", &typed);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let record: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(record["plies"], 0);
    assert!(!ran.stderr.contains('\u{1b}'), "{}", ran.stderr);
    let ran = finish(command(&["play", "connect4", "--second", "first"]).write_stdin(&b"\xff\xfe\n4\n"[..]));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.ends_with("2 plies: 4 1\n"), "{}", ran.stdout);
}
