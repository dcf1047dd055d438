//! The player `perfect`.

use crate::support::{objects, run, say};
use serde_json::Value;

/// Positions of Connect Four with their values: won, lost and drawn for the side to move.
const WON: (&str, f64) = ("4526134446113274123666", 9.0);
const LOST: (&str, f64) = ("2157556116341174761444", -6.0);
const DRAWN: (&str, f64) = ("6273541753653271474371", 0.0);

fn object(line: &str) -> Value {
    objects(line).remove(0)
}

/// Value of a finished game of Connect Four for the first player: the winner's stones left, its last move included.
fn worth(record: &Value) -> f64 {
    let n_stones = record["plies"].as_u64().unwrap().div_ceil(2) as f64;
    match record["winner"].as_str() {
        Some("first") => 22.0 - n_stones,
        Some(_) => n_stones - 22.0,
        None => 0.0,
    }
}

#[test]
fn against_itself_the_value_comes_out() {
    for (moves, value) in [WON, LOST, DRAWN] {
        let record = object(&format!("play connect4 --moves {moves} --first perfect --second perfect"));
        assert_eq!(worth(&record), value, "{moves}");
    }
    for (game, margin) in [("kalah:4x3", 6), ("kalah:4x3,capture=empty", 8), ("ladrillos:4", 0)] {
        let record = object(&format!("play {game} --first perfect --second perfect"));
        assert_eq!(record["margin"], margin, "{game}");
        assert_eq!(record["winner"].as_str(), (margin > 0).then_some("first"), "{game}");
    }
}

#[test]
fn nobody_does_better_against_it() {
    for seed in 1..=5 {
        for (moves, value) in [WON, LOST, DRAWN] {
            let line = |first: &str, second: &str| {
                format!("play connect4 --moves {moves} --first {first} --second {second} --seed {seed}")
            };
            assert!(worth(&object(&line("perfect", "random"))) >= value, "{moves}, seed {seed}");
            assert!(worth(&object(&line("random", "perfect:memory=16"))) <= value, "{moves}, seed {seed}");
        }
        let record = object(&format!("play kalah:4x3 --first perfect --second random --seed {seed}"));
        assert!(record["winner"] == "first" && record["margin"].as_i64() >= Some(6), "seed {seed}");
    }
}

#[test]
fn its_name_is_canonical() {
    for (typed, canonical) in [
        ("perfect", "perfect"),
        ("perfect:memory=512", "perfect"),
        ("perfect:memory=64", "perfect:memory=64"),
        ("perfect:memory=064", "perfect:memory=64"),
    ] {
        assert_eq!(object(&format!("explain kalah:4x3 {typed}"))["player"], canonical);
    }
}

#[test]
fn it_says_what_it_knows() {
    let found = object(&format!("explain connect4 {} perfect", WON.0));
    assert_eq!(found["chosen"], "2");
    for reason in found["moves"].as_array().unwrap() {
        let value = (reason["move"] == "2").then_some(9.0);
        assert_eq!(reason["value"].as_f64(), value, "{reason}");
    }
    let text = say(&format!("explain connect4 {} perfect", WON.0));
    assert!(text.contains("*     2      9\n") && text.ends_with("perfect plays 2.\n"), "{text}");
    // In positions that are too large to solve it plays and explains as the game's default opponent.
    let found = object("explain ladrillos:8 perfect");
    assert!(found["chosen"].is_string());
    let ended = object("explain connect:3x3x3 13131 perfect");
    assert!(ended["chosen"].is_null());
}

#[test]
fn games_that_can_be_solved_list_it() {
    for family in palestra_registry::GAMES.families() {
        let listed = objects(&format!("players {}", family.name));
        let n_listed = listed.iter().filter(|item| item["name"] == "perfect").count();
        assert_eq!(n_listed, usize::from(!family.exact.is_empty()), "{}", family.name);
        let text = say(&format!("players {}", family.name));
        assert_eq!(text.lines().any(|line| line.starts_with("perfect ")), n_listed == 1, "{}", family.name);
        // A family that lists `perfect` has a sample that opens.
        if n_listed == 1 {
            let ran = run(&["show", family.samples[0]]);
            assert_eq!(ran.code, Some(0));
        }
    }
}
